#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace graspmap {

/// Weighted observations of several coordinates: an observation per row. Weights are >= 0 and not
/// all 0.
struct WeightedSample {
  Eigen::MatrixXd values;
  Eigen::VectorXd weights;

  [[nodiscard]] Eigen::Index size() const { return values.rows(); }
  [[nodiscard]] Eigen::Index coordinates() const { return values.cols(); }
};

/// Kish's effective number of observations, (sum w)^2 / sum w^2 (Kish 1965, "Survey Sampling").
double effective_number(const Eigen::VectorXd& weights);

/// Mean and covariance of a weighted sample.
struct Moments {
  double effective_number = 0.0;
  Eigen::VectorXd mean;        ///< sum w x / sum w
  Eigen::MatrixXd covariance;  ///< sum w (x - mean)(x - mean)^T / sum w, times n / (n - 1), n the
                               ///< effective number; NaN for n <= 1
  [[nodiscard]] Eigen::VectorXd standard_deviations() const;
  /// Of the means: standard deviation / sqrt(n).
  [[nodiscard]] Eigen::VectorXd standard_errors() const;
};

Moments moments(const WeightedSample& sample);

/// The correlations of a covariance; 0 with a coordinate that has no spread, as `spread` tells.
Eigen::MatrixXd correlations(const Eigen::MatrixXd& covariance, const std::vector<bool>& spread);

/// Quantiles of one coordinate: the smallest value such that the weight up to and with it is at
/// least the given share of all weight.
std::vector<double> weighted_quantiles(const Eigen::VectorXd& values,
                                       const Eigen::VectorXd& weights,
                                       std::span<const double> shares);

/// The observations chosen, in their order.
WeightedSample subsample(const WeightedSample& sample, const std::vector<Eigen::Index>& rows);

}  // namespace graspmap
