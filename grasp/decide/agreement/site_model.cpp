#include "grasp/decide/agreement/site_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

/// Variances of single trials below this are taken as this in weights: few simulated trials cannot
/// show that an outcome is rarer.
constexpr double kLeastVariance = 0.005;

double slope_of(const ChangedSuccess& changed, double step) {
  const double slope = (changed.high - changed.low) / (2 * step);
  return std::isfinite(slope) ? slope : 0.0;
}

double weight_of(const ChangedSuccess& changed, const SiteModel& model, double slope) {
  if (slope == 0) return 0.0;
  const double p = (changed.low + changed.high + model.pooled) / 3;
  return slope / std::max(p * (1 - p), kLeastVariance);
}

/// The variance of a session's score: that of its mean over the draws, and its mean variance given
/// the draw.
double session_variance(std::span<const PredictedSite> sites, std::size_t session,
                        const SessionDraws& draws, std::span<const double> weights) {
  const std::size_t count = draws.draws();
  double sum = 0.0;
  double squares = 0.0;
  double within = 0.0;
  for (std::size_t j = 0; j < count; ++j) {
    double mean = 0.0;
    for (std::size_t k = 0; k < sites.size(); ++k) {
      if (sites[k].session != session) continue;
      const auto trials = static_cast<double>(sites[k].trials);
      const double p = draws.success[j * draws.places + sites[k].place];
      mean += weights[k] * trials * p;
      within += weights[k] * weights[k] * trials * p * (1 - p);
    }
    sum += mean;
    squares += mean * mean;
  }
  const auto n = static_cast<double>(count);
  return std::max(squares / n - (sum / n) * (sum / n), 0.0) + within / n;
}

}  // namespace

std::vector<SiteModel> site_models(std::span<const PredictedSite> sites, FailedTrials failed) {
  std::vector<SiteModel> models;
  models.reserve(sites.size());
  for (const PredictedSite& site : sites) {
    const SampleCounts counts = decided(site.model, failed);
    SiteModel model;
    model.trials = static_cast<double>(site.trials);
    model.successes = static_cast<double>(site.successes);
    model.simulated = static_cast<double>(counts.trials);
    const auto successes = static_cast<double>(counts.successes);
    model.probability = successes / model.simulated;
    model.smoothed = (successes + 0.5) / (model.simulated + 1);
    model.pooled = (successes + model.successes + 0.5) / (model.simulated + model.trials + 1);
    models.push_back(model);
  }
  return models;
}

std::optional<ScoreWeights> score_weights(std::span<const PredictedSite> sites,
                                          std::span<const SiteModel> models, Change change,
                                          double step) {
  ScoreWeights score;
  score.change = change;
  double trials = 0.0;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    double slope = 1.0;
    double weight = 1.0;
    if (change != Change::kLevel) {
      const ChangedSuccess& changed = sites[k].changed[static_cast<std::size_t>(change)];
      slope = slope_of(changed, step);
      weight = weight_of(changed, models[k], slope);
    }
    score.weights.push_back(weight);
    score.information += weight * models[k].trials * slope;
    score.mean_absolute_slope += models[k].trials * std::abs(slope);
    trials += models[k].trials;
  }
  if (!(score.information > 0)) return std::nullopt;
  score.mean_absolute_slope /= trials;
  return score;
}

std::size_t session_count(std::span<const PredictedSite> sites) {
  std::size_t count = 1;
  for (const PredictedSite& site : sites) count = std::max(count, site.session + 1);
  return count;
}

ScoreVariance score_variance(std::span<const PredictedSite> sites,
                             std::span<const SiteModel> models, const SessionDraws* draws,
                             std::span<const double> weights) {
  ScoreVariance variance;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    const SiteModel& model = models[k];
    const double of_trial =
        weights[k] * weights[k] * model.smoothed * (1 - model.smoothed) * model.trials;
    variance.independent += of_trial;
    variance.model += of_trial * model.trials / model.simulated;
  }
  variance.experiment = variance.independent;
  if (draws == nullptr) return variance;
  const std::size_t sessions = session_count(sites);
  variance.experiment = 0.0;
  for (std::size_t s = 0; s < sessions; ++s) {
    variance.experiment += session_variance(sites, s, *draws, weights);
  }
  // All sessions share the mean of the draws: with s sessions its error counts s times.
  variance.model =
      variance.experiment * static_cast<double>(sessions) / static_cast<double>(draws->draws());
  return variance;
}

namespace {

/// All success probabilities change alike when all odds p / (1 - p) are multiplied by a factor.
/// Odds beyond e^+-40 are 0 and 1.
constexpr double kMostLogFactor = 60.0;
constexpr int kBisections = 60;

/// The largest log factor in [low, high] up to which `holds` is true; it must hold from low on, and
/// then no more.
template <typename Holds>
double last_where(double low, double high, const Holds& holds) {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The probabilities after the logarithms of all odds grew by `log_factor`.
std::vector<double> with_odds_multiplied(std::span<const SiteModel> models, double log_factor) {
  std::vector<double> probabilities;
  probabilities.reserve(models.size());
  for (const SiteModel& model : models) {
    const double log_odds = std::log(model.smoothed / (1 - model.smoothed)) + log_factor;
    probabilities.push_back(1 / (1 + std::exp(-log_odds)));
  }
  return probabilities;
}

MeanAndVariance moments(std::span<const SiteModel> models, double log_factor) {
  const std::vector<double> p = with_odds_multiplied(models, log_factor);
  double trials = 0.0;
  MeanAndVariance result;
  for (std::size_t k = 0; k < models.size(); ++k) {
    trials += models[k].trials;
    result.mean += models[k].trials * p[k];
    result.variance += models[k].trials * p[k] * (1 - p[k]);
  }
  return {result.mean / trials, result.variance / (trials * trials)};
}

/// The log factor at which the mean over the experiment's trials is `mean`.
double log_factor_of_mean(std::span<const SiteModel> models, double mean) {
  return last_where(-kMostLogFactor, kMostLogFactor,
                    [&](double log_factor) { return moments(models, log_factor).mean <= mean; });
}

}  // namespace

Interval mean_success_interval(std::span<const SiteModel> models, double successes, double z,
                               double widening) {
  double trials = 0.0;
  for (const SiteModel& model : models) trials += model.trials;
  const double share = successes / trials;
  const auto too_far = [&](double log_factor) {
    const MeanAndVariance at = moments(models, log_factor);
    return std::abs(share - at.mean) > z * std::sqrt(widening * at.variance);
  };
  const double middle = share <= 0   ? -kMostLogFactor
                        : share >= 1 ? kMostLogFactor
                                     : log_factor_of_mean(models, share);
  Interval interval{0.0, 1.0};
  if (share > 0) {
    interval.low = moments(models, last_where(-kMostLogFactor, middle, too_far)).mean;
  }
  if (share < 1) {
    const auto near = [&](double log_factor) { return !too_far(log_factor); };
    interval.high = moments(models, last_where(middle, kMostLogFactor, near)).mean;
  }
  return interval;
}

namespace {

/// Changes larger than this many steps are not looked for: probabilities are known at one step.
constexpr double kMostSteps = 6.0;
constexpr int kScannedSizes = 48;
constexpr int kDetectionBisections = 30;

/// The mean success over the experiment's trials.
double mean_success(const ScoreTest& test) {
  double expected = 0.0;
  double trials = 0.0;
  for (const SiteModel& model : test.models) {
    expected += model.trials * model.smoothed;
    trials += model.trials;
  }
  return expected / trials;
}

/// The success at all sites after a change: linear between -step, 0 and +step, and beyond, from 0
/// to 1; a level multiplies all odds alike.
std::vector<double> changed_sites(const ScoreTest& test, double amount) {
  if (test.score.change == Change::kLevel) {
    return with_odds_multiplied(test.models,
                                log_factor_of_mean(test.models, mean_success(test) + amount));
  }
  std::vector<double> probabilities;
  for (const PredictedSite& site : test.sites) {
    const double p = site.model.probability();
    const ChangedSuccess& changed = site.changed[static_cast<std::size_t>(test.score.change)];
    const double at_step = amount < 0 ? changed.low : changed.high;
    const double moved = std::clamp(p + std::abs(amount) / test.step * (at_step - p), 0.0, 1.0);
    probabilities.push_back(std::isfinite(at_step) ? moved : p);
  }
  return probabilities;
}

/// The smallest change of a sign that is found with the wanted probability; NaN without one.
double smallest_found(const ScoreTest& test, double wanted, double sign) {
  double most = kMostSteps * test.step;
  if (test.score.change == Change::kLevel) {
    most = sign > 0 ? 1 - mean_success(test) : mean_success(test);
  }
  const double end = most * (1 - 1e-6);
  double low = 0.0;
  for (int i = 1; i <= kScannedSizes; ++i) {
    double high = end * i / kScannedSizes;
    if (power(test, sign * high) < wanted) {
      low = high;
      continue;
    }
    for (int b = 0; b < kDetectionBisections; ++b) {
      const double middle = (low + high) / 2;
      (power(test, sign * middle) < wanted ? low : high) = middle;
    }
    return high;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double power(const ScoreTest& test, double amount) {
  const std::vector<double> changed = changed_sites(test, amount);
  double mean = 0.0;
  double independent = 0.0;
  for (std::size_t k = 0; k < changed.size(); ++k) {
    const SiteModel& model = test.models[k];
    const double weight = test.score.weights[k];
    const double p = changed[k];
    mean += weight * model.trials * (p - model.smoothed);
    independent += weight * weight * model.trials * p * (1 - p);
  }
  const double widening =
      test.variance.independent > 0 ? test.variance.experiment / test.variance.independent : 1.0;
  const double sd = std::sqrt(widening * independent + test.variance.model);
  const double limit = test.z * std::sqrt(test.variance.total());
  if (!(sd > 0)) return std::abs(mean) > limit ? 1.0 : 0.0;
  return normal_cumulative((mean - limit) / sd) + normal_cumulative(-(limit + mean) / sd);
}

DetectableChange detectable_change(const ScoreTest& test) {
  const auto found = [&](double sign) {
    return DetectableChange{smallest_found(test, 0.8, sign), smallest_found(test, 0.9, sign)};
  };
  const DetectableChange up = found(+1);
  const DetectableChange down = found(-1);
  if (std::isnan(up.at_90) != std::isnan(down.at_90)) return std::isnan(up.at_90) ? down : up;
  return {std::fmax(up.at_80, down.at_80), std::fmax(up.at_90, down.at_90)};  // fmax ignores NaN
}

}  // namespace graspmap
