#include "grasp/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace graspmap {
namespace {

constexpr std::size_t kFailedListed = 5;

/// Adds the counts of one trial, and keeps the worse of the worst values.
void accumulate(StepStatistics& sum, const StepStatistics& trial) {
  sum.steps += trial.steps;
  sum.newton_iterations += trial.newton_iterations;
  for (std::size_t k = 0; k < kRungCount; ++k) sum.by_rung[k] += trial.by_rung[k];
  sum.worst_residual = std::max(sum.worst_residual, trial.worst_residual);
  sum.worst_gap_mm = std::min(sum.worst_gap_mm, trial.worst_gap_mm);
  sum.least_dissipation = std::min(sum.least_dissipation, trial.least_dissipation);
}

void add_trials(RunSummary& summary, const std::vector<TrialRow>& rows) {
  for (const TrialRow& row : rows) {
    accumulate(summary.statistics, row.statistics);
    const bool listed = summary.failed.size() < kFailedListed;
    if (row.outcome == Outcome::kFailed && listed) summary.failed.push_back(row);
  }
}

/// A path as one word of a shell command.
std::string shell_word(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

RunSummary summarize(const SweepConfig& config, const std::vector<TrialRow>& rows,
                     const SuccessMap& map) {
  RunSummary summary;
  summary.name = config.name;
  summary.seed = config.seed;
  summary.trials_asked = config.trials();
  summary.trials_done = static_cast<std::int64_t>(rows.size());
  summary.totals = map.total();
  summary.sweet_spot = find_sweet_spot(map, config.sweet_spot_half_width_mm);
  summary.plateau_probability = config.plateau_probability;
  summary.plateau = find_plateau(map, config.plateau_probability);
  summary.cells = static_cast<std::int64_t>(map.cells.size());
  add_trials(summary, rows);
  return summary;
}

std::string replay_command(const std::filesystem::path& config_file, const TrialParameters& trial) {
  return fmt::format("graspmap trial {} --placement {},{},{} --mu-jaw {} --mu-support {}",
                     shell_word(config_file.string()), trial.placement_x_mm, trial.placement_y_mm,
                     trial.theta_rad, trial.mu_jaw, trial.mu_support);
}

}  // namespace graspmap
