#include "grasp/trial_choice.hpp"

#include <fmt/format.h>

#include "grasp/run_directory.hpp"
#include "grasp/trial_search.hpp"

namespace graspmap {
namespace {

TrialRow named_trial(const RunStore& store, std::int64_t index) {
  if (const auto row = store.row(index)) return *row;
  throw ConfigError(fmt::format("{}: trial {} is not there; trials that are: {}",
                                run_of(store.file()).string(), index, text(store.stored())));
}

CellIndex cell_of_placement(const RunStore& store, const Vec2& placement_mm) {
  const PlacementSweep& map = store.config().placement;
  const std::optional<int> x = cell_at(map.x, placement_mm.x());
  const std::optional<int> y = cell_at(map.y, placement_mm.y());
  if (x && y) return {*x, *y, 0};
  throw ConfigError(fmt::format(
      "--cell {:g},{:g}: is not on the map of {}; must be x from {} to {} mm, y from {} to {} mm",
      placement_mm.x(), placement_mm.y(), run_of(store.file()).string(), map.x.min_mm, map.x.max_mm,
      map.y.min_mm, map.y.max_mm));
}

/// "the cell x 0 to 1 mm, y -2 to -1 mm"
std::string cell_text(const PlacementSweep& map, CellIndex cell) {
  return fmt::format("the cell x {:.6g} to {:.6g} mm, y {:.6g} to {:.6g} mm",
                     map.x.cell_min_mm(cell.x), map.x.cell_max_mm(cell.x),
                     map.y.cell_min_mm(cell.y), map.y.cell_max_mm(cell.y));
}

[[noreturn]] void fail_to_find(const RunStore& store, const TrialFilter& filter) {
  const std::string place =
      filter.cell ? cell_text(store.config().placement, *filter.cell) : "the run";
  const CellCounts counts = count_outcomes(store, {filter.cell, std::nullopt});
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
  if (choice.placement_mm) filter.cell = cell_of_placement(store, *choice.placement_mm);
  const std::optional<TrialRow> row = first_trial(store, filter);
  if (!row) fail_to_find(store, filter);
  return *row;
}

}  // namespace graspmap
