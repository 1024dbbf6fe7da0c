#include "lab/planar/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/assert.hpp"

namespace graspmap {
namespace {

/// Displacement and velocity along y of a shaken body.
std::pair<double, double> shaken(const Shake& shake, double time_s) {
  GRASPMAP_CHECK(shake.duration_s > 0.0 && shake.duration_s <= shake.period_s);
  const double phase = std::fmod(time_s, shake.period_s) / shake.duration_s;
  if (phase >= 1.0) return {0.0, 0.0};
  const double s = std::sin(std::numbers::pi * phase);
  const double c = std::cos(std::numbers::pi * phase);
  return {shake.amplitude_mm * s * s,
          2.0 * shake.amplitude_mm * s * c * std::numbers::pi / shake.duration_s};
}

double mass_of(const PlanarBody& body, std::size_t axis) {
  return axis == 2 ? body.inertia_kg_mm2 : body.mass_kg;
}

}  // namespace

double bounding_radius_mm(const PlanarBody& body) {
  double radius = 0.0;
  for (const PlacedShape& placed : body.shapes) {
    radius = std::max(radius, placed.pose.position_mm.norm() + bounding_radius_mm(placed.shape));
  }
  return radius;
}

void set_free(PlanarScene& scene, int body, const Vec3& velocity) {
  GRASPMAP_CHECK(body >= 0 && static_cast<std::size_t>(body) < scene.bodies.size());
  GRASPMAP_CHECK(!scene.bodies[static_cast<std::size_t>(body)].moves_freely());
  scene.start_velocity.conservativeResize(scene.velocities + 3);
  for (int axis = 0; axis < 3; ++axis) {
    scene.bodies[static_cast<std::size_t>(body)].coordinates[static_cast<std::size_t>(axis)] = {
        scene.velocities + axis, 1.0};
    scene.start_velocity[scene.velocities + axis] = velocity[axis];
  }
  scene.velocities += 3;
}

ContactLaw contact_law(const PlanarScene& scene, int body_a, int body_b) {
  const auto [low, high] = std::minmax(body_a, body_b);
  for (const ContactLaw& law : scene.laws) {
    if (law.body_a == low && law.body_b == high) return law;
  }
  return {low, high, scene.mu, true, std::nullopt};
}

PlanarState start_state(const PlanarScene& scene) {
  PlanarState state;
  for (const PlanarBody& body : scene.bodies) {
    state.poses.push_back(body.pose);
    if (body.shake) state.poses.back().y() += shaken(*body.shake, 0.0).first;
  }
  state.nu = scene.start_velocity;
  return state;
}

Eigen::VectorXd mass_diagonal(const PlanarScene& scene) {
  Eigen::VectorXd mass = Eigen::VectorXd::Zero(scene.velocities);
  for (const PlanarBody& body : scene.bodies) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Coordinate& coordinate = body.coordinates[axis];
      if (coordinate.index < 0) continue;
      mass[coordinate.index] += coordinate.factor * coordinate.factor * mass_of(body, axis);
    }
  }
  return mass;
}

Eigen::VectorXd damping_diagonal(const PlanarScene& scene) {
  Eigen::VectorXd damping = Eigen::VectorXd::Zero(scene.velocities);
  for (const Drive& drive : scene.drives) damping[drive.coordinate] += drive.damping_mn_s_per_mm;
  return damping;
}

Eigen::VectorXd applied_force(const PlanarScene& scene) {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(scene.velocities);
  for (const PlanarBody& body : scene.bodies) {
    for (int axis = 0; axis < 2; ++axis) {
      const Coordinate& coordinate = body.coordinates[static_cast<std::size_t>(axis)];
      if (coordinate.index < 0) continue;
      force[coordinate.index] += coordinate.factor * body.mass_kg * scene.gravity_mm_s2[axis];
    }
  }
  for (const Drive& drive : scene.drives) force[drive.coordinate] += drive.force_mn;
  return force;
}

Vec3 body_velocity(const PlanarScene& scene, const PlanarState& state, int body) {
  const PlanarBody& of = scene.bodies[static_cast<std::size_t>(body)];
  Vec3 velocity = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    const Coordinate& coordinate = of.coordinates[static_cast<std::size_t>(axis)];
    if (coordinate.index >= 0) velocity[axis] = coordinate.factor * state.nu[coordinate.index];
  }
  if (of.shake) velocity.y() = shaken(*of.shake, state.time_s).second;
  return velocity;
}

void advance(const PlanarScene& scene, const PlanarState& start, const Eigen::VectorXd& nu,
             double h, PlanarState& end) {
  GRASPMAP_CHECK(nu.size() == scene.velocities && start.poses.size() == scene.bodies.size());
  end.time_s = start.time_s + h;
  end.nu = nu;
  end.poses.resize(scene.bodies.size());
  end.deflections = start.deflections;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const PlanarBody& body = scene.bodies[i];
    Vec3& pose = end.poses[i];
    pose = start.poses[i];
    for (int axis = 0; axis < 3; ++axis) {
      const Coordinate& coordinate = body.coordinates[static_cast<std::size_t>(axis)];
      if (coordinate.index >= 0) pose[axis] += h * coordinate.factor * nu[coordinate.index];
    }
    if (body.shake) pose.y() = body.pose.y() + shaken(*body.shake, end.time_s).first;
  }
}

SceneEnergy energy(const PlanarScene& scene, const PlanarState& state) {
  SceneEnergy energy;
  energy.kinetic_j = 0.5 * kJoulesPerMillinewtonMillimetre *
                     state.nu.dot(mass_diagonal(scene).cwiseProduct(state.nu));
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const PlanarBody& body = scene.bodies[i];
    if (!body.moves_freely()) continue;
    energy.potential_j -= kJoulesPerMillinewtonMillimetre * body.mass_kg *
                          scene.gravity_mm_s2.dot(state.poses[i].head<2>());
  }
  double elastic_j = 0.0;
  for (const Deflection& deflection : state.deflections) {
    const ContactLaw law = contact_law(scene, deflection.contact[0], deflection.contact[2]);
    elastic_j += kJoulesPerMillinewtonMillimetre * elastic_energy(law.layers, deflection.layers_mm);
    if (!law.soft) continue;
    elastic_j += 0.5 * kJoulesPerMillinewtonMillimetre * law.soft->stiffness_mn_per_mm *
                 deflection.delta_mm * deflection.delta_mm;
  }
  energy.elastic_j = elastic_j;
  return energy;
}

}  // namespace graspmap
