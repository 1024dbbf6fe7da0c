#pragma once

#include <limits>
#include <span>

#include "grasp/decide/agreement/site_model.hpp"

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

/// The sizes of the change that it finds with probability 80 % and 90 %; see ChangeResult.
struct DetectableChange {
  double at_80 = std::numeric_limits<double>::quiet_NaN();
  double at_90 = std::numeric_limits<double>::quiet_NaN();
};

DetectableChange detectable_change(const ScoreTest& test);

}  // namespace graspmap
