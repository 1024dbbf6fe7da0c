#include "grasp/decide/reweight/reweighted_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The closed interval that holds all draws.
Interval reach_of(const Distribution& law) {
  if (law.kind == DistributionKind::kFixed) return {law.mean, law.mean};
  return {law.min, law.max};
}

bool is_fixed(const Distribution& law) { return law.kind == DistributionKind::kFixed; }

std::string bounds_text(const Distribution& law) {
  if (law.min > -kInfinity && law.max < kInfinity) {
    return fmt::format(", {} to {}", law.min, law.max);
  }
  if (law.min > -kInfinity) return fmt::format(", at least {}", law.min);
  if (law.max < kInfinity) return fmt::format(", at most {}", law.max);
  return "";
}

/// A narrow uniform law about a value, inside of what is covered.
std::string narrow_uniform(const Distribution& stored, double value) {
  const double low = quantile(stored, 0.005);
  const double high = quantile(stored, 0.995);
  const double half = 0.05 * (high - low);
  return fmt::format("{{ distribution = \"uniform\", min = {:.3g}, max = {:.3g} }}",
                     std::max(value - half, low), std::min(value + half, high));
}

std::string fixed_text(const Distribution& stored, double value) {
  const Interval reach = reach_of(stored);
  if (value < reach.low || value > reach.high) {
    return fmt::format("{} is not covered: the run drew {}", value, law_text(stored));
  }
  return fmt::format(
      "no stored trial has exactly {}; give a narrow uniform distribution, as in {}, or simulate: "
      "graspmap run --set",
      value, narrow_uniform(stored, value));
}

/// The atom of `wanted` at a bound that `stored` does not have.
std::string atom_text(const Distribution& stored, const Distribution& wanted) {
  for (const double bound : {wanted.min, wanted.max}) {
    const double probability = atom(wanted, bound);
    if (probability > 0 && !(atom(stored, bound) > 0)) {
      return fmt::format(
          "a normal distribution puts what is beyond its bounds onto them, here {:.2g} % onto {}, "
          "which no "
          "stored trial has exactly; truncated_normal does not (the run drew {})",
          100 * probability, bound, law_text(stored));
    }
  }
  return "";
}

/// A law that is listed, against a stored one or with another one wanted: single values are only
/// in stored trials that drew them, and an empty bin is in none.
std::string listed_text(const Distribution& stored, const Distribution& wanted) {
  if (wanted.kind == DistributionKind::kDiscrete) {
    for (const double value : wanted.values) {
      if (!(atom(stored, value) > 0)) return fixed_text(stored, value);
    }
  } else if (stored.kind == DistributionKind::kDiscrete) {
    return fmt::format(
        "the run drew {}, nothing between; other distributions need a run: graspmap run --set",
        law_text(stored));
  }
  if (stored.kind != DistributionKind::kHistogram) return "";
  for (std::size_t k = 0; k < stored.weights.size(); ++k) {
    const double low = stored.values[k];
    const double high = stored.values[k + 1];
    if (stored.weights[k] > 0 || !(cumulative(wanted, high) > cumulative(wanted, low))) continue;
    return fmt::format(
        "the distribution {} reaches into {} to {}, where no trial is stored; other distributions "
        "need a run: "
        "graspmap run --set",
        law_text(wanted), low, high);
  }
  return "";
}

/// The laws of all random inputs of a configuration, by key: friction, noise, uncertain numbers.
std::vector<std::pair<std::string, Distribution>> random_inputs(const SweepConfig& config) {
  const PlacementSweep& placement = config.placement;
  std::vector<std::pair<std::string, Distribution>> inputs = {
      {"friction.jaw", config.mu_jaw},
      {"friction.support", config.mu_support},
      {"placement.noise.x_mm", placement.noise_x_mm},
      {"placement.noise.y_mm", placement.noise_y_mm},
      {"placement.noise.theta_rad", placement.noise_theta_rad}};
  for (const UncertainNumber& number : config.uncertain)
    inputs.emplace_back(number.key, number.law);
  return inputs;
}

/// What was drawn for a trial, in the order of random_inputs.
std::vector<double> drawn_values(const SweepConfig& config, const TrialRow& row) {
  const PlacementNoise noise = sample_noise(config, row.index);
  std::vector<double> values = {row.parameters.mu_jaw, row.parameters.mu_support, noise.x_mm,
                                noise.y_mm, noise.theta_rad};
  if (config.uncertain.empty()) return values;
  const std::vector<double> uncertain =
      sample_uncertain(config, config.seed, static_cast<std::uint64_t>(row.index));
  values.insert(values.end(), uncertain.begin(), uncertain.end());
  return values;
}

bool same_law(const Distribution& a, const Distribution& b) {
  return a.kind == b.kind && a.mean == b.mean && a.sigma == b.sigma && a.min == b.min &&
         a.max == b.max && a.mode == b.mode && a.values == b.values && a.weights == b.weights;
}

/// "friction.jaw" of "friction.jaw = 0.2".
std::string path_of(const std::string& assignment) {
  std::string path = assignment.substr(0, assignment.find('='));
  path.erase(std::remove(path.begin(), path.end(), ' '), path.end());
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

/// Whether a path names an input, a part of its law, or all inputs of a table.
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

/// The law of an input; a number that is not uncertain is fixed.
Distribution law_of(const SweepConfig& config, const std::string& key) {
  for (const auto& [name, law] : random_inputs(config)) {
    if (name == key) return law;
  }
  const auto number = ScenarioNumber::find(config.scenario, key);
  GRASPMAP_CHECK(number);
  return {.kind = DistributionKind::kFixed, .mean = number->value(config.scenario)};
}

bool is_correlated(const SweepConfig& config, const std::string& key) {
  return std::any_of(
      config.correlated.begin(), config.correlated.end(), [&](const CorrelatedInputs& inputs) {
        return std::find(inputs.keys.begin(), inputs.keys.end(), key) != inputs.keys.end();
      });
}

}  // namespace

std::string law_text(const Distribution& law) {
  switch (law.kind) {
    case DistributionKind::kFixed:
      return fmt::format("fixed {}", law.mean);
    case DistributionKind::kUniform:
      return fmt::format("uniform {} to {}", law.min, law.max);
    case DistributionKind::kNormal:
      return fmt::format("normal {} +- {}{}", law.mean, law.sigma, bounds_text(law));
    case DistributionKind::kTruncatedNormal:
      return fmt::format("truncated normal {} +- {}{}", law.mean, law.sigma, bounds_text(law));
    case DistributionKind::kLognormal:
      return fmt::format("lognormal {} +- {}{}", law.mean, law.sigma, bounds_text(law));
    case DistributionKind::kTriangular:
      return fmt::format("triangular {} to {}, mode {}", law.min, law.max, law.mode);
    case DistributionKind::kDiscrete:
      return fmt::format("{} values from {} to {}", law.values.size(), law.min, law.max);
    case DistributionKind::kHistogram:
      return fmt::format("histogram of {} bins, {} to {}", law.weights.size(), law.min, law.max);
  }
  return "";
}

std::string uncovered_text(const Distribution& stored, const Distribution& wanted) {
  if (is_fixed(stored)) {
    if (is_fixed(wanted) && wanted.mean == stored.mean) return "";
    return fmt::format("the run drew {} only; other distributions need a run: graspmap run --set",
                       law_text(stored));
  }
  if (is_fixed(wanted)) {
    return atom(stored, wanted.mean) > 0 ? "" : fixed_text(stored, wanted.mean);
  }
  const Interval run = reach_of(stored);
  const Interval law = reach_of(wanted);
  if (law.low < run.low || law.high > run.high) {
    const bool below = law.low < run.low;
    return fmt::format(
        "the distribution {} {} {}, where no trial is stored; the run drew {}: stay inside, or "
        "simulate: "
        "graspmap run --set",
        law_text(wanted), below ? "reaches below" : "reaches above", below ? run.low : run.high,
        law_text(stored));
  }
  const std::string listed = listed_text(stored, wanted);
  return listed.empty() ? atom_text(stored, wanted) : listed;
}

double probability_ratio(const Distribution& stored, const Distribution& wanted, double x) {
  const double stored_atom = atom(stored, x);
  if (stored_atom > 0) return atom(wanted, x) / stored_atom;
  GRASPMAP_ASSERT(density(stored, x) > 0);
  return density(wanted, x) / density(stored, x);
}

LawChange::LawChange(const SweepConfig& stored, const SweepConfig& wanted,
                     const std::vector<std::string>& overrides)
    : stored_(stored) {
  std::vector<std::string> keys;
  for (const SweepConfig* config : {&stored, &wanted}) {
    for (const auto& [key, law] : random_inputs(*config)) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string& key = keys[k];
    const ChangedLaw change{key, law_of(stored, key), law_of(wanted, key)};
    if (same_law(change.stored, change.wanted)) continue;
    const std::string problem =
        is_correlated(stored, key)
            ? "is correlated with other inputs: their weights do not come apart; must be "
              "simulated: graspmap run --set"
            : uncovered_text(change.stored, change.wanted);
    if (!problem.empty()) throw config_error(override_of(key, overrides), key, problem);
    changed_.push_back(change);
    places_.push_back(k);  // a number that only `wanted` draws is refused: it is in no trial
  }
}

double LawChange::weight(const TrialRow& row) const {
  const std::vector<double> drawn = drawn_values(stored_, row);
  double product = 1;
  for (std::size_t k = 0; k < changed_.size(); ++k) {
    GRASPMAP_CHECK(places_[k] < drawn.size());
    product *= probability_ratio(changed_[k].stored, changed_[k].wanted, drawn[places_[k]]);
  }
  return product;
}

SweepConfig with_other_laws(const std::string& config_toml,
                            const std::vector<std::string>& overrides) {
  const SweepConfig stored = parse_sweep_config(config_toml, "the run's configuration");
  std::vector<std::string> assignments;
  for (const std::string& assignment : overrides) {
    const std::string path = path_of(assignment);
    if (!is_random_path(stored, path)) {
      throw config_error("--set " + assignment, path,
                         "only the distributions of random inputs can change without new "
                         "simulations: " +
                             allowed_keys(stored));
    }
    // The run's text has the laws of uncertain numbers in their table.
    const bool is_number = std::any_of(
        stored.uncertain.begin(), stored.uncertain.end(), [&](const UncertainNumber& number) {
          return path == number.key || path.starts_with(number.key + ".");
        });
    assignments.push_back(is_number ? std::string(kUncertain) + assignment : assignment);
  }
  return parse_sweep_config(config_toml, "the run's configuration", assignments);
}

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double kish(double sum, double squares) { return squares > 0 ? sum * sum / squares : 0.0; }

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
  GRASPMAP_CHECK(!cells.empty());
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
  constexpr double kTrials = 1e9;
  SuccessMap map = stored;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    map.cells[k] = {};
    if (cells[k].is_unknown()) continue;
    const auto successes =
        static_cast<std::int64_t>(std::llround(cells[k].success_probability() * kTrials));
    auto& counts = map.cells[k].by_outcome;
    counts[static_cast<std::size_t>(Outcome::kSuccess)] = successes;
    counts[static_cast<std::size_t>(Outcome::kWedged)] =
        static_cast<std::int64_t>(kTrials) - successes;
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
