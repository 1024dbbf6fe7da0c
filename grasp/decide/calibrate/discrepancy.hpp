#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "grasp/decide/calibrate/outcome_model.hpp"

namespace graspmap {

/// A model plus what it leaves out: a smooth random field over the placements, added to the logit
/// of the success probability (Kennedy, O'Hagan 2001, of a success in place of a measurement). The
/// field is a sum of 5 x 5 bumps (squared exponential, as wide as their distance) over the
/// experiment with independent normal heights. Its standard deviation is the last number of a
/// point.
class DiscrepancyModel final : public OutcomeModel {
 public:
  /// `model` and `cells` must live as long.
  DiscrepancyModel(const OutcomeModel& model, const std::vector<CalibrationCell>& cells);

  /// With the likeliest field.
  [[nodiscard]] std::vector<CellPrediction> predict(std::span<const double> point) const override;
  /// The field integrated out (Laplace's approximation).
  [[nodiscard]] double log_likelihood(std::span<const double> point) const override;
  /// The likeliest field in each cell, on the logit scale.
  [[nodiscard]] Eigen::VectorXd field(std::span<const double> point) const;

 private:
  struct Fit {
    Eigen::VectorXd field;
    double log_likelihood = 0.0;
  };
  [[nodiscard]] Fit fit(const std::vector<CellPrediction>& cells, double sd) const;

  const OutcomeModel& model_;
  Eigen::MatrixXd bumps_;  ///< of each cell: a row, of mean square sum 1
};

/// The scale of the half-normal prior of the field's standard deviation.
inline constexpr double kDiscrepancyScale = 1.0;

/// The standard deviation that belongs to u in [0, 1]: the half-normal distribution's quantile.
double discrepancy_sd(double u);

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
/// predicts fit worse than the experiment's. By the deviance, which has power with many trials in a
/// cell, and by the largest of the deviations along level, x, y and their products, which has it
/// with few. p_value() is twice the smaller of the two. `predictions` are those at draws of the
/// posterior.
FitCheck check_fit(const std::vector<CalibrationCell>& cells,
                   const std::vector<std::vector<CellPrediction>>& predictions);

}  // namespace graspmap
