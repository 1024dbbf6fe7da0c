#pragma once

#include <Eigen/Core>

namespace graspmap {

/// Trials for a logistic regression.
struct LogisticData {
  Eigen::MatrixXd features;  ///< a row per trial; the first column is 1
  Eigen::VectorXd labels;    ///< 0 or 1
  Eigen::VectorXd weights;   ///< >= 0
};

/// The coefficients b that minimise
///   sum_k weight_k (log(1 + exp(x_k b)) - y_k x_k b) + ridge/2 sum_(j > 0) b_j^2,
/// by Newton's method with halved steps from `start`. ridge > 0 keeps them finite where a boundary
/// separates the labels without an error.
Eigen::VectorXd fit_logistic(const LogisticData& data, double ridge, Eigen::VectorXd start);

}  // namespace graspmap
