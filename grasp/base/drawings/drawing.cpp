#include "grasp/base/drawings/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/mass_properties.hpp"
#include "geometry/outline.hpp"
#include "grasp/base/drawings/joining.hpp"
#include "grasp/base/drawings/regions.hpp"
#include "grasp/base/drawings/sketch.hpp"
#include "grasp/base/io/number_text.hpp"

namespace graspmap {
namespace {

constexpr double kFinestToleranceMm = 1e-5;
constexpr double kCoarsestToleranceMm = 10.0;
constexpr double kLargestScale = 1e6;

/// The time to find what lies within what grows with their square.
constexpr std::size_t kMostChains = 5'000;

/// Regions of which a message says where they are.
constexpr std::size_t kMostRegionsListed = 4;

}  // namespace

bool is_solid_file(const std::filesystem::path& file) {
  const std::string kind = lower_case(file.extension().string());
  return kind == ".step" || kind == ".stp" || kind == ".stl";
}

void check_drawing_options(const std::filesystem::path& file, const DrawingOptions& options) {
  const auto check = [&](const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return;
    throw config_error({file.string()}, "",
                       fmt::format("{} {}; must be from {} to {}", what, value, least, most));
  };
  check("tolerance (mm)", options.tolerance_mm, kFinestToleranceMm, kCoarsestToleranceMm);
  check("scale", options.scale, 1.0 / kLargestScale, kLargestScale);
  check("rotation (rad)", options.rotation_rad, -kLargestScale, kLargestScale);
}

namespace {

Sketch sketch_of(const std::filesystem::path& file, const SourceFile& source,
                 const DrawingOptions& options) {
  const std::string kind = lower_case(file.extension().string());
  if (kind == ".dxf") return read_dxf(source, options);
  if (kind == ".svg") return read_svg(source, options);
  source.fail(
      0,
      "must be a .dxf or a .svg file, or for graspmap import and init a .step, .stp or .stl file");
}

void check_not_empty(const SourceFile& source, const Sketch& sketch) {
  if (!sketch.strokes.empty()) return;
  std::string ignored;
  for (const IgnoredEntities& entry : sketch.ignored) {
    ignored += fmt::format("{}{} {} ({})", ignored.empty() ? "; ignored: " : ", ", entry.count,
                           entry.kind, entry.reason);
    if (&entry - sketch.ignored.data() == 3) break;
  }
  source.fail(0, fmt::format("shows no lines{}", ignored));
}

/// Leaves out what does not lie in the box.
void keep_in_box(const SourceFile& source, Sketch& sketch, const Eigen::AlignedBox2d& box) {
  if (box.isEmpty()) return;
  std::set<std::size_t> outside;  // entities
  std::erase_if(sketch.strokes, [&](const Stroke& stroke) {
    const bool inside = box.contains(box_of(curve_of(stroke)));
    if (!inside) outside.insert(stroke.entity);
    return !inside;
  });
  if (sketch.strokes.empty()) {
    source.fail(0, fmt::format("shows no lines in the box ({:.6g}, {:.6g}) to ({:.6g}, {:.6g}) mm",
                               box.min().x(), box.min().y(), box.max().x(), box.max().y()));
  }
  if (!outside.empty()) {
    sketch.notes.push_back(
        fmt::format("left out what is not in the box: {}", counted(outside.size(), "element")));
  }
}

void keep_view(const SourceFile& source, Drawing& drawing, int view) {
  if (view == 0) return;
  if (view < 0 || view > static_cast<int>(drawing.regions.size())) {
    source.fail(
        0, fmt::format("has no view {}; must be among {}", view, regions_text(drawing.regions)));
  }
  Outline chosen = std::move(drawing.regions[static_cast<std::size_t>(view - 1)]);
  drawing.regions = {std::move(chosen)};
}

/// What makes outlines of a sketch; what fails names the layers with what is on them.
void read_regions(const SourceFile& source, const Sketch& sketch, const DrawingOptions& options,
                  Drawing& drawing) {
  try {
    std::vector<ClosedChain> chains = closed_chains(source, sketch, options.tolerance_mm, drawing);
    if (chains.empty()) source.fail(0, "shows only lines without length");
    if (chains.size() > kMostChains) {
      source.fail(0, fmt::format("shows {} closed outlines; at most {} can be read: choose layers",
                                 chains.size(), kMostChains));
    }
    for (ClosedChain& chain : chains) drawing.merged += merge_strokes(chain);
    drawing.regions = regions_of(source, sketch, chains, options, drawing);
  } catch (const ConfigError& error) {
    ConfigFault fault = error.faults().front();
    const std::string layers = layers_text(sketch);
    if (!layers.empty()) fault.allowed += "; " + layers;
    throw ConfigError(std::move(fault));
  }
}

void measure(Drawing& drawing) {
  Eigen::AlignedBox2d box;
  Vec2 moment = Vec2::Zero();
  drawing.area_mm2 = 0.0;
  for (const Outline& region : drawing.regions) {
    box.extend(box_of(region.outer));
    Part part;
    part.outlines.push_back({"", region, {}});
    const AreaIntegrals integrals = area_integrals(part);
    drawing.area_mm2 += integrals.area_mm2;
    moment += integrals.area_mm2 * integrals.centroid_P_mm;
  }
  drawing.min_mm = box.min();
  drawing.max_mm = box.max();
  drawing.centroid_mm = moment / drawing.area_mm2;
}

/// Few grippers hold what is smaller or larger: the unit may be another one.
void note_strange_size(Drawing& drawing) {
  constexpr double kSmallMm = 1.0;
  constexpr double kLargeMm = 1000.0;
  const double size_mm = (drawing.max_mm - drawing.min_mm).maxCoeff();
  if (size_mm >= kSmallMm && size_mm <= kLargeMm) return;
  drawing.notes.push_back(fmt::format("it is {:.4g} mm large: is the unit right?", size_mm));
}

/// Files without a unit are read in mm; parts of some mm are often some inches large.
void note_inches(Drawing& drawing) {
  constexpr double kLargestSuspect = 15.0;
  const Vec2 size_mm = drawing.max_mm - drawing.min_mm;
  if (!drawing.units.starts_with("mm, since") || size_mm.maxCoeff() > kLargestSuspect) return;
  drawing.notes.push_back(fmt::format(
      "no unit is named, and it is {:.4g} x {:.4g} large: if these are inches, --scale 25.4",
      size_mm.x(), size_mm.y()));
}

/// Without digits that are rounding errors: less than a millionth of a micrometre off.
Vec2 rounded(const Vec2& point_mm) {
  constexpr double kPerMm = 1e9;
  return (point_mm * kPerMm).array().round() / kPerMm + 0.0;
}

void move_origin(Drawing& drawing, const DrawingOptions& options) {
  if (options.origin == DrawingOrigin::kDrawn) return;
  const bool at_centroid = options.origin == DrawingOrigin::kCentroid;
  const Vec2 origin = at_centroid ? rounded(drawing.centroid_mm) : options.origin_mm;
  drawing.origin_mm = origin;
  for (Outline& region : drawing.regions) region = placed(region, {-origin, 0.0});
  for (JoinedGap& gap : drawing.joined_gaps) gap.at_mm -= origin;
  drawing.min_mm -= origin;
  drawing.max_mm -= origin;
  drawing.centroid_mm -= origin;
}

}  // namespace

Drawing read_drawing(const std::filesystem::path& file, const DrawingOptions& options) {
  return parse_drawing(read_bytes(file, "a DXF or SVG file"), file, options);
}

Drawing parse_drawing(std::string text, const std::filesystem::path& file,
                      const DrawingOptions& options) {
  if (is_solid_file(file)) {
    throw config_error({file.string()}, "",
                       "is a solid; must be a drawing: graspmap import makes one of a solid");
  }
  check_drawing_options(file, options);
  const SourceFile source = source_of(std::move(text), file);
  return drawing_of(source, sketch_of(file, source, options), options);
}

Drawing drawing_of(const SourceFile& source, Sketch sketch, const DrawingOptions& options) {
  check_not_empty(source, sketch);
  keep_in_box(source, sketch, options.box_mm);
  Drawing drawing;
  drawing.units = sketch.units;
  for (const SketchEntity& entity : sketch.entities) ++drawing.entities[entity.kind];
  drawing.notes = std::move(sketch.notes);
  read_regions(source, sketch, options, drawing);
  keep_view(source, drawing, options.view);
  drawing.layers = std::move(sketch.layers);
  drawing.ignored = std::move(sketch.ignored);
  drawing.curve_error_mm = sketch.curve_error_mm;
  measure(drawing);
  note_strange_size(drawing);
  note_inches(drawing);
  move_origin(drawing, options);
  return drawing;
}

namespace {

/// The largest-numbered region before one in a hole of which it lies; its own number: none.
std::size_t region_around(const std::vector<Outline>& regions, std::size_t inner) {
  const Vec2& point = regions[inner].outer.front().begin_mm;
  for (std::size_t k = inner; k-- > 0;) {
    const std::vector<OutlineLoop>& holes = regions[k].holes;
    const bool is_around = std::any_of(
        holes.begin(), holes.end(), [&](const OutlineLoop& hole) { return contains(hole, point); });
    if (is_around) return k;
  }
  return inner;
}

/// The layers with a name: "'outline', 'holes'".
std::string layer_list(const Drawing& drawing) {
  std::string layers;
  for (const std::string& layer : drawing.layers) {
    if (!layer.empty()) layers += fmt::format("{}'{}'", layers.empty() ? "" : ", ", layer);
  }
  return layers;
}

}  // namespace

std::string regions_text(const std::vector<Outline>& regions) {
  std::string list;
  for (std::size_t k = 0; k < std::min(regions.size(), kMostRegionsListed); ++k) {
    const Eigen::AlignedBox2d box = box_of(regions[k].outer);
    const Vec2 extent = box.sizes();
    const Vec2 center = rounded(box.center());
    list += fmt::format("{}{}: {:.4g} x {:.4g} mm at ({:.4g}, {:.4g})", k == 0 ? "" : ", ", k + 1,
                        extent.x(), extent.y(), center.x(), center.y());
    const std::size_t around = region_around(regions, k);
    if (around < k) list += fmt::format(" in a hole of {}", around + 1);
  }
  return regions.size() > kMostRegionsListed ? list + ", ..." : list;
}

std::string outlines_text(const Drawing& drawing) {
  bool are_nested = false;
  for (std::size_t k = 0; k < drawing.regions.size(); ++k) {
    are_nested |= region_around(drawing.regions, k) != k;
  }
  return fmt::format("shows {}{}: {}{}", counted(drawing.regions.size(), "outline"),
                     are_nested ? "" : " apart from each other", regions_text(drawing.regions),
                     drawing.layers.size() > 1 ? "; layers: " + layer_list(drawing) : "");
}

void name_sides(Outline& outline) {
  const std::vector<OutlineCurve> curves = outline_curves(outline.outer);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const Vec2 out = -perp(tangent_at(curves[k], 0.5));  // the loop runs counter-clockwise
    const bool across = std::abs(out.x()) >= std::abs(out.y());
    outline.outer[k].name =
        across ? (out.x() < 0.0 ? "left" : "right") : (out.y() < 0.0 ? "bottom" : "top");
  }
}

Outline read_outline(const std::filesystem::path& file, const DrawingOptions& options) {
  Drawing drawing = read_drawing(file, options);
  if (drawing.regions.size() == 1) return std::move(drawing.regions.front());
  throw config_error({file.string()}, "", outlines_text(drawing) + "; must be one: choose layers");
}

namespace {

/// Gaps, and layers, that are listed; of more, there is a number.
constexpr std::size_t kMostReported = 6;

std::string headline(const Drawing& drawing, const std::string& file) {
  std::size_t edges = 0;
  std::size_t arcs = 0;
  std::size_t holes = 0;
  for (const Outline& region : drawing.regions) {
    for (const OutlineLoop* loop : loops_of(region)) {
      for (const OutlineElement& element : *loop) ++(element.bulge == 0.0 ? edges : arcs);
    }
    holes += region.holes.size();
  }
  const std::string with_holes = holes == 0 ? "" : fmt::format(" with {}", counted(holes, "hole"));
  return fmt::format("{}: {}{}, {} and {}\n", file, counted(drawing.regions.size(), "outline"),
                     with_holes, counted(edges, "edge"), counted(arcs, "arc"));
}

std::string entities_line(const Drawing& drawing) {
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : drawing.entities)
    kinds.push_back(fmt::format("{} {}", count, kind));
  std::string text = fmt::format("{}", fmt::join(kinds, ", "));
  if (const std::string layers = layer_list(drawing); !layers.empty()) {
    text += fmt::format(" on {} {}", drawing.layers.size() == 1 ? "layer" : "layers", layers);
  }
  return fact_line("read", text);
}

/// What the reader joined, dropped, merged and ignored.
std::string changes_lines(const Drawing& drawing) {
  std::string text;
  if (const std::size_t count = drawing.joined_gaps.size(); count > 0) {
    std::vector<std::string> list;
    for (const JoinedGap& gap : drawing.joined_gaps) {
      if (list.size() == kMostReported) break;
      list.push_back(fmt::format("{:.3g} mm at {}", gap.width_mm, mm_text(gap.at_mm)));
    }
    if (count > kMostReported) list.emplace_back("...");
    text +=
        fact_line("joined", fmt::format("{}: {}", counted(count, "gap"), fmt::join(list, ", ")));
  }
  const auto add = [&](const char* what, int count, const std::string& name, const char* more) {
    if (count == 0) return;
    text += fact_line(what, counted(static_cast<std::size_t>(count), name) + more);
  };
  add("dropped", drawing.duplicates, "duplicate", "");
  add("dropped", drawing.zero_length, "element", " without length");
  add("merged", drawing.merged, "element", " with the one before on the same line or circle");
  for (const IgnoredEntities& entry : drawing.ignored) {
    text += fact_line("ignored",
                      fmt::format("{} {}: {} (line {}{})", entry.count, entry.kind, entry.reason,
                                  entry.first_line, entry.count > 1 ? " and others" : ""));
  }
  return text;
}

}  // namespace

std::string drawing_text(const Drawing& drawing, const std::string& file,
                         std::optional<double> kg_per_mm2) {
  const Vec2 extent = drawing.max_mm - drawing.min_mm;
  std::string text = headline(drawing, file) + entities_line(drawing);
  text += fact_line("unit", drawing.units);
  text += fact_line(
      "size", fmt::format("{} x {} mm, from {} to {}", mm_text(extent.x()), mm_text(extent.y()),
                          mm_text(drawing.min_mm), mm_text(drawing.max_mm)));
  text += fact_line("area", fmt::format("{:.6g} mm^2, centroid {} mm", drawing.area_mm2,
                                        mm_text(drawing.centroid_mm)));
  if (kg_per_mm2) {
    text += fact_line("mass", fmt::format("{:.6g} kg", *kg_per_mm2 * drawing.area_mm2));
  }
  if (drawing.curve_error_mm > 0.0) {
    text += fact_line("curves", fmt::format("replaced by arcs that are off by {:.2g} mm at most",
                                            drawing.curve_error_mm));
  }
  text += changes_lines(drawing);
  for (const std::string& note : drawing.notes) text += fact_line("note", note);
  return text;
}

}  // namespace graspmap
