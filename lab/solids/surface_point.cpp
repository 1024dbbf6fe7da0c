#include "lab/solids/surface_point.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

SurfacePoint nearest_surface_point(const Sphere& sphere, const Vec3& p) {
  const double distance = p.norm();
  const Vec3 normal = distance > 0.0 ? Vec3(p / distance) : Vec3::UnitZ();
  return {sphere.radius_mm * normal, normal, distance - sphere.radius_mm};
}

SurfacePoint nearest_surface_point(const Box3& box, const Vec3& p) {
  const Vec3& half = box.half_extents_mm;
  const Vec3 depth = half - p.cwiseAbs();
  if (depth.minCoeff() < 0.0) {
    const Vec3 point = p.cwiseMax(-half).cwiseMin(half);
    const double distance = (p - point).norm();
    return {point, (p - point) / distance, distance};
  }
  int face = 0;
  const double least = depth.minCoeff(&face);
  Vec3 normal = Vec3::Zero();
  normal[face] = p[face] < 0.0 ? -1.0 : 1.0;
  return {p + least * normal, normal, -least};
}

SurfacePoint nearest_surface_point(const Cylinder& cylinder, const Vec3& p) {
  const double across = p.head<2>().norm();
  const Vec2 radial = across > 0.0 ? Vec2(p.head<2>() / across) : Vec2::UnitX();
  const double to_side = cylinder.radius_mm - across;
  const double to_end = cylinder.half_length_mm - std::abs(p.z());
  if (to_side < 0.0 || to_end < 0.0) {
    // The normal by how far it is beyond side and end: the difference of two points that are all
    // but one has none.
    const double out = std::max(0.0, -to_side);
    const double beyond = std::max(0.0, -to_end);
    const double distance = std::hypot(out, beyond);
    const Vec2 inside = to_side < 0.0 ? Vec2(cylinder.radius_mm * radial) : Vec2(p.head<2>());
    const double z = std::clamp(p.z(), -cylinder.half_length_mm, cylinder.half_length_mm);
    return {{inside.x(), inside.y(), z},
            Vec3(out * radial.x(), out * radial.y(), std::copysign(beyond, p.z())) / distance,
            distance};
  }
  const Vec3 normal = to_side < to_end ? Vec3(radial.x(), radial.y(), 0.0)
                                       : Vec3(0.0, 0.0, p.z() < 0.0 ? -1.0 : 1.0);
  const double least = std::min(to_side, to_end);
  return {p + least * normal, normal, -least};
}

}  // namespace graspmap
