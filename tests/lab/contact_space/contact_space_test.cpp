#include "lab/contact_space/contact_space.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "tests/lab/contact_space/contact_spaces.hpp"
#include "tests/support/numeric_jacobian.hpp"

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

TEST_CASE("exact cones are solved from polyhedral impulses where all other guesses stall") {
  // Three balls of a chain that drags over the floor in a plane: rows (n, o) of each, t is across.
  Eigen::MatrixXd R(6, 6);
  R << 0.30580502504123297, -0.29734276601721654, 0.0068598722442368464, -0.23784206929567578,
      0.0034077120874061689, -0.16403652919949188,  //
      -0.29734276601721654, 0.5028459792101988, -0.0061586402193459164, 0.42796261621352122,
      -0.0072027704343935479, 0.35488157711470425,  //
      0.0068598722442368464, -0.0061586402193459164, 0.95289662387416152, 0.24154644693676097,
      0.023526578685062312, -0.24627925827862845,  //
      -0.23784206929567578, 0.42796261621352122, 0.24154644693676097, 0.45285165472530714,
      -0.00062114284541274576, 0.26751640437826768,  //
      0.0034077120874061689, -0.0072027704343935479, 0.023526578685062312, -0.00062114284541274576,
      0.97590120711572381, 0.25187739821922017,  //
      -0.16403652919949188, 0.35488157711470425, -0.24627925827862845, 0.26751640437826768,
      0.25187739821922017, 0.42278271765763875;
  const double u[] = {-0.0095123810482183446,  3.3396042600746223,    -0.037268313901384416,
                      -1.0042820741747454e-05, -0.038094963927794809, 0.0067070576194699222};
  const int rows[] = {0, 2, 3, 5, 6, 8};
  ContactSpace space;
  space.R = Eigen::MatrixXd::Zero(9, 9);
  space.u_free = Eigen::VectorXd::Zero(9);
  for (int i = 0; i < 6; ++i) {
    space.u_free[rows[i]] = u[i];
    for (int j = 0; j < 6; ++j) space.R(rows[i], rows[j]) = R(i, j);
  }
  space.mu = Eigen::VectorXd::Constant(3, 0.5);
  space.angle_rad.resize(3);
  space.angle_rad << -1.5707963267948966, 1.5707963267948966, 1.5707963267948966;
  for (const ContactSolver solver : {ContactSolver::kMncpRlm, ContactSolver::kMncpPlm}) {
    CAPTURE(name(solver));
    ContactSolverSettings settings;
    settings.solver = solver;
    const ContactSpaceSolution found = solve_contact_space(space, settings);
    CHECK(found.status == mcp::Status::kSolved);
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d p = found.p.segment<3>(3 * k);
      const Eigen::Vector3d v = found.u.segment<3>(3 * k);
      CHECK(p[0] > 0.02);
      CHECK(std::abs(v[0]) <= 1e-9);
      CHECK(p.tail<2>().norm() <= 0.5 * p[0] + 1e-10);
      // Against the slip, and as large as it may be where there is one.
      CHECK((0.5 * p[0] * v.tail<2>() + v.tail<2>().norm() * p.tail<2>()).norm() <= 1e-9);
    }
  }
}

TEST_CASE("rows of the polyhedral problem are velocities and what friction is left") {
  Random random(6);
  ContactSpace space = random_space(random, 9, 2, 2, 0.6);
  space.angle_rad << 0.3, -1.0;
  constexpr int kDirections = 6;
  const PolyhedralFriction friction(space, kDirections);
  const mcp::LinearProblem& problem = friction.problem();
  REQUIRE(problem.q.size() == 2 + 2 * (kDirections + 2));
  const Eigen::VectorXd z =
      Eigen::VectorXd::NullaryExpr(problem.q.size(), [&] { return random.uniform(0.0, 1.0); });
  const Eigen::VectorXd F = problem.M * z + problem.q;
  const Eigen::VectorXd u = space.u_free + space.R * friction.impulses(z);
  CHECK((F.head(2) - u.head(2)).norm() < 1e-13);
  for (int k = 0; k < 2; ++k) {
    const int normal = 2 + k * (kDirections + 1);
    const auto sigma = problem.q.size() - 2 + k;
    CHECK(F[normal] == Approx(u[space.row(k)]));
    double sum = 0.0;
    for (int j = 0; j < kDirections; ++j) {
      const double angle = space.angle_rad[k] + 2.0 * M_PI * j / kDirections;
      const double along =
          std::cos(angle) * u[space.row(k) + 1] + std::sin(angle) * u[space.row(k) + 2];
      CHECK(F[normal + 1 + j] == Approx(along + z[sigma]).margin(1e-13));
      sum += z[normal + 1 + j];
    }
    CHECK(F[sigma] == Approx(0.6 * z[normal] - sum));
  }
  CHECK(problem.kinds[1] == mcp::Kind::kFree);
  CHECK(problem.kinds[2] == mcp::Kind::kNonnegative);
}

TEST_CASE("unknowns near impulses give them back") {
  Random random(7);
  ContactSpace space = random_space(random, 9, 1, 2, 0.6);
  for (const int directions : {4, 8}) {
    for (int trial = 0; trial < 50; ++trial) {
      space.angle_rad << random.uniform(-7.0, 7.0), random.uniform(-7.0, 7.0);
      const PolyhedralFriction friction(space, directions);
      Eigen::VectorXd p = Eigen::VectorXd::NullaryExpr(space.u_free.size(),
                                                       [&] { return random.uniform(-1.0, 1.0); });
      p[space.row(0)] = 0.5;
      p[space.row(1)] = 2.0;
      const Eigen::VectorXd z = friction.unknowns(p, space.u_free + space.R * p);
      CHECK((friction.impulses(z) - p).norm() < 1e-14);
      CHECK(z.tail(z.size() - 1).minCoeff() >= 0.0);
    }
  }
}

TEST_CASE("a scaled contact space has masses and velocities of one") {
  Random random(9);
  ContactSpace space = random_space(random, 12, 2, 3, 0.6);
  space.R *= 1e-3;
  space.u_free *= 1e4;
  const ScaledContactSpace scaled_space = scaled_contact_space(space);
  const ContactSpace& one = scaled_space.space;
  CHECK(one.u_free.cwiseAbs().maxCoeff() == Approx(1.0));
  CHECK(one.R(0, 0) == Approx(1.0));
  for (int k = 0; k < 3; ++k) {
    CHECK(one.R.diagonal().segment<3>(one.row(k)).mean() == Approx(1.0));
  }
  // u = u_free + R p in both.
  const Eigen::VectorXd p =
      Eigen::VectorXd::NullaryExpr(one.u_free.size(), [&] { return random.uniform(-1.0, 1.0); });
  const Eigen::VectorXd u = space.u_free + space.R * unscaled_impulses(scaled_space, p);
  const Eigen::VectorXd scaled_u = one.u_free + one.R * p;
  CHECK((scaled_space.speed_unit.cwiseProduct(scaled_u) - u).norm() < 1e-9);
}

TEST_CASE("a bilateral row that depends on others is left out") {
  ContactSpace space;
  space.bilateral = 3;
  const Eigen::Matrix<double, 3, 2> J{{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}};
  space.R = J * J.transpose();
  space.u_free = J * Eigen::Vector2d(1.0, 2.0);
  const ScaledContactSpace scaled_space = scaled_contact_space(space);
  CHECK(scaled_space.space.bilateral == 2);
  REQUIRE(scaled_space.left_out.size() == 1);
  CHECK(residual_of_left_out(scaled_space, Eigen::Vector3d::Zero()) == 0.0);
  CHECK(residual_of_left_out(scaled_space, space.u_free) > 0.1);
}

TEST_CASE("Todorov's impulse and velocity obey the law of contact for any z") {
  Random random(1);
  constexpr double kMu = 0.7;
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::Vector3d z = Eigen::Vector3d::NullaryExpr([&] { return random.uniform(-1, 1); });
    const Eigen::Vector3d F = todorov_impulse(z, kMu).F;
    const Eigen::Vector3d v = F + z;
    CHECK(F[0] >= 0.0);
    CHECK(v[0] >= 0.0);
    CHECK(F[0] * v[0] == 0.0);
    const double friction = F.tail<2>().norm();
    const double slip = v.tail<2>().norm();
    CHECK(friction <= kMu * F[0] + 1e-15);
    if (slip > 1e-12) {
      CHECK(friction == Approx(kMu * F[0]).margin(1e-15));
      CHECK(F.tail<2>().dot(v.tail<2>()) == Approx(-friction * slip).margin(1e-15));
    }
  }
}

TEST_CASE("the Jacobian of Todorov's problem is that of finite differences") {
  Random random(2);
  const ContactSpace space = random_space(random, 9, 2, 3, 0.6);
  TodorovProblem problem(space);
  Eigen::MatrixXd J;
  std::array<int, 3> kinds{};  // open, rolling, sliding
  for (int trial = 0; trial < 100; ++trial) {
    Eigen::VectorXd z =
        Eigen::VectorXd::NullaryExpr(problem.size(), [&] { return random.uniform(-1.0, 1.0); });
    for (int k = 0; k < 3; ++k) {  // away from kinks
      const Eigen::Vector3d c = z.segment<3>(space.row(k));
      const double margin = c.tail<2>().norm() - space.mu[k] * std::max(0.0, -c[0]);
      if (std::abs(c[0]) < 0.01 || std::abs(margin) < 0.01) z[space.row(k)] = 0.5;
      ++kinds.at(z[space.row(k)] > 0.0 ? 0 : margin < 0.0 ? 1 : 2);
    }
    problem.jacobian(z, J);
    CHECK((numeric_jacobian(problem, z, 1e-6) - J).cwiseAbs().maxCoeff() < 1e-7);
  }
  for (const int count : kinds) CHECK(count > 10);
}

TEST_CASE("Todorov's problem is solved by the unknowns of a solution") {
  // A mass of 1 that slides along t: p = (1, -0.5, 0), u = (0, 2.5, 0).
  const ContactSpace space{0, Eigen::Matrix3d::Identity(), Eigen::Vector3d(-1.0, 3.0, 0.0),
                           Eigen::VectorXd::Constant(1, 0.5), Eigen::VectorXd::Zero(1)};
  TodorovProblem problem(space);
  const Eigen::Vector3d p(1.0, -0.5, 0.0);
  const Eigen::VectorXd z = problem.unknowns(p, space.u_free + p);
  Eigen::VectorXd Phi;
  problem.evaluate(z, Phi);
  CHECK(Phi.norm() < 1e-15);
  CHECK((problem.impulses(z) - p).norm() < 1e-15);
}
