#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/outline_faults.hpp"
#include "geometry/outline_shapes.hpp"
#include "tests/support/outlines.hpp"
#include "tests/support/random_parts.hpp"

namespace graspmap::testing {

/// Kinds of drawn parts.
enum class OutlineKind {
  kPolygon,
  kStar,
  kNeedle,
  kBracket,
  kNearlyParallel,
  kCross,
  kChannel,
  kGear,
  kMixed
};
inline constexpr std::array<const char*, 9> kOutlineKinds = {
    "polygon", "star", "needle", "bracket", "nearly parallel", "cross", "channel", "gear", "mixed"};

/// What the jaws of a random scenario are.
enum class FingerKind { kQuarterPlanes, kRoundTips, kGrooves, kGroovesAndPalm };
inline constexpr std::array<const char*, 4> kFingerKinds = {"quarter-planes", "round tips",
                                                            "V-grooves", "V-grooves and palm"};

/// 0 for one half of all shapes, else from 0.05 mm to `most_mm`.
inline double some_radius_mm(Random& random, double most_mm) {
  return random.index(2) == 0 ? 0.0 : random.uniform(0.05, most_mm);
}

/// A chain of corners with the same fillet at all.
inline OutlineLoop rounded_chain(const std::vector<Vec2>& corners, double radius_mm) {
  return filleted_chain(corners, std::vector<double>(corners.size(), radius_mm));
}

/// Corners about the origin at angles that differ by up to `spread` of their mean distance.
inline std::vector<Vec2> corners_about(Random& random, int count, double spread, double least_mm,
                                       double most_mm) {
  const double first = random.uniform(0.0, 2.0 * std::numbers::pi);
  std::vector<Vec2> corners;
  for (int k = 0; k < count; ++k) {
    const double turn = 2.0 * std::numbers::pi * (k + random.uniform(-spread, spread)) / count;
    const double angle = first + turn;
    corners.push_back(random.uniform(least_mm, most_mm) * Vec2(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

/// From 1:10 to 1:50, with a point or with flat ends.
inline OutlineLoop random_needle(Random& random) {
  const double l = random.uniform(5.0, 12.5);
  const double w = l / random.uniform(10.0, 50.0);
  const double radius = random.index(2) == 0 ? 0.0 : random.uniform(0.01, 0.3);
  if (random.index(2) == 0) return rounded_chain({{-l, -w}, {l, 0.0}, {-l, w}}, radius);
  return rounded_chain({{-l, -w}, {l, -w}, {l, w}, {-l, w}}, radius);
}

inline OutlineLoop random_bracket(Random& random) {
  const double a = random.uniform(8.0, 20.0);
  const double b = random.uniform(8.0, 20.0);
  const double s = random.uniform(2.0, 6.0);
  const double t = random.uniform(2.0, 6.0);
  std::vector<double> radii(6, some_radius_mm(random, 2.0));
  radii[3] = some_radius_mm(random, 3.0);
  return filleted_chain({{0, 0}, {a, 0}, {a, s}, {t, s}, {t, b}, {0, b}}, radii);
}

/// Opposite sides that are parallel but for 1e-3 to 1e-9 of their length.
inline OutlineLoop random_nearly_parallel(Random& random) {
  const auto off = [&] {
    return random.uniform(-1.0, 1.0) * std::pow(10.0, random.uniform(-8.0, -2.0));
  };
  const double a = random.uniform(6.0, 14.0);
  const double b = random.uniform(6.0, 14.0);
  return rounded_chain({{-a, -b}, {a, -b + off()}, {a + off(), b}, {-a, b + off()}},
                       some_radius_mm(random, 4.0));
}

inline OutlineLoop random_cross(Random& random) {
  const double w = random.uniform(2.0, 5.0);
  const double l = random.uniform(6.0, 14.0);
  return rounded_chain({{-w, -l},
                        {w, -l},
                        {w, -w},
                        {l, -w},
                        {l, w},
                        {w, w},
                        {w, l},
                        {-w, l},
                        {-w, w},
                        {-l, w},
                        {-l, -w},
                        {-w, -w}},
                       some_radius_mm(random, 1.2));
}

inline OutlineLoop random_channel(Random& random) {
  const double l = random.uniform(6.0, 14.0);
  const double t = random.uniform(1.5, 3.0);
  return rounded_chain(
      {{-l, -l}, {l, -l}, {l, l}, {l - t, l}, {l - t, t - l}, {t - l, t - l}, {t - l, l}, {-l, l}},
      some_radius_mm(random, 0.7));
}

/// Arcs that bulge out or in between points of a circle.
inline OutlineLoop random_gear(Random& random) {
  const int count = 3 + random.index(8);
  const double radius = random.uniform(6.0, 14.0);
  OutlineLoop loop;
  for (int k = 0; k < count; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / count;
    const double bulge = random.index(4) == 0 ? 0.0 : random.uniform(-0.5, 0.6);
    loop.push_back({radius * Vec2(std::cos(angle), std::sin(angle)), bulge, ""});
  }
  return loop;
}

inline OutlineLoop random_loop(Random& random, OutlineKind kind) {
  switch (kind) {
    case OutlineKind::kPolygon:
      return rounded_chain(corners_about(random, 3 + random.index(6), 0.3, 6.0, 15.0),
                           some_radius_mm(random, 3.0));
    case OutlineKind::kNeedle:
      return random_needle(random);
    case OutlineKind::kBracket:
      return random_bracket(random);
    case OutlineKind::kNearlyParallel:
      return random_nearly_parallel(random);
    case OutlineKind::kCross:
      return random_cross(random);
    case OutlineKind::kChannel:
      return random_channel(random);
    case OutlineKind::kGear:
      return random_gear(random);
    default:
      return rounded_chain(corners_about(random, 5 + random.index(10), 0.2, 4.0, 16.0),
                           some_radius_mm(random, 2.0));
  }
}

/// A loop of that kind without crossings.
inline OutlineLoop random_outline(Random& random, OutlineKind kind) {
  while (true) {
    const OutlineLoop loop = random_loop(random, kind);
    if (outline_faults({loop, {}}).empty()) return loop;
  }
}

inline void add_random_fingers(Random& random, FingerKind kind, Gripper& gripper) {
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
