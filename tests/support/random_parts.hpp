#pragma once

#include <numbers>
#include <string>

#include "tests/support/scenes.hpp"

namespace graspmap::testing {

/// A union of one to five superellipses with exponents from 2 to 20. They need not overlap.
inline Part random_part(Random& random) {
  Part part;
  const int pieces = 1 + random.index(5);
  for (int k = 0; k < pieces; ++k) {
    const double a = random.uniform(2.0, 15.0);
    const double b = random.uniform(2.0, 15.0);
    const bool disc = random.index(4) == 0;
    const double exponent = random.index(4) == 0 ? 2.0 : random.uniform(2.0, 20.0);
    const Vec2 center(random.uniform(-12.0, 12.0), random.uniform(-12.0, 12.0));
    const double angle = random.uniform(-std::numbers::pi, std::numbers::pi);
    const Superellipse shape = disc ? Superellipse{a, a, 2.0} : Superellipse{a, b, exponent};
    part.pieces.push_back({"piece" + std::to_string(k), shape, {center, angle}});
  }
  return part;
}

/// A part of random shape, light or heavy, with either coupling on either support. Its mass
/// properties are those of a disc, which saves the time of integrating over the union.
inline Scenario random_scenario(Random& random) {
  constexpr double kMargin = 8.0;
  Scenario scenario;
  scenario.part = random_part(random);
  const double radius = bounding_radius_mm(scenario.part, {0.0, 0.0});
  const double mass = random.uniform(0.01, 0.3);
  const Vec2 center(random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
  scenario.mass = {mass, center, 0.3 * mass * radius * radius};
  if (random.index(2) == 0) {
    scenario.support = EllipsoidSupport{1.0, random.uniform(0.5, 1.0), 0.6 * radius};
  } else {
    scenario.support = tripod(0.6 * radius);
  }
  scenario.gripper.coupling = random.index(2) == 0 ? Coupling::kSymmetric : Coupling::kIndependent;
  scenario.gripper.opening_mm = 2.0 * (radius + kMargin);
  return scenario;
}

/// A placement anywhere around the part's origin, at any angle.
inline TrialParameters random_trial(Random& random) {
  TrialParameters trial;
  trial.placement_x_mm = random.uniform(-8.0, 8.0);
  trial.placement_y_mm = random.uniform(-30.0, 30.0);
  trial.theta_rad = random.uniform(-std::numbers::pi, std::numbers::pi);
  trial.mu_jaw = random.uniform(0.0, 0.8);
  trial.mu_support = random.uniform(0.0, 0.8);
  return trial;
}

}  // namespace graspmap::testing
