#include "grasp/decide/reweight/reweighted_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/statistics/importance.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double kish(double sum, double squares) { return squares > 0 ? sum * sum / squares : 0.0; }

/// Counts with the same probability.
CellCounts billion_trials(double probability) {
  constexpr double kTrials = 1e9;
  CellCounts counts;
  if (std::isnan(probability)) return counts;
  const auto successes = static_cast<std::int64_t>(std::llround(probability * kTrials));
  counts.by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = successes;
  counts.by_outcome[static_cast<std::size_t>(Outcome::kWedged)] =
      static_cast<std::int64_t>(kTrials) - successes;
  return counts;
}

}  // namespace

void WeightedCell::add(Outcome outcome, double weight_of_trial) {
  const double square = weight_of_trial * weight_of_trial;
  if (outcome == Outcome::kFailed) {
    failed_weight += weight_of_trial;
    failed_squares += square;
    return;
  }
  weight += weight_of_trial;
  squares += square;
  if (outcome == Outcome::kSuccess) success_weight += weight_of_trial;
}

double WeightedCell::effective_trials() const { return kish(weight, squares); }

double WeightedCell::success_probability() const {
  return is_unknown() ? kNaN : success_weight / weight;
}

Interval WeightedCell::success_interval(double z) const {
  if (is_unknown()) return {0.0, 1.0};
  const double all = weight + failed_weight;
  const double trials = kish(all, squares + failed_squares);
  const double successes = trials * success_weight / all;
  const double failed = trials * failed_weight / all;
  return {weighted_wilson_interval(successes, trials, z).low,
          weighted_wilson_interval(std::min(successes + failed, trials), trials, z).high};
}

double ReweightedMap::median_effective_trials() const {
  std::vector<double> trials;
  for (const WeightedCell& cell : cells) trials.push_back(cell.effective_trials());
  const auto middle = trials.begin() + static_cast<std::ptrdiff_t>(trials.size() / 2);
  std::nth_element(trials.begin(), middle, trials.end());
  return *middle;
}

double ReweightedMap::mean_probability() const {
  double sum = 0;
  double known = 0;
  for (const WeightedCell& cell : cells) {
    if (cell.is_unknown()) continue;
    sum += cell.success_probability();
    ++known;
  }
  return sum / known;
}

Interval ReweightedMap::mean_interval(double z) const {
  std::vector<Stratum> strata;
  for (const WeightedCell& cell : cells) {
    if (cell.is_unknown()) continue;
    const double all = cell.weight + cell.failed_weight;
    const double per_weight = kish(all, cell.squares + cell.failed_squares) / all;
    strata.push_back({0.0, cell.success_weight * per_weight, cell.weight * per_weight,
                      cell.failed_weight * per_weight});
  }
  for (Stratum& stratum : strata) stratum.weight = 1.0 / static_cast<double>(strata.size());
  return stratified_probability(strata, z).interval;
}

SuccessMap ReweightedMap::as_counts() const {
  SuccessMap map = stored;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    map.cells[k] = billion_trials(cells[k].success_probability());
  }
  return map;
}

ReweightedMap reweight_trials(const RunStore& store, const LawChange& change) {
  const PlacementSweep& placement = store.config().placement;
  ReweightedMap result;
  result.stored = SuccessMap(placement);
  result.cells.resize(result.stored.cells.size());
  std::vector<double> weights;
  store.for_each([&](const TrialRow& row) {
    const auto cell = static_cast<std::size_t>(row.index % placement.cell_count());
    const double weight = change.weight(row);
    ++result.stored.cells[cell].by_outcome[static_cast<std::size_t>(row.outcome)];
    result.cells[cell].add(row.outcome, weight);
    weights.push_back(weight);
  });
  result.effective_trials = effective_sample_size(weights);
  result.pareto_shape = pareto_tail_shape(weights);
  return result;
}

Interval weakest_interval(const ReweightedMap& reweighted, const SuccessMap& map,
                          const SweetSpot& spot, double z) {
  Interval weakest{1.0, 1.0};
  for (int j = 0; j < map.y_mm.cells; ++j) {
    for (int i = 0; i < map.x_mm.cells; ++i) {
      const bool inside = std::abs(map.x_mm.cell_center(i) - spot.x_mm) <= spot.half_width_mm &&
                          std::abs(map.y_mm.cell_center(j) - spot.y_mm) <= spot.half_width_mm;
      const std::size_t cell = map.index(i, j, spot.cell_theta);
      if (!inside || map.cells[cell].success_probability() > spot.lowest_probability) continue;
      const Interval interval = reweighted.cells[cell].success_interval(z);
      if (interval.low < weakest.low) weakest = interval;
    }
  }
  return weakest;
}

}  // namespace graspmap
