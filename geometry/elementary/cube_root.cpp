#include <cmath>
#include <limits>

#include "geometry/elementary/bits.hpp"
#include "geometry/elementary/elementary.hpp"

namespace graspmap::elementary {
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

}  // namespace graspmap::elementary
