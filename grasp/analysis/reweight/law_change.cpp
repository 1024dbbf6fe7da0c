#include "grasp/analysis/reweight/law_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/io/toml_document.hpp"
#include "grasp/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The closed interval that holds all draws.
struct Reach {
  double low;
  double high;
};

Reach reach_of(const Distribution& law) {
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
  const Reach reach = reach_of(stored);
  if (value < reach.low || value > reach.high) {
    return fmt::format("{} is not covered: the run drew {}", value, law_text(stored));
  }
  return fmt::format(
      "no stored trial has exactly {}; give a narrow uniform law, as in {}, or simulate: graspmap "
      "run --set",
      value, narrow_uniform(stored, value));
}

/// The atom of `wanted` at a bound that `stored` does not have.
std::string atom_text(const Distribution& stored, const Distribution& wanted) {
  for (const double bound : {wanted.min, wanted.max}) {
    const double probability = atom(wanted, bound);
    if (probability > 0 && !(atom(stored, bound) > 0)) {
      return fmt::format(
          "a normal law puts what is beyond its bounds onto them, here {:.2g} % onto {}, which no "
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
        "the run drew {}, nothing between; other laws need a run: graspmap run --set",
        law_text(stored));
  }
  if (stored.kind != DistributionKind::kHistogram) return "";
  for (std::size_t k = 0; k < stored.weights.size(); ++k) {
    const double low = stored.values[k];
    const double high = stored.values[k + 1];
    if (stored.weights[k] > 0 || !(cumulative(wanted, high) > cumulative(wanted, low))) continue;
    return fmt::format(
        "the law {} reaches into {} to {}, where no trial is stored; other laws need a run: "
        "graspmap run --set",
        law_text(wanted), low, high);
  }
  return "";
}

double value_of(const TrialRow& row, const PlacementNoise& noise, DrawnInput input) {
  switch (input) {
    case DrawnInput::kMuJaw:
      return row.parameters.mu_jaw;
    case DrawnInput::kMuSupport:
      return row.parameters.mu_support;
    case DrawnInput::kNoiseX:
      return noise.x_mm;
    case DrawnInput::kNoiseY:
      return noise.y_mm;
    case DrawnInput::kNoiseTheta:
      return noise.theta_rad;
  }
  return 0.0;
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

/// The last override that changes an input, as errors name it.
std::string override_of(DrawnInput input, const std::vector<std::string>& overrides) {
  for (auto it = overrides.rbegin(); it != overrides.rend(); ++it) {
    if (concerns(path_of(*it), key_of(input))) return "--set " + *it;
  }
  return "--set";
}

bool is_random_key(const std::string& path) {
  return path == "friction" || path.starts_with("friction.") || path == "placement.noise" ||
         path.starts_with("placement.noise.");
}

}  // namespace

const char* key_of(DrawnInput input) {
  switch (input) {
    case DrawnInput::kMuJaw:
      return "friction.jaw";
    case DrawnInput::kMuSupport:
      return "friction.support";
    case DrawnInput::kNoiseX:
      return "placement.noise.x_mm";
    case DrawnInput::kNoiseY:
      return "placement.noise.y_mm";
    case DrawnInput::kNoiseTheta:
      return "placement.noise.theta_rad";
  }
  return "";
}

const Distribution& law_of(const SweepConfig& config, DrawnInput input) {
  switch (input) {
    case DrawnInput::kMuJaw:
      return config.mu_jaw;
    case DrawnInput::kMuSupport:
      return config.mu_support;
    case DrawnInput::kNoiseX:
      return config.placement.noise_x_mm;
    case DrawnInput::kNoiseY:
      return config.placement.noise_y_mm;
    case DrawnInput::kNoiseTheta:
      return config.placement.noise_theta_rad;
  }
  return config.mu_jaw;
}

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
    return fmt::format("the run drew {} only; other laws need a run: graspmap run --set",
                       law_text(stored));
  }
  if (is_fixed(wanted)) {
    return atom(stored, wanted.mean) > 0 ? "" : fixed_text(stored, wanted.mean);
  }
  const Reach run = reach_of(stored);
  const Reach law = reach_of(wanted);
  if (law.low < run.low || law.high > run.high) {
    const bool below = law.low < run.low;
    return fmt::format(
        "the law {} {} {}, where no trial is stored; the run drew {}: stay inside, or simulate: "
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
  return density(wanted, x) / density(stored, x);
}

LawChange::LawChange(const SweepConfig& stored, const SweepConfig& wanted,
                     const std::vector<std::string>& overrides)
    : stored_(stored), wanted_(wanted) {
  for (const DrawnInput input : kDrawnInputs) {
    const Distribution& before = law_of(stored, input);
    const Distribution& after = law_of(wanted, input);
    if (same_law(before, after)) continue;
    const std::string problem = uncovered_text(before, after);
    if (!problem.empty()) {
      throw config_error(override_of(input, overrides), key_of(input), problem);
    }
    changed_.push_back(input);
  }
}

double LawChange::weight(const TrialRow& row) const {
  const PlacementNoise noise = sample_noise(stored_, row.index);
  double product = 1;
  for (const DrawnInput input : changed_) {
    product *= probability_ratio(law_of(stored_, input), law_of(wanted_, input),
                                 value_of(row, noise, input));
  }
  return product;
}

SweepConfig with_other_laws(const std::string& config_toml,
                            const std::vector<std::string>& overrides) {
  for (const std::string& assignment : overrides) {
    const std::string path = path_of(assignment);
    if (!is_random_key(path)) {
      throw config_error("--set " + assignment, path,
                         "only the laws of random inputs can change without new simulations: "
                         "friction.jaw, friction.support, placement.noise.x_mm, .y_mm, .theta_rad");
    }
  }
  return parse_sweep_config(config_toml, "the run's configuration", overrides);
}

}  // namespace graspmap
