#include "grasp/analysis/plan/expected_success.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/statistics/stratified.hpp"

namespace graspmap {
namespace {

/// Less mass than this along an axis is left out: it is beyond anything that trials can tell.
constexpr double kLeastMass = 1e-12;

/// With fewer effective trials in a cell than this, all its trials weigh the same.
constexpr double kLeastEffective = 5.0;

/// The masses of consecutive cells along an axis.
struct AxisMasses {
  int first = 0;
  std::vector<double> mass;
};

AxisMasses axis_masses(const Axis& axis, const AxisError& error, double nominal) {
  if (axis.is_fixed()) return {0, {1.0}};
  if (error.kind == AxisError::Kind::kExact) {
    if (!axis.contains(nominal)) return {0, {}};
    return {axis.nearest_cell(nominal), {1.0}};
  }
  AxisMasses result;
  for (int i = 0; i < axis.cells; ++i) {
    const double mass = error_mass(error, axis.cell_min(i) - nominal, axis.cell_max(i) - nominal);
    if (mass < kLeastMass) {
      if (!result.mass.empty()) break;
      continue;
    }
    if (result.mass.empty()) result.first = i;
    result.mass.push_back(mass);
  }
  return result;
}

/// The bounds of a cell.
struct CellBox {
  PlacementVector low{};
  PlacementVector high{};
};

CellBox cell_box(const SuccessField& field, std::size_t cell) {
  CellBox box;
  auto rest = static_cast<int>(cell);
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis& axis = field.axes()[k];
    box.low[k] = axis.cell_min(rest % axis.cells);
    box.high[k] = axis.cell_max(rest % axis.cells);
    rest /= axis.cells;
  }
  return box;
}

/// The log density at the point of the cell where it is largest.
double largest_log_density(const CellBox& box, const PlacementError& error,
                           const PlacementVector& nominal) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double nearest = std::clamp(nominal[k], box.low[k], box.high[k]);
    sum += log_relative_density(error[k], nearest - nominal[k]);
  }
  return sum;
}

double log_density(const SuccessField::Trial& trial, const PlacementError& error,
                   const PlacementVector& nominal) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    sum += log_relative_density(error[k], trial.at[k] - nominal[k]);
  }
  return sum;
}

/// What the weights of a cell's trials add up to.
struct CellSums {
  std::array<double, kOutcomeCount> by_outcome{};
  double all = 0.0;
  double squares = 0.0;

  [[nodiscard]] double of(Outcome outcome) const {
    return by_outcome[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] double valid() const { return all - of(Outcome::kFailed); }
};

CellSums cell_sums(const SuccessField& field, std::size_t cell,
                   const std::vector<double>& weights) {
  CellSums sums;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Outcome outcome = field.begin(cell)[k].outcome;
    sums.by_outcome[static_cast<std::size_t>(outcome)] += weights[k];
    sums.all += weights[k];
    sums.squares += weights[k] * weights[k];
  }
  return sums;
}

/// The cell as a stratum with as many trials as its weighted ones are worth.
Stratum stratum(double mass, const CellSums& sums) {
  const double per_weight = sums.all / sums.squares;  // (sum w)^2 / sum w^2 for all of them
  const double failed = sums.of(Outcome::kFailed) * per_weight;
  // Nothing but failed trials leaves rounding.
  const double valid = std::max(sums.all * per_weight - failed, 0.0);
  return {mass, std::min(sums.of(Outcome::kSuccess) * per_weight, valid), valid, failed};
}

void add_shares(ExpectedSuccess& result, double mass, const CellSums& sums) {
  for (const Outcome outcome : kOutcomes) {
    const double of = outcome == Outcome::kFailed ? sums.all : sums.valid();
    if (of > 0) {
      result.shares[static_cast<std::size_t>(outcome)] += mass * sums.of(outcome) / of;
    }
  }
}

/// Whether all trials of a cell came out alike, as far as success goes.
bool is_pure(const CellCounts& counts) {
  const std::int64_t successes = counts.count(Outcome::kSuccess);
  return counts.count(Outcome::kFailed) == 0 && (successes == 0 || successes == counts.trials());
}

/// The weighted mean of success over a cell's trials; 0 when there is none.
double cell_mean(const SuccessField& field, const PlacementError& error,
                 const PlacementVector& nominal, std::size_t cell, std::vector<double>& weights) {
  const CellCounts& counts = field.counts(cell);
  if (counts.count(Outcome::kSuccess) == 0) return 0.0;
  if (is_pure(counts)) return 1.0;
  trial_weights(field, error, nominal, cell, weights);
  const CellSums sums = cell_sums(field, cell, weights);
  return sums.valid() > 0 ? sums.of(Outcome::kSuccess) / sums.valid() : 0.0;
}

/// A table with three axes, x fastest, and one pass of the convolution: every axis in turn gets
/// nodes in place of cells.
struct Table3 {
  std::array<std::size_t, 3> size{};
  std::vector<double> values;
};

/// Replaces the cells of one axis by nodes: sums of the cells with the node's masses.
Table3 convolved(const Table3& table, std::size_t axis, const std::vector<AxisMasses>& nodes) {
  Table3 result{table.size, {}};
  result.size[axis] = nodes.size();
  result.values.resize(result.size[0] * result.size[1] * result.size[2]);
  std::size_t stride = 1;  // between neighbours along the axis; the same in both tables
  for (std::size_t k = 0; k < axis; ++k) stride *= table.size[k];
  const std::size_t blocks = table.values.size() / (stride * table.size[axis]);
  for (std::size_t b = 0; b < blocks; ++b) {
    const double* in = &table.values[b * stride * table.size[axis]];
    double* out = &result.values[b * stride * nodes.size()];
    for (std::size_t n = 0; n < nodes.size(); ++n, out += stride) {
      for (std::size_t c = 0; c < nodes[n].mass.size(); ++c) {
        const double* cell = in + (static_cast<std::size_t>(nodes[n].first) + c) * stride;
        for (std::size_t s = 0; s < stride; ++s) out[s] += nodes[n].mass[c] * cell[s];
      }
    }
  }
  return result;
}

Table3 cell_means(const SuccessField& field) {
  Table3 table;
  for (std::size_t k = 0; k < 3; ++k) {
    table.size[k] = static_cast<std::size_t>(field.axes()[k].cells);
  }
  for (std::size_t c = 0; c < field.cells(); ++c) {
    const CellCounts& counts = field.counts(c);
    table.values.push_back(counts.valid_trials() > 0 ? counts.success_probability() : 0.0);
  }
  return table;
}

}  // namespace

std::vector<CellMass> cell_masses(const SuccessField& field, const PlacementError& error,
                                  const PlacementVector& nominal) {
  std::array<AxisMasses, 3> axes;
  for (std::size_t k = 0; k < 3; ++k) axes[k] = axis_masses(field.axes()[k], error[k], nominal[k]);
  std::vector<CellMass> result;
  for (std::size_t k = 0; k < axes[2].mass.size(); ++k) {
    for (std::size_t j = 0; j < axes[1].mass.size(); ++j) {
      const std::size_t row = field.cell(axes[0].first, axes[1].first + static_cast<int>(j),
                                         axes[2].first + static_cast<int>(k));
      const double mass = axes[1].mass[j] * axes[2].mass[k];
      for (std::size_t i = 0; i < axes[0].mass.size(); ++i) {
        result.push_back({row + i, axes[0].mass[i] * mass});
      }
    }
  }
  return result;
}

void trial_weights(const SuccessField& field, const PlacementError& error,
                   const PlacementVector& nominal, std::size_t cell, std::vector<double>& weights) {
  const double largest = largest_log_density(cell_box(field, cell), error, nominal);
  weights.clear();
  for (const auto* trial = field.begin(cell); trial != field.end(cell); ++trial) {
    weights.push_back(std::exp(log_density(*trial, error, nominal) - largest));
  }
  double sum = 0;
  double squares = 0;
  for (const double w : weights) {
    sum += w;
    squares += w * w;
  }
  if (!(sum * sum >= kLeastEffective * squares) || sum == 0)
    std::fill(weights.begin(), weights.end(), 1.0);
}

ExpectedSuccess expected_success(const SuccessField& field, const PlacementError& error,
                                 const PlacementVector& nominal, double z) {
  ExpectedSuccess result;
  std::vector<Stratum> strata;
  std::vector<double> weights;
  double inside = 0;
  for (const CellMass& cell : cell_masses(field, error, nominal)) {
    inside += cell.mass;
    trial_weights(field, error, nominal, cell.cell, weights);
    const CellSums sums = cell_sums(field, cell.cell, weights);
    if (!(sums.all > 0)) continue;
    strata.push_back(stratum(cell.mass, sums));
    add_shares(result, cell.mass, sums);
  }
  const StratifiedProbability known = stratified_probability(strata, z);
  result.probability = result.shares[static_cast<std::size_t>(Outcome::kSuccess)];
  result.interval = known.interval;
  result.known_share = std::min(known.known_weight, 1.0);
  result.outside_share = std::max(1 - inside, 0.0);
  result.effective_trials = known.effective_trials;
  return result;
}

double expected_success_probability(const SuccessField& field, const PlacementError& error,
                                    const PlacementVector& nominal) {
  double sum = 0;
  std::vector<double> weights;
  for (const CellMass& cell : cell_masses(field, error, nominal)) {
    sum += cell.mass * cell_mean(field, error, nominal, cell.cell, weights);
  }
  return sum;
}

std::array<int, 3> PlacementGrid::index(std::size_t node) const {
  const std::size_t nx = values[0].size();
  const std::size_t ny = values[1].size();
  return {static_cast<int>(node % nx), static_cast<int>(node / nx % ny),
          static_cast<int>(node / nx / ny)};
}

PlacementVector PlacementGrid::at(std::size_t node) const {
  const std::array<int, 3> i = index(node);
  return {values[0][static_cast<std::size_t>(i[0])], values[1][static_cast<std::size_t>(i[1])],
          values[2][static_cast<std::size_t>(i[2])]};
}

std::vector<double> screened_success(const SuccessField& field, const PlacementError& error,
                                     const PlacementGrid& grid) {
  Table3 table = cell_means(field);
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<AxisMasses> nodes;
    for (const double value : grid.values[k]) {
      nodes.push_back(axis_masses(field.axes()[k], error[k], value));
    }
    table = convolved(table, k, nodes);
  }
  return std::move(table.values);
}

}  // namespace graspmap
