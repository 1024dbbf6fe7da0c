#include <array>
#include <cmath>
#include <numbers>

#include "geometry/elementary/bits.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/elementary/exponential.hpp"

namespace graspmap::elementary {
namespace {

/// erfc of more is below the least double.
constexpr double kMostComplement = 27.5;

template <std::size_t n>
double polynomial(const std::array<double, n>& coefficients, double x) {
  double sum = coefficients.back();
  for (std::size_t k = n - 1; k-- > 0;) sum = coefficients[k] + x * sum;
  return sum;
}

/// exp(x^2) erfc(x), 0.47 <= x <= 28, by (1 + 2 x) times it as a polynomial in (x - 4) / (x + 4)
/// (Shepherd and Laframboise 1981).
double scaled_complement(double x) {
  return polynomial(kScaledComplement, (x - 4.0) / (x + 4.0)) / (1.0 + 2.0 * x);
}

/// z > 0 with P(Z > z) = p < 1/4. A guess from s = sqrt(-2 log(p)), then one step of Newton's
/// method for z^2 - 2 log(exp(z^2 / 2) P(Z > z)) = s^2, whose error is squared: below 2^-50.
double tail_score(double p) {
  const double l = -log(p);
  const double s = std::sqrt(2.0 * l);
  const double z =
      s + (s <= 6.0 ? polynomial(kScoreNear, 1.0 / s) : polynomial(kScoreFar, 1.0 / s));
  const double scaled = scaled_complement(z * (1.0 / std::numbers::sqrt2));
  const Pair square = two_product(z, z);
  const double excess = ((0.5 * square.high - l) + 0.5 * square.low) - log(0.5 * scaled);
  // d(excess) / dz = sqrt(2 / pi) / scaled.
  return z - excess * scaled * std::sqrt(0.5 * std::numbers::pi);
}

}  // namespace

double erfc(double x) {
  if (std::isnan(x)) return x;
  if (std::abs(x) < 0.5) return 1.0 - x * polynomial(kError, x * x);
  const double size = std::abs(x);
  double tail = 0.0;
  if (size < kMostComplement) {
    const Pair square = two_product(size, size);
    tail = exp_of_sum(-square.high, -square.low) * scaled_complement(size);
  }
  return x > 0.0 ? tail : 2.0 - tail;
}

double normal_score(double p) {
  if (!(p > 0.0 && p < 1.0)) return p == 0.0 ? -kInfinity : p == 1.0 ? kInfinity : kNaN;
  if (p < 0.25) return -tail_score(p);
  if (p > 0.75) return tail_score(1.0 - p);
  const double w = p - 0.5;
  return w * polynomial(kScoreMiddle, w * w);
}

}  // namespace graspmap::elementary
