#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "grasp/decide/agreement/agreement.hpp"

namespace graspmap {

/// What all parts of an agreement need of its sites.

/// A site with the failed trials of the model decided.
struct SiteModel {
  double trials = 0.0;     ///< of the experiment
  double successes = 0.0;  ///< of the experiment
  double simulated = 0.0;
  double probability = 0.0;  ///< of the model: simulated successes / simulated
  double smoothed = 0.0;     ///< (simulated successes + 1/2) / (simulated + 1)
  double pooled = 0.0;       ///< (all successes + 1/2) / (all trials + 1)

  [[nodiscard]] double residual() const { return successes - trials * probability; }
};

std::vector<SiteModel> site_models(std::span<const PredictedSite> sites, FailedTrials failed);

/// sum over sites of weight (successes - expected successes), the score of a change.
struct ScoreWeights {
  Change change = Change::kLevel;
  std::vector<double> weights;       ///< of the sites
  double information = 0.0;          ///< sum weight trials slope: what a change of 1 adds
  double mean_absolute_slope = 0.0;  ///< |d probability / d change| over the trials
};

/// The weights with which a change is found best if its effect on the probabilities is small:
/// slope / (p (1 - p)), p the mean of the model's probabilities without and with the change; for
/// kLevel 1. Nothing when the change is not known or has no effect.
std::optional<ScoreWeights> score_weights(std::span<const PredictedSite> sites,
                                          std::span<const SiteModel> models, Change change,
                                          double step);

/// The variance of a score when the model is true, and what it would be if friction varied from
/// trial to trial.
struct ScoreVariance {
  double experiment = 0.0;   ///< of the experiment's trials
  double independent = 0.0;  ///< the same without sessions
  double model = 0.0;        ///< of the simulation

  [[nodiscard]] double total() const { return experiment + model; }
};

ScoreVariance score_variance(std::span<const PredictedSite> sites,
                             std::span<const SiteModel> models, const SessionDraws* draws,
                             std::span<const double> weights);

/// The number of sessions of sites: the largest number of one, and 1.
std::size_t session_count(std::span<const PredictedSite> sites);

/// The means over the experiment's trials that `successes` do not contradict: those at which
/// (successes / trials - mean)^2 <= z^2 widening sum n p (1 - p) / (sum n)^2, with the odds
/// multiplied alike. With equal probabilities and widening 1 it is Wilson's interval (1927).
Interval mean_success_interval(std::span<const SiteModel> models, double successes, double z,
                               double widening);

/// A test of a change by its score.
struct ScoreTest {
  std::span<const PredictedSite> sites;
  std::span<const SiteModel> models;
  const ScoreWeights& score;
  const ScoreVariance& variance;  ///< when the model is true
  double step = 0.0;              ///< of the change
  double z = 1.96;                ///< normal quantile of its two-sided level
};

/// The probability that it finds a change of this amount (normal approximation).
double power(const ScoreTest& test, double amount);

/// The sizes of the change that it finds with probability 80 % and 90 %; see ChangeResult.
struct DetectableChange {
  double at_80 = std::numeric_limits<double>::quiet_NaN();
  double at_90 = std::numeric_limits<double>::quiet_NaN();
};

DetectableChange detectable_change(const ScoreTest& test);

}  // namespace graspmap
