#pragma once

#include <cmath>

#include "lab/mcp/complementarity_functions.hpp"
#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// A point of the minimisation of 1/2 |Phi|^2, and what is known there.
struct LeastSquaresPoint {
  Eigen::VectorXd z;
  Eigen::VectorXd F;
  Eigen::VectorXd Phi;
  double merit = 0.0;  ///< not finite where F is not
};

/// A problem, how its rows are reformulated, and room for its Jacobian.
class LeastSquaresProblem {
 public:
  LeastSquaresProblem(Problem& problem, ComplementarityFunction function, double penalty)
      : problem_(problem), function_(function), penalty_(penalty) {}

  /// Computes F, Phi and the merit at point.z.
  void evaluate(LeastSquaresPoint& point) const {
    problem_.evaluate(point.z, point.F);
    reformulate(problem_, function_, penalty_, point.z, point.F, point.Phi);
    point.merit = 0.5 * point.Phi.squaredNorm();
  }
  /// An element of the generalised Jacobian of Phi at an evaluated point.
  void jacobian(const LeastSquaresPoint& point, Eigen::MatrixXd& dPhi) {
    problem_.jacobian(point.z, J_);
    reformulate_jacobian(problem_, function_, penalty_, point.z, point.F, J_, dPhi);
  }
  /// The natural residual at an evaluated point.
  [[nodiscard]] double residual(const LeastSquaresPoint& point) const {
    return natural_residual(problem_, point.z, point.F);
  }

 private:
  Problem& problem_;
  ComplementarityFunction function_;
  double penalty_;
  Eigen::MatrixXd J_;
};

/// The status of an iteration that ended at a point of natural residual `residual`; `has_stopped`:
/// by itself, before its limit of iterations.
inline Status final_status(double residual, double tolerance, bool has_stopped) {
  if (residual <= tolerance) return Status::kSolved;
  if (!std::isfinite(residual)) return Status::kNotFinite;
  return has_stopped ? Status::kStalled : Status::kIterationLimit;
}

}  // namespace graspmap::mcp
