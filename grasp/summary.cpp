#include "grasp/summary.hpp"

#include <fmt/format.h>

#include "grasp/shell_word.hpp"

namespace graspmap {
RunSummary summarize(const SweepConfig& config, const RunTotals& totals,
                     std::int64_t trials_asked) {
  RunSummary summary;
  summary.name = config.name;
  summary.seed = config.seed;
  summary.totals = totals.map.total();
  summary.trials_asked = trials_asked;
  summary.trials_done = summary.totals.trials();
  summary.sweet_spot = find_sweet_spot(totals.map, config.sweet_spot_half_width_mm);
  summary.plateau_probability = config.plateau_probability;
  summary.plateau = find_plateau(totals.map, config.plateau_probability);
  summary.cells = static_cast<std::int64_t>(totals.map.cells.size());
  summary.statistics = totals.statistics;
  summary.failed = totals.failed;
  return summary;
}

std::string replay_command(const std::filesystem::path& config_file, const TrialParameters& trial) {
  return fmt::format("graspmap trial {} --placement {},{},{} --mu-jaw {} --mu-support {}",
                     shell_word(config_file.string()), trial.placement_x_mm, trial.placement_y_mm,
                     trial.theta_rad, trial.mu_jaw, trial.mu_support);
}

}  // namespace graspmap
