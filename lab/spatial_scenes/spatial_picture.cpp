#include "lab/spatial_scenes/spatial_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/picture_layout.hpp"

namespace graspmap {
namespace {

using Polygon3 = std::vector<Vec3>;

/// How far a point is outside a half-space.
double height_above(const Pose3& half_space, const Vec3& point) {
  return half_space.to_body(point).z();
}

/// The part of a polygon, or of a segment (two points), outside a half-space.
Polygon3 outside(const Polygon3& polygon, const Pose3& half_space) {
  Polygon3 kept;
  const std::size_t edges = polygon.size() == 2 ? 1 : polygon.size();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3& a = polygon[i];
    const Vec3& b = polygon[(i + 1) % polygon.size()];
    const double at_a = height_above(half_space, a);
    const double at_b = height_above(half_space, b);
    if (at_a >= 0.0) kept.push_back(a);
    if (i < edges && (at_a >= 0.0) != (at_b >= 0.0)) {
      kept.push_back(a + at_a / (at_a - at_b) * (b - a));
    }
  }
  return kept;
}

/// Whole numbers of spacings about an interval with some room.
struct GridRange {
  int first = 0;
  int last = 0;
};

GridRange range_of(double low, double high, double room, double spacing) {
  return {static_cast<int>(std::floor((low - room) / spacing)),
          static_cast<int>(std::ceil((high + room) / spacing))};
}

/// One half-space's grid before it is cut.
class WholeGrid {
 public:
  WholeGrid(const Pose3& pose, const GrowingBox3& moving) : pose_(pose) {
    Vec2 low = Vec2::Constant(1e300);
    Vec2 high = -low;
    for (const Vec3& corner : moving.corners()) {
      const Vec2 at = pose.to_body(corner).head<2>();
      low = low.cwiseMin(at);
      high = high.cwiseMax(at);
    }
    const double size = std::max((high - low).maxCoeff(), 1e-9);
    spacing = round_below(size / 5.0);
    x_ = range_of(low.x(), high.x(), 0.1 * size, spacing);
    y_ = range_of(low.y(), high.y(), 0.1 * size, spacing);
  }

  [[nodiscard]] Polygon3 outline() const {
    return {at(x_.first, y_.first), at(x_.last, y_.first), at(x_.last, y_.last),
            at(x_.first, y_.last)};
  }

  [[nodiscard]] std::vector<Polygon3> lines() const {
    std::vector<Polygon3> lines;
    for (int x = x_.first; x <= x_.last; ++x) lines.push_back({at(x, y_.first), at(x, y_.last)});
    for (int y = y_.first; y <= y_.last; ++y) lines.push_back({at(x_.first, y), at(x_.last, y)});
    return lines;
  }

  double spacing = 1.0;

 private:
  [[nodiscard]] Vec3 at(int x, int y) const {
    return pose_.to_world({spacing * x, spacing * y, 0.0});
  }

  Pose3 pose_;
  GridRange x_;
  GridRange y_;
};

DrawnLine flattened(const Polygon3& polygon, const SpatialView& view) {
  DrawnLine line;
  for (const Vec3& point : polygon) line.push_back(view.flat(point));
  return line;
}

}  // namespace

std::vector<GroundGrid> ground_grids(const std::vector<Pose3>& half_spaces,
                                     const GrowingBox3& moving, const SpatialView& view) {
  std::vector<GroundGrid> grids;
  for (std::size_t k = 0; k < half_spaces.size(); ++k) {
    const auto cut = [&](Polygon3 polygon) {
      for (std::size_t other = 0; other < half_spaces.size(); ++other) {
        if (other != k) polygon = outside(polygon, half_spaces[other]);
      }
      return polygon;
    };
    const WholeGrid whole(half_spaces[k], moving);
    GroundGrid grid;
    grid.spacing_mm = whole.spacing;
    grid.faces_eye = (half_spaces[k].orientation * Vec3::UnitZ()).dot(view.toward) > 0.0;
    grid.outline = flattened(cut(whole.outline()), view);
    for (const Polygon3& line : whole.lines()) {
      const Polygon3 rest = cut(line);
      if (rest.size() == 2) grid.lines.push_back(flattened(rest, view));
    }
    grids.push_back(grid);
  }
  return grids;
}

namespace {

constexpr int kRoughOutline = 16;           ///< points, for the window
constexpr std::size_t kWindowStates = 300;  ///< that the window is found from

int outline_points(const Solid& solid, const Box& window) {
  const double share = bounding_radius_mm(solid) / (window.max - window.min).x();
  return std::clamp(static_cast<int>(720.0 * share), 24, 144);
}

/// Every n-th of the samples, at most about `kWindowStates`.
template <typename Visit>
void for_states(const SpatialRecording& recording, Visit visit) {
  const std::size_t count = recording.samples.size();
  const std::size_t every = (count + kWindowStates - 1) / kWindowStates;
  for (std::size_t k = 0; k < count; k += every) visit(recording.samples[k].shown);
  visit(recording.samples.back().shown);
}

}  // namespace

SolidLook see_through_look(const std::string& color, double pale) {
  const std::string rgb = color.substr(1);
  return {fmt::format("#{}{}", alpha_text(0.4, pale), rgb),
          fmt::format("#{}{}", alpha_text(0.0, pale), rgb)};
}

SolidLook solid_look(const std::string& color) {
  return {mixed_with_white(color, 0.35), mixed_with_white(color, 0.9)};
}

SpatialPicture::SpatialPicture(const SpatialSceneFile& file, const SpatialRecording& recording)
    : file_(file), recording_(recording) {
  const GrowingBox3 moving = moving_box();
  view_ = view_of(moving);
  std::vector<Pose3> half_spaces;
  const SpatialSnapshot& start = recording.samples.front().shown;
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (!std::holds_alternative<HalfSpace>(file.bodies[k].solid)) continue;
    half_spaces.push_back(start.poses[k]);
    grid_is_level_.push_back(std::abs((start.poses[k].orientation * Vec3::UnitZ()).z()) > 0.7);
  }
  grids_ = ground_grids(half_spaces, moving, view_);
  window_ = window_of_all();
}

GrowingBox3 SpatialPicture::moving_box() const {
  GrowingBox3 box;
  for_states(recording_, [&](const SpatialSnapshot& at) {
    for (std::size_t k = 0; k < file_.bodies.size(); ++k) {
      if (file_.bodies[k].is_fixed) continue;
      box.add(at.poses[k].position_mm, at.poses[k].position_mm);
      if (!is_solid(k)) continue;
      const GrowingBox3 about = box_about(file_.bodies[k].solid, at.poses[k]);
      box.add(about.min, about.max);
    }
    for (const Vec3& joint : at.joints_mm) box.add(joint, joint);
  });
  return box;
}

Box SpatialPicture::window_of_all() const {
  const auto add = [&](GrowingBox& box, std::size_t body, const Pose3& pose) {
    if (!is_solid(body)) return;
    const DrawnSolid drawn = drawn_solid(file_.bodies[body].solid, pose, view_, kRoughOutline);
    for (const Vec2& point : drawn.outline) box.add(point);
  };
  GrowingBox moving;
  for_states(recording_, [&](const SpatialSnapshot& at) {
    for (std::size_t k = 0; k < file_.bodies.size(); ++k) {
      if (!file_.bodies[k].is_fixed) add(moving, k, at.poses[k]);
    }
    for (const Vec3& joint : at.joints_mm) moving.add(view_.flat(joint));
  });
  GrowingBox all = moving;
  for (std::size_t k = 0; k < file_.bodies.size(); ++k) {
    GrowingBox fixed;
    if (file_.bodies[k].is_fixed) add(fixed, k, recording_.samples.front().shown.poses[k]);
    if (!fixed.is_empty() && is_near(moving, fixed)) all.add(fixed);
  }
  for (const GroundGrid& grid : grids_) {
    GrowingBox ground;
    for (const Vec2& point : grid.outline) ground.add(point);
    if (!ground.is_empty() && is_near(moving, ground)) all.add(ground);
  }
  return window_about(all);
}

std::string SpatialPicture::ground_data() const {
  std::string data;
  for (std::size_t k = 0; k < grids_.size(); ++k) {
    data += data_block("ground", std::to_string(k), lines_data({grids_[k].outline}, true));
    data += data_block("grid", std::to_string(k), lines_data(grids_[k].lines, false));
  }
  return data;
}

std::vector<std::string> SpatialPicture::ground_layers() const {
  std::vector<std::string> layers;
  for (std::size_t k = 0; k < grids_.size(); ++k) {
    if (grids_[k].faces_eye) {
      layers.push_back(fmt::format("$ground_{} using 1:2 with filledcurves closed fc rgb '{}'", k,
                                   grid_is_level_[k] ? "#f2f2f2" : "#e6e9ee"));
    }
    layers.push_back(fmt::format("$grid_{} using 1:2 with lines lw 1 lc rgb '#cccccc'", k));
  }
  return layers;
}

std::string SpatialPicture::ground_text() const {
  if (grids_.empty()) return "";
  const bool is_common = std::all_of(grids_.begin(), grids_.end(), [&](const GroundGrid& grid) {
    return grid.spacing_mm == grids_.front().spacing_mm;
  });
  if (!is_common) return "";
  const double spacing = grids_.front().spacing_mm;
  return fmt::format("; grid of {} mm", spacing >= 1000.0 ? grouped(std::llround(spacing))
                                                          : fmt::format("{:.4g}", spacing));
}

bool SpatialPicture::is_solid(std::size_t body) const {
  const double radius = bounding_radius_mm(file_.bodies[body].solid);
  return radius > 0.0 && std::isfinite(radius);
}

std::string SpatialPicture::color(std::size_t body) const {
  if (file_.bodies[body].is_fixed) return kFixedColor;
  std::size_t before = 0;
  for (std::size_t k = 0; k < body; ++k) before += file_.bodies[k].is_fixed ? 0 : 1;
  return moving_color(before);
}

std::string SpatialPicture::solid_data(const std::string& id, std::size_t body,
                                       const Pose3& pose) const {
  const Solid& solid = file_.bodies[body].solid;
  const DrawnSolid drawn = drawn_solid(solid, pose, view_, outline_points(solid, window_));
  return data_block("outline", id, lines_data({drawn.outline}, true)) +
         data_block("lines", id, lines_data(drawn.lines, false)) +
         data_block("marks", id,
                    lines_data(file_.bodies[body].is_fixed ? std::vector<DrawnLine>() : drawn.marks,
                               false));
}

std::string SpatialPicture::solid_layers(const std::string& id, const SolidLook& look) {
  return fmt::format(
      "$outline_{0} using 1:2 with filledcurves closed fc rgb '{1}', \\\n"
      "       $lines_{0} using 1:2 with lines lw 0.7 lc rgb '{2}', \\\n"
      "       $marks_{0} using 1:2 with lines lw 2.5 lc rgb '{2}', \\\n"
      "       $outline_{0} using 1:2 with lines lw 1.5 lc rgb '{2}'",
      id, look.fill, look.line);
}

bool SpatialPicture::moves_far() const {
  constexpr double kFar = 1.5;
  for (std::size_t k = 0; k < file_.bodies.size(); ++k) {
    if (file_.bodies[k].is_fixed) continue;
    GrowingBox3 path;
    for_states(recording_, [&](const SpatialSnapshot& at) {
      path.add(at.poses[k].position_mm, at.poses[k].position_mm);
    });
    if (path.size().norm() > kFar * 2.0 * bounding_radius_mm(file_.bodies[k].solid)) return true;
  }
  return false;
}

std::string SpatialPicture::rods_data(const std::string& id, const SpatialSnapshot& at) const {
  if (!file_.is_articulated()) {
    DrawnLine points;
    for (const Vec3& joint : at.joints_mm) points.push_back(view_.flat(joint));
    return points.empty() ? "" : data_block("joints", id, lines_data({points}, false));
  }
  const std::vector<Link>& links = file_.articulated().system.links;
  std::vector<DrawnLine> rods;
  DrawnLine joints;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Vec2 joint = view_.flat(at.joints_mm[k]);
    rods.push_back({joint, view_.flat(at.poses[k].position_mm)});
    if (links[k].joint.kind != JointKind::kFree) joints.push_back(joint);
    if (links[k].parent < 0) continue;
    // From the middle of the link before to this joint.
    rods.push_back(
        {view_.flat(at.poses[static_cast<std::size_t>(links[k].parent)].position_mm), joint});
  }
  return data_block("rods", id, lines_data(rods, false)) +
         data_block("joints", id, lines_data({joints}, false));
}

std::vector<std::string> SpatialPicture::rods_layers(const std::string& id,
                                                     const std::string& rgb) const {
  const std::string joints =
      fmt::format("$joints_{} using 1:2 with points pt 7 ps 0.5 lc rgb '{}'", id, rgb);
  if (!file_.is_articulated()) {
    return file_.rigid().scene.joints.empty() ? std::vector<std::string>() : std::vector{joints};
  }
  return {fmt::format("$rods_{} using 1:2 with lines lw 2.5 lc rgb '{}'", id, rgb), joints};
}

}  // namespace graspmap
