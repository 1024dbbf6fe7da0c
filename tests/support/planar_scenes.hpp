#pragma once

#include <numbers>

#include "sim/planar/simulate_scene.hpp"

namespace graspmap::testing {

/// A fixed body of one shape.
inline PlanarBody fixed_body(const char* name, const ConvexShape& shape, const Vec3& pose) {
  PlanarBody body;
  body.name = name;
  body.shapes.push_back({shape, {}});
  body.pose = pose;
  return body;
}

/// The table y <= 0.
inline PlanarBody table_body() { return fixed_body("table", half_plane_shape(), Vec3::Zero()); }

/// Adds a body of one shape that moves freely, with its velocity; returns its number.
inline int add_free_body(PlanarScene& scene, const ConvexShape& shape, double mass_kg,
                         double inertia_kg_mm2, const Vec3& pose, const Vec3& velocity) {
  PlanarBody body = fixed_body("body", shape, pose);
  body.mass_kg = mass_kg;
  body.inertia_kg_mm2 = inertia_kg_mm2;
  scene.bodies.push_back(body);
  const int number = static_cast<int>(scene.bodies.size()) - 1;
  set_free(scene, number, velocity);
  return number;
}

/// The disc of 000_14f00f4ae61b7d54.txt section 6.1 on a table: radius 1 m, 1 kg, mu = 0.4, with a
/// velocity in m/s and rad/s.
inline PlanarScene disc_on_table(const ConvexShape& disc, const Vec3& velocity) {
  PlanarScene scene;
  scene.mu = 0.4;
  scene.bodies.push_back(table_body());
  add_free_body(scene, disc, 1.0, 0.5e6, {0.0, 1000.0, 0.0},
                {1e3 * velocity.x(), 1e3 * velocity.y(), velocity.z()});
  return scene;
}

/// The falling, spinning rod of 002_0196e840dcbd01c9.txt section 4.1, from a height of 1 m.
inline PlanarScene falling_rod() {
  PlanarScene scene;
  scene.mu = 0.6;
  scene.bodies.push_back(table_body());
  add_free_body(scene, rod(500.0, 50.0), 1.0, 2000.0, {0.0, 1000.0, std::numbers::pi / 6.0},
                {0.0, 0.0, 4.0});
  return scene;
}

}  // namespace graspmap::testing
