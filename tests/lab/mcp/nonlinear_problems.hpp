#pragma once

#include <Eigen/Core>
#include <cmath>

#include "lab/mcp/problem.hpp"

namespace graspmap::testing {

/// A nonlinear complementarity problem of four unknowns whose rows 1, 2 and 4 Josephy's and
/// Kojima-Shindo's problems share.
class JosephyProblem : public mcp::Problem {
 public:
  [[nodiscard]] int size() const override { return 4; }
  [[nodiscard]] mcp::Kind kind(int /*i*/) const override { return mcp::Kind::kNonnegative; }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override {
    const double x1 = z[0];
    const double x2 = z[1];
    F.resize(4);
    F[0] = 3.0 * x1 * x1 + 2.0 * x1 * x2 + 2.0 * x2 * x2 + z[2] + 3.0 * z[3] - 6.0;
    F[1] = 2.0 * x1 * x1 + x1 + x2 * x2 + third_in_second_ * z[2] + 2.0 * z[3] - 2.0;
    F[2] = 3.0 * x1 * x1 + x1 * x2 + 2.0 * x2 * x2 + 2.0 * z[2] + fourth_in_third_ * z[3] -
           constant_in_third_;
    F[3] = x1 * x1 + 3.0 * x2 * x2 + 2.0 * z[2] + 3.0 * z[3] - 3.0;
  }
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override {
    const double x1 = z[0];
    const double x2 = z[1];
    J.resize(4, 4);
    J.row(0) << 6.0 * x1 + 2.0 * x2, 2.0 * x1 + 4.0 * x2, 1.0, 3.0;
    J.row(1) << 4.0 * x1 + 1.0, 2.0 * x2, third_in_second_, 2.0;
    J.row(2) << 6.0 * x1 + x2, x1 + 4.0 * x2, 2.0, fourth_in_third_;
    J.row(3) << 2.0 * x1, 6.0 * x2, 2.0, 3.0;
  }

 protected:
  JosephyProblem(double third_in_second, double fourth_in_third, double constant_in_third)
      : third_in_second_(third_in_second),
        fourth_in_third_(fourth_in_third),
        constant_in_third_(constant_in_third) {}

 public:
  /// Josephy's: its solution is (sqrt(6)/2, 0, 0, 1/2).
  JosephyProblem() : JosephyProblem(3.0, 3.0, 1.0) {}

 private:
  double third_in_second_;
  double fourth_in_third_;
  double constant_in_third_;
};

/// Kojima and Shindo's: the solutions are (1, 0, 3, 0) and (sqrt(6)/2, 0, 0, 1/2), the latter with
/// z_3 = F_3 = 0.
class KojimaShindoProblem : public JosephyProblem {
 public:
  KojimaShindoProblem() : JosephyProblem(10.0, 9.0, 9.0) {}
};

/// Mathiesen's market: every (t, 0, 0, 0) with 0 <= t <= 3 is a solution. Not finite where z_2 or
/// z_3 is -1.
class MathiesenProblem : public mcp::Problem {
 public:
  [[nodiscard]] int size() const override { return 4; }
  [[nodiscard]] mcp::Kind kind(int /*i*/) const override { return mcp::Kind::kNonnegative; }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override {
    F.resize(4);
    F[0] = -z[1] + z[2] + z[3];
    F[1] = z[0] - (4.5 * z[2] + 2.7 * z[3]) / (z[1] + 1.0);
    F[2] = 5.0 - z[0] - (0.5 * z[2] + 0.3 * z[3]) / (z[2] + 1.0);
    F[3] = 3.0 - z[0];
  }
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override {
    const double s = z[1] + 1.0;
    const double r = z[2] + 1.0;
    J.resize(4, 4);
    J.row(0) << 0.0, -1.0, 1.0, 1.0;
    J.row(1) << 1.0, (4.5 * z[2] + 2.7 * z[3]) / (s * s), -4.5 / s, -2.7 / s;
    J.row(2) << -1.0, 0.0, -0.5 / r + (0.5 * z[2] + 0.3 * z[3]) / (r * r), -0.3 / r;
    J.row(3) << -1.0, 0.0, 0.0, 0.0;
  }
};

/// One free unknown: log(z) = target. F is not finite for z <= 0.
class LogarithmProblem : public mcp::Problem {
 public:
  explicit LogarithmProblem(double target) : target_(target) {}
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] mcp::Kind kind(int /*i*/) const override { return mcp::Kind::kFree; }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override {
    F = Eigen::VectorXd::Constant(1, std::log(z[0]) - target_);
  }
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override {
    J = Eigen::MatrixXd::Constant(1, 1, 1.0 / z[0]);
  }

 private:
  double target_;
};

/// One free unknown: z^2 + 1 = 0, which has no solution; the merit is stationary at 0.
class NoRootProblem : public mcp::Problem {
 public:
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] mcp::Kind kind(int /*i*/) const override { return mcp::Kind::kFree; }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override {
    F = Eigen::VectorXd::Constant(1, z[0] * z[0] + 1.0);
  }
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override {
    J = Eigen::MatrixXd::Constant(1, 1, 2.0 * z[0]);
  }
};

}  // namespace graspmap::testing
