#pragma once

#include <vector>

#include "grasp/success_map.hpp"
#include "grasp/sweep_config.hpp"
#include "grasp/trial.hpp"

namespace graspmap {

/// What the trials of a run add up to: its size does not grow with their number, and the order in
/// which they are added does not matter.
struct RunTotals {
  explicit RunTotals(const PlacementSweep& placement) : map(placement) {}

  void add(const TrialRow& row);

  SuccessMap map;
  StepStatistics statistics;     ///< sums and worst values over all trials
  std::vector<TrialRow> failed;  ///< the failed trials of lowest index, at most kMostFailedListed
};

inline constexpr std::size_t kMostFailedListed = 5;

}  // namespace graspmap
