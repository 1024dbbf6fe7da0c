#pragma once

#include <span>

#include "grasp/analysis/agreement/site_model.hpp"

/// How likely the test of a change is to find it.

namespace graspmap {

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

/// The size of the change that it finds with this probability: see ChangeResult::detectable_80.
double detectable_change(const ScoreTest& test, double wanted_power);

}  // namespace graspmap
