#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/sweep/adaptive/rounds.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// What the trials of a run add up to. The order in which they are added does not matter. The size
/// does not grow with their number, but for a byte or two for each trial of an adaptive run.
struct RunTotals {
  explicit RunTotals(const SweepConfig& config);

  void add(const TrialRow& row);
  /// Whether these are all trials of a run of which `trials_asked` are asked for; of an adaptive
  /// run, whether its rule has stopped it.
  [[nodiscard]] bool is_complete(std::int64_t trials_asked) const;

  SuccessMap map;
  StepStatistics statistics;             ///< sums and worst values over all trials
  std::optional<AdaptiveRounds> rounds;  ///< of an adaptive run: where it is
  std::vector<TrialRow> failed;  ///< the failed trials of lowest index, at most kMostFailedListed
  double most_work = 0.0;        ///< of a trial
  std::int64_t failed_too_long = 0;  ///< failed trials that needed more work than that
};

inline constexpr std::size_t kMostFailedListed = 5;

/// What the stored trials add up to: one pass over the store.
RunTotals read_totals(const RunStore& store);

}  // namespace graspmap
