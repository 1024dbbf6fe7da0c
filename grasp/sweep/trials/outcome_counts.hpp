#pragma once

#include "grasp/base/probability/paired_difference.hpp"
#include "grasp/base/probability/two_samples.hpp"
#include "grasp/sweep/trials/outcome.hpp"

/// Outcomes as statistics count them: a failed trial says nothing, each other one is a success or
/// none.

namespace graspmap {

inline PairSide pair_side(Outcome outcome) {
  if (outcome == Outcome::kFailed) return PairSide::kFailed;
  return outcome == Outcome::kSuccess ? PairSide::kSuccess : PairSide::kNoSuccess;
}

inline void count_outcome(Outcome outcome, SampleCounts& counts) {
  if (outcome == Outcome::kFailed) {
    ++counts.failed;
    return;
  }
  ++counts.trials;
  counts.successes += outcome == Outcome::kSuccess ? 1 : 0;
}

}  // namespace graspmap
