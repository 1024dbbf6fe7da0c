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
  Eigen::VectorXd mean;         ///< sum w x / sum w
  Eigen::MatrixXd covariance;   ///< sum w (x - mean)(x - mean)^T / sum w, times n / (n - 1), n the
                                ///< effective number; NaN for n <= 1
  Eigen::VectorXd of_unknowns;  ///< mean squares by which what is unknown but the same in all
                                ///< observations moves the means; empty: nothing is
  [[nodiscard]] Eigen::VectorXd standard_deviations() const;
  /// Those of the means: standard deviation / sqrt(n), and what is unknown.
  [[nodiscard]] Eigen::VectorXd standard_errors() const;
};

Moments moments(const WeightedSample& sample);

/// The correlations of a covariance; 0 with a coordinate that has no spread, as `spread` says.
Eigen::MatrixXd correlations(const Eigen::MatrixXd& covariance, const std::vector<bool>& spread);

/// Quantiles of one coordinate: the smallest value such that the weight up to and with it is at
/// least the given share of all weight.
std::vector<double> weighted_quantiles(const Eigen::VectorXd& values,
                                       const Eigen::VectorXd& weights,
                                       std::span<const double> shares);

/// The observations chosen, in their order.
WeightedSample subsample(const WeightedSample& sample, const std::vector<Eigen::Index>& rows);

/// The number of trials of equal weight that are as precise as weighted ones:
/// (sum w)^2 / sum w^2 (Kish 1965, "Survey Sampling"); 0 when all weights are 0.
double effective_sample_size(std::span<const double> weights);

/// k-hat: the shape of the generalised Pareto distribution that fits the largest of the weights, by
/// which Pareto smoothed importance sampling judges them (Vehtari, Simpson, Gelman, Yao, Gabry
/// 2024, "Pareto smoothed importance sampling"). Moments of the weights up to order 1/k exist:
/// beyond 0.7, averages with these weights are not to be trusted, whatever their effective number
/// says. The largest min(n/5, 3 sqrt(n)) of n weights are fitted as Zhang and Stephens do (2009, "A
/// new and efficient estimation method for the generalized Pareto distribution"), drawn a little
/// towards 0.5. -infinity when there is no tail: fewer than 5 of them, or all of them equal.
double pareto_tail_shape(std::span<const double> weights);

/// The largest k-hat of weights that can be used.
inline constexpr double kMostParetoShape = 0.7;

}  // namespace graspmap
