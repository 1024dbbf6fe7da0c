#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "lab/mcp/problem.hpp"
#include "tests/lab/mcp/linear_problems.hpp"
#include "tests/lab/mcp/nonlinear_problems.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;

using mcp::ComplementarityFunction;
using mcp::Kind;
using mcp::Slopes;

namespace {

constexpr double kPenalty = 0.9;

const std::vector<ComplementarityFunction> kAllFunctions = {
    ComplementarityFunction::kNaturalMap, ComplementarityFunction::kFischerBurmeister,
    ComplementarityFunction::kPenalisedFischerBurmeister};

Eigen::VectorXd Phi_at(mcp::Problem& problem, ComplementarityFunction function,
                       const Eigen::VectorXd& z) {
  Eigen::VectorXd F;
  Eigen::VectorXd Phi;
  problem.evaluate(z, F);
  reformulate(problem, function, kPenalty, z, F, Phi);
  return Phi;
}

Eigen::MatrixXd dPhi_at(mcp::Problem& problem, ComplementarityFunction function,
                        const Eigen::VectorXd& z) {
  Eigen::VectorXd F;
  Eigen::MatrixXd J;
  Eigen::MatrixXd dPhi;
  problem.evaluate(z, F);
  problem.jacobian(z, J);
  reformulate_jacobian(problem, function, kPenalty, z, F, J, dPhi);
  return dPhi;
}

}  // namespace

TEST_CASE("the functions vanish exactly at complementary pairs") {
  for (const auto function : kAllFunctions) {
    CHECK(value(function, 0.0, 0.0, kPenalty) == 0.0);
    for (const double a : {1e-9, 0.3, 1.0, 2e8}) {
      CHECK(value(function, a, 0.0, kPenalty) == 0.0);
      CHECK(value(function, 0.0, a, kPenalty) == 0.0);
      CHECK(value(function, -a, 0.0, kPenalty) < 0.0);
      CHECK(value(function, -a, -a, kPenalty) < 0.0);
      CHECK(value(function, a, -a, kPenalty) < 0.0);
      CHECK(value(function, a, a, kPenalty) > 0.0);
    }
  }
}

TEST_CASE("the Fischer-Burmeister function keeps its digits for unlike arguments") {
  // a + b - sqrt(a^2 + b^2) = b - b^2/(2 a) + ... for b << a
  const double b = 1e-12;
  CHECK(value(ComplementarityFunction::kFischerBurmeister, 1.0, b, 1.0) ==
        Approx(b - 0.5 * b * b).epsilon(1e-14));
}

TEST_CASE("the penalised function is the weighted sum of the paper") {
  const auto penalised = ComplementarityFunction::kPenalisedFischerBurmeister;
  CHECK(value(penalised, 3.0, 4.0, 0.95) == Approx(0.95 * 2.0 + 0.05 * 12.0));
  CHECK(value(penalised, -3.0, 4.0, 0.95) == Approx(0.95 * -4.0));
  CHECK(value(penalised, 3.0, 4.0, 1.0) == Approx(2.0));
}

TEST_CASE("slopes are the differences away from kinks and near them") {
  Random random(1);
  for (const auto function : kAllFunctions) {
    for (int trial = 0; trial < 300; ++trial) {
      const double size = std::pow(10.0, random.uniform(-6.0, 2.0));
      const double a = size * random.uniform(-1.0, 1.0);
      const double b = size * random.uniform(-1.0, 1.0);
      const double h = 1e-4 * std::min({std::abs(a), std::abs(b), std::abs(a - b)});
      const Slopes slope = slopes(function, a, b, kPenalty);
      const double in_a =
          (value(function, a + h, b, kPenalty) - value(function, a - h, b, kPenalty)) / (2.0 * h);
      const double in_b =
          (value(function, a, b + h, kPenalty) - value(function, a, b - h, kPenalty)) / (2.0 * h);
      const double tolerance = 1e-7 + 1e-15 * size / h;
      CHECK(std::abs(slope.a - in_a) <= tolerance);
      CHECK(std::abs(slope.b - in_b) <= tolerance);
    }
  }
}

TEST_CASE("slopes at the kink are limits of those nearby") {
  for (const auto function : kAllFunctions) {
    const Slopes at = slopes(function, 0.0, 0.0, kPenalty);
    const Slopes near = slopes(function, 1e-9, 1e-9, kPenalty);
    CHECK(at.a == Approx(near.a).margin(1e-8));
    CHECK(at.b == Approx(near.b).margin(1e-8));
  }
}

TEST_CASE("the Jacobian of the reformulation is its derivative") {
  Random random(2);
  for (const auto function : kAllFunctions) {
    KojimaShindoProblem problem;
    for (int trial = 0; trial < 50; ++trial) {
      const Eigen::VectorXd z = 2.0 * random_vector(random, 4);
      const Eigen::MatrixXd dPhi = dPhi_at(problem, function, z);
      constexpr double kStep = 1e-6;
      for (int j = 0; j < 4; ++j) {
        const Eigen::VectorXd to = kStep * Eigen::VectorXd::Unit(4, j);
        const Eigen::VectorXd difference =
            (Phi_at(problem, function, z + to) - Phi_at(problem, function, z - to)) / (2.0 * kStep);
        CHECK((dPhi.col(j) - difference).norm() <= 1e-6);
      }
    }
  }
}

TEST_CASE("at a degenerate solution the Jacobian is a limit along its direction") {
  // Mylapilli and Jain 2017, eq. (45): the direction y is one on the rows at their kink.
  KojimaShindoProblem problem;
  mcp::LinearProblem linear;
  linear.M = Eigen::Matrix3d{{2.0, -1.0, 0.5}, {0.3, 1.0, -2.0}, {1.0, 1.0, 1.0}};
  linear.q = Eigen::Vector3d(0.0, 0.0, -1.0);
  linear.kinds = {Kind::kNonnegative, Kind::kNonnegative, Kind::kNonnegative};
  mcp::LinearProblemView view(linear);
  for (const auto function : {ComplementarityFunction::kFischerBurmeister,
                              ComplementarityFunction::kPenalisedFischerBurmeister}) {
    const Eigen::Vector3d z = Eigen::Vector3d::Zero();  // rows 1 and 2 are at their kink
    const Eigen::MatrixXd at = dPhi_at(view, function, z);
    const Eigen::MatrixXd near = dPhi_at(view, function, z + 1e-8 * Eigen::Vector3d(1, 1, 0));
    CHECK((at - near).cwiseAbs().maxCoeff() <= 1e-7);
    CHECK(at.allFinite());
  }
}

TEST_CASE("free rows pass through the reformulation") {
  LogarithmProblem problem(0.5);
  const Eigen::VectorXd z = Eigen::VectorXd::Constant(1, 2.0);
  for (const auto function : kAllFunctions) {
    CHECK(Phi_at(problem, function, z)[0] == std::log(2.0) - 0.5);
    CHECK(dPhi_at(problem, function, z)(0, 0) == 0.5);
  }
}

using mcp::Kind;
using mcp::Status;

TEST_CASE("the natural residual is the largest of the rows") {
  const mcp::LinearProblem linear{
      Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero(), {Kind::kFree, Kind::kNonnegative}};
  const mcp::LinearProblemView view(linear);
  const auto residual = [&](double z1, double z2, double F1, double F2) {
    return natural_residual(view, Eigen::Vector2d(z1, z2), Eigen::Vector2d(F1, F2));
  };
  CHECK(residual(7.0, 0.0, 0.0, 3.0) == 0.0);
  CHECK(residual(7.0, 3.0, 0.0, 0.0) == 0.0);
  CHECK(residual(7.0, 3.0, -0.5, 0.0) == 0.5);
  CHECK(residual(7.0, 3.0, -0.5, 2.0) == 2.0);
  CHECK(residual(7.0, -3.0, -0.5, 2.0) == 3.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(residual(nan, 0.0, 0.0, 0.0) == infinity);
  CHECK(residual(0.0, 0.0, 0.0, infinity) == infinity);
  CHECK(residual(0.0, 0.0, nan, 0.0) == infinity);
}

TEST_CASE("statuses have different names") {
  std::set<std::string> names;
  for (const auto status : {Status::kSolved, Status::kIterationLimit, Status::kStalled,
                            Status::kRay, Status::kInfeasible, Status::kNotFinite}) {
    names.insert(mcp::name(status));
  }
  CHECK(names.size() == 6);
}
