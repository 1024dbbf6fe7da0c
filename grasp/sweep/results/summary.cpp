#include "grasp/sweep/results/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/sweep/adaptive/cell_beliefs.hpp"

namespace graspmap {
namespace {

/// Why the run is over.
std::string reason_text(const AdaptiveSummary& summary) {
  const bool spot = wants_sweet_spot(summary.sampling.goal) && summary.sweet_spot_known;
  const bool edge = wants_edge(summary.sampling.goal) && summary.wide_cells == 0;
  switch (summary.state) {
    case AdaptiveState::kGoesOn:
      return "";
    case AdaptiveState::kGoalReached:
      if (summary.sampling.goal == AdaptiveGoal::kMap) return "the map is as sure as asked for";
      if (spot && edge) return "the sweet spot is known, and the plateau's edge is sharp";
      return spot ? "the sweet spot is known" : "the plateau's edge is sharp";
    case AdaptiveState::kBudgetSpent:
      return fmt::format("the budget of {} trials is spent", summary.sampling.most_trials);
    case AdaptiveState::kAllRun:
      return "all trials are run";
  }
  return "";
}

const char* state_word(AdaptiveState state) {
  return std::array{"not_finished", "goal_reached", "budget_spent",
                    "all_trials_run"}[static_cast<std::size_t>(state)];
}

}  // namespace

AdaptiveSummary summarize(const SweepConfig& config, const AdaptiveRounds& rounds,
                          const std::optional<SweetSpotForecast>& forecast, std::int64_t trials) {
  AdaptiveSummary summary;
  summary.sampling = *config.adaptive;
  summary.trials = trials;
  summary.complete_trials = config.trials();
  summary.rounds = rounds.rounds();
  summary.trials_when_known = rounds.trials_when_known();
  if (!forecast) return summary;
  const AdaptiveDecision& decision = *rounds.decision();
  summary.state = decision.state;
  summary.confidence = forecast->confidence;
  summary.sweet_spot_known = forecast->confidence >= config.adaptive->confidence;
  summary.edge_cells = decision.edge_cells;
  summary.wide_cells = decision.wide_cells;
  summary.standard_error = decision.standard_error;
  return summary;
}

std::string adaptive_text(const AdaptiveSummary& summary) {
  const std::string of_complete =
      fmt::format("{} trials, {} fewer than the complete run's {}", summary.trials,
                  summary.complete_trials - summary.trials, summary.complete_trials);
  std::string text = summary.finished()
                         ? fmt::format("\nStopped: {}.\n{}.\n", reason_text(summary), of_complete)
                         : fmt::format("\nNot finished: {} so far.\n", of_complete);
  if (summary.rounds == 0) return text;
  if (is_allocated(summary.sampling.goal)) {
    text += fmt::format("Mean standard error of the cells in which success is mixed: {:.3g}",
                        summary.standard_error);
    if (!summary.sampling.standard_error) return text + ".\n";
    return text + fmt::format(" (asked for: {}).\n", *summary.sampling.standard_error);
  }
  text += fmt::format(
      "The complete run would put the sweet spot within {} mm of here with probability {}",
      summary.sampling.sweet_spot_within_mm, percent(summary.confidence));
  if (!summary.sweet_spot_known) {
    text += fmt::format("\n(asked for: {} %).\n", 100 * summary.sampling.confidence);
  } else if (summary.trials_when_known && *summary.trials_when_known != summary.trials) {
    text += fmt::format(",\nas was known after {} trials.\n", *summary.trials_when_known);
  } else {
    text += ".\n";
  }
  if (!wants_edge(summary.sampling.goal)) return text;
  return text + fmt::format(
                    "{} cells may lie on either side of the plateau's edge, {} of them "
                    "with an interval\nwider than {}.\n",
                    summary.edge_cells, summary.wide_cells, summary.sampling.interval_width);
}

Object adaptive_fields(const AdaptiveSummary& summary) {
  return {{"stopped_because", state_word(summary.state),
           "goal_reached, budget_spent, all_trials_run or not_finished"},
          {"goal", kAdaptiveGoalWords[static_cast<std::size_t>(summary.sampling.goal)]},
          {"rounds", summary.rounds, "complete ones"},
          {"complete_run_trials", summary.complete_trials},
          {"trials_saved", summary.complete_trials - summary.trials, "not run"},
          {"sweet_spot_within_mm", summary.sampling.sweet_spot_within_mm},
          {"sweet_spot_confidence", summary.confidence,
           "that the complete run's is within that distance, at the same angle"},
          {"sweet_spot_known", summary.sweet_spot_known, "that suffices"},
          {"sweet_spot_known_after_trials", summary.trials_when_known},
          {"edge_cells", summary.edge_cells, "that may lie on either side of the plateau's edge"},
          {"edge_cells_wider_than_asked", summary.wide_cells},
          {"standard_error", summary.standard_error,
           "mean over the cells in which not all trials ended alike"}};
}

const char* word(Answer answer) {
  return answer == Answer::kYes ? "yes" : answer == Answer::kNo ? "no" : "unknown";
}

namespace {

Answer answer_of(const SuccessMap& map, const SweetSpot& spot, const CellCounts& square,
                 double reliable) {
  const auto is_new = [](const CellCounts& cell) { return cell.trials() == 0; };
  // A run that has just begun has not looked everywhere.
  if (!spot.found || std::any_of(map.cells.begin(), map.cells.end(), is_new)) {
    return Answer::kUnknown;
  }
  const Interval whole = square.success_interval();
  if (whole.high < reliable || spot.lowest_interval.high < reliable) return Answer::kNo;
  return whole.low >= reliable ? Answer::kYes : Answer::kUnknown;
}

void find_best_cell(const SuccessMap& map, RunSummary& summary) {
  for (std::size_t number = 0; number < map.cells.size(); ++number) {
    // False for a cell without valid trials: NaN compares false.
    if (!(map.cells[number].success_probability() > summary.best_cell_probability)) continue;
    summary.best_cell_probability = map.cells[number].success_probability();
    const CellIndex cell = map.cell(number);
    summary.best_cell_mm = {map.x_mm.cell_center(cell.x), map.y_mm.cell_center(cell.y)};
  }
}

}  // namespace

RunSummary summarize(const SweepConfig& config, const RunTotals& totals,
                     std::int64_t trials_asked) {
  const SuccessMap& map = totals.map();
  RunSummary summary;
  summary.name = config.name;
  summary.seed = config.seed;
  summary.program = program_of(config.scenario);
  summary.has_obstacles = !config.scenario.obstacles.empty();
  summary.totals = map.total();
  summary.trials_asked = trials_asked;
  summary.trials_done = summary.totals.trials();
  summary.theta_rad = map.theta_rad;
  std::optional<SweetSpotForecast> forecast;
  if (totals.rounds && totals.rounds->decision()) forecast = totals.rounds->forecast();
  // With different numbers of trials in the cells, the map itself favours squares with few.
  summary.sweet_spot =
      forecast ? forecast->spot : find_sweet_spot(map, config.sweet_spot_half_width_mm);
  summary.plateau_probability = config.plateau_probability;
  if (summary.sweet_spot.found) summary.square = count_in_square(map, summary.sweet_spot);
  summary.answer = answer_of(map, summary.sweet_spot, summary.square, config.plateau_probability);
  find_best_cell(map, summary);
  summary.plateau = find_plateau(map, config.plateau_probability);
  const int slice = map.theta_rad.nearest_cell(summary.plateau.theta_rad);
  summary.plateau_area_interval =
      plateau_area_interval(map.slice(slice), config.plateau_probability);
  summary.cells = static_cast<std::int64_t>(map.cells.size());
  summary.statistics = totals.statistics;
  summary.failed = totals.failed;
  summary.most_work = totals.most_work;
  summary.failed_too_long = totals.failed_too_long;
  summary.success_probability = summary.totals.success_probability();
  summary.success_interval = summary.totals.success_interval();
  summary.independent_trials = independent_trials(map);
  if (totals.rounds) {
    summary.adaptive = summarize(config, *totals.rounds, forecast, summary.trials_done);
  }
  if (!totals.rounds && config.points != SweepPoints::kSobol) return summary;
  std::vector<Stratum> strata;
  for (const CellCounts& cell : map.cells) {
    strata.push_back({1.0 / static_cast<double>(map.cells.size()),
                      static_cast<double>(cell.count(Outcome::kSuccess)) / cell.design_effect,
                      cell.effective_trials(), static_cast<double>(cell.count(Outcome::kFailed))});
  }
  const StratifiedProbability mean = stratified_probability(strata);
  // All cells count alike, whatever their numbers of trials.
  if (totals.rounds) summary.success_probability = mean.estimate;
  summary.success_interval = mean.interval;
  return summary;
}

std::optional<MoreTrials> more_trials(const SweepConfig& config, std::int64_t trials,
                                      const std::filesystem::path& run_folder) {
  if (config.adaptive || trials != config.trials()) return std::nullopt;
  return MoreTrials{program_of(config.scenario), run_folder, config.trials_per_cell};
}

std::int64_t trials_factor(double successes, double trials, double reliable) {
  for (std::int64_t factor = 2; factor <= 64; ++factor) {
    const auto f = static_cast<double>(factor);
    const Interval whole = weighted_wilson_interval(f * successes, f * trials);
    if (whole.low >= reliable || whole.high < reliable) return factor;
  }
  return 0;
}

std::string more_trials_text(const MoreTrials& run, std::int64_t factor) {
  if (run.folder.empty()) {
    return fmt::format("To know: {} trials in each cell (sweep.trials_per_cell).\n",
                       factor * run.per_cell);
  }
  return fmt::format("To know: {} run {} --out {} --trials-per-cell {}\n", run.program,
                     shell_word((run.folder / "config.toml").string()),
                     shell_word(run.folder.string()), factor * run.per_cell);
}

std::string replay_line(std::string_view program, const std::filesystem::path& run_folder,
                        std::int64_t index) {
  return fmt::format("{} replay {} {}", program, shell_word(run_folder.string()), index);
}

SweetSpot marked_spot(const RunSummary& summary) {
  if (!summary.robot || !summary.robot->found) return summary.sweet_spot;
  SweetSpot spot;
  spot.found = true;
  spot.x_mm = summary.robot->at[0];
  spot.y_mm = summary.robot->at[1];
  spot.theta_rad = summary.robot->at[2];
  spot.cell_theta = summary.theta_rad.nearest_cell(spot.theta_rad);
  return spot;
}

}  // namespace graspmap
