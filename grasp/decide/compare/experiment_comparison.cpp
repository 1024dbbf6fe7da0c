#include "grasp/decide/compare/experiment_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/decide/statistics/false_discovery.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace {

/// Of what is drawn at random to judge a comparison: fixed, so that it comes out the same again.
constexpr std::uint64_t kComparisonSeed = 1996;

/// As many replicates as can be drawn in about a second, within limits.
std::int64_t replicates(std::size_t cells, std::int64_t least, std::int64_t most,
                        std::int64_t draws) {
  return std::clamp(draws / static_cast<std::int64_t>(cells), least, most);
}

CellComparison compare_cell(const SharedCell& cell, double z) {
  CellComparison result;
  result.cell = cell;
  result.experiment = {cell.experiment.probability(),
                       wilson_interval(cell.experiment.successes, cell.experiment.trials, z)};
  result.difference = {result.experiment.value - cell.run_probability.value,
                       newcombe_interval(result.experiment, cell.run_probability)};
  result.p_value = fisher_exact_p_value(cell.run, cell.experiment);
  return result;
}

void adjust_p_values(std::vector<CellComparison>& cells, double confidence) {
  std::vector<double> p_values;
  p_values.reserve(cells.size());
  for (const CellComparison& cell : cells) p_values.push_back(cell.p_value);
  const std::vector<double> adjusted = benjamini_hochberg(p_values);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k].adjusted_p = adjusted[k];
    cells[k].significant = adjusted[k] <= 1 - confidence;
  }
}

std::vector<std::size_t> significant_cells(const std::vector<CellComparison>& cells) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k].significant) found.push_back(k);
  }
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
    return cells[a].p_value < cells[b].p_value;
  });
  return found;
}

std::optional<std::size_t> largest_difference(const std::vector<CellComparison>& cells) {
  std::optional<std::size_t> largest;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const SharedCell& cell = cells[k].cell;
    if (std::min(cell.run.trials, cell.experiment.trials) < kLeastTrialsOfCell) continue;
    const double size = std::abs(cells[k].difference.value);
    if (!largest || size > std::abs(cells[*largest].difference.value)) largest = k;
  }
  return largest;
}

double median_half_width(const std::vector<CellComparison>& cells) {
  std::vector<double> widths;
  for (const CellComparison& cell : cells) {
    widths.push_back((cell.difference.interval.high - cell.difference.interval.low) / 2);
  }
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  return *middle;
}

void add(SampleCounts& sum, const SampleCounts& counts) {
  sum.successes += counts.successes;
  sum.trials += counts.trials;
  sum.failed += counts.failed;
}

HomogeneityTest test(const std::vector<SharedCell>& cells) {
  std::vector<SamplePair> pairs;
  pairs.reserve(cells.size());
  for (const SharedCell& cell : cells) {
    pairs.push_back({cell.run, cell.experiment, cell.bounds.area_mm2()});
  }
  return homogeneity_test(pairs, replicates(pairs.size(), 999, 9'999, 40'000'000), kComparisonSeed);
}

std::optional<MapNumbers> numbers(const SharedCells& shared, const SweepConfig& config,
                                  double confidence) {
  if (!shared.grid) return std::nullopt;
  MapNumbers numbers = map_numbers(
      {shared.cells, *shared.grid, config.plateau_probability, config.sweet_spot_half_width_mm,
       confidence, replicates(shared.cells.size(), 100, 1'000, 20'000'000), kComparisonSeed});
  if (numbers.cells == 0) return std::nullopt;
  return numbers;
}

void check_not_empty(const SharedCells& shared, const RunStore& run, const Experiment& experiment) {
  if (!shared.cells.empty()) return;
  const PlacementSweep& map = run.config().placement;
  throw ConfigError(
      fmt::format("{}: no cell in common with {}, whose map is x from {} to {} mm, y from {} to {} "
                  "mm: {} trials "
                  "are outside of it, {} where it has none",
                  experiment.file, run_of(run.file()).string(), map.x_mm.min, map.x_mm.max,
                  map.y_mm.min, map.y_mm.max, shared.outside.trials, shared.unknown.trials));
}

/// The trials that lie in the run's cell of angles.
Experiment at_angles_of(const Experiment& experiment, const Axis& theta, int slice,
                        std::int64_t& left_out) {
  Experiment chosen = experiment;
  std::erase_if(chosen.single_trials, [&](const ExperimentTrial& trial) {
    if (!trial.theta_rad || theta.is_fixed()) return false;
    const auto cell = theta.cell_at(*trial.theta_rad);
    return !cell || *cell != slice;
  });
  left_out = static_cast<std::int64_t>(experiment.single_trials.size()) -
             static_cast<std::int64_t>(chosen.single_trials.size());
  return chosen;
}

/// Stored trials have the angles of the run's cell.
void check_angles_stored(const Experiment& experiment, const Axis& theta,
                         const std::optional<int>& slice) {
  for (const ExperimentTrial& trial : experiment.single_trials) {
    if (!trial.theta_rad) continue;
    const bool inside = slice && *trial.theta_rad >= theta.cell_min(*slice) &&
                        *trial.theta_rad <= theta.cell_max(*slice);
    if (!inside) {
      throw ConfigError(
          fmt::format("{}: theta_rad: {} is not in the run's cell of angles; its stored trials "
                      "tell nothing of it: leave out --no-simulate",
                      experiment.file, *trial.theta_rad));
    }
  }
}

/// Simulated trials are asked where single trials are simulated: no stored ones are needed there.
StoredTrials needed(const Experiment& experiment, const ComparisonOptions& options) {
  return options.prediction.simulate && experiment.cells.empty() ? StoredTrials::kNotNeeded
                                                                 : StoredTrials::kNeeded;
}

}  // namespace

ExperimentComparison compare_experiment(const RunStore& run, const Experiment& experiment,
                                        const ComparisonOptions& options) {
  const double z = two_sided_z(options.confidence);
  const int slice = options.slice.value_or(0);
  const Axis& theta = run.config().placement.theta_rad;
  if (!options.prediction.simulate) check_angles_stored(experiment, theta, options.slice);
  std::int64_t other_angles = 0;
  const Experiment chosen =
      options.slice ? at_angles_of(experiment, theta, slice, other_angles) : experiment;
  SharedCells shared = share_cells(run, chosen, z, slice, needed(chosen, options));
  shared.outside.trials += other_angles;
  check_not_empty(shared, run, experiment);
  ExperimentComparison result;
  result.run_name = run.config().name;
  if (theta.cells > 1 && options.slice) result.theta_rad = theta.cell_center(slice);
  result.experiment = {experiment.file,     experiment.origin, experiment.source, {}, {},
                       experiment.sessions, experiment.failed};
  result.confidence = options.confidence;
  result.prediction = predict_experiment(run, chosen, shared, slice, options.prediction);
  if (result.prediction.simulated) use_simulated(shared, result.prediction, z);
  check_not_empty(shared, run, experiment);
  result.agreement = agreement(result.prediction.sites,
                               result.prediction.draws ? &*result.prediction.draws : nullptr,
                               {options.confidence, options.within, result.prediction.steps});
  result.grid = shared.grid;
  result.are_cells_of_run = shared.are_cells_of_run;
  result.outside = shared.outside;
  result.unknown = shared.unknown;
  for (const SharedCell& cell : shared.cells) {
    result.cells.push_back(compare_cell(cell, z));
    add(result.run_total, cell.run);
    add(result.experiment_total, cell.experiment);
  }
  adjust_p_values(result.cells, options.confidence);
  result.significant = significant_cells(result.cells);
  result.largest = largest_difference(result.cells);
  result.typical_half_width = median_half_width(result.cells);
  result.test = test(shared.cells);
  result.numbers = numbers(shared, run.config(), options.confidence);
  return result;
}

}  // namespace graspmap
