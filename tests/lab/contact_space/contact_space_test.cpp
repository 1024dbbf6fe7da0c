#include "lab/contact_space/contact_space.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <set>
#include <string>

#include "tests/lab/contact_space/contact_spaces.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using mcp::Status;

namespace {

constexpr std::array kFiveSolvers{ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm,
                                  ContactSolver::kMlcpPfbPlm, ContactSolver::kMncpRlm,
                                  ContactSolver::kMncpPlm};

ContactSpaceSolution solve(const ContactSpace& space, ContactSolver solver, int directions = 4) {
  ContactSolverSettings settings;
  settings.solver = solver;
  settings.directions = directions;
  return solve_contact_space(space, settings);
}

/// A point of mass m that arrives at u_free at a wall of normal n.
ContactSpace point_mass(double m, const Eigen::Vector3d& u_free, double mu) {
  return {0, Eigen::MatrixXd::Identity(3, 3) / m, u_free, Eigen::VectorXd::Constant(1, mu),
          Eigen::VectorXd::Zero(1)};
}

/// First directions along the friction of a solution.
void align(ContactSpace& space, const Eigen::VectorXd& p) {
  for (int k = 0; k < space.contacts(); ++k) {
    space.angle_rad[k] = std::atan2(p[space.row(k) + 2], p[space.row(k) + 1]);
  }
}

}  // namespace

TEST_CASE("contact solvers have names of their own") {
  std::set<std::string> names;
  for (const ContactSolver solver : kFiveSolvers) names.insert(name(solver));
  CHECK(names.size() == kFiveSolvers.size());
  CHECK(is_polyhedral(ContactSolver::kMlcpPfbPlm));
  CHECK_FALSE(is_polyhedral(ContactSolver::kMncpRlm));
}

TEST_CASE("a point mass at a wall sticks or slides or leaves") {
  struct Case {
    Eigen::Vector3d u_free;
    double mu;
    Eigen::Vector3d p;
  };
  // Mass 2. The first sticks, the second slides along t, the third leaves, the fourth rebounds: its
  // normal velocity -1.5 holds 0.5 times the approach of -1.
  const auto c = GENERATE(values<Case>({{{-1.0, 0.3, 0.0}, 0.5, {2.0, -0.6, 0.0}},
                                        {{-1.0, 3.0, 0.0}, 0.5, {2.0, -1.0, 0.0}},
                                        {{1.0, 3.0, 1.0}, 0.5, {0.0, 0.0, 0.0}},
                                        {{-1.0 - 0.5, 0.0, -3.0}, 0.4, {3.0, 0.0, 1.2}},
                                        {{-1.0, 3.0, -4.0}, 0.0, {2.0, 0.0, 0.0}}}));
  for (const ContactSolver solver : kFiveSolvers) {
    INFO(name(solver));
    const ContactSpaceSolution solution = solve(point_mass(2.0, c.u_free, c.mu), solver);
    CHECK(solution.status == Status::kSolved);
    CHECK((solution.p - c.p).norm() < 1e-9);
    CHECK((solution.u - c.u_free - 0.5 * c.p).norm() < 1e-9);
  }
}

TEST_CASE("the contact point of a sphere is 7/2 times as light along the table") {
  BodyOnTable ball;
  ball.mass = 3.0;
  ball.inertia.setConstant(0.4 * 3.0);
  ball.points = {{0.0, 0.0, -1.0}};
  ball.velocity << 2.0, 0.0, -0.5, 0.0, 0.0, 0.0;
  const double threshold = 2.0 / 3.5 / 0.5;  // mu at which the slip just ends in the impact
  for (const ContactSolver solver : kFiveSolvers) {
    INFO(name(solver));
    ball.mu = 0.9 * threshold;
    const Eigen::VectorXd slides = ball.velocity_after(solve(ball.space(), solver).p);
    CHECK(slides[0] == Approx(2.0 - ball.mu * 0.5).margin(1e-9));
    CHECK(slides[4] == Approx(2.5 * ball.mu * 0.5).margin(1e-9));
    ball.mu = 1.1 * threshold;
    const Eigen::VectorXd rolls = ball.velocity_after(solve(ball.space(), solver).p);
    CHECK(rolls[0] == Approx(10.0 / 7.0).margin(1e-9));
    CHECK(rolls[4] == Approx(10.0 / 7.0).margin(1e-9));
    CHECK(rolls[2] == Approx(0.0).margin(1e-9));
  }
}

TEST_CASE("the five solvers agree where directions are along the friction") {
  Random random(11);
  int sliding = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const int contacts = 1 + random.index(4);
    ContactSpace space =
        random_space(random, 3 * contacts + 4, random.index(3), contacts, random.uniform(0.1, 0.6));
    const ContactSpaceSolution exact = solve(space, ContactSolver::kMncpRlm);
    REQUIRE(exact.status == Status::kSolved);
    REQUIRE(coulomb_residual(space, exact.p) < 1e-10);
    align(space, exact.p);
    for (const ContactSolver solver : kFiveSolvers) {
      INFO(trial << " " << name(solver));
      const ContactSpaceSolution solution = solve(space, solver);
      CHECK(solution.status == Status::kSolved);
      CHECK(solution.residual <= 1e-10);
      CHECK((solution.p - exact.p).norm() < 1e-7 * (1.0 + exact.p.norm()));
      CHECK(coulomb_residual(space, solution.p) < 1e-8);
    }
    for (int k = 0; k < contacts; ++k) {
      if (exact.p[space.row(k)] > 0.0 && exact.u.segment<2>(space.row(k) + 1).norm() > 1e-6) {
        ++sliding;
      }
    }
  }
  CHECK(sliding > 10);
}

TEST_CASE("directions that are not along the slip turn the friction") {
  ContactSpace space = point_mass(1.0, {-1.0, 3.0, 0.0}, 0.5);
  space.angle_rad[0] = M_PI / 6.0;
  for (const ContactSolver solver : kFiveSolvers) {
    INFO(name(solver));
    const ContactSpaceSolution solution = solve(space, solver);
    REQUIRE(solution.status == Status::kSolved);
    // Polyhedral: all along the direction nearest to -t, at 210 degrees.
    const Eigen::Vector3d p = is_polyhedral(solver)
                                  ? Eigen::Vector3d(1.0, -0.25 * std::sqrt(3.0), -0.25)
                                  : Eigen::Vector3d(1.0, -0.5, 0.0);
    CHECK((solution.p - p).norm() < 1e-9);
  }
}

TEST_CASE("many directions approach the circular cone") {
  Random random(5);
  const std::array directions{4, 16, 64};
  Eigen::Vector3d errors = Eigen::Vector3d::Zero();
  for (int trial = 0; trial < 10; ++trial) {
    const ContactSpace space = random_space(random, 12, 0, 3, 0.4);
    const Eigen::VectorXd exact = solve(space, ContactSolver::kMncpPlm).p;
    for (int i = 0; i < 3; ++i) {
      const int n_f = directions.at(static_cast<std::size_t>(i));
      const ContactSpaceSolution solution = solve(space, ContactSolver::kMlcpLemke, n_f);
      REQUIRE(solution.status == Status::kSolved);
      CHECK(solution.unknowns == 3 * (n_f + 2));
      errors[i] += (solution.p - exact).norm();
    }
  }
  CHECK(errors[1] < 0.5 * errors[0]);
  CHECK(errors[2] < 0.5 * errors[1]);
}

TEST_CASE("bilateral rows alone are a linear system") {
  Random random(3);
  const ContactSpace space = random_space(random, 8, 5, 0, 0.0);
  for (const ContactSolver solver : kFiveSolvers) {
    const ContactSpaceSolution solution = solve(space, solver);
    CHECK(solution.status == Status::kSolved);
    CHECK(solution.unknowns == 5);
    CHECK((space.R * solution.p + space.u_free).norm() < 1e-10);
  }
}

TEST_CASE("bilateral rows that repeat others change no motion") {
  Random random(4);
  const Eigen::MatrixXd J =
      Eigen::MatrixXd::NullaryExpr(5, 8, [&] { return random.uniform(-1.0, 1.0); });
  Eigen::MatrixXd repeated(7, 8);  // rows 2 and 3 are combinations of 0 and 1
  repeated << J.topRows(2), J.row(0), J.row(0) - 2.0 * J.row(1), J.bottomRows(3);
  const Eigen::MatrixXd M = Eigen::MatrixXd::Identity(8, 8);
  const Eigen::VectorXd v =
      Eigen::VectorXd::NullaryExpr(8, [&] { return random.uniform(-1.0, 1.0); });
  for (const ContactSolver solver : kFiveSolvers) {
    INFO(name(solver));
    const ContactSpaceSolution once = solve(contact_space(J, M, v, 2, 0.3), solver);
    const ContactSpaceSolution twice = solve(contact_space(repeated, M, v, 4, 0.3), solver);
    REQUIRE(once.status == Status::kSolved);
    REQUIRE(twice.status == Status::kSolved);
    CHECK((J.transpose() * once.p - repeated.transpose() * twice.p).norm() < 1e-8);
  }
}

TEST_CASE("bilateral rows that contradict one another are infeasible") {
  ContactSpace space;
  space.bilateral = 2;
  space.R = Eigen::MatrixXd::Ones(2, 2);
  space.u_free = Eigen::Vector2d(1.0, 0.5);
  const ContactSpaceSolution solution = solve(space, ContactSolver::kMlcpLemke);
  CHECK(solution.status == Status::kInfeasible);
  CHECK(solution.residual > 0.1);
  space.R.setZero();
  CHECK(solve(space, ContactSolver::kMncpRlm).status == Status::kInfeasible);
  space.u_free[1] = 1.0;
  space.R.setOnes();
  CHECK(solve(space, ContactSolver::kMncpRlm).status == Status::kSolved);
}

TEST_CASE("a cube on its four corners slides and sticks as a whole") {
  BodyOnTable cube = cube_on_table(0.2);
  for (const ContactSolver solver : kFiveSolvers) {
    INFO(name(solver));
    cube.velocity << 1.0, 0.0, -0.1, 0.0, 0.0, 0.0;
    const ContactSpace slides = cube.space();
    const ContactSpaceSolution solution = solve(slides, solver);
    REQUIRE(solution.status == Status::kSolved);
    Eigen::VectorXd v(6);
    v << 1.0 - 0.2 * 0.1, 0.0, 0.0, 0.0, 0.0, 0.0;
    CHECK((cube.velocity_after(solution.p) - v).norm() < 1e-9);
    cube.velocity << 0.1, 0.05, -1.0, 0.0, 0.0, 0.02;
    const ContactSpaceSolution sticks = solve(cube.space(), solver);
    REQUIRE(sticks.status == Status::kSolved);
    CHECK(cube.velocity_after(sticks.p).norm() < 1e-9);
  }
}

TEST_CASE("a turning cube on its corners obeys Coulomb's law at each") {
  BodyOnTable cube = cube_on_table(0.4);
  cube.velocity << 1.0, 2.0, -0.1, 0.0, 0.0, 1.0;
  for (const ContactSolver solver : {ContactSolver::kMncpRlm, ContactSolver::kMncpPlm}) {
    const ContactSpaceSolution solution = solve(cube.space(), solver);
    REQUIRE(solution.status == Status::kSolved);
    CHECK(coulomb_residual(cube.space(), solution.p) < 1e-10);
    CHECK(solution.p.sum() != 0.0);
  }
}

TEST_CASE("masses and velocities do not matter") {
  const double mass = GENERATE(1e-3, 1e3);
  const double speed = GENERATE(1e-3, 1e4);
  Random random(8);
  const ContactSpace space = random_space(random, 13, 1, 3, 0.3);
  ContactSpace other = space;
  other.R /= mass;
  other.u_free *= speed;
  for (const ContactSolver solver : kFiveSolvers) {
    INFO(name(solver));
    const ContactSpaceSolution a = solve(space, solver);
    const ContactSpaceSolution b = solve(other, solver);
    REQUIRE(a.status == Status::kSolved);
    REQUIRE(b.status == Status::kSolved);
    CHECK((mass * speed * a.p - b.p).norm() < 1e-8 * b.p.norm());
    CHECK(std::abs(a.iterations - b.iterations) <= 2);
  }
}

TEST_CASE("contacts of very different masses are solved together") {
  // Two points that do not know of each other, a mass of 1e-6 and one of 1e6.
  ContactSpace space;
  space.R = Eigen::MatrixXd::Zero(6, 6);
  space.R.diagonal() << 1e6, 1e6, 1e6, 1e-6, 1e-6, 1e-6;
  space.u_free.resize(6);
  space.u_free << -1.0, 1.0, 0.0, -1.0, 0.0, -1.0;
  space.mu = Eigen::Vector2d(0.5, 0.25);
  space.angle_rad = Eigen::Vector2d::Zero();
  for (const ContactSolver solver : {ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm}) {
    INFO(name(solver));
    const ContactSpaceSolution solution = solve(space, solver);
    REQUIRE(solution.status == Status::kSolved);
    CHECK(solution.p[3] == Approx(1e6).epsilon(1e-9));
    CHECK(solution.p[5] == Approx(0.25e6).epsilon(1e-9));
  }
}

TEST_CASE("nothing moves: no impulses") {
  ContactSpace space = point_mass(1.0, Eigen::Vector3d::Zero(), 0.5);
  for (const ContactSolver solver : kFiveSolvers) {
    const ContactSpaceSolution solution = solve(space, solver);
    CHECK(solution.status == Status::kSolved);
    CHECK(solution.p == Eigen::Vector3d::Zero());
  }
}

TEST_CASE("a contact space that is not finite is not solved") {
  ContactSpace space = point_mass(1.0, {-1.0, 0.0, 0.0}, 0.5);
  space.u_free[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(solve(space, ContactSolver::kMncpRlm).status == Status::kNotFinite);
}

TEST_CASE("a contact that nothing can move is not solved") {
  ContactSpace space = point_mass(1.0, {-1.0, 0.0, 0.0}, 0.5);
  space.R.setZero();
  for (const ContactSolver solver : kFiveSolvers) {
    INFO(name(solver));
    CHECK(solve(space, solver).status != Status::kSolved);
  }
}

TEST_CASE("the same contact space gives the same bits") {
  Random random(21);
  const ContactSpace space = random_space(random, 20, 2, 5, 0.5);
  for (const ContactSolver solver : kFiveSolvers) {
    CHECK(solve(space, solver).p == solve(space, solver).p);
  }
}
