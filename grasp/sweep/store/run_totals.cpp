#include "grasp/sweep/store/run_totals.hpp"

#include <algorithm>

namespace graspmap {
namespace {

/// Adds the counts of one trial, and keeps the worse of the worst values.
void accumulate(StepStatistics& sum, const StepStatistics& trial) {
  sum.steps += trial.steps;
  sum.newton_iterations += trial.newton_iterations;
  for (std::size_t k = 0; k < kRungCount; ++k) sum.by_rung[k] += trial.by_rung[k];
  sum.worst_residual = std::max(sum.worst_residual, trial.worst_residual);
  sum.worst_gap_mm = std::min(sum.worst_gap_mm, trial.worst_gap_mm);
  sum.least_dissipation = std::min(sum.least_dissipation, trial.least_dissipation);
}

/// Keeps the rows of lowest index, in order.
void list_failed(std::vector<TrialRow>& failed, const TrialRow& row) {
  const auto place = std::upper_bound(
      failed.begin(), failed.end(), row.index,
      [](std::int64_t index, const TrialRow& listed) { return index < listed.index; });
  failed.insert(place, row);
  if (failed.size() > kMostFailedListed) failed.pop_back();
}

}  // namespace

RunTotals::RunTotals(const SweepConfig& config)
    : map(config.placement), most_work(graspmap::most_work(config.scenario)) {
  if (config.adaptive) rounds.emplace(config);
}

bool RunTotals::is_complete(std::int64_t trials_asked) const {
  return rounds ? rounds->finished() : map.total().trials() == trials_asked;
}

void RunTotals::add(const TrialRow& row) {
  map.add(row.cell(), row.outcome);
  if (rounds) rounds->add(row.index, row.outcome);
  accumulate(statistics, row.statistics);
  if (row.outcome != Outcome::kFailed) return;
  list_failed(failed, row);
  if (why_unsolved(row.statistics, most_work) == EndReason::kTooLong) ++failed_too_long;
}

RunTotals read_totals(const RunStore& store) {
  RunTotals totals(store.config());
  store.for_each([&](const TrialRow& row) { totals.add(row); });
  return totals;
}

}  // namespace graspmap
