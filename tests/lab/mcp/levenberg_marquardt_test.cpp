#include "lab/mcp/levenberg_marquardt.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "lab/mcp/lemke.hpp"
#include "tests/lab/mcp/contact_lcps.hpp"
#include "tests/lab/mcp/linear_problems.hpp"
#include "tests/lab/mcp/nonlinear_problems.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using mcp::ComplementarityFunction;
using mcp::LinearProblem;
using mcp::ProjectedLmOptions;
using mcp::RegularLmOptions;
using mcp::Result;
using mcp::Status;

namespace {

/// Calls `check(name, solve)` for both methods with the three functions.
template <typename Check>
void for_each_solver(const Check& check) {
  for (const auto function :
       {ComplementarityFunction::kNaturalMap, ComplementarityFunction::kFischerBurmeister,
        ComplementarityFunction::kPenalisedFischerBurmeister}) {
    RegularLmOptions regular;
    regular.function = function;
    regular.keep_history = true;
    ProjectedLmOptions projected;
    projected.function = function;
    projected.keep_history = true;
    check("regular", [=](mcp::Problem& problem, Eigen::VectorXd& z) {
      return solve_regular_lm(problem, regular, z);
    });
    check("projected", [=](mcp::Problem& problem, Eigen::VectorXd& z) {
      return solve_projected_lm(problem, projected, z);
    });
  }
}

double merit_at(mcp::Problem& problem, ComplementarityFunction function, double penalty,
                const Eigen::VectorXd& z) {
  Eigen::VectorXd F;
  Eigen::VectorXd Phi;
  problem.evaluate(z, F);
  reformulate(problem, function, penalty, z, F, Phi);
  return 0.5 * Phi.squaredNorm();
}

}  // namespace

TEST_CASE("Levenberg-Marquardt agrees with Lemke on random positive definite problems") {
  for_each_solver([](const char* solver, const auto& solve) {
    Random random(1);
    for (int trial = 0; trial < 20; ++trial) {
      const int n = 1 + random.index(15);
      const LinearProblem problem =
          complementary_problem(random_definite(random, n), random_vector(random, n));
      Eigen::VectorXd expected;
      REQUIRE(mcp::lemke(problem, {}, expected).status == Status::kSolved);
      mcp::LinearProblemView view(problem);
      Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
      const Result result = solve(view, z);
      CAPTURE(solver, trial, n, result.iterations);
      CHECK(result.status == Status::kSolved);
      CHECK((z - expected).cwiseAbs().maxCoeff() <= 1e-9);
    }
  });
}

TEST_CASE("Levenberg-Marquardt solves the problem of Josephy") {
  for_each_solver([](const char* solver, const auto& solve) {
    for (const double start : {0.5, 1.0, 2.0}) {
      JosephyProblem problem;
      Eigen::VectorXd z = Eigen::Vector4d::Constant(start);
      const Result result = solve(problem, z);
      CAPTURE(solver, start, result.iterations, mcp::name(result.status));
      CHECK(result.status == Status::kSolved);
      CHECK((z - Eigen::Vector4d(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5)).norm() <= 1e-9);
    }
  });
}

TEST_CASE("Levenberg-Marquardt finds both solutions of Kojima and Shindo") {
  const Eigen::Vector4d degenerate(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5);
  const Eigen::Vector4d regular(1.0, 0.0, 3.0, 0.0);
  for_each_solver([&](const char* solver, const auto& solve) {
    for (const auto& expected : {degenerate, regular}) {
      KojimaShindoProblem problem;
      Eigen::VectorXd z = expected + 0.1 * Eigen::Vector4d(1.0, -0.5, 0.3, -0.7);
      const Result result = solve(problem, z);
      CAPTURE(solver, result.iterations, mcp::name(result.status));
      CHECK(result.status == Status::kSolved);
      CHECK((z - expected).norm() <= 1e-8);
    }
  });
}

TEST_CASE("Levenberg-Marquardt solves a block on three collinear contacts") {
  for_each_solver([](const char* solver, const auto& solve) {
    PlanarContacts contacts = block_on_table(2.0, 0.5, 0.5, {-1.0, 0.25, 1.0}, 0.3);
    contacts.v_free << 0.5, -0.0981, 0.0;
    const LinearProblem lcp = contact_lcp(contacts);
    mcp::LinearProblemView view(lcp);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(12);
    const Result result = solve(view, z);
    CAPTURE(solver, result.iterations, mcp::name(result.status));
    REQUIRE(result.status == Status::kSolved);
    const Eigen::Vector3d expected(0.5 - 0.3 * 0.0981, 0.0, 0.0);
    CHECK((motion(contacts, z) - expected).norm() <= 1e-9);
  });
}

TEST_CASE("the damping of the regular method follows the reduction factor") {
  JosephyProblem problem;
  RegularLmOptions options;
  options.memory = 1;  // as published
  options.keep_history = true;
  Eigen::VectorXd z = Eigen::Vector4d::Constant(8.0);
  const Result result = solve_regular_lm(problem, options, z);
  REQUIRE(result.status == Status::kSolved);
  REQUIRE(static_cast<int>(result.history.size()) == result.iterations);
  CHECK(result.history.front().damping == 1e-3);
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    const auto& before = result.history[i - 1];
    const auto& after = result.history[i];
    const double ratio = after.damping / before.damping;
    const bool is_known = ratio == 1.0 || ratio == Approx(20.0) || ratio == Approx(1.0 / 20.0);
    CHECK(is_known);
    CHECK(after.merit <= before.merit);
    if (before.step_length == 0.0) CHECK(ratio == Approx(20.0));  // rejected
    if (after.step_length == 0.0) CHECK(after.merit == before.merit);
  }
  CHECK(result.history.back().damping < 1e-3);
}

TEST_CASE("the regular method solves friction problems from random starts, not so as published") {
  // The published method takes a step only where the merit falls: it creeps along kinks.
  Random random(12);
  int solved = 0;
  int solved_as_published = 0;
  constexpr int kTrials = 40;
  for (int trial = 0; trial < kTrials; ++trial) {
    PlanarContacts contacts = pyramid_of_discs(3, 1.0, 0.2, random);
    for (int i = 0; i < contacts.v_free.size(); ++i)
      contacts.v_free[i] += random.uniform(-0.2, 0.2);
    const LinearProblem lcp = contact_lcp(contacts);
    mcp::LinearProblemView view(lcp);
    const Eigen::VectorXd start = 2.0 * random_vector(random, view.size()).cwiseAbs();
    RegularLmOptions options;
    Eigen::VectorXd z = start;
    if (solve_regular_lm(view, options, z).status == Status::kSolved) ++solved;
    options.memory = 1;
    z = start;
    if (solve_regular_lm(view, options, z).status == Status::kSolved) ++solved_as_published;
  }
  CHECK(solved == kTrials);
  CHECK(solved_as_published < kTrials * 3 / 4);
}

TEST_CASE("the regular method ends at its best point") {
  Random random(13);
  bool has_grown = false;
  for (int trial = 0; trial < 10; ++trial) {
    const LinearProblem lcp = contact_lcp(pyramid_of_discs(3, 1.0, 0.8, random));
    mcp::LinearProblemView view(lcp);
    RegularLmOptions options;
    options.max_iterations = 6;
    options.keep_history = true;
    Eigen::VectorXd z = 2.0 * random_vector(random, view.size()).cwiseAbs();
    double least = merit_at(view, options.function, options.penalty, z);
    double last = least;
    for (const auto& iteration : solve_regular_lm(view, options, z).history) {
      has_grown = has_grown || iteration.merit > last;
      last = iteration.merit;
      least = std::min(least, last);
    }
    CHECK(merit_at(view, options.function, options.penalty, z) == least);
  }
  CHECK(has_grown);
}

TEST_CASE("starts from which Levenberg-Marquardt solves friction problems", "[.long]") {
  for (const int base : {2, 3}) {
    for (const double mu : {0.2, 0.8}) {
      for (const auto function : {ComplementarityFunction::kFischerBurmeister,
                                  ComplementarityFunction::kPenalisedFischerBurmeister}) {
        for (const bool is_cold : {true, false}) {
          std::array<int, 3> solved{};
          for (std::uint64_t trial = 0; trial < 100; ++trial) {
            Random random(1000 + trial);
            PlanarContacts contacts = pyramid_of_discs(base, 1.0, mu, random);
            for (int i = 0; i < contacts.v_free.size(); ++i) {
              contacts.v_free[i] += random.uniform(-0.2, 0.2);
            }
            const LinearProblem lcp = contact_lcp(contacts);
            mcp::LinearProblemView view(lcp);
            Eigen::VectorXd start = Eigen::VectorXd::Zero(view.size());
            if (!is_cold) start = 2.0 * random_vector(random, view.size()).cwiseAbs();
            for (const int memory : {1, 10}) {
              RegularLmOptions options;
              options.function = function;
              options.memory = memory;
              Eigen::VectorXd z = start;
              const Status status = solve_regular_lm(view, options, z).status;
              solved.at(memory == 1 ? 0 : 1) += status == Status::kSolved ? 1 : 0;
            }
            ProjectedLmOptions options;
            options.function = function;
            Eigen::VectorXd z = start;
            solved[2] += solve_projected_lm(view, options, z).status == Status::kSolved ? 1 : 0;
          }
          WARN(4 * (base == 2 ? 5 : 12)
               << " unknowns, mu " << mu << ", function " << static_cast<int>(function)
               << (is_cold ? ", cold" : ", random") << ": RLM as published " << solved[0]
               << ", RLM " << solved[1] << ", PLM " << solved[2] << " of 100");
          CHECK(solved[1] >= solved[0]);
          CHECK(solved[1] >= 85);
        }
      }
    }
  }
}

TEST_CASE("the merit of the projected method stays below the largest of the last ten") {
  Random random(2);
  bool has_grown = false;
  for (int trial = 0; trial < 30; ++trial) {
    const LinearProblem lcp = contact_lcp(pyramid_of_discs(3, 1.0, 0.5, random));
    mcp::LinearProblemView view(lcp);
    ProjectedLmOptions options;
    options.keep_history = true;
    Eigen::VectorXd z = 2.0 * random_vector(random, view.size()).cwiseAbs();
    const double start_merit = merit_at(view, options.function, options.penalty, z);
    const Result result = solve_projected_lm(view, options, z);
    std::vector<double> merits = {start_merit};
    for (const auto& iteration : result.history) {
      const auto first = merits.end() - std::min<std::ptrdiff_t>(std::ssize(merits), 10);
      CHECK(iteration.merit <= *std::max_element(first, merits.end()));
      if (iteration.merit > merits.back()) has_grown = true;
      merits.push_back(iteration.merit);
    }
    CHECK(linear_residual(lcp, z) == Approx(result.residual).margin(1e-14));
  }
  CHECK(has_grown);  // it is not a monotone method
}

TEST_CASE("the methods stop at the merit of the paper where it can be reached") {
  for_each_solver([](const char* solver, const auto& solve) {
    LogarithmProblem problem(0.0);
    Eigen::VectorXd z = Eigen::VectorXd::Constant(1, 1.5);
    const Result result = solve(problem, z);
    CAPTURE(solver);
    REQUIRE(result.status == Status::kSolved);
    CHECK(result.history.back().merit < 1e-30);
    CHECK(result.iterations < 10);
  });
}

TEST_CASE("Levenberg-Marquardt takes no iterations from an exact start") {
  for_each_solver([](const char* solver, const auto& solve) {
    KojimaShindoProblem problem;
    Eigen::VectorXd z = Eigen::Vector4d(1.0, 0.0, 3.0, 0.0);
    const Result result = solve(problem, z);
    CAPTURE(solver);
    CHECK(result.status == Status::kSolved);
    CHECK(result.iterations == 0);
    CHECK(result.history.empty());
  });
}

TEST_CASE("Levenberg-Marquardt reports a start that is not finite") {
  for_each_solver([](const char* solver, const auto& solve) {
    LogarithmProblem problem(1.0);
    Eigen::VectorXd z = Eigen::VectorXd::Constant(1, -1.0);
    const Result result = solve(problem, z);
    CAPTURE(solver);
    CHECK(result.status == Status::kNotFinite);
    CHECK(z[0] == -1.0);
  });
}

TEST_CASE("Levenberg-Marquardt shortens steps out of the domain of F") {
  for_each_solver([](const char* solver, const auto& solve) {
    LogarithmProblem problem(0.0);
    Eigen::VectorXd z = Eigen::VectorXd::Constant(1, 10.0);
    const Result result = solve(problem, z);
    CAPTURE(solver);
    REQUIRE(result.status == Status::kSolved);
    CHECK(z[0] == Approx(1.0).epsilon(1e-9));
  });
}

TEST_CASE("where there is no solution Levenberg-Marquardt stalls at the least squares") {
  // z1 = 1 and z1 = 3
  const LinearProblem problem{Eigen::Matrix2d{{1.0, 0.0}, {1.0, 0.0}},
                              Eigen::Vector2d(-1.0, -3.0),
                              {mcp::Kind::kFree, mcp::Kind::kFree}};
  for_each_solver([&](const char* solver, const auto& solve) {
    mcp::LinearProblemView view(problem);
    Eigen::VectorXd z = Eigen::Vector2d(0.8, 0.5);
    const Result result = solve(view, z);
    CAPTURE(solver, result.iterations, z[0]);
    CHECK(result.status == Status::kStalled);
    CHECK(result.iterations < 50);
    CHECK(result.residual == Approx(1.0).epsilon(1e-9));
    CHECK((z - Eigen::Vector2d(2.0, 0.5)).norm() <= 1e-9);
  });
}

TEST_CASE("too few iterations are an iteration limit of Levenberg-Marquardt") {
  RegularLmOptions regular;
  regular.max_iterations = 2;
  ProjectedLmOptions projected;
  projected.max_iterations = 2;
  JosephyProblem problem;
  Eigen::VectorXd z = Eigen::Vector4d::Constant(5.0);
  CHECK(solve_regular_lm(problem, regular, z).status == Status::kIterationLimit);
  z = Eigen::Vector4d::Constant(5.0);
  CHECK(solve_projected_lm(problem, projected, z).status == Status::kIterationLimit);
}
