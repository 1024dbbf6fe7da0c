#include "grasp/base/probability/even_points.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/random/sobol.hpp>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr unsigned kDigits = 32;

/// The digits of points 1, 2, 4, ... in one dimension before they are scrambled, the first digit in
/// the highest bit.
using SobolDirections = std::array<std::uint32_t, kDigits>;

/// Joe and Kuo (2008), eq. (2) and (3): from the coefficients of a primitive polynomial and the
/// first odd numbers m_1, m_2, ... of the dimension.
SobolDirections directions_of(std::uint32_t dimension) {
  SobolDirections directions{};
  const auto place = [](std::uint32_t m, unsigned k) { return m << (kDigits - 1 - k); };
  if (dimension == 0) {
    for (unsigned k = 0; k < kDigits; ++k) directions[k] = place(1, k);
    return directions;
  }
  using Table = boost::random::default_sobol_table;
  const std::uint32_t polynomial = Table::polynomial(dimension - 1);
  const unsigned degree = static_cast<unsigned>(std::bit_width(polynomial)) - 1;
  for (unsigned k = 0; k < kDigits; ++k) {
    if (k < degree) {
      directions[k] = place(Table::minit(dimension - 1, k), k);
      continue;
    }
    directions[k] = directions[k - degree] ^ (directions[k - degree] >> degree);
    for (unsigned i = 1; i < degree; ++i) {
      if (((polynomial >> (degree - i)) & 1U) != 0) directions[k] ^= directions[k - i];
    }
  }
  return directions;
}

const SobolDirections& sobol_directions(std::uint32_t dimension) {
  GRASPMAP_ASSERT(dimension < kSobolDimensions);
  static const std::array<SobolDirections, kSobolDimensions> all = [] {
    std::array<SobolDirections, kSobolDimensions> table;
    for (std::uint32_t d = 0; d < kSobolDimensions; ++d) table[d] = directions_of(d);
    return table;
  }();
  return all[dimension];
}

std::uint32_t digits_of(std::uint32_t number, std::uint32_t dimension) {
  const SobolDirections& directions = sobol_directions(dimension);
  std::uint32_t digits = 0;
  for (unsigned k = 0; number != 0; number >>= 1, ++k) {
    if ((number & 1U) != 0) digits ^= directions[k];
  }
  return digits;
}

/// Marks the counters of scrambles: those of uniform_open have 0 there.
constexpr std::uint32_t kScramble = 1U << 31U;

}  // namespace

double sobol_coordinate(std::uint64_t seed, const SobolPoint& point, std::uint32_t dimension) {
  const PhiloxKey key = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  const std::uint32_t digits = digits_of(point.number, dimension);
  // The digits before a digit are a node of a binary tree. One block of 128 random bits has those
  // of the 127 nodes of a subtree of seven levels.
  constexpr unsigned kLevels = 7;
  constexpr unsigned kSubtrees = 4;
  const auto block_below = [&](std::uint32_t path, unsigned subtree) {
    return philox({point.sequence, path, dimension, kScramble | subtree}, key);
  };
  std::uint64_t scrambled = 0;
  for (unsigned subtree = 0; subtree < kSubtrees; ++subtree) {
    const unsigned first = subtree * kLevels;
    // A shift by all 32 bits is undefined.
    const PhiloxCounter bits = block_below(first == 0 ? 0 : digits >> (kDigits - first), subtree);
    std::uint32_t node = 1;
    for (unsigned level = first; level < first + kLevels; ++level) {
      const std::uint32_t digit = (digits >> (kDigits - 1 - level)) & 1U;
      const std::uint32_t flip = (bits[node / 32] >> (node % 32)) & 1U;
      scrambled = 2 * scrambled + (digit ^ flip);
      node = 2 * node + digit;
    }
  }
  // Below 28 digits the points of a sequence have nodes of their own: all bits are random.
  constexpr unsigned kRest = 53 - kSubtrees * kLevels;
  const std::uint64_t rest = block_below(digits, kSubtrees)[0] >> (32 - kRest);
  // 53 bits, the last one set: never 0 or 1, where quantiles are infinite.
  return static_cast<double>((scrambled << kRest) | rest | 1U) * 0x1p-53;
}

double even_level(std::uint64_t seed, std::uint32_t number, std::uint32_t dimension) {
  if (dimension >= kSobolDimensions) return uniform_open(seed, number, dimension);
  return sobol_coordinate(seed, {0, number}, dimension);
}

namespace {

/// The s with P(U + Z <= s) = level, U uniform on [-h, h], Z standard normal:
///   P(U + Z <= s) = (I(s + h) - I(s - h)) / 2h   with I(z) = z Phi(z) + phi(z), I' = Phi.
/// Newton's method between bounds, from the level of U.
double sum_quantile(double h, double level) {
  constexpr double kFarthest = 40.0;  // Phi(-40) is no number
  constexpr double kEnough = 1e-7;    // of a change: the error that is left is as its square
  constexpr int kMostIterations = 60;
  double least = -h - kFarthest;
  double most = h + kFarthest;
  double s = (2 * level - 1) * h;
  for (int k = 0; k < kMostIterations; ++k) {
    const double upper = normal_cumulative(s + h);
    const double lower = normal_cumulative(s - h);
    const double excess = ((s + h) * upper + normal_density(s + h)) -
                          ((s - h) * lower + normal_density(s - h)) - 2 * h * level;
    (excess < 0 ? least : most) = s;
    double next = s - excess / (upper - lower);
    if (!(next > least && next < most)) next = (least + most) / 2;
    const double change = std::abs(next - s);
    s = next;
    if (change <= kEnough * (1 + h)) break;
  }
  return s;
}

}  // namespace

UniformAndNormal divided_sum(double width, double of_sum, double of_normal) {
  GRASPMAP_ASSERT(width > 0);
  const double h = width / 2;
  const double s = sum_quantile(h, of_sum);
  // Given the sum s, Z is normal, truncated to where U = s - Z lies in [-h, h].
  const double z =
      std::clamp(TruncatedNormal{0.0, 1.0, s - h, s + h}.quantile(of_normal), s - h, s + h);
  return {std::clamp((s - z + h) / width, 0.0, 1.0), z};
}

}  // namespace graspmap
