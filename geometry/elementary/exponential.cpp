#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "geometry/elementary/bits.hpp"
#include "geometry/elementary/elementary.hpp"

namespace graspmap::elementary {

// Tang 1989 and 1990: tables of 128 parts, and polynomials between them. Logarithms are sums of two
// doubles, so that powers are right to the last place. No fused multiply-add: products whose
// rounding would count are of short numbers.

namespace {

constexpr double kLeastNormal = std::numeric_limits<double>::min();

/// The least of the parts of kLogarithms, 0.705: as many parts are above 1 as below.
constexpr std::uint64_t kFirstPart = 0x3fe6900000000000U;

/// exp of this and more is infinity or not normal, or nearly.
constexpr double kModestExponent = 700.0;

/// x = 2^k c (1 + r), and log(1 + r) = r - r^2 / 2 + r^3 p(r): for x > 0 that is normal.
inline Pair logarithm(double x, int shift) {
  const std::uint64_t from = bits_of(x) - kFirstPart;
  const std::size_t part = (from >> 45U) & 127U;
  const auto k = static_cast<double>((static_cast<std::int64_t>(from) >> kMantissaWidth) - shift);
  const std::uint64_t z_bits = bits_of(x) - (from & ~kMantissaBits);
  const LogarithmRow& row = kLogarithms[part];
  const double z = double_of(z_bits);
  const double z_high = without_low(double_of(z_bits + 0x80000000U), 32);
  const double r_high = z_high * row.inverse - 1.0;  // exact
  const double r_low = (z - z_high) * row.inverse;   // exact
  const double r = r_high + r_low;
  const double base = k * kLog2High + row.high;  // exact
  const double sum = base + r;
  const double half = -0.5 * r;
  const double half_high = -0.5 * r_high;
  const double square = r_high * half_high;
  const double high = sum + square;
  const double r2 = r * r;
  const auto& c = kLogarithm;
  const double p =
      (r * r2) * ((c[0] + r * c[1]) + r2 * ((c[2] + r * c[3]) + r2 * (c[4] + r * c[5])));
  const double low = (k * kLog2Low + row.low) + ((base - sum) + r) + ((r_high - r) + r_low) +
                     r_low * (half + half_high) + ((sum - high) + square) + p;
  return fast_two_sum(high, low);
}

/// log(x) as a sum of two doubles, x > 0 and finite.
inline Pair logarithm(double x) {
  if (x >= kLeastNormal) [[likely]]
    return logarithm(x, 0);
  return logarithm(x * 0x1p54, 54);
}

/// exp(high + low) = 2^k (scale + scale rest).
struct Exponential {
  double scale;
  double rest;
  std::int64_t k;
};

inline Exponential exponential(double high, double low) {
  const double rounder = high * kStepsPerUnit + kRounder;
  const double n = rounder - kRounder;
  const auto steps = static_cast<std::int64_t>(bits_of(rounder) << 12U) >> 12U;
  const double r = ((high - n * kStepHigh) - n * kStepLow) + low;
  const auto& [power, power_rest] = kPowersOfTwo[static_cast<std::size_t>(steps & 127)];
  const double r2 = r * r;
  const auto& c = kExponential;
  const double p = r2 * ((c[0] + r * c[1]) + r2 * (c[2] + r * c[3]));
  return {power, (power_rest + r) + p, steps >> 7U};
}

double scaled(double x, std::int64_t k) {
  return double_of(bits_of(x) + (static_cast<std::uint64_t>(k) << 52U));
}

/// exp(high + low) where it may overflow or underflow.
[[gnu::noinline, gnu::cold]] double unusual_exponential(double high, double low) {
  if (std::isnan(high)) return high;
  if (high > 710.0) return kInfinity;
  if (high < -746.0) return 0.0;
  const Exponential e = exponential(high, low);
  const std::int64_t half = e.k / 2;
  return ((e.scale + e.scale * e.rest) * power_of_two(static_cast<int>(half))) *
         power_of_two(static_cast<int>(e.k - half));
}

/// exp(high + low), low small against 1: 0 and infinity where that is out of range.
double exp_of_sum(double high, double low) {
  if (!(std::abs(high) < kModestExponent)) [[unlikely]]
    return unusual_exponential(high, low);
  const Exponential e = exponential(high, low);
  const double scale = scaled(e.scale, e.k);
  return scale + scale * e.rest;
}

/// exp(a y).
double exp_of_product(const Pair& a, double y) {
  const double y_high = without_low(y, 27);
  const double a_high = without_low(a.high, 27);
  const double a_low = (a.high - a_high) + a.low;
  return exp_of_sum(y_high * a_high, (y - y_high) * a_high + y * a_low);
}

[[gnu::noinline, gnu::cold]] double unusual_power(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (std::isnan(x) || std::isnan(y) || x < 0.0) return kNaN;
  if (x == 0.0) return y > 0.0 ? 0.0 : kInfinity;
  if (std::isinf(x)) return y > 0.0 ? kInfinity : 0.0;
  if (std::abs(y) >= 0x1p70) return (x > 1.0) == (y > 0.0) ? kInfinity : 0.0;
  if (std::abs(y) <= 0x1p-70) return 1.0;
  return exp_of_product(logarithm(x * 0x1p54, 54), y);
}

}  // namespace

double power_of_two(int n) {
  return double_of(static_cast<std::uint64_t>(n + 1023) << static_cast<unsigned>(kMantissaWidth));
}

double exp(double x) { return exp_of_sum(x, 0.0); }

double expm1(double x) {
  if (std::abs(x) < 0x1p-54) return x;
  if (std::abs(x) <= 0.35) {
    const auto& c = kExpMinusOne;
    double p = c.back();
    for (std::size_t k = c.size() - 1; k-- > 0;) p = c[k] + x * p;
    return x + (x * x) * (0.5 + x * p);
  }
  if (!(std::abs(x) < kModestExponent)) return x < 0.0 ? -1.0 : exp(x);
  const Exponential e = exponential(x, 0.0);
  const double scale = scaled(e.scale, e.k);
  const Pair less = scale > 1.0 ? fast_two_sum(scale, -1.0) : fast_two_sum(-1.0, scale);
  return less.high + (less.low + scale * e.rest);
}

double log(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -kInfinity : kNaN;
  if (x == kInfinity) return x;
  return logarithm(x).high;
}

double log1p(double x) {
  if (!(x > -1.0)) return x == -1.0 ? -kInfinity : kNaN;
  if (x == kInfinity || std::abs(x) < 0x1p-54) return x;
  const double u = 1.0 + x;
  const double left = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
  const Pair l = logarithm(u, 0);
  return l.high + (l.low + left / u);
}

double pow(double x, double y) {
  const double size = std::abs(y);
  if (x >= kLeastNormal && x < kInfinity && size < 0x1p70 && size > 0x1p-70) [[likely]] {
    return exp_of_product(logarithm(x, 0), y);
  }
  return unusual_power(x, y);
}

namespace {

constexpr double kLeastUsual = 0x1p-900;
constexpr double kMostUsual = 0x1p900;

/// The bits of a double over its exponent are about its logarithm: those of x^(-1/3) are this minus
/// a third of those of x, to 3.4 % (the rule that Kahan gave for the cube root).
constexpr std::uint64_t kGuess = 0x553ee95d808e4d7fU;

/// For x > 0 that is neither huge nor tiny: y near x^(-1/3), without divisions, so that x y^2 has
/// 20 bits; with h = 1 - x y^3, the rest is (1 - h)^(-2/3) = 1 + 2 h / 3 + 5 h^2 / 9.
inline double cube_root(double x) {
  double y = double_of(kGuess - bits_of(x) / 3U);
  double h = 1.0 - ((x * y) * y) * y;
  const double h2 = h * h;
  const auto& k = kInverseCubeRoot;
  y *= (k[0] + h * k[1]) + h2 * ((k[2] + h * k[3]) + h2 * k[4]);
  const double t = (x * y) * y;
  h = 1.0 - t * y;
  return t + t * (h * (2.0 / 3.0 + h * (5.0 / 9.0)));
}

[[gnu::noinline, gnu::cold]] double unusual_cube_root(double x) {
  if (!(x > 0.0)) return x < 0.0 ? -cbrt(-x) : x;
  if (x > std::numeric_limits<double>::max()) return x;
  if (x < kLeastUsual) return cube_root(x * 0x1p600) * 0x1p-200;
  return cube_root(x * 0x1p-600) * 0x1p200;
}

}  // namespace

double cbrt(double x) {
  if (x >= kLeastUsual && x <= kMostUsual) [[likely]]
    return cube_root(x);
  return unusual_cube_root(x);
}

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
