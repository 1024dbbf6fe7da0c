#include "lab/spatial/step_contact.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace graspmap {
namespace {

constexpr double kLeastGapUnit = 1e-4;  // of the length

bool is_half_space(const Solid& solid) { return std::holds_alternative<HalfSpace>(solid); }
bool is_sphere(const Solid& solid) { return std::holds_alternative<Sphere>(solid); }
bool is_ellipsoid(const Solid& solid) { return std::holds_alternative<Ellipsoid>(solid); }

}  // namespace

bool has_unique_closest_points(const Solid& a, const Solid& b) {
  if (is_half_space(a)) return is_sphere(b) || is_ellipsoid(b);
  if (is_half_space(b)) return is_sphere(a) || is_ellipsoid(a);
  return is_sphere(a) && is_sphere(b);
}

SpatialScales spatial_scales(const SpatialScene& scene, const SpatialState& start, double h) {
  SpatialScales scales{0.0, 0.0, 0.0, 0.0};
  double heaviest = 0.0;
  const std::vector<Twist> applied = applied_impulses(scene, start, h);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    const double radius = bounding_radius_mm(body.solid);
    const Vec3 spin_gained =
        inertia_in_world(body, start.poses[i]).inverse() * applied[i].tail<3>();
    const double speed = start.velocities[i].head<3>().norm() +
                         applied[i].head<3>().norm() / body.mass_kg +
                         radius * (start.velocities[i].tail<3>().norm() + spin_gained.norm());
    scales.length_mm = std::max(scales.length_mm, radius);
    scales.velocity_mm_s = std::max(scales.velocity_mm_s, speed);
    heaviest = std::max(heaviest, body.mass_kg);
  }
  if (scales.length_mm == 0.0) scales.length_mm = 1.0;
  if (scales.velocity_mm_s == 0.0) scales.velocity_mm_s = scales.length_mm;
  scales.impulse_mn_s = heaviest * scales.velocity_mm_s;
  scales.gap_mm = std::max(h * scales.velocity_mm_s, kLeastGapUnit * scales.length_mm);
  return scales;
}

}  // namespace graspmap
