#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/outline.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/outline_shapes.hpp"

namespace graspmap::testing {

/// A region within a loop, and the distance of points from it.
class Region {
 public:
  Region() = default;
  explicit Region(const OutlineLoop& loop) : loop_(loop), curves_(outline_curves(loop)) {}

  [[nodiscard]] const std::vector<OutlineCurve>& curves() const { return curves_; }
  [[nodiscard]] bool empty() const { return curves_.empty(); }

  /// The distance of a point from the boundary, mm, >= 0.
  [[nodiscard]] double boundary_distance_mm(const Vec2& x) const {
    double least = std::numeric_limits<double>::infinity();
    for (const OutlineCurve& curve : curves_) least = std::min(least, distance_mm(curve, x));
    return least;
  }

  /// The same, < 0 within the region.
  [[nodiscard]] double distance_from_mm(const Vec2& x) const {
    const double distance = boundary_distance_mm(x);
    return contains(loop_, x) ? -distance : distance;
  }

  /// True when the point is nearer than `near_mm` to a corner where the region is not convex.
  [[nodiscard]] bool near_reflex_corner(const Vec2& x, double near_mm) const {
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      const OutlineCurve& before = curves_[(k + curves_.size() - 1) % curves_.size()];
      if ((curves_[k].begin_mm - x).norm() < near_mm &&
          cross(tangent_at(before, 1.0), tangent_at(curves_[k], 0.0)) < 0.0) {
        return true;
      }
    }
    return false;
  }

 private:
  OutlineLoop loop_;
  std::vector<OutlineCurve> curves_;
};

/// The smallest of the signed distances of a curve's points, by samples and golden-section search,
/// or a lower bound above `far_mm`. Where the distance has a kink within the curve a corner of the
/// other body is nearest, which is found along that body's curves.
template <typename Distance>
double least_along(const OutlineCurve& curve, const Distance& distance, double far_mm) {
  constexpr int kSamples = 12;
  constexpr int kSections = 30;
  constexpr double kGolden = std::numbers::phi - 1.0;
  const double bound = distance(point_at(curve, 0.5)) - 0.5 * curve.length_mm();
  if (bound > far_mm) return bound;
  const auto f = [&](double s) { return distance(point_at(curve, s)); };
  int nearest = 0;
  double least = f(0.0);
  for (int k = 1; k <= kSamples; ++k) {
    const double value = f(static_cast<double>(k) / kSamples);
    if (value < least) nearest = k;
    keep_smallest(least, value);
  }
  double lo = std::max(nearest - 1.0, 0.0) / kSamples;
  double hi = std::min(nearest + 1.0, 1.0 * kSamples) / kSamples;
  double left = hi - kGolden * (hi - lo);
  double right = lo + kGolden * (hi - lo);
  double at_left = f(left);
  double at_right = f(right);
  for (int k = 0; k < kSections; ++k) {
    if (at_left < at_right) {
      hi = std::exchange(right, left);
      at_right = at_left;
      at_left = f(left = hi - kGolden * (hi - lo));
    } else {
      lo = std::exchange(left, right);
      at_left = at_right;
      at_right = f(right = lo + kGolden * (hi - lo));
    }
  }
  return std::min(least, std::min(at_left, at_right));
}

/// The distance of two regions from points along both boundaries, or something above `far_mm`;
/// minus the deepest point's depth where they overlap.
inline double distance_mm(const Region& a, const Region& b, double far_mm) {
  double least = std::numeric_limits<double>::infinity();
  for (const OutlineCurve& curve : a.curves()) {
    const auto from_b = [&](const Vec2& x) { return b.distance_from_mm(x); };
    keep_smallest(least, least_along(curve, from_b, far_mm));
  }
  for (const OutlineCurve& curve : b.curves()) {
    const auto from_a = [&](const Vec2& x) { return a.distance_from_mm(x); };
    keep_smallest(least, least_along(curve, from_a, far_mm));
  }
  return least;
}

}  // namespace graspmap::testing
