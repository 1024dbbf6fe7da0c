#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tests/support/planar_scenes.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

/// What a random pile is of.
enum class PileOf : std::uint8_t {
  kDiscs,
  kEllipses,
  kSuperellipses,  ///< of exponents from 2 to 6
  kQuartics,       ///< superellipses of exponent 4
  kPolygons,
  kRods,
  kAll
};

/// A triangle, rectangle or other convex polygon about its centroid (to some percent).
inline ConvexShape random_polygon(Random& random) {
  if (random.index(3) == 0) {
    const double a = random.uniform(20.0, 40.0);
    const double b = random.uniform(12.0, 30.0);
    return polygon({{-a, -b}, {a, -b}, {a, b}, {-a, b}});
  }
  const double angle = random.uniform(0.0, std::numbers::pi);
  const double radius = random.uniform(20.0, 45.0);
  return regular_polygon(3 + random.index(4), radius, angle);
}

inline ConvexShape random_shape(PileOf kind, Random& random) {
  const double a = random.uniform(15.0, 40.0);
  const double b = a * random.uniform(0.5, 1.0);
  switch (kind) {
    case PileOf::kDiscs:
      return Superellipse{a, a, 2.0};
    case PileOf::kEllipses:
      return Superellipse{a, b, 2.0};
    case PileOf::kSuperellipses:
      return Superellipse{a, b, random.uniform(2.0, 6.0)};
    case PileOf::kQuartics:
      return Superellipse{a, b, 4.0};
    case PileOf::kPolygons:
      return random_polygon(random);
    case PileOf::kRods:
      return rod(1.4 * a, 0.25 * b);
    case PileOf::kAll:
      constexpr std::array kKinds{PileOf::kDiscs,    PileOf::kEllipses, PileOf::kSuperellipses,
                                  PileOf::kQuartics, PileOf::kPolygons, PileOf::kRods};
      return random_shape(kKinds[static_cast<std::size_t>(random.index(6))], random);
  }
  return Superellipse{a, a, 2.0};
}

/// A pile with a step of 1 to 10 ms.
struct RandomPile {
  PlanarScene scene;
  double h = 0.0;
};

/// Five to twelve bodies that fall on a table and on each other between two walls, with a friction
/// of 0 to 0.8. Their masses are those of discs of their size, to some ten percent.
inline RandomPile random_pile(PileOf kind, std::uint64_t seed) {
  Random random(seed);
  RandomPile pile;
  PlanarScene& scene = pile.scene;
  pile.h = 1e-3 * std::pow(10.0, random.uniform(0.0, 1.0));
  scene.mu = random.index(6) == 0 ? 0.0 : random.uniform(0.0, 0.8);
  scene.bodies.push_back(table_body());
  constexpr double kRight = 0.5 * std::numbers::pi;
  scene.bodies.push_back(fixed_body("left", half_plane_shape(), {-150.0, 0.0, -kRight}));
  scene.bodies.push_back(fixed_body("right", half_plane_shape(), {150.0, 0.0, kRight}));
  const int count = 5 + random.index(8);
  for (int i = 0; i < count; ++i) {
    const ConvexShape shape = random_shape(kind, random);
    const double radius = bounding_radius_mm(shape);
    const double mass_kg = 1e-4 * std::numbers::pi * radius * radius;
    const int column = i % 3;
    const int row = i / 3;
    // One by one: compilers take the arguments of a call in different orders.
    Vec3 pose;
    pose.z() = random.uniform(-3.0, 3.0);
    pose.y() = 60.0 + 98.0 * row + random.uniform(-2.0, 2.0);
    pose.x() = -98.0 + 98.0 * column + random.uniform(-2.0, 2.0);
    Vec3 velocity;
    velocity.z() = random.uniform(-10.0, 10.0);
    velocity.y() = random.uniform(-1000.0, 0.0);
    velocity.x() = random.uniform(-200.0, 200.0);
    add_free_body(scene, shape, mass_kg, 0.35 * mass_kg * radius * radius, pose, velocity);
  }
  return pile;
}

}  // namespace graspmap::testing
