#include "lab/spatial_scenes/ground_grid.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/pictures/script_parts.hpp"

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

}  // namespace graspmap
