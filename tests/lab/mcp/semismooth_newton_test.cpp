#include "lab/mcp/semismooth_newton.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lab/mcp/lemke.hpp"
#include "tests/lab/mcp/contact_lcps.hpp"
#include "tests/lab/mcp/linear_problems.hpp"
#include "tests/lab/mcp/nonlinear_problems.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using mcp::ComplementarityFunction;
using mcp::Kind;
using mcp::LinearProblem;
using mcp::Result;
using mcp::SemismoothNewtonOptions;
using mcp::Status;

namespace {

const std::vector<ComplementarityFunction> kFunctions = {
    ComplementarityFunction::kNaturalMap, ComplementarityFunction::kFischerBurmeister,
    ComplementarityFunction::kPenalisedFischerBurmeister};

SemismoothNewtonOptions with(ComplementarityFunction function) {
  SemismoothNewtonOptions options;
  options.function = function;
  return options;
}

/// A friction row of an open contact in the papers' form: p s = 0 with 0 <= s orthogonal to
/// load^2 - p^2 >= 0, beside (z_3 - 1) = 0. With load = 0 the rows of p and s are zero at p = 0.
class OpenContact : public mcp::Problem {
 public:
  [[nodiscard]] int size() const override { return 3; }
  [[nodiscard]] Kind kind(int i) const override {
    return i == 1 ? Kind::kNonnegative : Kind::kFree;
  }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override {
    F.resize(3);
    F << z[0] * z[1], -z[0] * z[0], z[2] * z[2] * z[2] - 1.0;
  }
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override {
    J.setZero(3, 3);
    J(0, 0) = z[1];
    J(0, 1) = z[0];
    J(1, 0) = -2.0 * z[0];
    J(2, 2) = 3.0 * z[2] * z[2];
  }
};

}  // namespace

TEST_CASE("Newton agrees with Lemke on random positive definite problems") {
  Random random(1);
  for (const auto function : kFunctions) {
    for (int trial = 0; trial < 100; ++trial) {
      const int n = 1 + random.index(30);
      const LinearProblem problem =
          complementary_problem(random_definite(random, n), random_vector(random, n));
      Eigen::VectorXd expected;
      REQUIRE(mcp::lemke(problem, {}, expected).status == Status::kSolved);
      mcp::LinearProblemView view(problem);
      Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
      const Result result = solve_semismooth_newton(view, with(function), z);
      CHECK(result.status == Status::kSolved);
      CHECK(result.residual <= 1e-10);
      CHECK((z - expected).cwiseAbs().maxCoeff() <= 1e-8);
    }
  }
}

TEST_CASE("Newton solves the problem of Josephy") {
  const Eigen::Vector4d expected(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5);
  for (const auto function : kFunctions) {
    for (const double start : {0.5, 1.0, 2.0}) {
      JosephyProblem problem;
      Eigen::VectorXd z = Eigen::Vector4d::Constant(start);
      const Result result = solve_semismooth_newton(problem, with(function), z);
      CAPTURE(static_cast<int>(function), start, result.iterations, mcp::name(result.status));
      CHECK(result.status == Status::kSolved);
      CHECK((z - expected).norm() <= 1e-9);
    }
  }
}

TEST_CASE("Newton finds both solutions of Kojima and Shindo") {
  const Eigen::Vector4d degenerate(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5);
  const Eigen::Vector4d regular(1.0, 0.0, 3.0, 0.0);
  for (const auto function : kFunctions) {
    for (const auto& expected : {degenerate, regular}) {
      KojimaShindoProblem problem;
      Eigen::VectorXd z = expected + 0.1 * Eigen::Vector4d(1.0, -0.5, 0.3, -0.7);
      const Result result = solve_semismooth_newton(problem, with(function), z);
      CAPTURE(static_cast<int>(function), result.iterations, mcp::name(result.status));
      CHECK(result.status == Status::kSolved);
      CHECK((z - expected).norm() <= 1e-8);
    }
  }
}

TEST_CASE("Newton finds one of the many solutions of Mathiesen's market") {
  for (const auto function : kFunctions) {
    MathiesenProblem problem;
    Eigen::VectorXd z = Eigen::Vector4d::Ones();
    const Result result = solve_semismooth_newton(problem, with(function), z);
    CAPTURE(static_cast<int>(function), result.iterations, mcp::name(result.status));
    REQUIRE(result.status == Status::kSolved);
    CHECK(z[0] >= -1e-9);
    CHECK(z[0] <= 3.0 + 1e-9);
    CHECK(z.tail(3).cwiseAbs().maxCoeff() <= 1e-9);
  }
}

TEST_CASE("convergence is fast at the end") {
  KojimaShindoProblem problem;
  SemismoothNewtonOptions options = with(ComplementarityFunction::kFischerBurmeister);
  options.keep_history = true;
  Eigen::VectorXd z = Eigen::Vector4d(1.1, 0.1, 2.9, 0.1);
  const Result result = solve_semismooth_newton(problem, options, z);
  REQUIRE(result.status == Status::kSolved);
  REQUIRE(static_cast<int>(result.history.size()) == result.iterations);
  REQUIRE(result.iterations >= 3);
  const auto& last = result.history.back();
  const auto& before = result.history[result.history.size() - 2];
  CHECK(before.residual < 1e-4);
  CHECK(last.residual <= 10.0 * before.residual * before.residual + 1e-15);
  CHECK(last.residual == result.residual);
  CHECK(last.step_length == 1.0);
}

TEST_CASE("the merit never grows") {
  Random random(2);
  for (const auto function : kFunctions) {
    for (int trial = 0; trial < 5; ++trial) {
      const PlanarContacts contacts = pyramid_of_discs(3, 1.0, 0.3, random);
      const LinearProblem lcp = contact_lcp(contacts);
      mcp::LinearProblemView view(lcp);
      SemismoothNewtonOptions options = with(function);
      options.keep_history = true;
      Eigen::VectorXd z = random_vector(random, view.size()).cwiseAbs();
      const Result result = solve_semismooth_newton(view, options, z);
      for (std::size_t i = 1; i < result.history.size(); ++i) {
        CHECK(result.history[i].merit < result.history[i - 1].merit);
        CHECK(result.history[i].step_length > 0.0);
        CHECK(result.history[i].step_length <= 1.0);
      }
    }
  }
}

TEST_CASE("a block on three collinear contacts is solved though its impulses are redundant") {
  for (const auto function : kFunctions) {
    PlanarContacts contacts = block_on_table(2.0, 0.5, 0.5, {-1.0, 0.25, 1.0}, 0.3);
    contacts.v_free << 0.5, -0.0981, 0.0;
    const LinearProblem lcp = contact_lcp(contacts);
    mcp::LinearProblemView view(lcp);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(12);
    const Result result = solve_semismooth_newton(view, with(function), z);
    CAPTURE(static_cast<int>(function), result.iterations, mcp::name(result.status));
    REQUIRE(result.status == Status::kSolved);
    const Eigen::Vector3d expected(0.5 - 0.3 * 0.0981, 0.0, 0.0);
    CHECK((motion(contacts, z) - expected).norm() <= 1e-9);
  }
}

TEST_CASE("Newton solves contacts with friction from a cold start") {
  for (const auto function : kFunctions) {
    for (int seed = 0; seed < 30; ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      PlanarContacts contacts = pyramid_of_discs(2, 1.0, 0.2, random);
      for (auto& v : contacts.v_free) v += random.uniform(-0.5, 0.5);
      const LinearProblem lcp = contact_lcp(contacts);
      mcp::LinearProblemView view(lcp);
      Eigen::VectorXd z = Eigen::VectorXd::Zero(view.size());
      const Result result = solve_semismooth_newton(view, with(function), z);
      CAPTURE(static_cast<int>(function), seed, result.residual);
      CHECK(result.status == Status::kSolved);
      CHECK(linear_residual(lcp, z) <= 1e-10);
    }
  }
}

TEST_CASE("unknowns of zero rows keep their values") {
  for (const auto function : kFunctions) {
    OpenContact problem;
    Eigen::VectorXd z = Eigen::Vector3d(0.0, 0.7, 2.0);
    const Result result = solve_semismooth_newton(problem, with(function), z);
    REQUIRE(result.status == Status::kSolved);
    CHECK(z[0] == 0.0);
    if (function == ComplementarityFunction::kNaturalMap) CHECK(z[1] == 0.7);
    CHECK(z[2] == Approx(1.0).epsilon(1e-9));
  }
}

TEST_CASE("a singular system gives the step of least norm or the regularised one") {
  // z1 + z2 = 2 and the same row again, both free.
  const LinearProblem problem{
      Eigen::Matrix2d::Ones(), Eigen::Vector2d(-2.0, -2.0), {Kind::kFree, Kind::kFree}};
  mcp::LinearProblemView view(problem);
  for (const double regularization : {0.0, 1e-13}) {
    SemismoothNewtonOptions options;
    options.regularization = regularization;
    Eigen::VectorXd z = Eigen::Vector2d(1.0, 0.0);
    const Result result = solve_semismooth_newton(view, options, z);
    REQUIRE(result.status == Status::kSolved);
    CHECK((z - Eigen::Vector2d(1.5, 0.5)).norm() <= 1e-3);
    CHECK(result.iterations <= 3);
  }
}

TEST_CASE("an exact start takes no iterations") {
  for (const auto function : kFunctions) {
    KojimaShindoProblem problem;
    Eigen::VectorXd z = Eigen::Vector4d(1.0, 0.0, 3.0, 0.0);
    const Result result = solve_semismooth_newton(problem, with(function), z);
    CHECK(result.status == Status::kSolved);
    CHECK(result.iterations == 0);
    CHECK(z == Eigen::Vector4d(1.0, 0.0, 3.0, 0.0));
  }
}

TEST_CASE("a start that is not finite is reported and left alone") {
  LogarithmProblem problem(1.0);
  Eigen::VectorXd z = Eigen::VectorXd::Constant(1, -1.0);
  const Result result = solve_semismooth_newton(problem, {}, z);
  CHECK(result.status == Status::kNotFinite);
  CHECK(result.residual == std::numeric_limits<double>::infinity());
  CHECK(z[0] == -1.0);
}

TEST_CASE("steps out of the domain of F are shortened") {
  LogarithmProblem problem(0.0);
  SemismoothNewtonOptions options;
  options.keep_history = true;
  Eigen::VectorXd z = Eigen::VectorXd::Constant(1, 10.0);  // a full step goes to -13
  const Result result = solve_semismooth_newton(problem, options, z);
  REQUIRE(result.status == Status::kSolved);
  CHECK(z[0] == Approx(1.0).epsilon(1e-9));
  CHECK(result.history.front().step_length < 1.0);
}

TEST_CASE("where there is no solution Newton stalls") {
  NoRootProblem problem;
  Eigen::VectorXd z = Eigen::VectorXd::Constant(1, 0.8);
  const Result result = solve_semismooth_newton(problem, {}, z);
  CHECK(result.status == Status::kStalled);
  CHECK(result.residual == z[0] * z[0] + 1.0);
}

TEST_CASE("too few iterations are an iteration limit") {
  JosephyProblem problem;
  SemismoothNewtonOptions options;
  options.max_iterations = 2;
  Eigen::VectorXd z = Eigen::Vector4d::Constant(5.0);
  const Result result = solve_semismooth_newton(problem, options, z);
  CHECK(result.status == Status::kIterationLimit);
  CHECK(result.iterations == 2);
  CHECK(result.residual > 1e-3);
}

TEST_CASE("a workspace can be used for problems of other sizes") {
  Random random(12);
  mcp::SemismoothNewtonWorkspace work;
  for (const int n : {5, 20, 3}) {
    const LinearProblem problem =
        complementary_problem(random_semidefinite(random, n, n) + Eigen::MatrixXd::Identity(n, n),
                              random_vector(random, n));
    mcp::LinearProblemView view(problem);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd alone = z;
    const Result result = solve_semismooth_newton(view, {}, z, work);
    CHECK(result.status == Status::kSolved);
    solve_semismooth_newton(view, {}, alone);
    CHECK(z == alone);
  }
}
