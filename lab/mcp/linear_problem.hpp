#pragma once

#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// A mixed linear complementarity problem: F(z) = M z + q, n = q.size() unknowns; kinds[i] is the
/// kind of row i.
struct LinearProblem {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;
  std::vector<Kind> kinds;
};

/// The same as a problem for the Newton-type solvers. Refers to `linear`, which must outlive it.
class LinearProblemView : public Problem {
 public:
  explicit LinearProblemView(const LinearProblem& linear) : linear_(linear) {}

  [[nodiscard]] int size() const override { return static_cast<int>(linear_.q.size()); }
  [[nodiscard]] Kind kind(int i) const override {
    return linear_.kinds[static_cast<std::size_t>(i)];
  }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override {
    F = linear_.M * z + linear_.q;
  }
  void jacobian(const Eigen::VectorXd& /*z*/, Eigen::MatrixXd& J) override { J = linear_.M; }

 private:
  const LinearProblem& linear_;
};

}  // namespace graspmap::mcp
