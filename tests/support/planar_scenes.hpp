#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "lab/planar/stepper.hpp"

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

/// The disc of Chakraborty et al. 2014, section 6.1, on a table: radius 1 m, 1 kg, mu = 0.4, with a
/// velocity in m/s and rad/s.
inline PlanarScene disc_on_table(const ConvexShape& disc, const Vec3& velocity) {
  PlanarScene scene;
  scene.mu = 0.4;
  scene.bodies.push_back(table_body());
  add_free_body(scene, disc, 1.0, 0.5e6, {0.0, 1000.0, 0.0},
                {1e3 * velocity.x(), 1e3 * velocity.y(), velocity.z()});
  return scene;
}

/// The falling, spinning rod of Stewart and Trinkle 2000, section 4.1, from a height of 1 m.
inline PlanarScene falling_rod() {
  PlanarScene scene;
  scene.mu = 0.6;
  scene.bodies.push_back(table_body());
  add_free_body(scene, rod(500.0, 50.0), 1.0, 2000.0, {0.0, 1000.0, std::numbers::pi / 6.0},
                {0.0, 0.0, 4.0});
  return scene;
}

/// The ellipse of Hart and Anitescu 2003, section 3: axes of 8 and 4 m, 10 kg/m^2, released with
/// its centre at 8 m.
inline PlanarScene falling_ellipse() {
  constexpr double kMass = 80.0 * std::numbers::pi;
  PlanarScene scene;
  scene.mu = 0.3;
  scene.bodies.push_back(table_body());
  add_free_body(scene, Superellipse{4000.0, 2000.0, 2.0}, kMass, kMass * 5e6, {0.0, 8000.0, 0.0},
                {0.0, 0.0, 3.0});
  return scene;
}

/// A cannonball stack of discs of 3 m on a table between walls at 45 degrees, as in
/// Hart and Anitescu 2003, section 3, with 6 rows. The discs are moved a little sideways, each
/// differently.
inline PlanarScene disc_stack(int rows) {
  constexpr double kPi = std::numbers::pi;
  constexpr double kMass = 90.0 * kPi;
  PlanarScene scene;
  scene.mu = 0.2;
  scene.bodies.push_back(table_body());
  const double wall_mm = 12500.0 * rows;
  scene.bodies.push_back(fixed_body("left", half_plane_shape(), {-wall_mm, 0.0, -0.25 * kPi}));
  scene.bodies.push_back(fixed_body("right", half_plane_shape(), {wall_mm, 0.0, 0.25 * kPi}));
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < rows - row; ++i) {
      const double shift_mm = std::sin(12.9898 * row + 78.233 * i);
      const Vec3 pose(6000.0 * (i - 0.5 * (rows - 1 - row)) + shift_mm,
                      3000.0 * (1.0 + row * std::sqrt(3.0)), 0.0);
      add_free_body(scene, Superellipse{3000.0, 3000.0, 2.0}, kMass, kMass * 4.5e6, pose,
                    Vec3::Zero());
    }
  }
  return scene;
}

/// Nine bodies of seven shapes that fall into a box 400 mm wide.
inline PlanarScene mixed_pile() {
  constexpr double kPi = std::numbers::pi;
  RoundedPolygon cushion = polygon({{-30.0, -20.0}, {30.0, -20.0}, {30.0, 20.0}, {-30.0, 20.0}});
  cushion.radius_mm = 8.0;
  const std::vector<ConvexShape> shapes{
      Superellipse{40.0, 40.0, 2.0},
      Superellipse{45.0, 25.0, 2.0},
      polygon({{-40.0, -25.0}, {40.0, -25.0}, {40.0, 25.0}, {-40.0, 25.0}}),
      rod(50.0, 15.0),
      polygon({{-30.0, -25.0}, {40.0, -15.0}, {0.0, 35.0}}),
      cushion,
      Superellipse{40.0, 30.0, 3.0}};
  PlanarScene scene;
  scene.mu = 0.4;
  scene.bodies.push_back(table_body());
  scene.bodies.push_back(fixed_body("left", half_plane_shape(), {-200.0, 0.0, -0.5 * kPi}));
  scene.bodies.push_back(fixed_body("right", half_plane_shape(), {200.0, 0.0, 0.5 * kPi}));
  for (int i = 0; i < 9; ++i) {
    // NOLINTNEXTLINE(bugprone-integer-division): three in a row
    const Vec3 pose(-130.0 + 120.0 * (i % 3) + 1.5 * i, 60.0 + 100.0 * (i / 3), 0.7 * i);
    add_free_body(scene, shapes[static_cast<std::size_t>(i) % shapes.size()], 1.0, 500.0, pose,
                  {60.0 - 15.0 * i, 0.0, 2.0 - 0.5 * i});
  }
  return scene;
}

/// A uniform rod of 1 m and 1 kg that hangs from a pin at its end, turned by `angle_rad`.
inline PlanarScene pendulum(double angle_rad) {
  PlanarScene scene;
  scene.bodies.push_back(fixed_body("pivot", Superellipse{1.0, 1.0, 2.0}, Vec3::Zero()));
  add_free_body(scene, rod(990.0, 5.0), 1.0, 1e6 / 12.0,
                {500.0 * std::sin(angle_rad), -500.0 * std::cos(angle_rad),
                 angle_rad - 0.5 * std::numbers::pi},
                Vec3::Zero());
  scene.pins.push_back({0, 1, {0.0, 0.0}, {-500.0, 0.0}});
  scene.laws.push_back({0, 1, 0.0, false, std::nullopt});
  return scene;
}

/// A disc that slides on the table that it lies on, in the plane of that table, without gravity.
inline PlanarScene sliding_disc(const Vec3& velocity) {
  PlanarScene scene;
  scene.gravity_mm_s2.setZero();
  add_free_body(scene, Superellipse{20.0, 20.0, 2.0}, 0.1, 20.0, Vec3::Zero(), velocity);
  scene.tables.push_back({0, 1.0, 1.0, 40.0 / 3.0, 0.3 * 0.1 * 9810.0});
  return scene;
}

}  // namespace graspmap::testing
