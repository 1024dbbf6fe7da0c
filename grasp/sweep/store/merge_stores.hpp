#pragma once

#include <atomic>
#include <functional>

#include "grasp/sweep/store/merge_plan.hpp"

namespace graspmap {

/// Copies the trials of all shards of a plan into `out`, a new store of the plan's configuration,
/// in the order of their indices, and the sessions. Calls `visit` with each row once. A trial that
/// several shards have must be the same in all of them, to the last bit. Ends early, with a part of
/// the trials, once `stop` is not zero. The memory it needs does not grow with the trials, nor with
/// the shards but for those whose blocks overlap. Throws ConfigError for trials that differ, naming
/// the fields, and what RunStore throws.
void merge_stores(const MergePlan& plan, RunStore& out,
                  const std::function<void(const TrialRow&)>& visit, const std::atomic<int>& stop);

}  // namespace graspmap
