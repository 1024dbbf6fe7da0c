#include "grasp/decide/plan/expected_success.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "geometry/assert.hpp"
#include "grasp/base/probability/design_effect.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"

namespace graspmap {
namespace {

/// Less mass than this along an axis is left out: it is beyond anything that trials can resolve.
constexpr double kLeastMass = 1e-12;

/// With fewer effective trials in a cell than this, all its trials weigh the same.
constexpr double kLeastEffective = 5.0;

/// The masses of consecutive cells along an axis.
struct AxisMasses {
  int first = 0;
  std::vector<double> mass;
};

AxisMasses axis_masses(const Axis& axis, const Distribution& error, double nominal) {
  if (axis.is_fixed()) return {0, {1.0}};
  nominal = axis.seen_from((axis.min + axis.max) / 2, nominal);
  if (error.is_fixed()) {
    if (!axis.contains(nominal)) return {0, {}};
    return {axis.nearest_cell(nominal), {1.0}};
  }
  AxisMasses result;
  for (int i = 0; i < axis.cells && axis.period > 0; ++i) {
    double& mass = result.mass.emplace_back();
    for (const double at : {nominal - axis.period, nominal, nominal + axis.period}) {
      mass += error_mass(error, axis.cell_min(i) - at, axis.cell_max(i) - at);
    }
  }
  if (axis.period > 0) return result;
  const double reach = 9 * error.width();  // beyond it lies less than kLeastMass
  for (int i = 0; i < axis.cells; ++i) {
    if (axis.cell_max(i) < nominal - reach || axis.cell_min(i) > nominal + reach) continue;
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

/// Every `step`-th of a cell's trials from `first` on, with their weights.
WeightedCell weighted(const SuccessField& field, std::size_t cell,
                      const std::vector<double>& weights, std::size_t first = 0,
                      std::size_t step = 1) {
  WeightedCell sums;
  for (std::size_t k = first; k < weights.size(); k += step) {
    sums.add(field.begin(cell)[k].outcome, weights[k]);
  }
  return sums;
}

PlacementVector moved(const PlacementVector& nominal, const PlacementVector& shift) {
  return {nominal[0] + shift[0], nominal[1] + shift[1], nominal[2] + shift[2]};
}

std::vector<CellMass> masses_of_component(const SuccessField& field, const PlacementError& error,
                                          const PlacementVector& nominal) {
  std::array<AxisMasses, 3> axes;
  for (std::size_t k = 0; k < 3; ++k) axes[k] = axis_masses(field.axes()[k], error[k], nominal[k]);
  std::vector<CellMass> result;
  for (std::size_t k = 0; k < axes[2].mass.size(); ++k) {
    if (axes[2].mass[k] < kLeastMass) continue;  // of a whole turn
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

/// The largest value of the error's density is 1 / (sqrt(2 pi) of this).
double density_scale(const Distribution& error) {
  if (const auto* uniform = error.as<Uniform>()) {
    return (uniform->max - uniform->min) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  }
  return error.sigma().value_or(1.0);
}

/// The place in a cell that is nearest to another, which becomes the one that the cell sees.
PlacementVector nearest_in_cell(const SuccessField& field, std::size_t cell, PlacementVector& to) {
  PlacementVector nearest{};
  auto rest = static_cast<int>(cell);
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis& axis = field.axes()[k];
    const int i = rest % axis.cells;
    to[k] = axis.seen_from(axis.cell_center(i), to[k]);
    nearest[k] = std::clamp(to[k], axis.cell_min(i), axis.cell_max(i));
    rest /= axis.cells;
  }
  return nearest;
}

/// The logarithm of a component's density, with the same unit for all components of a mixture:
/// along an exact axis 1 in the cell that is aimed at. `log_scale`: of the density's largest value.
double log_density_at(const SuccessField& field, const PlacementError& spread,
                      const PlacementVector& center, double log_scale, const PlacementVector& at) {
  double log_sum = -log_scale;
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis& axis = field.axes()[k];
    if (axis.is_fixed()) continue;
    if (!spread[k].is_fixed()) {
      log_sum += log_relative_density(spread[k], at[k] - center[k]);
    } else if (!axis.contains(center[k]) ||
               axis.nearest_cell(at[k]) != axis.nearest_cell(center[k])) {
      return -std::numeric_limits<double>::infinity();
    }
  }
  return log_sum;
}

/// A component that counts in a cell.
struct NearComponent {
  const ErrorComponent* component;
  PlacementVector center{};
  double log_scale = 0;
};

std::vector<NearComponent> near_components(const SuccessField& field, const ErrorMixture& error,
                                           const PlacementVector& nominal, std::size_t cell) {
  constexpr double kNothing = -50;  // e to this is less than rounding
  std::vector<NearComponent> near;
  for (const ErrorComponent& component : error.components) {
    NearComponent one{&component, moved(nominal, component.shift)};
    const PlacementVector nearest = nearest_in_cell(field, cell, one.center);
    if (log_density_at(field, component.spread, one.center, 0, nearest) < kNothing) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      if (field.axes()[k].is_fixed() || component.spread[k].is_fixed()) continue;
      one.log_scale += std::log(density_scale(component.spread[k]));
    }
    near.push_back(one);
  }
  return near;
}

void weights_of_simple_error(const SuccessField& field, const PlacementError& error,
                             PlacementVector nominal, std::size_t cell,
                             std::vector<double>& weights) {
  // Relative to the largest density in the cell, so that those of far cells do not vanish.
  const PlacementVector nearest = nearest_in_cell(field, cell, nominal);
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    largest += log_relative_density(error[k], nearest[k] - nominal[k]);
  }
  for (const auto* trial = field.begin(cell); trial != field.end(cell); ++trial) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += log_relative_density(error[k], trial->at[k] - nominal[k]);
    }
    weights.push_back(std::exp(sum - largest));
  }
}

void weights_of_mixture(const SuccessField& field, const ErrorMixture& error,
                        const PlacementVector& nominal, std::size_t cell,
                        std::vector<double>& weights) {
  const std::vector<NearComponent> near = near_components(field, error, nominal, cell);
  for (const auto* trial = field.begin(cell); trial != field.end(cell); ++trial) {
    double sum = 0;
    for (const auto& [component, center, log_scale] : near) {
      const double weight =
          error.draw_weights.empty() ? 1.0 : error.draw_weights[component->draw][trial->source];
      if (!(weight > 0)) continue;
      sum +=
          weight * std::exp(log_density_at(field, component->spread, center, log_scale, trial->at));
    }
    weights.push_back(sum);
  }
}

/// The share of successes among the weighted trials of one net of a cell; nothing where fewer than
/// kLeastNet trials' worth say it.
std::optional<double> net_mean(const SuccessField& field, std::size_t cell,
                               const std::vector<double>& weights, std::size_t net) {
  constexpr double kLeastNet = 4.0;
  const WeightedCell sums = weighted(field, cell, weights, net, kNetsPerCell);
  if (sums.weight == 0 || sums.effective_trials() < kLeastNet) return std::nullopt;
  return sums.of(Outcome::kSuccess) / sums.weight;
}

/// Adds the variance of a cell's part of P. Where the nets are too small to show it, and where all
/// trials came out alike, the trials count as independent.
void add_cell(DesignEffect& effect, const SuccessField& field, std::size_t cell,
              const std::vector<double>& weights, const Stratum& s, const StratumSpread& spread) {
  const double independent = s.weight * s.weight * spread.variance / s.trials;
  const bool came_out_alike = s.successes <= 0 || s.successes >= s.trials;
  const auto a = net_mean(field, cell, weights, 0);
  const auto b = net_mean(field, cell, weights, 1);
  const bool tells = a && b && !came_out_alike;
  effect.add(tells ? std::pow(s.weight * (*a - *b) / 2, 2) : independent, independent);
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

/// The mean of each cell's trials as they count under the distributions of a mixture, whatever the
/// error.
Table3 cell_means(const SuccessField& field, const ErrorMixture& error) {
  Table3 table;
  for (std::size_t k = 0; k < 3; ++k) {
    table.size[k] = static_cast<std::size_t>(field.axes()[k].cells);
  }
  for (std::size_t c = 0; c < field.cells(); ++c) {
    if (error.draw_weights.empty()) {
      const CellCounts& counts = field.counts(c);
      table.values.push_back(counts.valid_trials() > 0 ? counts.success_probability() : 0.0);
      continue;
    }
    double successes = 0;
    double all = 0;
    for (const auto* trial = field.begin(c); trial != field.end(c); ++trial) {
      if (trial->outcome == Outcome::kFailed) continue;
      double weight = 0;
      for (const std::vector<double>& draw : error.draw_weights) weight += draw[trial->source];
      all += weight;
      successes += trial->outcome == Outcome::kSuccess ? weight : 0.0;
    }
    table.values.push_back(all > 0 ? successes / all : 0.0);
  }
  return table;
}

}  // namespace

std::vector<CellMass> cell_masses(const SuccessField& field, const ErrorMixture& error,
                                  const PlacementVector& nominal) {
  if (error.components.size() == 1) {
    const ErrorComponent& only = error.components.front();
    return masses_of_component(field, only.spread, moved(nominal, only.shift));
  }
  check_stop();
  std::vector<double> masses(field.cells(), 0.0);
  const double share = 1.0 / static_cast<double>(error.components.size());
  for (const ErrorComponent& component : error.components) {
    for (const CellMass& cell :
         masses_of_component(field, component.spread, moved(nominal, component.shift))) {
      masses[cell.cell] += share * cell.mass;
    }
  }
  std::vector<CellMass> result;
  for (std::size_t c = 0; c < masses.size(); ++c) {
    if (masses[c] >= kLeastMass) result.push_back({c, masses[c]});
  }
  return result;
}

void trial_weights(const SuccessField& field, const ErrorMixture& error,
                   const PlacementVector& nominal, std::size_t cell, std::vector<double>& weights) {
  weights.clear();
  if (error.is_simple()) {
    const ErrorComponent& only = error.components.front();
    weights_of_simple_error(field, only.spread, moved(nominal, only.shift), cell, weights);
  } else {
    weights_of_mixture(field, error, nominal, cell, weights);
  }
  const double effective = effective_sample_size(weights);
  // Under other distributions few effective trials must do: there are no more.
  const double least = error.draw_weights.empty() ? kLeastEffective : 0.0;
  if (effective == 0 || effective < least) std::fill(weights.begin(), weights.end(), 1.0);
}

StratumSpread outcome_spread(const SuccessField& field, const ErrorMixture& error, std::size_t cell,
                             const Stratum& counts) {
  if (error.draw_weights.empty() && field.counts(cell).count(Outcome::kFailed) == 0) {
    return field.spread(cell);
  }
  const double p = (counts.successes + 0.5) / (counts.trials + 1);
  return spread_at(p);
}

ExpectedSuccess expected_success(const SuccessField& field, const ErrorMixture& error,
                                 const PlacementVector& nominal, double z) {
  ExpectedSuccess result;
  std::vector<Stratum> strata;
  std::vector<StratumSpread> spreads;
  std::vector<double> weights;
  double inside = 0;
  DesignEffect effect;
  for (const CellMass& cell : cell_masses(field, error, nominal)) {
    inside += cell.mass;
    trial_weights(field, error, nominal, cell.cell, weights);
    const WeightedCell sums = weighted(field, cell.cell, weights);
    if (!(sums.all() > 0)) continue;
    strata.push_back(sums.stratum(cell.mass));
    spreads.push_back(outcome_spread(field, error, cell.cell, strata.back()));
    if (field.has_nets() && strata.back().trials > 0) {
      add_cell(effect, field, cell.cell, weights, strata.back(), spreads.back());
    }
    for (const Outcome outcome : kOutcomes) {
      const double of = outcome == Outcome::kFailed ? sums.all() : sums.weight;
      if (!(of > 0)) continue;
      result.shares[static_cast<std::size_t>(outcome)] += cell.mass * sums.of(outcome) / of;
    }
  }
  // Masses sum up to 1, apart from rounding.
  for (double& share : result.shares) share = std::min(share, 1.0);
  result.design_effect = effect.value(effect.mean());
  const double more = 1 / result.design_effect;
  for (Stratum& s : strata) {
    s.successes *= more;
    s.trials *= more;
  }
  const StratifiedProbability known = stratified_probability(strata, z);
  result.probability = result.shares[static_cast<std::size_t>(Outcome::kSuccess)];
  result.interval = spread_interval(strata, spreads, z);
  result.interval.low = std::min(result.interval.low, result.probability);
  result.interval.high = std::max(result.interval.high, result.probability);
  result.known_share = std::min(known.known_weight, 1.0);
  result.outside_share = std::max(1 - inside, 0.0);
  result.effective_trials = known.effective_trials;
  return result;
}

double expected_success_probability(const SuccessField& field, const ErrorMixture& error,
                                    const PlacementVector& nominal) {
  double sum = 0;
  std::vector<double> weights;
  for (const auto& [cell, mass] : cell_masses(field, error, nominal)) {
    const CellCounts& counts = field.counts(cell);
    const std::int64_t successes = counts.count(Outcome::kSuccess);
    if (successes == 0) continue;
    double mean = 1;  // of a cell whose trials all succeed, whatever their weights
    if (successes < counts.trials()) {
      trial_weights(field, error, nominal, cell, weights);
      const WeightedCell sums = weighted(field, cell, weights);
      mean = sums.weight > 0 ? sums.of(Outcome::kSuccess) / sums.weight : 0.0;
    }
    sum += mass * mean;
  }
  return std::min(sum, 1.0);
}

namespace {

/// What the values of a grid along one axis have in a cell.
struct NodeWeights {
  std::size_t node = 0;
  double mass = 0.0;            ///< of the error, in the cell's bounds along the axis
  std::vector<double> weights;  ///< of the cell's trials, relative to the largest in the cell
};

/// Those of the nodes with a mass there; weights only of a cell whose trials differ.
std::vector<NodeWeights> nodes_at(const SuccessField& field, std::size_t cell, std::size_t axis,
                                  int place, const Distribution& error,
                                  const std::vector<double>& values,
                                  const std::vector<AxisMasses>& masses, bool differ) {
  std::vector<NodeWeights> nodes;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const int k = place - masses[n].first;
    if (k < 0 || k >= static_cast<int>(masses[n].mass.size())) continue;
    NodeWeights& node = nodes.emplace_back();
    node.node = n;
    node.mass = masses[n].mass[static_cast<std::size_t>(k)];
    if (!differ) continue;
    const Axis& bounds = field.axes()[axis];
    const double value = bounds.seen_from(bounds.cell_center(place), values[n]);
    const double nearest = std::clamp(value, bounds.cell_min(place), bounds.cell_max(place));
    const double largest = log_relative_density(error, nearest - value);
    for (const auto* trial = field.begin(cell); trial != field.end(cell); ++trial) {
      const double offset = trial->at[axis] - value;
      node.weights.push_back(std::exp(log_relative_density(error, offset) - largest));
    }
  }
  return nodes;
}

/// The mean of a cell's trials with the products of two weights; all alike where they leave too few
/// effective trials.
double mean_of(const SuccessField& field, std::size_t cell, const std::vector<double>& a,
               const std::vector<double>& b) {
  double successes = 0;
  double valid = 0;
  double all = 0;
  double squares = 0;
  const auto* trial = field.begin(cell);
  for (std::size_t t = 0; t < a.size(); ++t, ++trial) {
    const double weight = a[t] * b[t];
    all += weight;
    squares += weight * weight;
    if (trial->outcome != Outcome::kFailed) valid += weight;
    if (trial->outcome == Outcome::kSuccess) successes += weight;
  }
  if (!(all * all >= kLeastEffective * squares) || all == 0) {
    const CellCounts& counts = field.counts(cell);
    return counts.valid_trials() > 0 ? counts.success_probability() : 0.0;
  }
  return valid > 0 ? successes / valid : 0.0;
}

}  // namespace

std::vector<double> expected_success_on(const SuccessField& field, const PlacementError& error,
                                        const PlacementGrid& grid) {
  std::array<std::vector<AxisMasses>, 3> masses;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const double value : grid.values[k]) {
      masses[k].push_back(axis_masses(field.axes()[k], error[k], value));
    }
  }
  const std::array<int, 3> cells{field.axes()[0].cells, field.axes()[1].cells,
                                 field.axes()[2].cells};
  std::vector<double> sums(grid.size(), 0.0);
  std::vector<double> row_weights;
  for (std::size_t cell = 0; cell < field.cells(); ++cell) {
    const CellCounts& counts = field.counts(cell);
    const std::int64_t successes = counts.count(Outcome::kSuccess);
    if (successes == 0) continue;
    const bool differ = successes < counts.trials();
    const std::array<int, 3> place = node_index(cells, cell);
    std::array<std::vector<NodeWeights>, 3> nodes;
    for (std::size_t k = 0; k < 3; ++k) {
      nodes[k] = nodes_at(field, cell, k, place[k], error[k], grid.values[k], masses[k], differ);
    }
    for (const NodeWeights& theta : nodes[2]) {
      for (const NodeWeights& y : nodes[1]) {
        row_weights = y.weights;
        for (std::size_t t = 0; t < row_weights.size(); ++t) row_weights[t] *= theta.weights[t];
        for (const NodeWeights& x : nodes[0]) {
          const double mean = differ ? mean_of(field, cell, x.weights, row_weights) : 1.0;
          const std::array<int, 3> node{static_cast<int>(x.node), static_cast<int>(y.node),
                                        static_cast<int>(theta.node)};
          sums[node_at(grid.shape(), node)] += x.mass * y.mass * theta.mass * mean;
        }
      }
    }
  }
  return sums;
}

std::vector<ErrorMixture> worlds_of(const ErrorMixture& error) {
  std::vector<ErrorMixture> worlds(error.worlds);
  for (ErrorMixture& world : worlds) world.components.clear();
  for (const ErrorComponent& component : error.components) {
    ErrorMixture& world = worlds[component.world];
    world.components.push_back(component);
    world.components.back().draw = 0;
    if (!error.draw_weights.empty()) world.draw_weights = {error.draw_weights[component.draw]};
  }
  return worlds;
}

std::vector<double> success_in_worlds(const SuccessField& field, const ErrorMixture& error,
                                      const PlacementVector& nominal) {
  std::vector<double> successes;
  for (const ErrorMixture& world : worlds_of(error)) {
    successes.push_back(expected_success_probability(field, world, nominal));
  }
  return successes;
}

Interval interval_of_worlds(const std::vector<double>& successes, double confidence) {
  return {sample_quantile(successes, (1 - confidence) / 2),
          sample_quantile(successes, (1 + confidence) / 2)};
}

Interval with_worlds(const ExpectedSuccess& success, const Interval& of_worlds) {
  const double estimate = success.probability;
  const Interval& trials = success.interval;
  const double low = std::min(of_worlds.low, estimate);
  const double high = std::max(of_worlds.high, estimate);
  return {std::max(estimate - std::hypot(estimate - trials.low, estimate - low), 0.0),
          std::min(estimate + std::hypot(estimate - trials.high, estimate - high), 1.0)};
}

PlacementVector PlacementGrid::at(std::size_t node) const {
  GRASPMAP_ASSERT(node < size());
  const std::array<int, 3> i = node_index(shape(), node);
  return {values[0][static_cast<std::size_t>(i[0])], values[1][static_cast<std::size_t>(i[1])],
          values[2][static_cast<std::size_t>(i[2])]};
}

std::vector<double> screened_success(const SuccessField& field, const ErrorMixture& error,
                                     const PlacementGrid& grid) {
  const Table3 means = cell_means(field, error);
  std::vector<double> sum(grid.size(), 0.0);
  const double share = 1.0 / static_cast<double>(error.components.size());
  for (const ErrorComponent& component : error.components) {
    check_stop();
    Table3 table = means;
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<AxisMasses> nodes;
      for (const double value : grid.values[k]) {
        nodes.push_back(
            axis_masses(field.axes()[k], component.spread[k], value + component.shift[k]));
      }
      table = convolved(table, k, nodes);
    }
    for (std::size_t node = 0; node < sum.size(); ++node) sum[node] += share * table.values[node];
  }
  return sum;
}

}  // namespace graspmap
