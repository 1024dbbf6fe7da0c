#pragma once

#include <Eigen/Core>
#include <vector>

namespace graspmap {

/// The least of u' Q u / 2 - b . u over the u for which the sum of u_k G_k is positive
/// semidefinite, by an interior-point method. `start` must make it positive definite; the result
/// does too. Small problems: some 25 unknowns, matrices of some 9 rows.
Eigen::VectorXd semidefinite_least_squares(const Eigen::MatrixXd& Q, const Eigen::VectorXd& b,
                                           const std::vector<Eigen::MatrixXd>& G,
                                           const Eigen::VectorXd& start);

/// The least of |A w - b|^2 over w >= 0: Lawson and Hanson 1974. Takes A' A and A' b.
Eigen::VectorXd non_negative_least_squares(const Eigen::MatrixXd& AtA, const Eigen::VectorXd& Atb);

}  // namespace graspmap
