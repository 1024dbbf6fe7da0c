#include "sim/hold/cone_program.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <limits>

#include "tests/support/grasp_programs.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kInfeasible = -1.0;

/// Optima of random_grasp_program(0), (1), ..., from `scripts/hold_answers`.
constexpr std::array<double, 50> kOptima = {
#include "tests/data/hold_answers.inc"
};

}  // namespace

TEST_CASE("random grasps hold what another solver of cone programs finds") {
  for (std::size_t k = 0; k < kOptima.size(); ++k) {
    CAPTURE(k);
    const ConeSolution found = solve(random_grasp_program(static_cast<int>(k)));
    if (kOptima[k] == kInfeasible) {
      CHECK(found.status == ConeStatus::kInfeasible);
      continue;
    }
    REQUIRE(found.status == ConeStatus::kOptimal);
    CHECK(found.value == Approx(kOptima[k]).epsilon(1e-8).margin(1e-8));
  }
}

TEST_CASE("3,000 random grasps are all solved, and bounded from both sides") {
  for (int k = 0; k < 3000; ++k) {
    CAPTURE(k);
    const ConeProgram program = random_grasp_program(k);
    const ConeSolution found = solve(program);
    REQUIRE(found.status != ConeStatus::kUnsolved);
    REQUIRE(found.status != ConeStatus::kUnbounded);  // jaws press with 1
    if (found.status == ConeStatus::kInfeasible) continue;
    CHECK(found.value == Approx(found.bound).epsilon(2e-9).margin(2e-9));
    // What the solution says of itself, looked at anew.
    ConeProgram::Rows left = program.b;
    double value = 0.0;
    for (std::size_t i = 0; i < program.a.size(); ++i) {
      left -= program.a[i] * found.x[i];
      value += program.g[i].dot(found.x[i]);
      CHECK(found.x[i][0] >= found.x[i].tail<2>().norm());
    }
    CHECK(left.cwiseAbs().maxCoeff() < 1e-8);
    CHECK(value == Approx(found.value).margin(1e-12));
  }
}

TEST_CASE("a number in a cone program is bounded by a cone's, unbounded, or contradicts") {
  // maximise u_1 with u_0 = 2.
  ConeProgram program;
  program.a = {ConeProgram::Block::Zero()};
  program.a[0](0, 0) = 1.0;
  program.g = {{0.0, 1.0, 0.0}};
  program.b[0] = 2.0;
  ConeSolution found = solve(program);
  REQUIRE(found.status == ConeStatus::kOptimal);
  CHECK(found.value == Approx(2.0).epsilon(1e-9));
  CHECK(found.x[0][1] == Approx(2.0).epsilon(1e-8));

  // The same row twice says nothing new, with another right side it contradicts.
  program.a[0](3, 0) = 3.0;
  program.b[3] = 6.0;
  CHECK(solve(program).value == Approx(2.0).epsilon(1e-9));
  program.b[3] = 6.1;
  CHECK(solve(program).status == ConeStatus::kInfeasible);
  program.b[3] = 6.0;

  program.b[0] = -2.0;
  program.b[3] = -6.0;
  CHECK(solve(program).status == ConeStatus::kInfeasible);

  // Only u_1 is given: u_2 grows with u_0.
  program.a[0].setZero();
  program.a[0](0, 1) = 1.0;
  program.b.setZero();
  program.b[0] = 1.0;
  program.g = {{0.0, 0.0, 1.0}};
  CHECK(solve(program).status == ConeStatus::kUnbounded);
}

/// For scripts/hold_answers: the programs and what is found, as text.
TEST_CASE("cone programs of random grasps are written", "[.]") {
  const char* file = std::getenv("GRASPMAP_CONE_PROGRAMS");
  REQUIRE(file != nullptr);
  std::ofstream out(file);
  out << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (int k = 0; k < 1000; ++k) {
    const ConeProgram program = random_grasp_program(k);
    const ConeSolution found = solve(program);
    const bool infeasible = found.status == ConeStatus::kInfeasible;
    REQUIRE((infeasible || found.status == ConeStatus::kOptimal));
    out << program.a.size() << " " << (infeasible ? kInfeasible : found.value) << "\n";
    for (const ConeProgram::Block& block : program.a) {
      for (int row = 0; row < kMostConeRows; ++row) {
        for (int column = 0; column < 3; ++column) out << block(row, column) << " ";
      }
      out << "\n";
    }
  }
  REQUIRE(out.good());
}
