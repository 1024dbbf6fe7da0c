#include "grasp/summary.hpp"

#include <fmt/format.h>

#include "grasp/shell_word.hpp"

namespace graspmap {
namespace {

/// With different numbers of trials in the cells, the map itself favours squares with few.
SweetSpot sweet_spot(const SweepConfig& config, const RunTotals& totals) {
  if (totals.rounds && totals.rounds->decision()) return totals.rounds->decision()->forecast.spot;
  return find_sweet_spot(totals.map, config.sweet_spot_half_width_mm);
}

}  // namespace

RunSummary summarize(const SweepConfig& config, const RunTotals& totals,
                     std::int64_t trials_asked) {
  RunSummary summary;
  summary.name = config.name;
  summary.seed = config.seed;
  summary.totals = totals.map.total();
  summary.trials_asked = trials_asked;
  summary.trials_done = summary.totals.trials();
  summary.sweet_spot = sweet_spot(config, totals);
  summary.plateau_probability = config.plateau_probability;
  summary.plateau = find_plateau(totals.map, config.plateau_probability);
  summary.cells = static_cast<std::int64_t>(totals.map.cells.size());
  summary.statistics = totals.statistics;
  summary.failed = totals.failed;
  if (totals.rounds) {
    summary.adaptive = summarize(config, *totals.rounds, summary.trials_done);
  }
  return summary;
}

std::string replay_line(const std::filesystem::path& run_folder, std::int64_t index) {
  return fmt::format("graspmap replay {} {}", shell_word(run_folder.string()), index);
}

}  // namespace graspmap
