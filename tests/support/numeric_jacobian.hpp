#pragma once

#include "lab/mcp/problem.hpp"

namespace graspmap::testing {

/// dF/dz of a complementarity problem by central differences of second order.
inline Eigen::MatrixXd numeric_jacobian(mcp::Problem& problem, const Eigen::VectorXd& z, double h) {
  Eigen::MatrixXd J(z.size(), z.size());
  Eigen::VectorXd plus;
  Eigen::VectorXd minus;
  for (int i = 0; i < z.size(); ++i) {
    Eigen::VectorXd moved = z;
    moved[i] += h;
    problem.evaluate(moved, plus);
    moved[i] -= 2.0 * h;
    problem.evaluate(moved, minus);
    J.col(i) = (plus - minus) / (2.0 * h);
  }
  return J;
}

}  // namespace graspmap::testing
