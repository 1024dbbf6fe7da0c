#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/contact_element.hpp"
#include "tests/support/outline_shapes.hpp"

namespace graspmap::testing {

/// A chain through corners, each with a fillet of its own radius, which shrinks where it does not
/// fit into its sides.
inline OutlineLoop filleted_chain(const std::vector<Vec2>& corners,
                                  const std::vector<double>& radii_mm) {
  constexpr double kLeastRadiusMm = 1e-6;
  constexpr double kLeastTurnRad = 1e-3;
  OutlineLoop loop;
  const std::size_t n = corners.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 to = corners[k] - corners[(k + n - 1) % n];
    const Vec2 from = corners[(k + 1) % n] - corners[k];
    const Vec2 u = to.normalized();
    const Vec2 v = from.normalized();
    const double turn = std::atan2(cross(u, v), u.dot(v));
    const double setback = std::min(radii_mm[k] * std::tan(0.5 * std::abs(turn)),
                                    0.45 * std::min(to.norm(), from.norm()));
    if (radii_mm[k] <= kLeastRadiusMm || std::abs(turn) < kLeastTurnRad) {
      loop.push_back({corners[k], 0.0, ""});
      continue;
    }
    loop.push_back({corners[k] - setback * u, std::tan(0.25 * turn), ""});
    loop.push_back({corners[k] + setback * v, 0.0, ""});
  }
  return loop;
}

/// A chain of corners with the same fillet at all.
inline OutlineLoop rounded_chain(const std::vector<Vec2>& corners, double radius_mm) {
  return filleted_chain(corners, std::vector<double>(corners.size(), radius_mm));
}

/// The contact elements of a loop without holes.
inline std::vector<ContactElement> elements_of(const OutlineLoop& loop) {
  return contact_elements({loop, {}});
}

/// A right finger 100 mm wide and high: the quarter-plane, as far as parts here reach.
inline Outline square_finger() { return {rectangle_loop(100.0, 100.0, {50.0, -50.0}), {}}; }

/// The same with a rounded fingertip.
inline Outline round_tip_finger(double radius_mm) {
  return {filleted_chain({{0, -100}, {100, -100}, {100, 0}, {0, 0}}, {0, 0, 0, radius_mm}), {}};
}

/// A right finger with a V-groove in its inside edge: half-angle, depth, the height of its bottom,
/// and the fillets of its three corners and of the fingertip.
inline Outline v_finger(double half_angle_rad, double depth_mm, double y_mm,
                        double radius_mm = 0.0) {
  const double w = depth_mm * std::tan(half_angle_rad);
  const double r = radius_mm;
  return {filleted_chain({{0, -100},
                          {100, -100},
                          {100, 0},
                          {0, 0},
                          {0, y_mm + w},
                          {depth_mm, y_mm},
                          {0, y_mm - w}},
                         {0, 0, 0, r, r, r, r}),
          {}};
}

}  // namespace graspmap::testing
