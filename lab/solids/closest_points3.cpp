#include "lab/solids/closest_points3.hpp"

#include <optional>

#include "lab/solids/convex_closest_points.hpp"
#include "lab/solids/surface_point.hpp"

namespace graspmap {
namespace {

SolidContact flipped(const SolidContact& contact) {
  return {contact.on_b_mm, contact.on_a_mm, -contact.normal, contact.gap_mm};
}

/// A point of G against a half-space, which is the other body.
SolidContact above_half_space(const Vec3& p, const Pose3& half_space) {
  const Vec3 n = half_space.orientation * Vec3::UnitZ();
  const double gap = n.dot(p - half_space.position_mm);
  return {p, p - gap * n, n, gap};
}

SolidContact solid_above_half_space(const Solid& solid, const Pose3& pose,
                                    const Pose3& half_space) {
  const Vec3 down = half_space.orientation * -Vec3::UnitZ();
  const Vec3 lowest = support_point(solid, pose.orientation.conjugate() * down);
  return above_half_space(pose.to_world(lowest), half_space);
}

std::optional<SurfacePoint> surface_point(const Solid& solid, const Vec3& p) {
  if (const auto* sphere = std::get_if<Sphere>(&solid)) return nearest_surface_point(*sphere, p);
  if (const auto* box = std::get_if<Box3>(&solid)) return nearest_surface_point(*box, p);
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) {
    return nearest_surface_point(*cylinder, p);
  }
  return std::nullopt;
}

/// A sphere A against a solid whose surface points have a closed form.
std::optional<SolidContact> sphere_against(const Solid& a, const Pose3& pose_a, const Solid& b,
                                           const Pose3& pose_b) {
  const auto* sphere = std::get_if<Sphere>(&a);
  if (sphere == nullptr) return std::nullopt;
  const auto nearest = surface_point(b, pose_b.to_body(pose_a.position_mm));
  if (!nearest) return std::nullopt;
  const Vec3 n = pose_b.orientation * nearest->normal;
  return SolidContact{pose_a.position_mm - sphere->radius_mm * n, pose_b.to_world(nearest->point),
                      n, nearest->distance_mm - sphere->radius_mm};
}

}  // namespace

SolidContact closest_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                            const Pose3& pose_b) {
  if (std::holds_alternative<HalfSpace>(b)) return solid_above_half_space(a, pose_a, pose_b);
  if (std::holds_alternative<HalfSpace>(a)) {
    return flipped(solid_above_half_space(b, pose_b, pose_a));
  }
  if (const auto contact = sphere_against(a, pose_a, b, pose_b)) return *contact;
  if (const auto contact = sphere_against(b, pose_b, a, pose_a)) return flipped(*contact);
  return closest_points_of_convex(a, pose_a, b, pose_b);
}

}  // namespace graspmap
