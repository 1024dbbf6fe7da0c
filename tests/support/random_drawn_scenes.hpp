#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/drawn_scenes.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/random_outlines.hpp"

namespace graspmap::testing {

/// What the jaws of a random scenario are.
enum class FingerKind { kQuarterPlanes, kRoundTips, kGrooves, kGroovesAndPalm };
inline constexpr std::array<const char*, 4> kFingerKinds = {"quarter-planes", "round tips",
                                                            "V-grooves", "V-grooves and palm"};

inline void add_random_fingers(auto& random, FingerKind kind, Gripper& gripper) {
  if (kind == FingerKind::kQuarterPlanes) return;
  if (kind == FingerKind::kRoundTips) {
    gripper.right_finger = round_tip_finger(random.uniform(0.2, 3.0));
  } else {
    const double depth = random.uniform(1.0, 5.0);
    const double half_angle = random.uniform(0.5, 1.2);
    const double half_width = depth * std::tan(half_angle);
    const double y = -half_width - random.uniform(1.0, 5.0);
    gripper.right_finger = v_finger(half_angle, depth, y, some_radius_mm(random, 0.5));
  }
  gripper.left_finger = mirrored(*gripper.right_finger);
  if (kind == FingerKind::kGroovesAndPalm) {
    gripper.palm = Outline{rectangle_loop(100.0, 20.0, {0.0, -30.0}), {}};
  }
}

/// A drawn part of a kind, of random mass, with either coupling on either support.
inline Scenario random_outline_scenario(Random& random, OutlineKind kind, FingerKind fingers) {
  Scenario scenario;
  Part& part = scenario.part;
  part.outlines.push_back({"drawn", {random_outline(random, kind), {}}, {}});
  scenario.mass = mass_properties(part, random.uniform(2e-6, 2e-5), 5.0);
  if (kind == OutlineKind::kMixed) {
    for (int k = 1 + random.index(2); k > 0; --k) {
      const Superellipse shape{random.uniform(2.0, 8.0), random.uniform(2.0, 8.0),
                               random.index(2) == 0 ? 2.0 : random.uniform(2.0, 12.0)};
      const Vec2 center(random.uniform(-8.0, 8.0), random.uniform(-8.0, 8.0));
      part.pieces.push_back({"piece", shape, {center, random.uniform(-3.0, 3.0)}});
    }
  }
  const double reach = bounding_radius_mm(part, scenario.mass.center_of_mass_P_mm);
  if (random.index(2) == 0) {
    scenario.support = EllipsoidSupport{1.0, 1.0, 0.6 * reach};
  } else {
    scenario.support = tripod(0.6 * reach);
  }
  scenario.gripper.coupling = random.index(2) == 0 ? Coupling::kSymmetric : Coupling::kIndependent;
  scenario.gripper.opening_mm = 2.0 * reach + random.uniform(3.0, 6.0);
  add_random_fingers(random, fingers, scenario.gripper);
  return scenario;
}

/// A placement where the fingers meet the part, one third of all at a quarter turn.
inline TrialParameters random_outline_trial(Random& random, const Scenario& scenario) {
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  const Vec2& center = scenario.mass.center_of_mass_P_mm;
  const double reach = bounding_radius_mm(scenario.part, center);
  TrialParameters trial;
  trial.theta_rad = random.uniform(-std::numbers::pi, std::numbers::pi);
  if (random.index(3) == 0) trial.theta_rad = kQuarter * std::round(trial.theta_rad / kQuarter);
  const Vec2 at(random.uniform(-1.0, 1.0), reach * random.uniform(-1.0, 0.9));
  const Vec2 origin = at - Rotation2(trial.theta_rad) * center;
  trial.placement_x_mm = -origin.x();
  trial.placement_y_mm = -origin.y();
  trial.mu_jaw = random.index(10) == 0 ? 0.0 : random.uniform(0.0, 0.8);
  trial.mu_support = random.uniform(0.05, 0.6);
  return trial;
}

}  // namespace graspmap::testing
