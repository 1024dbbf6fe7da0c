#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

/// Trials of a store that are worth a look. All functions go through the store block by block:
/// their memory does not grow with the number of trials. Errors are those of RunStore.

namespace graspmap {

/// What a trial must be like; all trials are when nothing is asked.
struct TrialFilter {
  std::optional<CellIndex> cell;  ///< the intended one, before noise
  std::optional<Outcome> outcome;
  bool any_angle = false;  ///< the cell's angle does not count
};

/// The stored trial of lowest index that passes; nothing when none does.
std::optional<TrialRow> first_trial(const RunStore& store, const TrialFilter& filter);

/// How many of the stored trials that pass ended how.
CellCounts count_outcomes(const RunStore& store, const TrialFilter& filter);

/// The `count` stored trials with the largest residuals, the worst first, or all when there are
/// fewer. Of equal ones, those of lower index come first; NaN is worse than any number.
std::vector<TrialRow> worst_trials(const RunStore& store, std::size_t count);

}  // namespace graspmap
