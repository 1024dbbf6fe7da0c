#pragma once

#include "geometry/elementary/elementary.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// The convex region |x/a|^e + |y/b|^e <= 1 in its own axes (a disc for a = b, e = 2).
/// Admissible: a, b > 0 in mm, e >= 2.
struct Superellipse {
  double a_mm = 1.0;
  double b_mm = 1.0;
  double exponent = 2.0;

  [[nodiscard]] bool is_disc() const { return exponent == 2.0 && a_mm == b_mm; }

  /// The radius of a circle about the centre that holds the whole shape, in mm.
  [[nodiscard]] double bounding_radius_mm() const;
};

/// f(x) = |x/a|^e + |y/b|^e - 1, Chakraborty et al. 2014, eq. (56)-(57): dimensionless, negative
/// inside, zero on the boundary; an algebraic gap, not a distance.
double value(const Superellipse& shape, const Vec2& x_mm);

/// grad f(x) in 1/mm; zero at the centre.
Vec2 gradient(const Superellipse& shape, const Vec2& x_mm);

/// The Hessian of f(x) in 1/mm^2 (diagonal).
Mat2 hessian(const Superellipse& shape, const Vec2& x_mm);

/// The support point: the boundary point at which u . x is largest, in mm. u need not be a unit
/// vector: 1e-150 <= |u| <= 1e150, in all functions of u.
Vec2 support_point(const Superellipse& shape, const Vec2& u);

/// A boundary point with everything first and second order that contact needs.
struct BoundaryPoint {
  Vec2 direction{1.0, 0.0};     ///< (cos t, sin t) of its parameter t, see `boundary_point`
  Vec2 position_mm{0.0, 0.0};   ///< P(t)
  Vec2 tangent_mm{0.0, 0.0};    ///< dP/dt, counter-clockwise, never zero
  Vec2 normal{0.0, 0.0};        ///< outward unit normal
  double normal_turn = 0.0;     ///< d(angle of the normal)/dt >= 0; zero on the flats for e > 2
  double curvature_per_mm = 0;  ///< normal_turn / |dP/dt|: finite everywhere for e >= 2

  /// t, rad in (-pi, pi].
  [[nodiscard]] double parameter() const { return elementary::atan2(direction.y(), direction.x()); }
};

/// The boundary point at parameter t: P(t) = (a xi, b eta) with (xi, eta) on the ray at angle t and
/// |xi|^e + |eta|^e = 1. Smooth and regular in t for every e >= 2, flat spots included (there the
/// normal is stationary in t, but P is not), which is why contact uses t and not the normal's
/// angle.
BoundaryPoint boundary_point(const Superellipse& shape, double parameter);

/// The same at the unit vector (cos t, sin t), without trigonometry.
BoundaryPoint boundary_point(const Superellipse& shape, const Vec2& direction);

/// The same of a disc, without its shape.
inline BoundaryPoint disc_point(double radius_mm, const Vec2& direction) {
  return {direction, radius_mm * direction, radius_mm * perp(direction), direction,
          1.0,       1.0 / radius_mm};
}

/// The boundary point in direction u (not zero): where u . x is largest.
BoundaryPoint support_boundary_point(const Superellipse& shape, const Vec2& u);

/// Its direction: the (cos t, sin t) of its parameter.
Vec2 support_direction(const Superellipse& shape, const Vec2& u);

/// The boundary point closest to x (exact to rounding), for x outside, on, or inside by less than
/// the smallest radius of curvature. `guess` is a direction (cos t, sin t) near the answer, or
/// zero.
BoundaryPoint closest_boundary_point(const Superellipse& shape, const Vec2& x_mm,
                                     const Vec2& guess = Vec2::Zero());

}  // namespace graspmap
