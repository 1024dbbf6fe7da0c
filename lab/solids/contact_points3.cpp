#include <utility>

#include "lab/solids/closest_points3.hpp"
#include "lab/solids/surface_point.hpp"

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

/// The corners of a solid with edges, in body axes; `down` is towards the other one. Else none.
std::vector<Vec3> corner_points(const Solid& solid, const Vec3& down) {
  if (const auto* box = std::get_if<Box3>(&solid)) return box_vertices(*box);
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) return rim_points(*cylinder, down);
  return {};
}

SurfacePoint nearest_to(const Solid& solid, const Vec3& p) {
  if (const auto* box = std::get_if<Box3>(&solid)) return nearest_surface_point(*box, p);
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) {
    return nearest_surface_point(*cylinder, p);
  }
  return {{p.x(), p.y(), 0.0}, Vec3::UnitZ(), p.z()};  // of a half-space
}

bool has_corners(const Solid& solid) {
  return std::holds_alternative<Box3>(solid) || std::holds_alternative<Cylinder>(solid);
}

/// The contacts of A's corners with B; `n` is about their normal, out of B.
void add_corners(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b,
                 const Vec3& n, std::vector<SolidContact>& contacts) {
  for (const Vec3& corner : corner_points(a, pose_a.orientation.conjugate() * -n)) {
    const Vec3 p = pose_a.to_world(corner);
    const SurfacePoint below = nearest_to(b, pose_b.to_body(p));
    contacts.push_back(
        {p, pose_b.to_world(below.point), pose_b.orientation * below.normal, below.distance_mm});
  }
}

}  // namespace

std::vector<SolidContact> contact_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                                         const Pose3& pose_b) {
  const SolidContact closest = closest_points(a, pose_a, b, pose_b);
  const bool is_a_below = std::holds_alternative<HalfSpace>(a);
  const bool is_b_below = std::holds_alternative<HalfSpace>(b);
  if (!(is_a_below || has_corners(a)) || !(is_b_below || has_corners(b))) return {closest};
  std::vector<SolidContact> contacts;
  // An edge may cross another one between corners; a half-space has none.
  if (!is_a_below && !is_b_below) contacts.push_back(closest);
  add_corners(a, pose_a, b, pose_b, closest.normal, contacts);
  const std::size_t of_a = contacts.size();
  add_corners(b, pose_b, a, pose_a, -closest.normal, contacts);
  for (std::size_t i = of_a; i < contacts.size(); ++i) {
    std::swap(contacts[i].on_a_mm, contacts[i].on_b_mm);
    contacts[i].normal = -contacts[i].normal;
  }
  return contacts;
}

}  // namespace graspmap
