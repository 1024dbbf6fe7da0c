#include "grasp/sweep/store/stored_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "grasp/sweep/store/run_directory.hpp"

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
    : most_work(graspmap::most_work(config.scenario)),
      map_(config.placement),
      has_nets_(config.points == SweepPoints::kSobol) {
  if (config.adaptive) rounds.emplace(config);
}

bool RunTotals::is_complete(std::int64_t trials_asked) const {
  return rounds ? rounds->finished() : map_.total().trials() == trials_asked;
}

void RunTotals::add(const TrialRow& row) {
  map_.add_trial(row.index, row.outcome);
  effects_known_ = false;
  if (rounds) rounds->add(row.index, row.outcome);
  accumulate(statistics, row.statistics);
  if (row.outcome != Outcome::kFailed) return;
  list_failed(failed, row);
  if (why_unsolved(row.statistics, most_work) == EndReason::kTooLong) ++failed_too_long;
}

const SuccessMap& RunTotals::map() const {
  if (has_nets_ && !effects_known_) find_design_effects(map_);
  effects_known_ = true;
  return map_;
}

RunTotals read_totals(const RunStore& store) {
  RunTotals totals(store.config());
  store.for_each([&](const TrialRow& row) { totals.add(row); });
  return totals;
}

namespace {

bool passes(const TrialRow& row, const TrialFilter& filter) {
  CellIndex cell = row.cell();
  if (filter.cell && filter.any_angle) cell.theta = filter.cell->theta;
  return (!filter.cell || cell == *filter.cell) &&
         (!filter.outcome || *filter.outcome == row.outcome);
}

double badness(const TrialRow& row) {
  const double residual = row.statistics.worst_residual;
  return std::isnan(residual) ? std::numeric_limits<double>::infinity() : residual;
}

bool is_worse(const TrialRow& a, const TrialRow& b) {
  if (badness(a) != badness(b)) return badness(a) > badness(b);
  return a.index < b.index;
}

}  // namespace

std::optional<TrialRow> first_trial(const RunStore& store, const TrialFilter& filter) {
  TrialReader reader(store);
  while (reader.next_index()) {
    const TrialRow row = reader.next();
    if (passes(row, filter)) return row;
  }
  return std::nullopt;
}

CellCounts count_outcomes(const RunStore& store, const TrialFilter& filter) {
  CellCounts counts;
  store.for_each([&](const TrialRow& row) {
    if (passes(row, filter)) ++counts.by_outcome[static_cast<std::size_t>(row.outcome)];
  });
  return counts;
}

std::vector<TrialRow> worst_trials(const RunStore& store, std::size_t count) {
  std::vector<TrialRow> worst;  // a heap with the best of them on top
  store.for_each([&](const TrialRow& row) {
    worst.push_back(row);
    std::push_heap(worst.begin(), worst.end(), is_worse);
    if (worst.size() <= count) return;
    std::pop_heap(worst.begin(), worst.end(), is_worse);
    worst.pop_back();
  });
  std::sort_heap(worst.begin(), worst.end(), is_worse);
  return worst;
}

namespace {

CellIndex chosen_cell(const RunStore& store, const TrialChoice& choice) {
  const PlacementSweep& map = store.config().placement;
  const Vec2& placement_mm = *choice.placement_mm;
  const std::optional<int> x = map.x_mm.cell_at(placement_mm.x());
  const std::optional<int> y = map.y_mm.cell_at(placement_mm.y());
  const std::optional<int> theta =
      choice.theta_rad ? map.theta_rad.cell_at(*choice.theta_rad) : std::optional(0);
  if (x && y && theta) return {*x, *y, *theta};
  std::string angle;
  std::string angles;
  if (choice.theta_rad) {
    angle = fmt::format(",{:g}", *choice.theta_rad);
    angles = map.theta_rad.is_fixed()
                 ? fmt::format(", theta = {} rad", map.theta_rad.min)
                 : fmt::format(", theta from {} to {} rad", map.theta_rad.min, map.theta_rad.max);
  }
  throw ConfigError(fmt::format(
      "--cell {:g},{:g}{}: is not on the map of {}; must be x from {} to {} mm, y from {} to {} "
      "mm{}",
      placement_mm.x(), placement_mm.y(), angle, run_of(store.file()).string(), map.x_mm.min,
      map.x_mm.max, map.y_mm.min, map.y_mm.max, angles));
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
    throw config_error({run_of(store.file()).string()}, "",
                       fmt::format("{} has no trials yet", place));
  }
  throw config_error(
      {run_of(store.file()).string()}, "",
      fmt::format("no trial of {} ended {}; how its {} trials ended: {}", place,
                  name(*filter.outcome), counts.trials(), fmt::join(outcome_texts(counts), ", ")));
}

}  // namespace

TrialRow chosen_trial(const RunStore& store, const TrialChoice& choice) {
  if (choice.index) {
    if (const auto row = store.row(*choice.index)) return *row;
    throw config_error({run_of(store.file()).string()}, "",
                       fmt::format("trial {} is not there; existing trials: {}", *choice.index,
                                   text(store.stored())),
                       FaultKind::kNoTrial);
  }
  TrialFilter filter;
  filter.outcome = choice.outcome;
  filter.any_angle = !choice.theta_rad;
  if (choice.placement_mm) filter.cell = chosen_cell(store, choice);
  const std::optional<TrialRow> row = first_trial(store, filter);
  if (!row) fail_to_find(store, filter);
  return *row;
}

bool has_placement_noise(const PlacementSweep& placement) {
  const auto is_zero = [](const Distribution* noise) { return *noise == Distribution(); };
  const std::array noises = {&placement.noise_x_mm, &placement.noise_y_mm,
                             &placement.noise_theta_rad};
  return !std::all_of(noises.begin(), noises.end(), is_zero);
}

void for_each_trial_sample(const RunStore& store,
                           const std::function<void(const TrialSample&)>& visit) {
  const SweepConfig& config = store.config();
  const bool noise = has_placement_noise(config.placement);
  store.for_each([&](const TrialRow& row) {
    const TrialParameters& ran = row.parameters;
    const IntendedPlacement intended =
        noise ? sample_trial(config, row.index).intended
              : IntendedPlacement{ran.placement_x_mm, ran.placement_y_mm, ran.theta_rad};
    const auto cell = static_cast<std::size_t>(row.index % config.placement.cell_count());
    visit({cell, row.outcome, intended, ran, sample_uncertain(config, row.index)});
  });
}

std::vector<TrialSample> read_trial_samples(const RunStore& store) {
  std::vector<TrialSample> samples;
  samples.reserve(static_cast<std::size_t>(count_trials(store.stored())));
  for_each_trial_sample(store, [&](const TrialSample& sample) { samples.push_back(sample); });
  return samples;
}

}  // namespace graspmap
