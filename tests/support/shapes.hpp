#pragma once

#include <algorithm>
#include <vector>

#include "geometry/convex_region.hpp"
#include "geometry/superellipse.hpp"
#include "tests/support/brute_force.hpp"

namespace graspmap {

/// The index k of a function with the largest f_k(x), the first of equals.
inline std::size_t active_function(const ConvexRegion& region, const Vec2& x_mm) {
  const auto& all = region.functions;
  const auto less = [&](const auto& f, const auto& g) { return value(f, x_mm) < value(g, x_mm); };
  return static_cast<std::size_t>(std::max_element(all.begin(), all.end(), less) - all.begin());
}

/// max_i f_i(x): negative inside, zero on the boundary, positive outside.
inline double value(const ConvexRegion& region, const Vec2& x_mm) {
  return value(region.functions[active_function(region, x_mm)], x_mm);
}

}  // namespace graspmap

namespace graspmap::testing {

/// Discs, ellipses and superellipses over the whole range of exponents.
inline std::vector<Superellipse> sample_shapes() {
  return {{20.75, 20.75, 2.0}, {2.3, 1.1, 2.0}, {2.3, 1.1, 2.5}, {1.1, 2.3, 3.0},
          {2.3, 1.1, 4.0},     {1.5, 1.5, 4.0}, {1.0, 3.0, 8.0}, {3.0, 1.0, 20.0}};
}

/// The support function h(u) = max { u . x : x in the shape } in mm times |u|; u may be zero.
inline double support_function(const Superellipse& shape, const Vec2& u) {
  if (u.x() == 0.0 && u.y() == 0.0) return 0.0;
  return u.dot(support_point(shape, u));
}

/// The smallest radius of curvature of a shape's boundary, in mm.
inline double smallest_radius_of_curvature_mm(const Superellipse& shape) {
  const auto curvature = [&](double t) { return boundary_point(shape, t).curvature_per_mm; };
  return 1.0 / periodic_max(curvature, 2000).value;
}

}  // namespace graspmap::testing
