#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

#include "geometry/elementary/bits.hpp"
#include "geometry/elementary/elementary.hpp"

// Cody and Waite 1980: x = n pi / 2 + r with pi / 2 as a sum of short numbers, r as a sum of two
// doubles, then polynomials on |r| <= pi / 4. Payne and Hanek 1983 for large x.

namespace graspmap::elementary {
namespace {

/// Up to here n times the parts of pi / 2 are exact.
constexpr double kModest = 1024.0;
/// Up to here n is 0: below pi / 4.
constexpr double kSmall = 0.75;

/// An angle minus a number of quarter turns: |high + low| <= pi / 4.
struct Reduced {
  double high;
  double low;
  std::uint64_t quarters;  ///< modulo 4
};

inline Reduced reduced_modest(double x) {
  const double rounder = x * (2.0 / std::numbers::pi) + kRounder;
  const double n = rounder - kRounder;
  const double first = x - n * kQuarterTurn1;
  const double second = n * kQuarterTurn2;
  const double r = first - second;
  const double rest = n * kQuarterTurn3 - ((first - r) - second);
  const double high = r - rest;
  return {high, (r - high) - rest, bits_of(rounder)};
}

/// a b, as high and low words.
struct Product {
  std::uint64_t high;
  std::uint64_t low;
};

Product product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t mask = 0xffffffffU;
  const std::uint64_t low = (a & mask) * (b & mask);
  const std::uint64_t cross = (a >> 32U) * (b & mask) + (low >> 32U);
  const std::uint64_t other = (a & mask) * (b >> 32U) + (cross & mask);
  return {(a >> 32U) * (b >> 32U) + (cross >> 32U) + (other >> 32U), (other << 32U) | (low & mask)};
}

/// 64 bits of kTwoOverPi from bit `from` on.
std::uint64_t word_from(int from) {
  const auto word = static_cast<std::size_t>(from / 64);
  const auto shift = static_cast<unsigned>(from % 64);
  if (shift == 0) return kTwoOverPi[word];
  return (kTwoOverPi[word] << shift) | (kTwoOverPi[word + 1] >> (64U - shift));
}

/// For |x| >= 1024: those bits of 2 / pi are multiplied that give less than a turn, 192 of them.
[[gnu::noinline, gnu::cold]] Reduced reduced_large(double x) {
  const std::uint64_t bits = bits_of(x);
  const int exponent = static_cast<int>((bits >> kMantissaWidth) & 0x7ffU) - 1075;
  const std::uint64_t m = (bits & kMantissaBits) | (std::uint64_t{1} << kMantissaWidth);
  // x = m 2^exponent. Bit b of kTwoOverPi is 2^(63 - b) of 2 / pi; multiples of 4 are left out.
  const int from = exponent + 62;
  const Product top = product(m, word_from(from));
  const Product middle = product(m, word_from(from + 64));
  const Product bottom = product(m, word_from(from + 128));
  const std::uint64_t w1 = middle.low + bottom.high;
  std::uint64_t w0 = top.low + middle.high + static_cast<std::uint64_t>(w1 < middle.low);
  std::uint64_t n = w0 >> 62U;
  // The fraction of a quarter turn, 126 bits, to the nearest quarter turn.
  w0 = (w0 << 2U) | (w1 >> 62U);
  std::uint64_t w = (w1 << 2U) | (bottom.low >> 62U);
  std::uint64_t last = bottom.low << 2U;
  const bool up = (w0 >> 63U) != 0;
  if (up) {
    ++n;
    last = ~last + 1;
    w = ~w + static_cast<std::uint64_t>(last == 0);
    w0 = ~w0 + static_cast<std::uint64_t>(last == 0 && w == 0);
  }
  // No double is nearer to a multiple of pi / 2 than 2^-62 or so: the leading bit is in w0 or w.
  int zeros = 0;
  while (zeros < 128 && (w0 >> 63U) == 0) {
    w0 = (w0 << 1U) | (w >> 63U);
    w = (w << 1U) | (last >> 63U);
    last <<= 1U;
    ++zeros;
  }
  const double scale = power_of_two(-64 - zeros);
  const double f = static_cast<double>(w0 >> 11U) * 2048.0 * scale;
  const double f_low =
      (static_cast<double>(w0 & 0x7ffU) + static_cast<double>(w >> 11U) * 0x1p-53) * scale;
  const double quarter_low = 0x1.1a62633145c07p-54;
  const Pair p = two_product(f, 0x1.921fb54442d18p+0);
  const Pair r = fast_two_sum(p.high, p.low + f * quarter_low + f_low * 0x1.921fb54442d18p+0);
  const bool negative = up != ((bits & kSignBit) != 0);
  if ((bits & kSignBit) != 0) n = ~n + 1;
  return {negative ? -r.high : r.high, negative ? -r.low : r.low, n};
}

inline Reduced reduced(double x) {
  return std::abs(x) <= kModest ? reduced_modest(x) : reduced_large(x);
}

bool is_finite(double x) { return std::abs(x) <= std::numeric_limits<double>::max(); }

/// The sine of high + low as a sum of two doubles.
inline Pair sine(double x, double low) {
  const double z = x * x;
  const double z2 = z * z;
  const double p = (kSine[1] + z * kSine[2]) + z2 * ((kSine[3] + z * kSine[4]) + z2 * kSine[5]);
  const double cube = z * x;
  return {x, cube * kSine[0] + (low + z * (cube * p - 0.5 * low))};
}

/// The same of the cosine.
inline Pair cosine(double x, double low) {
  const double z = x * x;
  const double z2 = z * z;
  const double p = ((kCosine[0] + z * kCosine[1]) + z2 * (kCosine[2] + z * kCosine[3])) +
                   (z2 * z2) * (kCosine[4] + z * kCosine[5]);
  const double half = 0.5 * z;
  const double high = 1.0 - half;
  // The first term is what 1 - half lost in rounding.
  return {high, ((1.0 - high) - half) + (z2 * p - x * low)};
}

/// Signs after n quarter turns: of the sine, and from the next on of the cosine.
constexpr std::array<double, 5> kSigns{1.0, 1.0, -1.0, -1.0, 1.0};

}  // namespace

SinCos sincos(double x) {
  if (std::abs(x) <= kSmall) [[likely]] {
    const Pair s = sine(x, 0.0);
    const Pair c = cosine(x, 0.0);
    return {s.high + s.low, c.high + c.low};
  }
  Reduced r;
  if (std::abs(x) <= kModest) [[likely]] {
    r = reduced_modest(x);
  } else {
    if (!is_finite(x)) return {x - x, x - x};
    r = reduced_large(x);
  }
  const Pair s = sine(r.high, r.low);
  const Pair c = cosine(r.high, r.low);
  const double sum_s = s.high + s.low;
  const double sum_c = c.high + c.low;
  const std::size_t quarter = r.quarters & 3U;
  const bool odd = (quarter & 1U) != 0;
  return {(odd ? sum_c : sum_s) * kSigns[quarter], (odd ? sum_s : sum_c) * kSigns[quarter + 1]};
}

double sin(double x) { return x == 0.0 ? x : sincos(x).sin; }

double cos(double x) { return sincos(x).cos; }

double tan(double x) {
  if (x == 0.0 || !is_finite(x)) return x == 0.0 ? x : x - x;
  const Reduced r = reduced(x);
  Pair s = sine(r.high, r.low);
  Pair c = cosine(r.high, r.low);
  s = fast_two_sum(s.high, s.low);
  c = fast_two_sum(c.high, c.low);
  const bool odd = (r.quarters & 1U) != 0;
  const Pair a = odd ? c : s;
  const Pair b = odd ? s : c;
  // a / b with the low parts of both, too: the quotient, and what it leaves of a over b.
  const double q = a.high / b.high;
  const Pair back = two_product(q, b.high);
  const double tangent = q + (((a.high - back.high) - back.low) + (a.low - q * b.low)) / b.high;
  return odd ? -tangent : tangent;
}

namespace {

/// atan2 for infinities, zeros and NaN, by the rules of IEEE 754.
[[gnu::noinline, gnu::cold]] double special_angle(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const bool left = std::signbit(x);
  if (std::isinf(y) && std::isinf(x)) {
    return std::copysign((left ? 0.75 : 0.25) * std::numbers::pi, y);
  }
  if (y == 0.0 || std::isinf(x)) return std::copysign(left ? std::numbers::pi : 0.0, y);
  return std::copysign(0.5 * std::numbers::pi, y);
}

}  // namespace

/// atan(a / b), 0 <= a <= b, is the arctangent of a / b below 7 / 16, atan(1/2) plus that of
/// (2 a - b) / (2 b + a) below 11 / 16, and atan(1) plus that of (a - b) / (a + b) above.
double atan2(double y, double x) {
  double a = std::abs(y);
  double b = std::abs(x);
  const bool steep = a > b;
  if (steep) std::swap(a, b);
  if (!(a > 0.0 && is_finite(b))) [[unlikely]]
    return special_angle(y, x);
  // Far from 1 two_product overflows, or loses the low part of the product. No more than it needs:
  // a, which may be smaller than b by 2^1074, must not vanish.
  if (b > 0x1p500 || b < 0x1p-400) {
    const double scale = b > 1.0 ? 0x1p-100 : 0x1p600;
    a *= scale;
    b *= scale;
  }
  std::size_t base = 0;
  double t = 0.0;
  double t_low = 0.0;
  // Here t is all of the result, so its rounding error counts. Below it is small beside atan(1/2)
  // or atan(1).
  if (a < 0.4375 * b) {
    t = a / b;
    const Pair back = two_product(t, b);
    t_low = ((a - back.high) - back.low) / b;
  } else if (a < 0.6875 * b) {
    base = 1;
    t = (2.0 * a - b) / (2.0 * b + a);
  } else {
    base = 2;
    t = (a - b) / (a + b);
  }
  const double z = t * t;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const auto& k = kArctangent;
  const double p =
      ((k[0] + z * k[1]) + z2 * (k[2] + z * k[3])) +
      z4 * (((k[4] + z * k[5]) + z2 * (k[6] + z * k[7])) + z4 * ((k[8] + z * k[9]) + z2 * k[10]));
  const double rest = t_low + (t * z) * p;
  const bool left = std::signbit(x);
  // The angle is A, pi/2 - A, pi - A or pi/2 + A with A = atan(a / b), in the order of the rows.
  const std::size_t row = steep ? (left ? 3 : 1) : (left ? 2 : 0);
  const Pair& angle = kAngles[3 * row + base];
  double result = 0.0;
  if (row == 0 || row == 3) {
    result = angle.high == 0.0 ? t + rest : angle.high + (t + (rest + angle.low));
  } else {
    result = angle.high - (t + (rest - angle.low));
  }
  return std::copysign(result, y);
}

double atan(double x) { return atan2(x, 1.0); }

}  // namespace graspmap::elementary
