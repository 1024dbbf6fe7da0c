#pragma once

#include <Eigen/Core>

#include "lab/mcp/problem.hpp"

namespace graspmap::testing {

/// What a solver of Siconos returns.
struct SiconosResult {
  bool is_solved = false;
  Eigen::VectorXd z;
};

/// The linear complementarity problem (M, q) by Siconos' Lemke method with lexicographic order.
SiconosResult siconos_lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q);

/// The same by its semismooth Newton method on the Fischer-Burmeister function.
SiconosResult siconos_newton(const Eigen::MatrixXd& M, const Eigen::VectorXd& q);

/// A problem whose rows are all complementary by its semismooth Newton method on the
/// Fischer-Burmeister function, from `start`.
SiconosResult siconos_newton(mcp::Problem& problem, const Eigen::VectorXd& start);

}  // namespace graspmap::testing
