#pragma once

#include <string>
#include <vector>

#include "grasp/decide/calibrate/outcome_model.hpp"

namespace graspmap {

/// A direction in which an experiment may differ from what is predicted.
struct FitTrend {
  std::string name;        ///< "level", "x", "y", "x x", "x y", "y y"
  double deviation = 0.0;  ///< observed minus predicted successes along it, in standard deviations
};

/// Whether an experiment looks like what a posterior predicts.
struct FitCheck {
  double deviance = 0.0;           ///< mean over the posterior
  double expected_deviance = 0.0;  ///< of counts that the posterior predicts
  double deviance_p_value = 1.0;
  std::vector<FitTrend> trends;  ///< means over the posterior
  double trend_p_value = 1.0;
  double successes = 0.0;            ///< of the experiment
  double predicted_successes = 0.0;  ///< mean over the posterior
  [[nodiscard]] double p_value() const;
  /// The trend with the largest deviation.
  [[nodiscard]] const FitTrend& largest_trend() const;
};

/// Posterior predictive p-values (Gelman, Meng, Stern 1996): how often counts that the posterior
/// predicts fit worse than the experiment's. By the deviance, which tells with many trials in a
/// cell, and by the largest of the deviations along level, x, y and their products, which tells
/// with few. p_value() is twice the smaller of the two. `predictions` are those at draws of the
/// posterior.
FitCheck check_fit(const std::vector<CalibrationCell>& cells,
                   const std::vector<std::vector<CellPrediction>>& predictions);

}  // namespace graspmap
