#pragma once

#include <cstdint>
#include <limits>

#include "geometry/elementary/coefficients.hpp"

namespace graspmap::elementary {

inline constexpr std::uint64_t kSignBit = 0x8000000000000000U;
inline constexpr std::uint64_t kMantissaBits = 0x000fffffffffffffU;
inline constexpr int kMantissaWidth = 52;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Added to a number below 2^51 and taken away, it rounds to an integer, which is in its low bits.
inline constexpr double kRounder = 0x1.8p52;

// Not std::bit_cast: the standard library of Debian 12's emscripten has none.
inline std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
inline double double_of(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

/// x without its lower bits: of two such numbers with at most 53 bits together, the product is
/// exact.
inline double without_low(double x, int bits) {
  return double_of(bits_of(x) & (~std::uint64_t{0} << static_cast<unsigned>(bits)));
}

/// a + b for |a| >= |b|, exactly (Dekker 1971).
inline Pair fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a b exactly, unless it overflows or underflows (Dekker 1971; halves by dropping bits).
inline Pair two_product(double a, double b) {
  const double a_high = without_low(a, 27);
  const double a_low = a - a_high;
  const double b_high = without_low(b, 27);
  const double b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

}  // namespace graspmap::elementary
