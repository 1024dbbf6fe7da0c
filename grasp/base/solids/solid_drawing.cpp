#include "grasp/base/solids/solid_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>

#include "grasp/base/drawings/sketch.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/solids/mesh.hpp"
#include "grasp/base/solids/step_reader.hpp"

namespace graspmap {
namespace {

/// The mesh of a STEP file is this much finer than the tolerance.
constexpr double kMeshShare = 0.4;

/// The trial whether OpenCASCADE crashes on a file takes a mesh that is coarser by this.
constexpr double kCoarseTrial = 50.0;
/// And may take 20 s and this long: a twentieth of the speed at which small files are read.
constexpr std::uint64_t kLeastBytesPerSecond = 10'000;

/// Points this near to a plane lie in it, mm.
constexpr double kInPlaneMm = 1e-6;

constexpr std::size_t kMostRestsListed = 12;

/// Points of each edge of the overhang that are compared with the section.
constexpr int kSamples = 8;

/// Draws a section into a sketch.
class SectionPen {
 public:
  SectionPen(const SourceFile& source, const DrawingOptions& options) : pen_(source, options) {}

  void operator()(const SectionStroke& stroke) {
    begin(stroke.bulge == 0.0 ? "LINE" : "ARC");
    pen_.arc(stroke.begin_mm, stroke.end_mm, stroke.bulge);
  }
  void operator()(const EllipseArc& arc) {
    const bool is_round = std::abs(arc.u.norm() - arc.v.norm()) <= 1e-9 * arc.u.norm();
    const bool is_whole = std::abs(arc.sweep_rad) > 2.0 * M_PI - 1e-9;
    begin(!is_round ? "ELLIPSE" : is_whole ? "CIRCLE" : "ARC");
    if (!is_round || !is_whole) return pen_.ellipse(arc);
    const double half = graspmap::cross(arc.u, arc.v) > 0.0 ? 1.0 : -1.0;
    pen_.arc(arc.center + arc.u, arc.center - arc.u, half);
    pen_.arc(arc.center - arc.u, arc.center + arc.u, half);
  }
  void operator()(const Nurbs& spline) {
    begin("SPLINE");
    pen_.spline(spline);
  }

  Sketch take(const SolidSection& section, const std::string& units) {
    constexpr double kRounding = 1e-9;
    Sketch sketch = pen_.take();
    if (section.deviation_mm > kRounding) sketch.curve_error_mm += section.deviation_mm;
    sketch.units = units;
    if (section.smoother_mm > 0.0) {
      sketch.notes.push_back(
          fmt::format("it has many short edges: --tolerance-mm {} would make arcs of them",
                      section.smoother_mm));
    }
    return sketch;
  }

 private:
  void begin(const char* kind) {
    pen_.count_entity(0);
    pen_.begin(kind, 0, "", pen_.root(1.0));
  }

  Pen pen_;
};

SolidSection silhouette_of(const SolidBody& solid, const SolidPose& pose, double tolerance_mm) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  SolidSection section =
      section_of(mesh_silhouette(solid.mesh(), pose, -kInfinite, kInfinite), tolerance_mm);
  section.deviation_mm += solid.mesh().deviation_mm;
  return section;
}

/// Heights at which faces lie flat.
std::set<double> face_heights(const SolidMesh& mesh, const SolidPose& pose) {
  std::set<double> heights;
  for (const std::array<int, 3>& facet : mesh.facets) {
    std::array<double, 3> z{};
    for (std::size_t k = 0; k < 3; ++k) z[k] = (pose * mesh.points_mm[index(facet[k])]).z();
    const auto [low, high] = std::minmax_element(z.begin(), z.end());
    if (*high - *low <= kInPlaneMm)
      heights.insert(std::round(*low / kInPlaneMm) * kInPlaneMm + 0.0);
  }
  return heights;
}

void check_height(const SolidBody& solid, const Rest& rest, double height_mm,
                  const std::string& file) {
  if (!(height_mm > kInPlaneMm && height_mm < rest.height_mm - kInPlaneMm)) {
    throw config_error({file}, "",
                       fmt::format("has no section at {} mm; must be above 0 and below its height "
                                   "there, {} mm",
                                   mm_text(height_mm), mm_text(rest.height_mm)));
  }
  const std::set<double> heights = face_heights(solid.mesh(), rest.pose);
  const bool is_in_face = std::any_of(heights.begin(), heights.end(), [&](double height) {
    return std::abs(height - height_mm) <= 2.0 * kInPlaneMm;
  });
  if (!is_in_face) return;
  std::string list;
  std::size_t listed = 0;
  for (const double height : heights) {
    if (++listed > 8) {
      list += ", ...";
      break;
    }
    list += (list.empty() ? "" : ", ") + mm_text(height);
  }
  throw config_error(
      {file}, "",
      fmt::format("has a face at {} mm, and other sections above and below it; must be "
                  "between its faces at {} mm",
                  mm_text(height_mm), list));
}

/// Extent of the section at a height, or of all seen from above.
Vec2 size_of(const SolidBody& solid, const Rest& rest, const std::optional<double>& height_mm) {
  Eigen::AlignedBox2d box;
  if (height_mm) {
    for (const Polygon2& polygon : mesh_section(solid.mesh(), rest.pose, *height_mm)) {
      for (const Vec2& p : polygon) box.extend(p);
    }
  } else {
    for (const Vec3& p : solid.mesh().points_mm) box.extend(Vec2((rest.pose * p).head<2>()));
  }
  return box.isEmpty() ? Vec2::Zero() : Vec2(box.sizes());
}

Rest chosen_rest(const SolidBody& solid, const std::string& file, const SolidOptions& options,
                 SolidDrawing& result) {
  if (options.up) {
    result.rest = std::numeric_limits<std::size_t>::max();
    return rest_with_up(solid, *options.up);
  }
  result.rests = rests_of(solid, file);
  for (const Rest& rest : result.rests) {
    result.sizes_mm.push_back(size_of(solid, rest, options.section_mm));
  }
  if (result.rests.empty()) {
    throw config_error(
        {file}, "",
        "rests on no face: it rolls or tips over; say with --up X,Y,Z which direction "
        "of the file points up");
  }
  if (options.rest < 1 || options.rest > static_cast<int>(result.rests.size())) {
    throw config_error(
        {file}, "",
        fmt::format("has no rest {}; must be from 1 to {}", options.rest, result.rests.size()));
  }
  result.rest = index(options.rest - 1);
  return result.rests[result.rest];
}

/// From the table to the drawing's frame.
struct DrawingFrame {
  Affine root;
  Vec2 origin_mm;
  Vec2 operator()(const Vec2& p) const { return root(p) - origin_mm; }
};

std::optional<Overhang> overhang_of(const SolidBody& solid, const Rest& rest,
                                    const DrawingFrame& frame, const SolidOptions& options,
                                    const Drawing& drawing) {
  const double low = *options.section_mm;
  const double high = options.finger_height_mm ? low + *options.finger_height_mm
                                               : std::numeric_limits<double>::infinity();
  std::vector<OutlineCurve> outlines;
  for (const Outline& region : drawing.regions) {
    for (const OutlineCurve& curve : outline_curves(region.outer)) outlines.push_back(curve);
  }
  Overhang overhang;
  const auto see = [&](const Vec2& p) {
    const bool is_inside =
        std::any_of(drawing.regions.begin(), drawing.regions.end(),
                    [&](const Outline& region) { return contains(region.outer, p); });
    if (is_inside) return;
    double nearest = std::numeric_limits<double>::infinity();
    for (const OutlineCurve& curve : outlines) {
      nearest = std::min(nearest, distance_mm(curve, p));
      if (nearest <= overhang.out_mm) return;
    }
    overhang = {nearest, p};
  };
  for (const Polygon2& polygon : mesh_silhouette(solid.mesh(), rest.pose, low, high)) {
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec2 p = frame(polygon[k]);
      const Vec2 q = frame(polygon[(k + 1) % polygon.size()]);
      for (int i = 0; i < kSamples; ++i) see(p + (q - p) * (static_cast<double>(i) / kSamples));
    }
  }
  const double noise_mm = options.drawing.tolerance_mm + drawing.curve_error_mm;
  if (overhang.out_mm <= noise_mm) return std::nullopt;
  return overhang;
}

}  // namespace

SolidDrawing solid_drawing(const SolidBody& solid, const std::string& file,
                           const SolidOptions& options) {
  SolidDrawing result;
  const Rest rest = on_table(solid, chosen_rest(solid, file, options, result));
  if (options.section_mm) check_height(solid, rest, *options.section_mm, file);
  DrawingOptions drawing_options = options.drawing;
  drawing_options.scale = 1.0;  // done
  const SourceFile source{file, ""};
  SectionPen pen(source, drawing_options);
  const std::string what = options.section_mm
                               ? fmt::format("the section at {} mm", mm_text(*options.section_mm))
                               : "the silhouette";
  try {
    const SolidSection section =
        options.section_mm
            ? solid.section(rest.pose, *options.section_mm, drawing_options.tolerance_mm)
            : silhouette_of(solid, rest.pose, drawing_options.tolerance_mm);
    for (const SectionCurve& curve : section.curves) std::visit(pen, curve);
    result.drawing = drawing_of(source, pen.take(section, solid.units), drawing_options);
  } catch (const ConfigError& error) {
    ConfigFault fault = error.faults().front();
    fault.what = what + ": " + fault.what;
    throw ConfigError(std::move(fault));
  } catch (const std::runtime_error& error) {
    throw config_error({file}, "", fmt::format("{}: {}; try another height", what, error.what()));
  }
  result.source = solid.source;
  result.section_mm = options.section_mm;
  result.height_mm = rest.height_mm;
  const SolidIntegrals& integrals = solid.integrals();
  result.volume_mm3 = integrals.volume_mm3;
  const DrawingFrame frame{Affine::rotation(drawing_options.rotation_rad),
                           result.drawing.origin_mm};
  const Vec3 center = rest.pose * integrals.centroid_mm;
  result.center_of_mass_mm << frame(center.head<2>()), center.z();
  for (double& x : result.center_of_mass_mm) {
    if (std::abs(x) < 1e-12 * rest.height_mm) x = 0.0;  // rounding
  }
  result.inertia_mm5 = rest.up.dot(integrals.inertia_mm5 * rest.up);
  if (options.section_mm) {
    result.overhang = overhang_of(solid, rest, frame, options, result.drawing);
  }
  return result;
}

SolidDrawing read_solid(const std::filesystem::path& file, const SolidOptions& options) {
  check_drawing_options(file, options.drawing);
  const std::string name = file.string();
  const bool is_stl = lower_case(file.extension().string()) == ".stl";
  if (is_stl && options.solid > 1) {
    throw config_error({name}, "", "is an STL file, which is one solid; leave out --solid");
  }
  const std::string bytes = read_bytes(file, "a STEP or STL file");
  if (is_stl) return solid_drawing(*parse_stl(bytes, name, options.drawing.scale), name, options);
  if (bytes.empty()) throw config_error({name}, "", "is empty; give a STEP file");
  const StepRequest request{name, options.drawing.scale, options.solid,
                            kMeshShare * options.drawing.tolerance_mm};
  // Before the process forks: a lock that another thread holds then stays held in the child.
  load_step_module(name);
  StepRequest trial = request;
  trial.deviation_mm *= kCoarseTrial;
  const std::uint64_t most_cpu_s = 20 + bytes.size() / kLeastBytesPerSecond;
  const auto read = [&] { solid_drawing(*read_step(trial), name, options); };
  if (!ends_without_crash(read, most_cpu_s)) {
    throw config_error({name}, "",
                       "is broken: OpenCASCADE crashes on it or comes to no end; repair it in the "
                       "program that made it");
  }
  return solid_drawing(*read_step(request), name, options);
}

namespace {

std::string direction_text(const Vec3& up) {
  for (const int k : {0, 1, 2}) {
    if (std::abs(up[k]) == 1.0) return fmt::format("{}{}", up[k] > 0.0 ? '+' : '-', "xyz"[k]);
  }
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", up.x(), up.y(), up.z());
}

std::string rest_lines(const SolidDrawing& solid) {
  constexpr double kDegrees = 180.0 / M_PI;
  std::string text;
  for (std::size_t k = 0; k < std::min(solid.rests.size(), kMostRestsListed); ++k) {
    const Rest& rest = solid.rests[k];
    text += fact_line(
        fmt::format("rest {}", k + 1),
        fmt::format("{} up, tips over at {:.3g} deg: {:.5g} mm high, centre at {:.4g} mm, support "
                    "{:.4g} mm^2, {} {:.4g} x {:.4g} mm{}",
                    direction_text(rest.up), rest.margin_rad * kDegrees, rest.height_mm,
                    rest.centroid_height_mm, rest.support_mm2,
                    solid.section_mm ? "section" : "silhouette", solid.sizes_mm[k].x(),
                    solid.sizes_mm[k].y(), k == solid.rest ? " (taken)" : ""));
  }
  if (solid.rests.size() > kMostRestsListed) {
    text += fact_line("rest", fmt::format("up to {}: not listed", solid.rests.size()));
  }
  return text;
}

}  // namespace

std::string solid_text(const SolidDrawing& solid, const std::string& file,
                       std::optional<double> density_kg_mm3) {
  const Vec3& center = solid.center_of_mass_mm;
  std::string text = drawing_text(solid.drawing, file, std::nullopt);
  text += fact_line("solid", fmt::format("{}: {:.6g} mm^3, {} mm high", solid.source,
                                         solid.volume_mm3, mm_text(solid.height_mm)));
  text += fact_line("centre", fmt::format("of mass {} mm, {} mm above the table",
                                          mm_text(center.head<2>()), mm_text(center.z())));
  if (density_kg_mm3) {
    text += fact_line("mass", fmt::format("{:.6g} kg, {:.6g} kg mm^2 about the vertical axis",
                                          *density_kg_mm3 * solid.volume_mm3,
                                          *density_kg_mm3 * solid.inertia_mm5));
  }
  if (solid.section_mm) {
    text += fact_line(
        "above",
        solid.overhang
            ? fmt::format("{} mm the solid reaches {:.4g} mm out of the section, at {} mm: fingers "
                          "touch it first",
                          mm_text(*solid.section_mm), solid.overhang->out_mm,
                          mm_text(solid.overhang->at_mm))
            : fmt::format("{} mm nothing reaches out of the section", mm_text(*solid.section_mm)));
  }
  return text + rest_lines(solid);
}

}  // namespace graspmap
