#include <cmath>

#include "geometry/spatial/closest_points3.hpp"

namespace graspmap {
namespace {

std::vector<Vec3> box_vertices(const Box3& box) {
  std::vector<Vec3> vertices;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) {
        vertices.emplace_back(box.half_extents_mm.cwiseProduct(Vec3(x, y, z)));
      }
    }
  }
  return vertices;
}

/// Four points of each rim: the farthest along `down` and those at quarter turns from it.
std::vector<Vec3> rim_points(const Cylinder& cylinder, const Vec3& down) {
  constexpr double kUpright = 1e-12;
  const double across = down.head<2>().norm();
  const Vec2 lowest = across > kUpright ? Vec2(down.head<2>() / across) : Vec2::UnitX();
  std::vector<Vec3> points;
  for (const double z : {-cylinder.half_length_mm, cylinder.half_length_mm}) {
    for (const Vec2& radial : {lowest, perp(lowest), Vec2(-lowest), Vec2(-perp(lowest))}) {
      points.emplace_back(cylinder.radius_mm * radial.x(), cylinder.radius_mm * radial.y(), z);
    }
  }
  return points;
}

/// Of a solid with edges, in body axes; none of others.
std::vector<Vec3> corner_points(const Solid& solid, const Vec3& down) {
  if (const auto* box = std::get_if<Box3>(&solid)) return box_vertices(*box);
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) return rim_points(*cylinder, down);
  return {};
}

}  // namespace

std::vector<SolidContact> contact_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                                         const Pose3& pose_b) {
  const bool is_a_below = std::holds_alternative<HalfSpace>(a);
  if (!is_a_below && !std::holds_alternative<HalfSpace>(b)) {
    return {closest_points(a, pose_a, b, pose_b)};
  }
  const Solid& solid = is_a_below ? b : a;
  const Pose3& pose = is_a_below ? pose_b : pose_a;
  const Pose3& ground = is_a_below ? pose_a : pose_b;
  const Vec3 up = ground.orientation * Vec3::UnitZ();
  std::vector<SolidContact> contacts;
  for (const Vec3& point : corner_points(solid, pose.orientation.conjugate() * -up)) {
    const Vec3 p = pose.to_world(point);
    const double gap = up.dot(p - ground.position_mm);
    const Vec3 foot = p - gap * up;
    contacts.push_back(is_a_below ? SolidContact{foot, p, -up, gap}
                                  : SolidContact{p, foot, up, gap});
  }
  if (contacts.empty()) contacts.push_back(closest_points(a, pose_a, b, pose_b));
  return contacts;
}

}  // namespace graspmap
