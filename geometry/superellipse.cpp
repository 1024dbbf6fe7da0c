#include "geometry/superellipse.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

/// Calls function(e), which is compiled for each of the exponents that most parts have, too.
template <typename Function>
[[gnu::always_inline]] inline auto with_exponent(double e, const Function& function) {
  if (e == 4.0) return function(std::integral_constant<int, 4>());
  if (e == 6.0) return function(std::integral_constant<int, 6>());
  if (e == 8.0) return function(std::integral_constant<int, 8>());
  return function(e);
}

/// x^k for an integer k > 8 by squaring; else, and for a large k, whose products would lose digits,
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
  if (k == 5.0) return m * ((m * m) * (m * m));
  if (k == 6.0) return (m * m) * ((m * m) * (m * m));
  if (k == 7.0) return (m * (m * m)) * ((m * m) * (m * m));
  if (k == 8.0) return ((m * m) * (m * m)) * ((m * m) * (m * m));
  return uncommon_power(m, k);
}

[[gnu::noinline]] double uncommon_root(double x, double k) {
  if (k == 6.0) return elementary::cbrt(std::sqrt(x));
  if (k == 8.0) return std::sqrt(std::sqrt(std::sqrt(x)));
  return elementary::pow(x, 1.0 / k);
}

/// x^(1/k) for x >= 0, in the same way.
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
/// Its larger component is 1.
[[gnu::always_inline]] inline Vec2 support_ray(const Superellipse& shape, double e, const Vec2& u) {
  const double x = shape.a_mm * std::abs(u.x());
  const double y = shape.b_mm * std::abs(u.y());
  Vec2 d(1.0, 1.0);
  // The ratio that is at most 1: the other one divides by 0 along an axis.
  if (x >= y) {
    d.y() = root(y / x, e - 1.0);
  } else {
    d.x() = root(x / y, e - 1.0);
  }
  return {std::copysign(d.x(), u.x()), std::copysign(d.y(), u.y())};
}

/// The support point on that ray.
[[gnu::always_inline]] inline Vec2 support_point(const Superellipse& shape, double e,
                                                 const Vec2& u) {
  const Vec2 d = support_ray(shape, e, u);
  const double scale = 1.0 / root(power(d.x(), e) + power(d.y(), e), e);
  return {shape.a_mm * d.x() * scale, shape.b_mm * d.y() * scale};
}

/// With (c, s) the direction, C = |c|^(e-1), S = |s|^(e-1) (signed) and D = |c|^e + |s|^e:
///   P = D^(-1/e) (a c, b s),  normal ~ n = (b C, a S),  dP/dt = D^(-1-1/e) perp(n),
///   d(normal's angle)/dt = (e-1) |c s|^(e-2) a b / |n|^2.
struct OnBoundary {
  [[gnu::always_inline]] OnBoundary(const Superellipse& shape, double e, const Vec2& direction) {
    const double a = shape.a_mm;
    const double b = shape.b_mm;
    const double c = direction.x();
    const double s = direction.y();
    const double C = signed_power(c, e - 1.0);
    const double S = signed_power(s, e - 1.0);
    const double D = C * c + S * s;
    D_root = D * root(D, e);
    per_D_root = 1.0 / D_root;
    const double scale = D * per_D_root;
    P = {a * c * scale, b * s * scale};
    n = {b * C, a * S};
    turn_n2 = (e - 1.0) * power(c * s, e - 2.0) * (a * b);
  }

  Vec2 P;
  Vec2 n;
  double D_root;      ///< D^(1+1/e)
  double per_D_root;  ///< its inverse
  double turn_n2;     ///< d(normal's angle)/dt |n|^2
};

[[gnu::always_inline]] inline BoundaryPoint boundary_point(const Superellipse& shape, double e,
                                                           const Vec2& direction) {
  const OnBoundary at(shape, e, direction);
  const double per_n = 1.0 / at.n.norm();

  BoundaryPoint point;
  point.direction = direction;
  point.position_mm = at.P;
  point.tangent_mm = perp(at.n) * at.per_D_root;
  point.normal = at.n * per_n;
  point.normal_turn = at.turn_n2 * (per_n * per_n);
  point.curvature_per_mm = point.normal_turn * at.D_root * per_n;
  return point;
}

/// A step of Newton's method towards the root of the perpendicularity condition
/// F(t) = (x - P(t)) x n(t) = 0 with dF/dt = |dP/dt| |n| + normal_turn (x - P) . n, where n is the
/// normal (b C, a S) of `boundary_point`, as long as it is.
struct PerpendicularStep {
  double f_mm = 0.0;  ///< F / |n|
  double turn = 0.0;  ///< -F / (dF/dt)
};

[[gnu::always_inline]] inline PerpendicularStep perpendicular_step(const Superellipse& shape,
                                                                   double e, const Vec2& x,
                                                                   const Vec2& direction) {
  const OnBoundary at(shape, e, direction);
  const Vec2 offset = x - at.P;
  const double n2 = at.n.squaredNorm();
  const double f = cross(offset, at.n);
  const double normal_turn = at.turn_n2 / n2;
  return {f / std::sqrt(n2), -f / (n2 * at.per_D_root + normal_turn * offset.dot(at.n))};
}

/// True when the error after a step of Newton's method is below the resolution: it falls with the
/// square of the turn, by the last two turns.
bool ends_quadratically(double turn, double last_turn) {
  return std::abs(turn) < tolerances::kQuadraticTurnRad &&
         std::abs(turn * turn * turn) < tolerances::kClosestPointTurnRad * (last_turn * last_turn);
}

/// The parameter of the root in the first quadrant, bracketed by F(0) <= 0 <= F(pi/2). Newton's
/// method on directions (cos t, sin t), with bisection where it leaves the bracket, and where it
/// goes to and fro between its ends for long: for sharp corners it has cycles. It ends where the
/// next turn, by those of the last two steps, would be below the resolution.
[[gnu::always_inline]] inline Vec2 closest_in_first_quadrant(const Superellipse& shape, double e,
                                                             const Vec2& x, Vec2 direction) {
  Vec2 low(1.0, 0.0);
  Vec2 high(0.0, 1.0);
  const double f_resolution = tolerances::kClosestPointResolution * (shape.a_mm + shape.b_mm);
  PerpendicularStep last;
  for (int iteration = 0; iteration < tolerances::kMostIterations; ++iteration) {
    const PerpendicularStep step = perpendicular_step(shape, e, x, direction);
    const double turn = step.turn;
    if (std::abs(step.f_mm) <= f_resolution) break;
    (step.f_mm < 0.0 ? low : high) = direction;
    const bool cycles = iteration >= tolerances::kClosestPointCycles &&
                        std::signbit(step.f_mm) != std::signbit(last.f_mm) &&
                        std::abs(turn) > tolerances::kCycleTurnRad;
    Vec2 next = direction + turn * perp(direction);
    const bool inside = cross(low, next) > 0.0 && cross(next, high) > 0.0;
    if (cycles || !inside) {
      next = low + high;
    } else if (std::abs(turn) < tolerances::kClosestPointTurnRad) {
      break;
    }
    if (cross(low, high) < tolerances::kClosestPointTurnRad) break;
    direction = next.normalized();
    if (inside && !cycles && ends_quadratically(turn, last.turn)) break;
    last = step;
  }
  return direction;
}

}  // namespace

double Superellipse::bounding_radius_mm() const {
  if (exponent == 2.0) return std::max(a_mm, b_mm);
  // max x^2 + y^2 subject to |x/a|^e + |y/b|^e = 1 (Hoelder): (a^q + b^q)^(1/q), q = 2e/(e-2).
  // Near e = 2 q is large: powers of ratios, not of lengths, which overflow.
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

Vec2 support_direction(const Superellipse& shape, const Vec2& u) {
  const Vec2 d = with_exponent(shape.exponent, [&](auto e) { return support_ray(shape, e, u); });
  return d * (1.0 / d.norm());
}

Vec2 support_point(const Superellipse& shape, const Vec2& u) {
  if (shape.is_disc()) return shape.a_mm * u.normalized();
  return with_exponent(shape.exponent, [&](auto e) { return support_point(shape, e, u); });
}

BoundaryPoint boundary_point(const Superellipse& shape, double parameter) {
  return boundary_point(shape, unit_vector(parameter));
}

BoundaryPoint boundary_point(const Superellipse& shape, const Vec2& direction) {
  if (shape.is_disc()) return disc_point(shape.a_mm, direction);
  return with_exponent(shape.exponent, [&](auto e) { return boundary_point(shape, e, direction); });
}

BoundaryPoint support_boundary_point(const Superellipse& shape, const Vec2& u) {
  if (shape.is_disc()) return disc_point(shape.a_mm, u.normalized());
  return boundary_point(shape, support_direction(shape, u));
}

BoundaryPoint closest_boundary_point(const Superellipse& shape, const Vec2& x_mm,
                                     const Vec2& guess) {
  GRASPMAP_ASSERT(shape.a_mm > 0.0 && shape.b_mm > 0.0 && shape.exponent >= 2.0);
  if (shape.is_disc() && (x_mm.x() != 0.0 || x_mm.y() != 0.0)) {
    return disc_point(shape.a_mm, x_mm.normalized());
  }
  // By symmetry the closest point lies in the quadrant of x; its sign is put back at the end.
  const Vec2 folded = x_mm.cwiseAbs();
  Vec2 start = guess.cwiseAbs();
  if (start == Vec2::Zero()) start = {folded.x() / shape.a_mm, folded.y() / shape.b_mm};
  if (start == Vec2::Zero()) start = {1.0, 1.0};
  start.normalize();
  const Vec2 found = with_exponent(
      shape.exponent, [&](auto e) { return closest_in_first_quadrant(shape, e, folded, start); });
  return boundary_point(
      shape, Vec2(std::copysign(found.x(), x_mm.x()), std::copysign(found.y(), x_mm.y())));
}

}  // namespace graspmap
