#include "grasp/decide/reweight/reweighted_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "geometry/assert.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"
#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

/// A narrow uniform distribution about a value, inside of what is covered.
std::string narrow_uniform(const Distribution& stored, double value) {
  const double low = stored.quantile(0.005);
  const double high = stored.quantile(0.995);
  const double half = 0.05 * (high - low);
  return fmt::format("{{ distribution = \"uniform\", min = {:.3g}, max = {:.3g} }}",
                     std::max(value - half, low), std::min(value + half, high));
}

std::string fixed_text(const Distribution& stored, double value) {
  const Interval reach = stored.range();
  if (value < reach.low || value > reach.high) {
    return fmt::format("{} is not covered: the run drew {}", value, stored.text());
  }
  return fmt::format("no stored trial has exactly {}; give a narrow uniform distribution, as in {}",
                     value, narrow_uniform(stored, value));
}

/// The atom of `wanted` at a bound that `stored` does not have.
std::string atom_text(const Distribution& stored, const Distribution& wanted) {
  for (const double bound : {wanted.range().low, wanted.range().high}) {
    const double probability = wanted.atom(bound);
    if (probability > 0 && !(stored.atom(bound) > 0)) {
      return fmt::format(
          "a normal distribution puts what is beyond its bounds onto them, here {:.2g} % onto {}, "
          "which no "
          "stored trial has exactly; truncated_normal does not (the run drew {})",
          100 * probability, bound, stored.text());
    }
  }
  return "";
}

/// A distribution that is listed, against a stored one or with another one wanted: single values
/// are only in stored trials that drew them, and an empty bin is in none.
std::string listed_text(const Distribution& stored, const Distribution& wanted) {
  if (const auto* discrete = wanted.as<Discrete>()) {
    for (const double value : discrete->values) {
      if (!(stored.atom(value) > 0)) return fixed_text(stored, value);
    }
  } else if (stored.is<Discrete>()) {
    return fmt::format("the run drew {}, nothing between", stored.text());
  }
  const auto* bins = stored.as<Histogram>();
  for (std::size_t k = 0; bins != nullptr && k < bins->weights.size(); ++k) {
    const double low = bins->edges[k];
    const double high = bins->edges[k + 1];
    if (bins->weights[k] > 0 || !(wanted.cumulative(high) > wanted.cumulative(low))) continue;
    return fmt::format("the distribution {} reaches into {} to {}, where no trial is stored",
                       wanted.text(), low, high);
  }
  return "";
}

/// What was drawn for a trial, in the order of random_inputs.
std::vector<double> drawn_values(const SweepConfig& config, const TrialRow& row) {
  const PlacementNoise noise = sample_noise(config, row.index);
  std::vector<double> values = {row.parameters.mu_jaw, row.parameters.mu_support, noise.x_mm,
                                noise.y_mm, noise.theta_rad};
  if (config.uncertain.empty()) return values;
  const std::vector<double> uncertain = sample_uncertain(config, row.index);
  values.insert(values.end(), uncertain.begin(), uncertain.end());
  return values;
}

/// "friction.jaw" of "friction.jaw = 0.2".
std::string path_of(const std::string& assignment) {
  std::string path = assignment.substr(0, assignment.find('='));
  path.erase(std::remove(path.begin(), path.end(), ' '), path.end());
  for (std::size_t at = path.find("_deg"); at != std::string::npos;
       at = path.find("_deg", at + 1)) {
    const std::size_t end = at + 4;
    if (end == path.size() || path[end] == '.') path.replace(at, 4, "_rad");
  }
  return path;
}

/// Whether an assignment to `path` changes `key`, or something in it.
bool concerns(const std::string& path, const std::string& key) {
  return path == key || path.starts_with(key + ".") || key.starts_with(path + ".");
}

constexpr std::string_view kUncertain = "uncertain.";

/// A path without the name of the table [uncertain].
std::string without_table(const std::string& path) {
  return path.starts_with(kUncertain) ? path.substr(kUncertain.size()) : path;
}

/// The last override that changes an input, as errors name it.
std::string override_of(const std::string& key, const std::vector<std::string>& overrides) {
  for (auto it = overrides.rbegin(); it != overrides.rend(); ++it) {
    if (concerns(without_table(path_of(*it)), key)) return "--set " + *it;
  }
  return "--set";
}

/// Whether a path names an input, a part of its distribution, or all inputs of a table.
bool is_random_path(const SweepConfig& config, const std::string& path) {
  if (path == "friction" || path == "placement.noise" || path == "uncertain") return true;
  const std::string place = without_table(path);
  const auto inputs = random_inputs(config);
  return std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
    return place == input.first || place.starts_with(input.first + ".");
  });
}

std::string allowed_keys(const SweepConfig& config) {
  std::string text = "friction.jaw, friction.support, placement.noise.x_mm, .y_mm, .theta_rad";
  for (const UncertainNumber& number : config.uncertain) text += ", " + number.key;
  return text;
}

/// The distribution of an input; a number that is not uncertain is fixed.
Distribution distribution_of(const SweepConfig& config, const std::string& key) {
  if (const Distribution* distribution = find_distribution(config, key)) return *distribution;
  const auto number = ScenarioNumber::find(config.scenario, key);
  GRASPMAP_CHECK(number);
  return Fixed{number->value(config.scenario)};
}

bool is_correlated(const SweepConfig& config, const std::string& key) {
  return std::any_of(
      config.correlated.begin(), config.correlated.end(), [&](const CorrelatedInputs& inputs) {
        return std::find(inputs.keys.begin(), inputs.keys.end(), key) != inputs.keys.end();
      });
}

}  // namespace

std::string uncovered_text(const Distribution& stored, const Distribution& wanted) {
  if (stored.is_fixed()) {
    if (wanted == stored) return "";
    return fmt::format("the run drew {} only", stored.text());
  }
  if (const auto* fixed = wanted.as<Fixed>()) {
    return stored.atom(fixed->value) > 0 ? "" : fixed_text(stored, fixed->value);
  }
  const Interval run = stored.range();
  const Interval distribution = wanted.range();
  if (distribution.low < run.low || distribution.high > run.high) {
    const bool below = distribution.low < run.low;
    return fmt::format("the distribution {} {} {}, where no trial is stored (the run drew {})",
                       wanted.text(), below ? "reaches below" : "reaches above",
                       below ? run.low : run.high, stored.text());
  }
  const std::string listed = listed_text(stored, wanted);
  return listed.empty() ? atom_text(stored, wanted) : listed;
}

double probability_ratio(const Distribution& stored, const Distribution& wanted, double x) {
  const double stored_atom = stored.atom(x);
  if (stored_atom > 0) return wanted.atom(x) / stored_atom;
  GRASPMAP_ASSERT(stored.density(x) > 0);
  return wanted.density(x) / stored.density(x);
}

InputChange::InputChange(const SweepConfig& stored, const SweepConfig& wanted,
                         const std::vector<std::string>& overrides, const std::string& new_run)
    : stored_(stored) {
  std::vector<std::string> keys;
  for (const SweepConfig* config : {&stored, &wanted}) {
    for (const auto& [key, distribution] : random_inputs(*config)) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string& key = keys[k];
    const ChangedInput change{key, distribution_of(stored, key), distribution_of(wanted, key)};
    // What a lot has in common does not matter to one trial.
    if (change.stored.without_lots() == change.wanted.without_lots()) continue;
    const std::string problem =
        is_correlated(stored, key)
            ? "is correlated with other inputs: their weights do not come apart"
            : uncovered_text(change.stored, change.wanted);
    if (!problem.empty()) {
      throw config_error({override_of(key, overrides)}, key,
                         fmt::format("{}; simulate: {}", problem, new_run));
    }
    changed_.push_back(change);
    places_.push_back(k);  // a number that only `wanted` draws is refused: it is in no trial
  }
}

double InputChange::weight(const TrialRow& row) const {
  const std::vector<double> drawn = drawn_values(stored_, row);
  double product = 1;
  for (std::size_t k = 0; k < changed_.size(); ++k) {
    GRASPMAP_CHECK(places_[k] < drawn.size());
    product *= probability_ratio(changed_[k].stored, changed_[k].wanted, drawn[places_[k]]);
  }
  return product;
}

SweepConfig with_other_distributions(const std::string& config_toml,
                                     const std::vector<std::string>& overrides) {
  const SweepConfig stored = parse_sweep_config(config_toml, "the run's configuration");
  std::vector<std::string> assignments;
  for (const std::string& assignment : overrides) {
    const std::string path = path_of(assignment);
    if (!is_random_path(stored, path)) {
      throw config_error({"--set " + assignment}, path,
                         "only the distributions of random inputs can change without new "
                         "simulations: " +
                             allowed_keys(stored));
    }
    // The run's text has the distributions of uncertain numbers in their table.
    const bool is_number = std::any_of(
        stored.uncertain.begin(), stored.uncertain.end(), [&](const UncertainNumber& number) {
          return path == number.key || path.starts_with(number.key + ".");
        });
    assignments.push_back(is_number ? std::string(kUncertain) + assignment : assignment);
  }
  return parse_sweep_config(config_toml, "the run's configuration", assignments);
}

double least_effective_trials(const SweepConfig& config) {
  constexpr double kLeast = 10.0;
  if (!config.adaptive) return kLeast;
  return std::min(kLeast, config.adaptive->first_trials / 4.0);
}

void WeightedCell::add(Outcome outcome, double weight_of_trial) {
  const bool failed = outcome == Outcome::kFailed;
  by_outcome[static_cast<std::size_t>(outcome)] += weight_of_trial;
  if (!failed) weight += weight_of_trial;
  (failed ? failed_squares : squares) += weight_of_trial * weight_of_trial;
}

Stratum WeightedCell::stratum(double weight_of_stratum) const {
  GRASPMAP_CHECK(all() > 0);
  const double per_weight = all() / (squares + failed_squares);
  const double trials = weight * per_weight;
  return {weight_of_stratum, std::min(of(Outcome::kSuccess) * per_weight, trials), trials,
          of(Outcome::kFailed) * per_weight};
}

double WeightedCell::effective_trials() const {
  return squares > 0 ? weight * weight / squares : 0.0;
}

double WeightedCell::success_probability() const {
  if (is_unknown()) return std::numeric_limits<double>::quiet_NaN();
  return of(Outcome::kSuccess) / weight;
}

Interval WeightedCell::success_interval(double z) const {
  if (is_unknown()) return {0.0, 1.0};
  const Stratum s = stratum(1.0);
  const double trials = s.trials + s.failed;
  return {weighted_wilson_interval(s.successes, trials, z).low,
          weighted_wilson_interval(s.successes + s.failed, trials, z).high};
}

double ReweightedMap::median_effective_trials() const {
  GRASPMAP_CHECK(!cells.empty());
  std::vector<double> trials;
  for (const WeightedCell& cell : cells) trials.push_back(cell.effective_trials());
  return sample_quantile(std::move(trials), 0.5);
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
    if (!cell.is_unknown()) strata.push_back(cell.stratum(0.0));
  }
  for (Stratum& stratum : strata) stratum.weight = 1.0 / static_cast<double>(strata.size());
  return stratified_probability(strata, z).interval;
}

SuccessMap ReweightedMap::as_counts() const {
  constexpr std::int64_t kTrials = 1'000'000'000;
  SuccessMap map = stored;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    map.cells[k] = {};
    if (cells[k].is_unknown()) continue;
    const std::int64_t successes = std::llround(cells[k].success_probability() * kTrials);
    auto& counts = map.cells[k].by_outcome;
    counts[static_cast<std::size_t>(Outcome::kSuccess)] = successes;
    counts[static_cast<std::size_t>(Outcome::kWedged)] = kTrials - successes;
  }
  return map;
}

ReweightedMap reweight_trials(const RunStore& store, const InputChange& change) {
  const PlacementSweep& placement = store.config().placement;
  ReweightedMap result;
  result.stored = SuccessMap(placement);
  result.cells.resize(result.stored.cells.size());
  for (WeightedCell& cell : result.cells) {
    cell.least_trials = least_effective_trials(store.config());
  }
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
