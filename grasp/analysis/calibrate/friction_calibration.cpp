#include "grasp/analysis/calibrate/friction_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grasp/analysis/compare/shared_cells.hpp"
#include "grasp/statistics/random.hpp"

namespace graspmap {
namespace {

constexpr std::uint64_t kPriorSeed = 2;
constexpr std::uint64_t kReplicateSeed = 3;
constexpr std::uint64_t kSplitSeed = 4;

/// Two for each split of the stored trials.
constexpr int kHalves = 10;

// ---- The posterior ----

/// One of the two halves into which split `split` divides the stored trials.
std::vector<EmulatorTrial> half(const std::vector<EmulatorTrial>& trials, int split, bool first) {
  std::vector<EmulatorTrial> chosen;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const bool in_first = uniform_open(kSplitSeed, i, static_cast<std::uint32_t>(split)) < 0.5;
    if (in_first == first) chosen.push_back(trials[i]);
  }
  return chosen;
}

void append(PosteriorDraws& all, const PosteriorDraws& more) {
  all.dimension = more.dimension;
  all.points.insert(all.points.end(), more.points.begin(), more.points.end());
  all.log_likelihood.insert(all.log_likelihood.end(), more.log_likelihood.begin(),
                            more.log_likelihood.end());
  all.effective_draws += more.effective_draws;
  all.log_evidence += more.log_evidence / kHalves;
  all.temperatures = std::max(all.temperatures, more.temperatures);
}

/// The posteriors that halves of the stored trials give, mixed: an emulator of half of the trials
/// differs from that of all as much as the latter differs from the truth, so that the mixture is as
/// much wider as the noise of the stored trials asks for.
PosteriorDraws bagged_posterior(const CalibrationData& data, LawFamily family,
                                const EmulatorBandwidths& bandwidths, SamplerSettings settings) {
  PosteriorDraws all;
  settings.draws /= kHalves;
  for (int k = 0; k < kHalves; ++k) {
    const std::vector<EmulatorTrial> trials = half(data.trials, k / 2, k % 2 == 0);
    const CalibrationModel model(data, trials, family, bandwidths);
    const auto log_likelihood = [&](std::span<const double> point) {
      return model.log_likelihood(point);
    };
    append(all, sample_posterior(model.dimension(), log_likelihood, settings));
    ++settings.seed;
  }
  return all;
}

// ---- What was learned ----

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sd_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// The quantile of values by linear interpolation of their order.
double quantile_of(std::vector<double> values, double u) {
  std::sort(values.begin(), values.end());
  const double at = u * static_cast<double>(values.size() - 1);
  const auto k = static_cast<std::size_t>(at);
  if (k + 1 == values.size()) return values[k];
  return values[k] + (at - static_cast<double>(k)) * (values[k + 1] - values[k]);
}

Interval interval_of(const std::vector<double>& values, double confidence) {
  return {quantile_of(values, (1 - confidence) / 2), quantile_of(values, (1 + confidence) / 2)};
}

/// The numbers of a law that are reported: its two parameters and its mean.
std::array<double, 3> numbers_of(LawFamily family, const Distribution& law) {
  switch (family) {
    case LawFamily::kUniform:
      return {law.min, law.max, mean_of_law(law)};
    case LawFamily::kNormal:
      return {law.mean, law.sigma, mean_of_law(law)};
  }
  return {};
}

std::array<std::string, 3> names_of(LawFamily family, const std::string& key) {
  switch (family) {
    case LawFamily::kUniform:
      return {key + ".min", key + ".max", key + " on average"};
    case LawFamily::kNormal:
      return {key + ".mean", key + ".sigma", key + " on average"};
  }
  return {};
}

/// The standard deviations of these numbers under the prior, from draws of it.
std::array<double, 3> prior_sds(LawFamily family, const FrictionRange& range) {
  constexpr std::uint64_t kDraws = 4000;
  std::array<std::vector<double>, 3> values;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const auto law =
        law_at(family, range, uniform_open(kPriorSeed, i, 0), uniform_open(kPriorSeed, i, 1));
    const auto numbers = numbers_of(family, law);
    for (std::size_t k = 0; k < 3; ++k) values[k].push_back(numbers[k]);
  }
  return {sd_of(values[0]), sd_of(values[1]), sd_of(values[2])};
}

Learned learned_from(std::vector<double> draws, double confidence) {
  Learned learned;
  learned.mean = mean_of(draws);
  learned.sd = sd_of(draws);
  learned.median = quantile_of(draws, 0.5);
  learned.interval = interval_of(draws, confidence);
  learned.draws = std::move(draws);
  return learned;
}

void add_learned(Calibration& result, const CalibrationModel& model, std::size_t input,
                 double confidence) {
  const FrictionRange& range = result.ranges[input];
  std::array<std::vector<double>, 3> draws;
  for (const auto& point : result.posterior.points) {
    const auto numbers = numbers_of(result.family, model.laws(point)[input]);
    for (std::size_t k = 0; k < 3; ++k) draws[k].push_back(numbers[k]);
  }
  const auto names = names_of(result.family, range.key);
  const auto sds = prior_sds(result.family, range);
  for (std::size_t k = 0; k < 3; ++k) {
    Learned learned = learned_from(std::move(draws[k]), confidence);
    learned.name = names[k];
    learned.input = input;
    learned.is_parameter = k < 2;
    learned.prior_sd = sds[k];
    result.learned.push_back(std::move(learned));
  }
}

double correlation(const Learned& a, const Learned& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.draws.size(); ++i) {
    sum += (a.draws[i] - a.mean) * (b.draws[i] - b.mean);
  }
  const double scale = a.sd * b.sd * static_cast<double>(a.draws.size());
  return scale > 0 ? sum / scale : 0.0;
}

void add_correlations(Calibration& result) {
  for (const Learned& a : result.learned) {
    if (!a.is_parameter) continue;
    result.correlations.emplace_back();
    for (const Learned& b : result.learned) {
      if (b.is_parameter) result.correlations.back().push_back(correlation(a, b));
    }
  }
}

/// The law with the posterior means of the parameters of an input.
Distribution mean_law(const Calibration& result, std::size_t input) {
  const FrictionRange& range = result.ranges[input];
  if (range.is_fixed()) return {.kind = DistributionKind::kFixed, .mean = range.low};
  std::vector<double> means;
  for (const Learned& learned : result.learned) {
    if (learned.input == input && learned.is_parameter) means.push_back(learned.mean);
  }
  switch (result.family) {
    case LawFamily::kUniform:
      return {.kind = DistributionKind::kUniform, .min = means[0], .max = means[1]};
    case LawFamily::kNormal:
      return {DistributionKind::kTruncatedNormal, means[0], means[1], range.low, range.high};
  }
  return {};
}

// ---- Whether it fits ----

/// 2 sum of y log(y / (n p)) + (n - y) log((n - y) / (n (1 - p))).
double deviance(std::int64_t successes, std::int64_t trials, double p) {
  const auto n = static_cast<double>(trials);
  const auto y = static_cast<double>(successes);
  double sum = 0;
  if (y > 0) sum += y * std::log(y / (n * p));
  if (y < n) sum += (n - y) * std::log((n - y) / (n * (1 - p)));
  return 2 * sum;
}

/// A beta-binomial count by Polya's urn, with the random numbers of `index` from `draw` on.
std::int64_t draw_count(std::int64_t trials, double p, double nu, std::uint64_t index,
                        std::uint32_t& draw) {
  std::int64_t successes = 0;
  for (std::int64_t k = 0; k < trials; ++k) {
    const double share = (p * nu + static_cast<double>(successes)) / (nu + static_cast<double>(k));
    if (uniform_open(kReplicateSeed, index, draw++) < share) ++successes;
  }
  return successes;
}

/// The posterior predictive p-value of the deviance (Gelman, Meng, Stern 1996), and the cells.
void add_predictions(Calibration& result, const CalibrationData& data,
                     const CalibrationModel& model, double confidence) {
  constexpr std::size_t kMostReplicates = 400;
  const auto& points = result.posterior.points;
  const std::size_t step = std::max<std::size_t>(1, points.size() / kMostReplicates);
  std::vector<std::vector<double>> probabilities(data.cells.size());
  std::vector<double> effective;
  double worse = 0;
  double replicates = 0;
  for (std::size_t i = 0; i < points.size(); i += step) {
    const std::vector<CellPrediction> expected = model.predict(points[i]);
    const double efficiency = model.efficiency(points[i]);
    double observed = 0;
    double replicated = 0;
    std::uint32_t draw = 0;
    for (std::size_t k = 0; k < data.cells.size(); ++k) {
      const ExperimentCell& cell = data.cells[k].experiment;
      const double p = expected[k].probability;
      observed += deviance(cell.successes, cell.trials, p);
      const std::int64_t count = draw_count(cell.trials, p, expected[k].effective_trials, i, draw);
      replicated += deviance(count, cell.trials, p);
      probabilities[k].push_back(p);
      effective.push_back(static_cast<double>(data.cells[k].stored_trials) * efficiency);
    }
    worse += replicated >= observed ? 1 : 0;
    result.deviance += observed;
    result.expected_deviance += replicated;
    ++replicates;
  }
  result.p_value = worse / replicates;
  result.deviance /= replicates;
  result.expected_deviance /= replicates;
  result.median_effective_trials = quantile_of(effective, 0.5);
  for (const auto& p : probabilities) {
    result.predicted.push_back({mean_of(p), interval_of(p, confidence)});
  }
}

}  // namespace

Calibration calibrate_friction(const CalibrationData& data, LawFamily family, double confidence,
                               const SamplerSettings& settings) {
  const CalibrationModel model(data, data.trials, family);
  Calibration result;
  result.family = family;
  result.ranges = data.ranges;
  result.bandwidths = model.bandwidths();
  result.posterior = bagged_posterior(data, family, result.bandwidths, settings);
  for (std::size_t input = 0; input < 2; ++input) {
    if (!data.ranges[input].is_fixed()) add_learned(result, model, input, confidence);
  }
  add_correlations(result);
  for (std::size_t input = 0; input < 2; ++input) {
    result.mean_laws[input] = mean_law(result, input);
  }
  add_predictions(result, data, model, confidence);
  return result;
}

}  // namespace graspmap
