#include "grasp/decide/agreement/level_change.hpp"

#include <cmath>

namespace graspmap {
namespace {

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

struct MeanAndVariance {
  double mean = 0.0;
  double variance = 0.0;
};

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

}  // namespace

std::vector<double> with_odds_multiplied(std::span<const SiteModel> models, double log_factor) {
  std::vector<double> probabilities;
  probabilities.reserve(models.size());
  for (const SiteModel& model : models) {
    const double log_odds = std::log(model.smoothed / (1 - model.smoothed)) + log_factor;
    probabilities.push_back(1 / (1 + std::exp(-log_odds)));
  }
  return probabilities;
}

double mean_over_trials(std::span<const SiteModel> models, std::span<const double> probabilities) {
  double sum = 0.0;
  double trials = 0.0;
  for (std::size_t k = 0; k < models.size(); ++k) {
    sum += models[k].trials * probabilities[k];
    trials += models[k].trials;
  }
  return sum / trials;
}

double log_factor_of_mean(std::span<const SiteModel> models, double mean) {
  return last_where(-kMostLogFactor, kMostLogFactor,
                    [&](double log_factor) { return moments(models, log_factor).mean <= mean; });
}

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

}  // namespace graspmap
