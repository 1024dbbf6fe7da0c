#include "lab/spatial_scenes/solid_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "lab/solids/closest_points3.hpp"

namespace graspmap {

SpatialView view_from(const Vec3& toward) {
  SpatialView view;
  view.toward = toward.normalized();
  view.right = Vec3::UnitZ().cross(view.toward).normalized();
  view.up = view.toward.cross(view.right);
  return view;
}

GrowingBox3::GrowingBox3()
    : min(Vec3::Constant(std::numeric_limits<double>::infinity())),
      max(Vec3::Constant(-std::numeric_limits<double>::infinity())) {}

void GrowingBox3::add(const Vec3& low, const Vec3& high) {
  min = min.cwiseMin(low);
  max = max.cwiseMax(high);
}

std::vector<Vec3> GrowingBox3::corners() const {
  std::vector<Vec3> corners;
  for (const double x : {min.x(), max.x()}) {
    for (const double y : {min.y(), max.y()}) {
      for (const double z : {min.z(), max.z()}) corners.emplace_back(x, y, z);
    }
  }
  return corners;
}

SpatialView view_of(const GrowingBox3& moving) {
  constexpr double kHardly = 0.3;
  const Vec3 size = moving.size();
  if (size.x() < kHardly * std::max(size.y(), size.z())) return view_from({1.0, -0.4, 0.4});
  if (size.y() < kHardly * std::max(size.x(), size.z())) return view_from({0.4, -1.0, 0.4});
  return view_from({1.0, -1.0, 1.0});
}

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// A point on a solid with the normals of the faces that it is on, body axes. It is seen when one
/// of them is.
struct SeenPoint {
  Vec3 at = Vec3::Zero();
  std::array<Vec3, 2> normals{Vec3::Zero(), Vec3::Zero()};
};

using SurfaceLine = std::vector<SeenPoint>;

/// Lines on a solid, body axes.
struct SurfaceLines {
  std::vector<SurfaceLine> lines;
  std::vector<SurfaceLine> marks;
};

bool is_seen(const SeenPoint& point, const Vec3& toward) {
  constexpr double kGrazing = 1e-9;
  return point.normals[0].dot(toward) > kGrazing || point.normals[1].dot(toward) > kGrazing;
}

/// Points of a rounded solid sum |x_i / a_i|^e <= 1.
struct RoundedSolid {
  Vec3 axes = Vec3::Ones();
  double exponent = 2.0;

  /// Along a direction of the solid scaled to a ball-like one with axes 1.
  [[nodiscard]] SeenPoint point(const Vec3& direction) const {
    const double size = std::pow(direction.array().abs().pow(exponent).sum(), 1.0 / exponent);
    const Vec3 unit = direction / size;
    SeenPoint point;
    point.at = axes.cwiseProduct(unit);
    for (int i = 0; i < 3; ++i) {
      point.normals[0][i] =
          std::copysign(std::pow(std::abs(unit[i]), exponent - 1.0), unit[i]) / axes[i];
    }
    point.normals[1] = point.normals[0];
    return point;
  }
};

/// cos(angle) u + sin(angle) v + w for angles from `from` to `to`.
SurfaceLine arc(const RoundedSolid& solid, const Vec3& u, const Vec3& v, const Vec3& w, double from,
                double to, int points) {
  SurfaceLine line;
  for (int k = 0; k <= points; ++k) {
    const double angle = from + (to - from) * k / points;
    line.push_back(solid.point(std::cos(angle) * u + std::sin(angle) * v + w));
  }
  return line;
}

SurfaceLines rounded_lines(const RoundedSolid& solid, int points) {
  constexpr double kRing = 0.25;  ///< of the mark about z, over its height
  constexpr double kSmall = 0.1;  ///< about -z
  const Vec3 x = Vec3::UnitX();
  const Vec3 y = Vec3::UnitY();
  const Vec3 z = Vec3::UnitZ();
  SurfaceLines lines;
  const auto circle = [&](const Vec3& u, const Vec3& v) {
    return arc(solid, u, v, Vec3::Zero(), 0.0, kTurn, points);
  };
  lines.lines = {circle(x, y), circle(y, z), circle(z, x)};
  lines.marks = {arc(solid, kRing * x, kRing * y, z, 0.0, kTurn, points / 2),
                 arc(solid, z, x, Vec3::Zero(), kRing, 0.25 * kTurn, points / 4),
                 arc(solid, kSmall * x, kSmall * y, -z, 0.0, kTurn, points / 2)};
  return lines;
}

SurfaceLine segment(const Vec3& from, const Vec3& to, const Vec3& normal_1, const Vec3& normal_2) {
  return {{from, {normal_1, normal_2}}, {to, {normal_1, normal_2}}};
}

SurfaceLines lines_of(const Box3& box, int) {
  const Vec3& half = box.half_extents_mm;
  const auto corner = [&](double x, double y, double z) {
    return Vec3(half.cwiseProduct(Vec3(x, y, z)));
  };
  SurfaceLines lines;
  for (int axis = 0; axis < 3; ++axis) {
    const int second = (axis + 1) % 3;
    const int third = (axis + 2) % 3;
    for (const double side_2 : {-1.0, 1.0}) {
      for (const double side_3 : {-1.0, 1.0}) {
        const Vec3 across = side_2 * Vec3::Unit(second) + side_3 * Vec3::Unit(third);
        lines.lines.push_back(segment(half.cwiseProduct(across - Vec3::Unit(axis)),
                                      half.cwiseProduct(across + Vec3::Unit(axis)),
                                      side_2 * Vec3::Unit(second), side_3 * Vec3::Unit(third)));
      }
    }
  }
  const Vec3 x = Vec3::UnitX();
  const Vec3 z = Vec3::UnitZ();
  SurfaceLine square;
  for (const auto& [u, v] :
       {std::pair{0.6, 0.6}, {-0.6, 0.6}, {-0.6, -0.6}, {0.6, -0.6}, {0.6, 0.6}}) {
    square.push_back({corner(u, v, 1.0), {z, z}});
  }
  lines.marks = {square, segment(corner(1, 0, -0.6), corner(1, 0, 0.6), x, x)};
  return lines;
}

SurfaceLines lines_of(const Cylinder& cylinder, int points) {
  const auto across = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0.0); };
  const auto on_rim = [&](double angle, double side) {
    return Vec3(cylinder.radius_mm * across(angle) +
                side * cylinder.half_length_mm * Vec3::UnitZ());
  };
  SurfaceLines lines;
  for (const double side : {-1.0, 1.0}) {
    const Vec3 cap = side * Vec3::UnitZ();
    SurfaceLine rim;
    for (int k = 0; k <= points; ++k) {
      const double angle = kTurn * k / points;
      rim.push_back({on_rim(angle, side), {across(angle), cap}});
    }
    lines.lines.push_back(rim);
    lines.marks.push_back(
        segment(side * cylinder.half_length_mm * Vec3::UnitZ(), on_rim(0.0, side), cap, cap));
  }
  for (int k = 0; k < 4; ++k) {
    const double angle = 0.25 * kTurn * k;
    (k == 0 ? lines.marks : lines.lines)
        .push_back(segment(on_rim(angle, -1.0), on_rim(angle, 1.0), across(angle), across(angle)));
  }
  return lines;
}

SurfaceLines lines_of(const Sphere& sphere, int points) {
  return rounded_lines({Vec3::Constant(sphere.radius_mm), 2.0}, points);
}
SurfaceLines lines_of(const Ellipsoid& solid, int points) {
  return rounded_lines({solid.semi_axes_mm, 2.0}, points);
}
SurfaceLines lines_of(const Superquadric& solid, int points) {
  return rounded_lines({solid.semi_axes_mm, solid.exponent}, points);
}
SurfaceLines lines_of(const HalfSpace&, int) { return {}; }

/// What is seen of lines, in pieces.
std::vector<DrawnLine> seen(const std::vector<SurfaceLine>& lines, const Pose3& pose,
                            const SpatialView& view) {
  const Vec3 toward = pose.orientation.conjugate() * view.toward;
  std::vector<DrawnLine> pieces;
  for (const SurfaceLine& line : lines) {
    DrawnLine piece;
    const auto end_piece = [&] {
      if (piece.size() > 1) pieces.push_back(piece);
      piece.clear();
    };
    for (const SeenPoint& point : line) {
      if (is_seen(point, toward)) {
        piece.push_back(view.flat(pose.to_world(point.at)));
      } else {
        end_piece();
      }
    }
    end_piece();
  }
  return pieces;
}

DrawnLine outline_of(const Solid& solid, const Pose3& pose, const SpatialView& view, int points) {
  DrawnLine outline;
  for (int k = 0; k < points; ++k) {
    // Half a step off the axes, along which edges and faces are.
    const double angle = kTurn * (k + 0.5) / points;
    const Vec3 direction = std::cos(angle) * view.right + std::sin(angle) * view.up;
    const Vec3 at = support_point(solid, pose.orientation.conjugate() * direction);
    const Vec2 point = view.flat(pose.to_world(at));
    if (outline.empty() || outline.back() != point) outline.push_back(point);
  }
  while (outline.size() > 1 && outline.back() == outline.front()) outline.pop_back();
  return outline;
}

}  // namespace

DrawnSolid drawn_solid(const Solid& solid, const Pose3& pose, const SpatialView& view, int points) {
  if (!(bounding_radius_mm(solid) > 0.0)) return {};
  const SurfaceLines lines =
      std::visit([&](const auto& of_kind) { return lines_of(of_kind, points); }, solid);
  return {outline_of(solid, pose, view, points), seen(lines.lines, pose, view),
          seen(lines.marks, pose, view)};
}

GrowingBox3 box_about(const Solid& solid, const Pose3& pose) {
  const auto farthest = [&](const Vec3& direction) {
    const Vec3 at = support_point(solid, pose.orientation.conjugate() * direction);
    return direction.dot(pose.to_world(at));
  };
  Vec3 low;
  Vec3 high;
  for (int axis = 0; axis < 3; ++axis) {
    high[axis] = farthest(Vec3::Unit(axis));
    low[axis] = -farthest(-Vec3::Unit(axis));
  }
  GrowingBox3 box;
  box.add(low, high);
  return box;
}

namespace {

bool are_together(const PaintedSolid& a, const PaintedSolid& b) {
  return a.moment < 0 || b.moment < 0 || a.moment == b.moment;
}

/// Whether one may hide the other at all, by circles about them.
bool may_hide(const PaintedSolid& a, const PaintedSolid& b, const SpatialView& view) {
  const double apart = (view.flat(a.pose.position_mm) - view.flat(b.pose.position_mm)).norm();
  return apart < bounding_radius_mm(a.solid) + bounding_radius_mm(b.solid);
}

/// Whether `a` is painted before `b`: it is behind the plane between them.
bool is_behind(const PaintedSolid& a, const PaintedSolid& b, const SpatialView& view) {
  constexpr double kBeside = 1e-6;
  if (!are_together(a, b) || !may_hide(a, b, view)) return false;
  return closest_points(a.solid, a.pose, b.solid, b.pose).normal.dot(view.toward) < -kBeside;
}

/// Whether `a` is painted first when both could be.
bool comes_first(const PaintedSolid& a, const PaintedSolid& b, const SpatialView& view) {
  if (a.moment != b.moment) return a.moment < b.moment;
  return a.pose.position_mm.dot(view.toward) < b.pose.position_mm.dot(view.toward);
}

}  // namespace

std::vector<std::size_t> painting_order(const std::vector<PaintedSolid>& solids,
                                        const SpatialView& view) {
  const std::size_t count = solids.size();
  std::vector<std::vector<std::size_t>> in_front(count);
  std::vector<int> behind(count, 0);  ///< how many that are not painted yet
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b || !is_behind(solids[a], solids[b], view)) continue;
      in_front[a].push_back(b);
      ++behind[b];
    }
  }
  std::vector<std::size_t> order;
  std::vector<char> is_painted(count, 0);
  while (order.size() < count) {
    std::size_t next = count;
    for (std::size_t k = 0; k < count; ++k) {
      if (is_painted[k] != 0) continue;
      // Fewest behind first: in a ring each has something behind it.
      if (next == count || behind[k] < behind[next] ||
          (behind[k] == behind[next] && comes_first(solids[k], solids[next], view))) {
        next = k;
      }
    }
    order.push_back(next);
    is_painted[next] = 1;
    for (const std::size_t k : in_front[next]) --behind[k];
  }
  return order;
}

}  // namespace graspmap
