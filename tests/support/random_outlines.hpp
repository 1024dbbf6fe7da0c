#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/outline_faults.hpp"
#include "geometry/outline_shapes.hpp"
#include "tests/support/outlines.hpp"
#include "tests/support/random.hpp"

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

// Each number is drawn by a statement of its own: a compiler may draw a call's arguments in any
// order, and the shapes of a seed are the same for all.

/// 0 for one half of all shapes, else from 0.05 mm to `most_mm`.
inline double some_radius_mm(auto& random, double most_mm) {
  return random.index(2) == 0 ? 0.0 : random.uniform(0.05, most_mm);
}

/// Corners about the origin at angles that differ by up to `spread` of their mean distance.
inline std::vector<Vec2> corners_about(auto& random, int count, double spread, double least_mm,
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
inline OutlineLoop random_needle(auto& random) {
  const double l = random.uniform(5.0, 12.5);
  const double w = l / random.uniform(10.0, 50.0);
  const double radius = random.index(2) == 0 ? 0.0 : random.uniform(0.01, 0.3);
  if (random.index(2) == 0) return rounded_chain({{-l, -w}, {l, 0.0}, {-l, w}}, radius);
  return rounded_chain({{-l, -w}, {l, -w}, {l, w}, {-l, w}}, radius);
}

inline OutlineLoop random_bracket(auto& random) {
  const double a = random.uniform(8.0, 20.0);
  const double b = random.uniform(8.0, 20.0);
  const double s = random.uniform(2.0, 6.0);
  const double t = random.uniform(2.0, 6.0);
  std::vector<double> radii(6, some_radius_mm(random, 2.0));
  radii[3] = some_radius_mm(random, 3.0);
  return filleted_chain({{0, 0}, {a, 0}, {a, s}, {t, s}, {t, b}, {0, b}}, radii);
}

/// Opposite sides that are parallel to within 1e-3 to 1e-9 of their length.
inline OutlineLoop random_nearly_parallel(auto& random) {
  const auto off = [&] {
    const double share = random.uniform(-1.0, 1.0);
    return share * std::pow(10.0, random.uniform(-8.0, -2.0));
  };
  const double a = random.uniform(6.0, 14.0);
  const double b = random.uniform(6.0, 14.0);
  const double radius = some_radius_mm(random, 4.0);
  return rounded_chain({{-a, -b}, {a, -b + off()}, {a + off(), b}, {-a, b + off()}}, radius);
}

inline OutlineLoop random_cross(auto& random) {
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

inline OutlineLoop random_channel(auto& random) {
  const double l = random.uniform(6.0, 14.0);
  const double t = random.uniform(1.5, 3.0);
  return rounded_chain(
      {{-l, -l}, {l, -l}, {l, l}, {l - t, l}, {l - t, t - l}, {t - l, t - l}, {t - l, l}, {-l, l}},
      some_radius_mm(random, 0.7));
}

/// Arcs that bulge out or in between points of a circle.
inline OutlineLoop random_gear(auto& random) {
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

inline OutlineLoop random_loop(auto& random, OutlineKind kind) {
  switch (kind) {
    case OutlineKind::kPolygon: {
      const double radius = some_radius_mm(random, 3.0);
      const int corners = 3 + random.index(6);
      return rounded_chain(corners_about(random, corners, 0.3, 6.0, 15.0), radius);
    }
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
    default: {
      const double radius = some_radius_mm(random, 2.0);
      const int corners = 5 + random.index(10);
      return rounded_chain(corners_about(random, corners, 0.2, 4.0, 16.0), radius);
    }
  }
}

/// A loop of that kind without crossings.
inline OutlineLoop random_outline(auto& random, OutlineKind kind) {
  while (true) {
    const OutlineLoop loop = random_loop(random, kind);
    if (outline_faults({loop, {}}).empty()) return loop;
  }
}

}  // namespace graspmap::testing
