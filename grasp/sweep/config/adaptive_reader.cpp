#include "grasp/sweep/config/adaptive_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// What a cell may still bring is kept as a table of its trials to come.
constexpr int kMostTrialsPerCell = 10'000;
/// The confidence is a share of a thousand forecasts: 1 would be claimed too easily.
constexpr NumberRange kConfidences{.min = 0.5, .max = 0.999};
constexpr NumberRange kWidths{.min = 0.0, .max = 1.0, .above_min = true};

std::int64_t integer_or(const TomlTable& table, std::int64_t fallback, std::string_view key,
                        std::int64_t min, std::int64_t max) {
  return table.has(key) ? table.integer(key, min, max) : fallback;
}

AdaptiveGoal read_goal(const TomlTable& table) {
  if (!table.has("goal")) return AdaptiveSampling{}.goal;
  return static_cast<AdaptiveGoal>(
      table.choice("goal", {kAdaptiveGoalWords.begin(), kAdaptiveGoalWords.end()}));
}

/// The three numbers of trials. A tenth of all by default, or two first rounds where that is more.
void read_numbers_of_trials(const TomlTable& table, const SweepConfig& config,
                            AdaptiveSampling& adaptive) {
  constexpr int kFirst = 6;
  constexpr std::int64_t kLeastRound = 100;
  const std::int64_t cells = config.placement.cell_count();
  adaptive.first_trials = static_cast<int>(integer_or(
      table, std::min(kFirst, config.trials_per_cell), "first_trials", 1, config.trials_per_cell));
  const std::int64_t first_round = adaptive.first_trials * cells;
  adaptive.round_trials = integer_or(table, std::max(cells, kLeastRound), "round_trials", 1,
                                     std::max(config.trials(), kLeastRound));
  const std::int64_t tenth =
      std::min(std::max(config.trials() / 10, 2 * first_round), config.trials());
  adaptive.most_trials = integer_or(table, tenth, "most_trials", 1, config.trials());
}

/// Throws unless the budget suffices for the first round.
void check_first_round(const TomlTable& table, const SweepConfig& config,
                       const AdaptiveSampling& adaptive) {
  const std::int64_t cells = config.placement.cell_count();
  const std::int64_t first_round = adaptive.first_trials * cells;
  if (adaptive.most_trials >= first_round) return;
  table.fail("most_trials",
             fmt::format("is {}; must be at least {}, for first_trials = {} in "
                         "each of {} cells",
                         adaptive.most_trials, first_round, adaptive.first_trials, cells));
}

bool square_fits(const Axis& axis, double half_width_mm) {
  return std::round(2 * half_width_mm / axis.cell_size()) <= axis.cells;
}

/// Throws unless the map has room for the sweet spot that is looked for.
void check_sweet_spot(const TomlTable& table, const SweepConfig& config, AdaptiveGoal goal) {
  const double half_width_mm = config.sweet_spot_half_width_mm;
  if (goal == AdaptiveGoal::kIntervalWidth) return;
  if (square_fits(config.placement.x_mm, half_width_mm) &&
      square_fits(config.placement.y_mm, half_width_mm)) {
    return;
  }
  table.fail("goal", fmt::format("asks for the sweet spot, but no square of +-{} mm fits the map; "
                                 "must be \"interval_width\", or "
                                 "summary.sweet_spot_half_width_mm smaller",
                                 half_width_mm));
}

AdaptiveSampling read_adaptive(const TomlTable& table, const SweepConfig& config) {
  AdaptiveSampling adaptive;
  read_numbers_of_trials(table, config, adaptive);
  adaptive.goal = read_goal(table);
  adaptive.sweet_spot_within_mm =
      table.number_or(adaptive.sweet_spot_within_mm, "sweet_spot_within_mm", kNonNegative);
  adaptive.confidence = table.number_or(adaptive.confidence, "confidence", kConfidences);
  adaptive.interval_width = table.number_or(adaptive.interval_width, "interval_width", kWidths);
  table.check_keys();
  check_first_round(table, config, adaptive);
  check_sweet_spot(table, config, adaptive.goal);
  return adaptive;
}

}  // namespace

void read_sampling(const TomlTable& sweep, SweepConfig& config) {
  const bool is_adaptive =
      sweep.has("sampling") && sweep.choice("sampling", {"uniform", "adaptive"}) == 1;
  const bool has_table = sweep.has("adaptive");
  sweep.check_keys();
  if (!is_adaptive) {
    if (has_table) {
      sweep.fail("adaptive",
                 "is only for sampling = \"adaptive\"; must be left out, or sampling "
                 "set so");
    }
    return;
  }
  if (config.trials_per_cell > kMostTrialsPerCell) {
    sweep.fail("trials_per_cell",
               fmt::format("is {}; must be at most {} with sampling = \"adaptive\"",
                           config.trials_per_cell, kMostTrialsPerCell));
  }
  config.adaptive = read_adaptive(sweep.table_or_empty("adaptive"), config);
}

}  // namespace graspmap
