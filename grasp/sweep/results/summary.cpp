#include "grasp/sweep/results/summary.hpp"

#include <fmt/format.h>

#include "grasp/base/io/shell_word.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/sweep/adaptive/plateau_interval.hpp"

namespace graspmap {
namespace {

/// With different numbers of trials in the cells, the map itself favours squares with few.
SweetSpot sweet_spot(const SweepConfig& config, const RunTotals& totals) {
  if (totals.rounds && totals.rounds->decision()) return totals.rounds->decision()->forecast.spot;
  return find_sweet_spot(totals.map, config.sweet_spot_half_width_mm);
}

/// All cells alike, whatever their numbers of trials.
StratifiedProbability mean_of_cells(const SuccessMap& map) {
  std::vector<Stratum> strata;
  for (const CellCounts& cell : map.cells) {
    strata.push_back({1.0 / static_cast<double>(map.cells.size()),
                      static_cast<double>(cell.count(Outcome::kSuccess)),
                      static_cast<double>(cell.valid_trials()),
                      static_cast<double>(cell.count(Outcome::kFailed))});
  }
  return stratified_probability(strata);
}

/// In the slice that has the largest plateau.
void set_plateau(RunSummary& summary, const SuccessMap& map, double threshold) {
  summary.plateau_probability = threshold;
  summary.plateau = find_plateau(map, threshold);
  const int slice = map.theta_rad.nearest_cell(summary.plateau.theta_rad);
  summary.plateau_area_interval = plateau_area_interval(map.slice(slice), threshold);
}

void set_success(RunSummary& summary, const SuccessMap& map) {
  if (summary.adaptive) {
    const StratifiedProbability mean = mean_of_cells(map);
    summary.success_probability = mean.estimate;
    summary.success_interval = mean.interval;
  } else {
    summary.success_probability = summary.totals.success_probability();
    summary.success_interval = summary.totals.success_interval();
  }
}

}  // namespace

RunSummary summarize(const SweepConfig& config, const RunTotals& totals,
                     std::int64_t trials_asked) {
  RunSummary summary;
  summary.name = config.name;
  summary.seed = config.seed;
  summary.stepper = config.scenario.stepper;
  summary.totals = totals.map.total();
  summary.trials_asked = trials_asked;
  summary.trials_done = summary.totals.trials();
  summary.theta_rad = totals.map.theta_rad;
  summary.sweet_spot = sweet_spot(config, totals);
  set_plateau(summary, totals.map, config.plateau_probability);
  summary.cells = static_cast<std::int64_t>(totals.map.cells.size());
  summary.statistics = totals.statistics;
  summary.failed = totals.failed;
  summary.most_work = totals.most_work;
  summary.failed_too_long = totals.failed_too_long;
  if (totals.rounds) {
    summary.adaptive = summarize(config, *totals.rounds, summary.trials_done);
  }
  set_success(summary, totals.map);
  return summary;
}

std::string replay_line(StepperKind stepper, const std::filesystem::path& run_folder,
                        std::int64_t index) {
  return fmt::format("{} replay {} {}", program_with(stepper), shell_word(run_folder.string()),
                     index);
}

}  // namespace graspmap
