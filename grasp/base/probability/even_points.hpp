#pragma once

#include <cstdint>

namespace graspmap {

/// A point of a scrambled Sobol sequence. Sequences with another number are scrambled
/// independently of each other.
struct SobolPoint {
  std::uint32_t sequence = 0;  ///< any number
  std::uint32_t number = 0;    ///< of the point in its sequence, from 0
};

/// The dimensions of a sequence.
inline constexpr std::uint32_t kSobolDimensions = 64;

/// One coordinate of a point, in the open interval (0, 1); dimension < kSobolDimensions.
///
/// The sequence is Sobol's (1967) with the direction numbers of Joe and Kuo (2008), in the order of
/// the binary digits of `number`: any first points fill the cube evenly, 2^k of them best. Its
/// digits are scrambled as Owen (1995) does: digit k is flipped or not at random, by one random bit
/// for each value of the digits before it. So each point by itself is uniform in the cube, and a
/// mean over the points is unbiased. The random bits are Philox's, and the coordinate is a pure
/// function of its arguments.
double sobol_coordinate(std::uint64_t seed, const SobolPoint& point, std::uint32_t dimension);

/// The same of point `number` of sequence 0; beyond kSobolDimensions an independent draw.
double even_level(std::uint64_t seed, std::uint32_t number, std::uint32_t dimension);

/// A uniform number in an interval, at this fraction of its width, and the score of a normal one.
struct UniformAndNormal {
  double fraction = 0.0;  ///< in [0, 1]
  double score = 0.0;     ///< standard deviations above the mean
};

/// Draws a uniform number and a normal one by their sum: the sum is its distribution's quantile at
/// level `of_sum`; of the scores that go with this sum, the score is the quantile at `of_normal`.
/// Where the levels are uniform and independent, so are the two numbers. What depends on the sum
/// alone then depends on one level in place of two, which even points fill better. `width` > 0: of
/// the interval, in standard deviations. Levels in (0, 1).
UniformAndNormal divided_sum(double width, double of_sum, double of_normal);

}  // namespace graspmap
