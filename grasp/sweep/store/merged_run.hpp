#pragma once

#include <atomic>
#include <filesystem>
#include <optional>

#include "grasp/sweep/store/merge_plan.hpp"
#include "grasp/sweep/store/run_totals.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// Merges stores into the store of a run folder, in place of one that may be there (and among those
/// that are merged): under another name, which becomes run.sqlite at the very end. The folder must
/// exist and be locked by the caller. Returns what the trials add up to, or nothing, with the
/// folder as it was, once `stop` is not zero. Counts the trials in `counters`. Throws what
/// merge_stores throws, with the folder as it was.
std::optional<RunTotals> merge_into_run(const std::filesystem::path& folder, const MergePlan& plan,
                                        TrialCounters& counters, const std::atomic<int>& stop);

}  // namespace graspmap
