#include "lab/planar/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

double PlanarStep::worst_overlap_mm() const {
  double worst = 0.0;
  for (const PlanarContact& contact : contacts) worst = std::max(worst, -contact.at.gap_mm);
  return worst;
}

std::optional<std::array<int, 2>> PlanarStep::worst_bodies() const {
  if (worst_contact < 0) return std::nullopt;
  const ContactKey& key = contacts[static_cast<std::size_t>(worst_contact)].key;
  return std::array{key.body_a, key.body_b};
}

StepScales step_scales(const PlanarScene& scene, const PlanarState& start, double h) {
  const Eigen::VectorXd mass = mass_diagonal(scene) + h * damping_diagonal(scene);
  const Eigen::VectorXd push = h * applied_force(scene).cwiseQuotient(mass);
  StepScales scales{0.0, 0.0, 0.0};
  double heaviest = 0.0;
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const PlanarBody& body = scene.bodies[static_cast<std::size_t>(i)];
    if (!body.moves_freely() && !body.shake) continue;
    const double radius = bounding_radius_mm(body);
    const Vec3 v = body_velocity(scene, start, i);
    double speed = v.head<2>().norm();
    if (std::isfinite(radius)) {
      scales.length_mm = std::max(scales.length_mm, radius);
      speed += radius * std::abs(v[2]);
    }
    for (int axis = 0; axis < 2; ++axis) {
      const Coordinate& coordinate = body.coordinates[static_cast<std::size_t>(axis)];
      if (coordinate.index >= 0) speed += std::abs(coordinate.factor * push[coordinate.index]);
    }
    scales.velocity_mm_s = std::max(scales.velocity_mm_s, speed);
    heaviest = std::max(heaviest, body.mass_kg);
  }
  if (scales.length_mm == 0.0) scales.length_mm = 1.0;
  if (scales.velocity_mm_s == 0.0) scales.velocity_mm_s = scales.length_mm;
  scales.impulse_mn_s = heaviest * scales.velocity_mm_s;
  return scales;
}

}  // namespace graspmap
