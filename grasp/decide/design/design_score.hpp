#pragma once

#include <span>
#include <vector>

#include "grasp/decide/design/designed_grasp.hpp"
#include "grasp/sweep/config/design_rule.hpp"

namespace graspmap {

/// What a value of an objective is computed from.
struct ObjectiveQuestion {
  DesignObjective objective = DesignObjective::kSuccess;
  double probability = 0.95;
  SpreadOf spread_of = SpreadOf::kTheta;
  double period_rad = 0.0;  ///< > 0: angles that differ by it are the same pose
  std::size_t cells = 1;    ///< of the map, for kWorstCell
};

/// Whether its values are shares of grasps.
inline bool is_share(DesignObjective objective) {
  return objective == DesignObjective::kSuccess || objective == DesignObjective::kWorstCell;
}

/// Which grasps an objective is judged by.
GraspAt grasps_for(DesignObjective objective);

/// The blocks of consecutive grasps that are left out one by one for a standard error.
inline constexpr int kScoreBlocks = 16;
inline constexpr int kNoBlock = -1;

/// How good a design is by its grasps, the more the better:
///   success          successes / grasps;
///   worst cell       the least (s + 1/2) / (n + 1) of a cell;
///   pose spread      minus the standard deviation of the pose in hand of successes, kLeastSpread
///                    at least; where success p is below `probability`, p - probability -
///                    kNoSpread;
///   tolerated error  the scale at which success falls below `probability`, where it is a local
///                    line in the logarithm of the scale (Fan and Gijbels 1996, "Local Polynomial
///                    Modelling and Its Applications"), of bandwidth 0.15; 0 where it is below at
///                    the least scale, 1 / kMostErrorScale.
/// Failed grasps say nothing. `without`: a block that is left out.
double design_score(const ObjectiveQuestion& question, std::span<const GraspEnd> ends,
                    int without = kNoBlock);
inline constexpr double kNoSpread = 1e6;
inline constexpr double kLeastSpread = 1e-6;  ///< mm, rad: less is rounding

/// The score as an objective's value, as people read it: a spread > 0.
double value_of_score(DesignObjective objective, double score);

/// A difference of scores, with its standard error by the jackknife over blocks (Tukey 1958).
struct ScoreDifference {
  double value = 0.0;
  double standard_error = 0.0;

  /// Above 0 by 2.5 standard errors.
  [[nodiscard]] bool is_clear() const { return value > 2.5 * standard_error; }
};

/// The difference of two numbers that are given as a whole and without each block. Its standard
/// error is `least` at least: blocks that all agree know no better.
ScoreDifference score_difference(std::span<const double> a, std::span<const double> b,
                                 double least);

/// The score of all grasps, then that without each of the blocks.
std::vector<double> score_and_blocks(const ObjectiveQuestion& question,
                                     std::span<const GraspEnd> ends);

}  // namespace graspmap
