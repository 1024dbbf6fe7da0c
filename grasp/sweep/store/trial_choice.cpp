#include "grasp/sweep/store/trial_choice.hpp"

#include <fmt/format.h>

#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/trial_search.hpp"

namespace graspmap {
namespace {

TrialRow named_trial(const RunStore& store, std::int64_t index) {
  if (const auto row = store.row(index)) return *row;
  throw ConfigError(fmt::format("{}: trial {} is not there; trials that are: {}",
                                run_of(store.file()).string(), index, text(store.stored())));
}

/// "theta from -0.5 to 0.5 rad", "theta = 0 rad"
std::string angles_text(const Axis& theta) {
  if (theta.is_fixed()) return fmt::format("theta = {} rad", theta.min);
  return fmt::format("theta from {} to {} rad", theta.min, theta.max);
}

[[noreturn]] void fail_off_map(const RunStore& store, const TrialChoice& choice) {
  const PlacementSweep& map = store.config().placement;
  const Vec2& placement_mm = *choice.placement_mm;
  const bool angle = choice.theta_rad.has_value();
  throw ConfigError(fmt::format(
      "--cell {:g},{:g}{}: is not on the map of {}; must be x from {} to {} mm, y from {} to {} "
      "mm{}",
      placement_mm.x(), placement_mm.y(), angle ? fmt::format(",{:g}", *choice.theta_rad) : "",
      run_of(store.file()).string(), map.x_mm.min, map.x_mm.max, map.y_mm.min, map.y_mm.max,
      angle ? ", " + angles_text(map.theta_rad) : ""));
}

CellIndex chosen_cell(const RunStore& store, const TrialChoice& choice) {
  const PlacementSweep& map = store.config().placement;
  const std::optional<int> x = map.x_mm.cell_at(choice.placement_mm->x());
  const std::optional<int> y = map.y_mm.cell_at(choice.placement_mm->y());
  const std::optional<int> theta =
      choice.theta_rad ? map.theta_rad.cell_at(*choice.theta_rad) : std::optional(0);
  if (!x || !y || !theta) fail_off_map(store, choice);
  return {*x, *y, *theta};
}

/// "the cell x 0 to 1 mm, y -2 to -1 mm", and theta unless any will do.
std::string cell_text(const PlacementSweep& map, const TrialFilter& filter) {
  const CellIndex& cell = *filter.cell;
  std::string text = fmt::format("the cell x {:.6g} to {:.6g} mm, y {:.6g} to {:.6g} mm",
                                 map.x_mm.cell_min(cell.x), map.x_mm.cell_max(cell.x),
                                 map.y_mm.cell_min(cell.y), map.y_mm.cell_max(cell.y));
  if (filter.any_angle || map.theta_rad.is_fixed()) return text;
  return text + fmt::format(", theta {:.6g} to {:.6g} rad", map.theta_rad.cell_min(cell.theta),
                            map.theta_rad.cell_max(cell.theta));
}

[[noreturn]] void fail_to_find(const RunStore& store, const TrialFilter& filter) {
  const std::string place = filter.cell ? cell_text(store.config().placement, filter) : "the run";
  const CellCounts counts = count_outcomes(store, {filter.cell, std::nullopt, filter.any_angle});
  if (!filter.outcome || counts.trials() == 0) {
    throw ConfigError(
        fmt::format("{}: {} has no trials yet", run_of(store.file()).string(), place));
  }
  throw ConfigError(fmt::format("{}: no trial of {} ended {}; how its {} trials ended: {}",
                                run_of(store.file()).string(), place, name(*filter.outcome),
                                counts.trials(), fmt::join(outcome_texts(counts), ", ")));
}

}  // namespace

TrialRow chosen_trial(const RunStore& store, const TrialChoice& choice) {
  if (choice.index) return named_trial(store, *choice.index);
  TrialFilter filter;
  filter.outcome = choice.outcome;
  filter.any_angle = !choice.theta_rad;
  if (choice.placement_mm) filter.cell = chosen_cell(store, choice);
  const std::optional<TrialRow> row = first_trial(store, filter);
  if (!row) fail_to_find(store, filter);
  return *row;
}

}  // namespace graspmap
