#include "grasp/decide/agreement/detection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "grasp/decide/agreement/level_change.hpp"

namespace graspmap {
namespace {

/// Changes larger than this many steps are not looked for: probabilities are known at one step.
constexpr double kMostSteps = 6.0;
constexpr int kScannedSizes = 48;
constexpr int kDetectionBisections = 30;

double normal_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

std::vector<double> changed_sites(const ScoreTest& test, double amount) {
  if (test.score.change == Change::kLevel) {
    std::vector<double> now;
    for (const SiteModel& model : test.models) now.push_back(model.smoothed);
    const double mean = mean_over_trials(test.models, now) + amount;
    return with_odds_multiplied(test.models, log_factor_of_mean(test.models, mean));
  }
  std::vector<double> changed;
  for (const PredictedSite& site : test.sites) {
    changed.push_back(changed_probability(site, test.score.change, amount, test.step));
  }
  return changed;
}

/// The largest change of a sign that makes sense.
double most(const ScoreTest& test, double sign) {
  if (test.score.change != Change::kLevel) return kMostSteps * test.step;
  double expected = 0.0;
  double trials = 0.0;
  for (const SiteModel& model : test.models) {
    expected += model.trials * model.smoothed;
    trials += model.trials;
  }
  return sign > 0 ? 1 - expected / trials : expected / trials;
}

/// The smallest change of a sign that is found with the wanted probability; NaN without one.
double smallest_found(const ScoreTest& test, double wanted, double sign) {
  const double end = most(test, sign) * (1 - 1e-6);
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

double changed_probability(const PredictedSite& site, Change change, double amount, double step) {
  const double p = site.model.probability();
  const ChangedSuccess& changed = site.changed[static_cast<std::size_t>(change)];
  const double at_step = amount < 0 ? changed.low : changed.high;
  if (!std::isfinite(at_step)) return p;
  return std::clamp(p + std::abs(amount) / step * (at_step - p), 0.0, 1.0);
}

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
  return normal_tail((limit - mean) / sd) + normal_tail((limit + mean) / sd);
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
