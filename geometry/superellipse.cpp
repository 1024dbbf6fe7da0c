#include "geometry/superellipse.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/unit_vector.hpp"

namespace graspmap {
namespace {

/// x^k for an integer k > 4 by squaring; else, and for a large k, whose products would lose digits,
/// by the general power function.
[[gnu::noinline]] double uncommon_power(double x, double k) {
  int n = k <= tolerances::kMostMultipliedExponent ? static_cast<int>(k) : 0;
  if (n != k) return elementary::pow(x, k);
  double result = 1.0;
  for (; n > 0; n >>= 1, x *= x) {
    if ((n & 1) != 0) result *= x;
  }
  return result;
}

/// |x|^k, without the general power function for the exponents that nearly all parts have.
[[gnu::always_inline]] inline double power(double x, double k) {
  const double m = std::abs(x);
  if (k == 0.0) return 1.0;
  if (k == 1.0) return m;
  if (k == 2.0) return m * m;
  if (k == 3.0) return m * m * m;
  if (k == 4.0) return (m * m) * (m * m);
  return uncommon_power(m, k);
}

[[gnu::noinline]] double uncommon_root(double x, double k) {
  if (k == 6.0) return elementary::cbrt(std::sqrt(x));
  if (k == 8.0) return std::sqrt(std::sqrt(std::sqrt(x)));
  return elementary::pow(x, 1.0 / k);
}

/// x^(1/k) for x >= 0, likewise.
[[gnu::always_inline]] inline double root(double x, double k) {
  if (k == 1.0) return x;
  if (k == 2.0) return std::sqrt(x);
  if (k == 3.0) return elementary::cbrt(x);
  if (k == 4.0) return std::sqrt(std::sqrt(x));
  return uncommon_root(x, k);
}

/// sign(x) |x|^k.
double signed_power(double x, double k) { return std::copysign(power(x, k), x); }

/// The direction (cos t, sin t) of the support point's parameter for direction u: the normal at t
/// is along (|cos t|^(e-1) / a, |sin t|^(e-1) / b), with the signs of cos t and sin t.
Vec2 support_direction(const Superellipse& shape, const Vec2& u) {
  const double x = shape.a_mm * std::abs(u.x());
  const double y = shape.b_mm * std::abs(u.y());
  const double k = shape.exponent - 1.0;
  Vec2 d(1.0, 1.0);
  if (x >= y) {
    d.y() = root(y / x, k);
  } else {
    d.x() = root(x / y, k);
  }
  return Vec2(std::copysign(d.x(), u.x()), std::copysign(d.y(), u.y())) / d.norm();
}

/// The boundary point of a disc in a unit direction.
BoundaryPoint disc_point(double radius, const Vec2& direction) {
  BoundaryPoint point;
  point.direction = direction;
  point.position_mm = radius * direction;
  point.tangent_mm = radius * perp(direction);
  point.normal = direction;
  point.normal_turn = 1.0;
  point.curvature_per_mm = 1.0 / radius;
  return point;
}

/// The root of the perpendicularity condition in the first quadrant:
/// F(t) = (x - P(t)) x N(t) = 0 with dF/dt = |dP/dt| + normal_turn (x - P) . N, bracketed by
/// F(0) <= 0 <= F(pi/2). Newton's method on directions (cos t, sin t), with bisection where it
/// leaves the bracket, and where it goes to and fro between its ends for long: for sharp corners it
/// has cycles.
BoundaryPoint closest_in_first_quadrant(const Superellipse& shape, const Vec2& x, Vec2 direction) {
  Vec2 low(1.0, 0.0);
  Vec2 high(0.0, 1.0);
  const double f_resolution = tolerances::kClosestPointResolution * (shape.a_mm + shape.b_mm);
  BoundaryPoint point;
  double last_f = 0.0;
  for (int iteration = 0; iteration < tolerances::kClosestPointIterations; ++iteration) {
    point = boundary_point(shape, direction);
    const Vec2 offset = x - point.position_mm;
    const double f = cross(offset, point.normal);
    if (std::abs(f) <= f_resolution) break;
    (f < 0.0 ? low : high) = direction;
    const double slope = point.tangent_mm.norm() + point.normal_turn * offset.dot(point.normal);
    const double turn = -f / slope;
    const bool cycles = iteration >= tolerances::kClosestPointCycles &&
                        std::signbit(f) != std::signbit(last_f) &&
                        std::abs(turn) > tolerances::kCycleTurnRad;
    last_f = f;
    Vec2 next = direction + turn * perp(direction);
    if (cycles || !(cross(low, next) > 0.0 && cross(next, high) > 0.0)) {
      next = low + high;
    } else if (std::abs(turn) < tolerances::kClosestPointTurnRad) {
      break;
    }
    if (cross(low, high) < tolerances::kClosestPointTurnRad) break;
    direction = next.normalized();
  }
  return point;
}

}  // namespace

double Superellipse::bounding_radius_mm() const {
  if (exponent == 2.0) return std::max(a_mm, b_mm);
  // max x^2 + y^2 subject to |x/a|^e + |y/b|^e = 1 (Hoelder): (a^q + b^q)^(1/q), q = 2e/(e-2).
  const double largest = std::max(a_mm, b_mm);
  const double q = 2.0 * exponent / (exponent - 2.0);
  return largest *
         elementary::pow(elementary::pow(a_mm / largest, q) + elementary::pow(b_mm / largest, q),
                         1.0 / q);
}

double value(const Superellipse& shape, const Vec2& x_mm) {
  return power(x_mm.x() / shape.a_mm, shape.exponent) +
         power(x_mm.y() / shape.b_mm, shape.exponent) - 1.0;
}

Vec2 gradient(const Superellipse& shape, const Vec2& x_mm) {
  const double e = shape.exponent;
  return {e / shape.a_mm * signed_power(x_mm.x() / shape.a_mm, e - 1.0),
          e / shape.b_mm * signed_power(x_mm.y() / shape.b_mm, e - 1.0)};
}

Mat2 hessian(const Superellipse& shape, const Vec2& x_mm) {
  const double e = shape.exponent;
  const double k = e * (e - 1.0);
  Mat2 H = Mat2::Zero();
  H(0, 0) = k / (shape.a_mm * shape.a_mm) * power(x_mm.x() / shape.a_mm, e - 2.0);
  H(1, 1) = k / (shape.b_mm * shape.b_mm) * power(x_mm.y() / shape.b_mm, e - 2.0);
  return H;
}

Vec2 support_point(const Superellipse& shape, const Vec2& u) {
  if (shape.is_disc()) return shape.a_mm * u.normalized();
  const Vec2 d = support_direction(shape, u);
  const double e = shape.exponent;
  const double scale = 1.0 / root(power(d.x(), e) + power(d.y(), e), e);
  return {shape.a_mm * d.x() * scale, shape.b_mm * d.y() * scale};
}

BoundaryPoint boundary_point(const Superellipse& shape, double parameter) {
  return boundary_point(shape, unit_vector(parameter));
}

/// With (c, s) the direction, C = |c|^(e-1), S = |s|^(e-1) (signed) and D = |c|^e + |s|^e:
///   P = D^(-1/e) (a c, b s),  dP/dt = D^(-1-1/e) (-a S, b C),  normal ~ (C/a, S/b),
///   d(normal's angle)/dt = (e-1) |c s|^(e-2) / (a b |(C/a, S/b)|^2).
BoundaryPoint boundary_point(const Superellipse& shape, const Vec2& direction) {
  if (shape.is_disc()) return disc_point(shape.a_mm, direction);
  const double e = shape.exponent;
  const double a = shape.a_mm;
  const double b = shape.b_mm;
  const double c = direction.x();
  const double s = direction.y();
  const double C = signed_power(c, e - 1.0);
  const double S = signed_power(s, e - 1.0);
  const double D = C * c + S * s;
  const double scale = 1.0 / root(D, e);
  const Vec2 n(C / a, S / b);
  const double n_norm = n.norm();

  BoundaryPoint point;
  point.direction = direction;
  point.position_mm = {a * c * scale, b * s * scale};
  point.tangent_mm = Vec2(-a * S, b * C) * (scale / D);
  point.normal = n / n_norm;
  point.normal_turn = (e - 1.0) * power(c * s, e - 2.0) / (a * b * n_norm * n_norm);
  point.curvature_per_mm = point.normal_turn * D / (scale * a * b * n_norm);
  return point;
}

BoundaryPoint support_boundary_point(const Superellipse& shape, const Vec2& u) {
  if (shape.is_disc()) return disc_point(shape.a_mm, u.normalized());
  return boundary_point(shape, support_direction(shape, u));
}

BoundaryPoint closest_boundary_point(const Superellipse& shape, const Vec2& x_mm,
                                     const Vec2& guess) {
  if (shape.is_disc() && (x_mm.x() != 0.0 || x_mm.y() != 0.0)) {
    return disc_point(shape.a_mm, x_mm.normalized());
  }
  const Vec2 folded = x_mm.cwiseAbs();
  Vec2 start = guess.cwiseAbs();
  if (start == Vec2::Zero()) start = {folded.x() / shape.a_mm, folded.y() / shape.b_mm};
  if (start == Vec2::Zero()) start = {1.0, 1.0};
  BoundaryPoint point = closest_in_first_quadrant(shape, folded, start.normalized());
  const Vec2 sign(std::copysign(1.0, x_mm.x()), std::copysign(1.0, x_mm.y()));
  point.direction = point.direction.cwiseProduct(sign);
  point.position_mm = point.position_mm.cwiseProduct(sign);
  point.normal = point.normal.cwiseProduct(sign);
  point.tangent_mm = perp(point.normal) * point.tangent_mm.norm();
  return point;
}

}  // namespace graspmap
