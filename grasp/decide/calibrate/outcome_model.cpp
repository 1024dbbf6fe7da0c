#include "grasp/decide/calibrate/outcome_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <map>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/decide/statistics/uniformity.hpp"

namespace graspmap {
namespace {

FrictionRange range_of(const char* key, const Distribution& distribution) {
  const auto [low, high] = distribution.range();
  if (std::isfinite(low) && std::isfinite(high)) return {key, low, high};
  // A normal without an upper bound covers little beyond its last few trials.
  constexpr double kTail = 1e-3;
  return {key, distribution.quantile(kTail), distribution.quantile(1 - kTail)};
}

/// Stored trials cover a range of friction only where they drew from all of it.
void check_range(const char* key, const Distribution& distribution) {
  const auto* discrete = distribution.as<Discrete>();
  if (discrete == nullptr) return;
  throw config_error({}, key,
                     fmt::format("the run drew {} values and nothing between them; must be a run "
                                 "with a distribution over a range, such as uniform, or --simulate",
                                 discrete->values.size()));
}

double scaled(const FrictionRange& range, double mu) {
  return range.is_fixed() ? 0.5 : (mu - range.low) / (range.high - range.low);
}

/// The cell that holds a placement, or the number of cells.
std::size_t find_cell(const std::vector<CalibrationCell>& cells, const IntendedPlacement& at) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const CalibrationCell& cell) {
    return cell.experiment.holds(at.x_mm, at.y_mm);
  });
  return static_cast<std::size_t>(found - cells.begin());
}

/// Leaves out the cells with too few stored trials; the trials of the others are renumbered.
void drop_unknown_cells(CalibrationData& data) {
  std::vector<std::size_t> place(data.cells.size(), data.cells.size());
  std::vector<CalibrationCell> kept;
  for (std::size_t k = 0; k < data.cells.size(); ++k) {
    if (data.cells[k].stored_trials < kLeastStoredTrials) {
      data.left_out += data.cells[k].experiment.trials;
      continue;
    }
    place[k] = kept.size();
    kept.push_back(data.cells[k]);
  }
  std::erase_if(data.trials,
                [&](const StoredTrial& t) { return place[t.site] == data.cells.size(); });
  for (StoredTrial& trial : data.trials) trial.site = place[trial.site];
  data.cells = std::move(kept);
}

/// Where a value lies in its cell, 0 to 1.
double place_in_cell(const Axis& axis, double value) {
  const double cells = (value - axis.min) / axis.cell_size();
  return cells - std::floor(cells);
}

/// The distinct placements of single trials, those of each session apart, with their counts.
/// Planned trials count none.
std::vector<CalibrationCell> exact_placements(const Experiment& experiment, double theta_min_rad,
                                              double theta_max_rad) {
  std::map<std::array<double, 4>, std::size_t> places;
  std::vector<CalibrationCell> cells;
  const auto cell_of = [&](const ExperimentTrial& trial) -> ExperimentCell& {
    const std::array<double, 4> at = {trial.x_mm, trial.y_mm, trial.theta_rad.value_or(0.0),
                                      static_cast<double>(trial.session)};
    const auto [found, is_new] = places.try_emplace(at, cells.size());
    if (is_new) {
      CalibrationCell cell;
      cell.experiment = {{at[0], at[0], at[1], at[1]}, 0, 0, trial.session};
      cell.theta_min_rad = trial.theta_rad.value_or(theta_min_rad);
      cell.theta_max_rad = trial.theta_rad.value_or(theta_max_rad);
      cells.push_back(cell);
    }
    return cells[found->second].experiment;
  };
  for (const ExperimentTrial& trial : experiment.single_trials) {
    ExperimentCell& cell = cell_of(trial);
    ++cell.trials;
    cell.successes += trial.success ? 1 : 0;
  }
  for (const ExperimentTrial& trial : experiment.planned) cell_of(trial);
  return cells;
}

}  // namespace

std::array<FrictionRange, 2> friction_ranges(const SweepConfig& config) {
  return {range_of("friction.jaw", config.mu_jaw), range_of("friction.support", config.mu_support)};
}

bool are_on_lattice(const CellGrid& grid, const std::vector<ExperimentTrial>& trials) {
  std::vector<double> x;
  std::vector<double> y;
  for (const ExperimentTrial& trial : trials) {
    x.push_back(place_in_cell(grid.x_mm, trial.x_mm));
    y.push_back(place_in_cell(grid.y_mm, trial.y_mm));
  }
  return std::max(distance_from_uniform(x), distance_from_uniform(y)) > kSeldomDistance;
}

std::vector<CalibrationCell> exact_cells(const CellGrid& grid, const Experiment& experiment,
                                         int slice) {
  const Axis& theta = grid.theta_rad;
  const double theta_min = theta.is_fixed() ? theta.min : theta.cell_min(slice);
  const double theta_max = theta.is_fixed() ? theta.min : theta.cell_max(slice);
  if (experiment.cells.empty()) {
    return exact_placements(experiment, theta_min, theta_max);
  }
  std::vector<CalibrationCell> cells;
  for (const ExperimentCell& cell : experiment.cells) {
    if (cell.trials > 0) cells.push_back({cell, 0, 0, theta_min, theta_max});
  }
  return cells;
}

CalibrationData calibration_data(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                 const Experiment& experiment, int slice) {
  CalibrationData data;
  check_range("friction.jaw", config.mu_jaw);
  check_range("friction.support", config.mu_support);
  data.ranges = friction_ranges(config);
  const std::vector<ExperimentCell> cells =
      experiment.cells.empty()
          ? counted_in(config.placement, experiment.single_trials, data.left_out)
          : pooled_cells(experiment);
  for (const ExperimentCell& cell : cells) {
    if (cell.trials > 0) data.cells.push_back({cell});
  }
  const auto in_slice = static_cast<std::size_t>(config.placement.x_mm.cells) *
                        static_cast<std::size_t>(config.placement.y_mm.cells);
  for (const TrialSample& sample : samples) {
    if (static_cast<int>(sample.cell / in_slice) != slice) continue;
    const std::size_t site = find_cell(data.cells, sample.intended);
    if (site == data.cells.size()) continue;
    if (sample.outcome == Outcome::kFailed) {
      ++data.cells[site].stored_failed;
      continue;
    }
    ++data.cells[site].stored_trials;
    data.trials.push_back({site, scaled(data.ranges[0], sample.parameters.mu_jaw),
                           scaled(data.ranges[1], sample.parameters.mu_support),
                           sample.outcome == Outcome::kSuccess});
  }
  drop_unknown_cells(data);
  for (const CalibrationCell& cell : data.cells) data.experiment_trials += cell.experiment.trials;
  return data;
}

namespace {

/// log of the rising factorial (a)_n = a (a + 1) ... (a + n - 1).
double log_rising(double a, std::int64_t n) {
  using boost::math::lgamma;
  return n == 0 ? 0.0 : lgamma(a + static_cast<double>(n)) - lgamma(a);
}

/// log of the beta-binomial probability of s of n without the binomial coefficient:
/// (p nu)_s ((1 - p) nu)_(n-s) / (nu)_n with rising factorials.
double log_beta_binomial(std::int64_t s, std::int64_t n, double p, double nu) {
  constexpr std::int64_t kMostFactors = 10'000;
  if (n > kMostFactors) {
    return log_rising(p * nu, s) + log_rising((1 - p) * nu, n - s) - log_rising(nu, n);
  }
  double log_sum = 0;
  double product = 1;
  const auto multiply = [&](double factor) {
    product *= factor;
    if (product > 1e-280) return;
    log_sum += std::log(product);
    product = 1;
  };
  for (std::int64_t k = 0; k < n; ++k) {
    const double drawn = static_cast<double>(k < s ? k : k - s);
    const double weight = k < s ? p * nu : (1 - p) * nu;
    multiply((weight + drawn) / (nu + static_cast<double>(k)));
  }
  return log_sum + std::log(product);
}

}  // namespace

double OutcomeModel::log_likelihood(std::size_t cell, const CellPrediction& expected) const {
  const ExperimentCell& counts = cells_[cell].experiment;
  return log_beta_binomial(counts.successes, counts.trials, expected.probability,
                           expected.effective_trials);
}

double OutcomeModel::log_likelihood(std::span<const double> point) const {
  const std::vector<CellPrediction> expected = predict(point);
  double sum = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) sum += log_likelihood(k, expected[k]);
  return sum;
}

}  // namespace graspmap
