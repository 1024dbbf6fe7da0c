#include "lab/mcp/convex_qp.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "lab/mcp/lemke.hpp"
#include "tests/lab/mcp/contact_lcps.hpp"
#include "tests/lab/mcp/linear_problems.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using mcp::ConvexQp;
using mcp::ConvexQpOptions;
using mcp::ConvexQpPoint;
using mcp::Kind;
using mcp::LinearProblem;
using mcp::Result;
using mcp::Status;

namespace {

ConvexQp dense_qp(const Eigen::VectorXd& M, const Eigen::VectorXd& c, const Eigen::MatrixXd& A,
                  const Eigen::VectorXd& b) {
  ConvexQp qp;
  qp.M = M;
  qp.c = c;
  qp.A = A.sparseView();
  qp.b = b;
  return qp;
}

/// The friction cones' facets n v +- mu t v + gap rate >= 0, as the optimisation variant of
/// Hart and Anitescu 2003 has them.
ConvexQp contact_qp(const PlanarContacts& contacts) {
  const auto k = contacts.normals.rows();
  Eigen::MatrixXd A(2 * k, contacts.mass.size());
  A << contacts.normals + contacts.mu * contacts.tangents,
      contacts.normals - contacts.mu * contacts.tangents;
  return dense_qp(contacts.mass, contacts.mass.cwiseProduct(contacts.v_free), A,
                  contacts.gap_rate.replicate(2, 1));
}

/// The optimality conditions as a mixed problem in (v, y, x).
LinearProblem optimality_conditions(const ConvexQp& qp) {
  const auto n = qp.M.size();
  const auto k = qp.E.rows();
  const auto m = qp.b.size();
  LinearProblem problem;
  problem.M = Eigen::MatrixXd::Zero(n + k + m, n + k + m);
  problem.M.topLeftCorner(n, n) = qp.M.asDiagonal();
  Eigen::MatrixXd rows(k + m, n);
  rows.topRows(k) = Eigen::MatrixXd(qp.E);
  rows.bottomRows(m) = Eigen::MatrixXd(qp.A);
  problem.M.bottomLeftCorner(k + m, n) = rows;
  problem.M.topRightCorner(n, k + m) = -rows.transpose();
  problem.q.resize(n + k + m);
  problem.q << -qp.c, qp.e, qp.b;
  problem.kinds.assign(static_cast<std::size_t>(n + k), Kind::kFree);
  problem.kinds.insert(problem.kinds.end(), static_cast<std::size_t>(m), Kind::kNonnegative);
  return problem;
}

/// The largest violation of the optimality conditions, in the program's own units.
double violation(const ConvexQp& qp, const ConvexQpPoint& point) {
  Eigen::VectorXd z(point.v.size() + point.y.size() + point.x.size());
  z << point.v, point.y, point.x;
  return linear_residual(optimality_conditions(qp), z);
}

}  // namespace

TEST_CASE("without constraints a convex program is a division") {
  ConvexQp qp;
  qp.M = Eigen::Vector3d(1.0, 4.0, 300.0);
  qp.c = Eigen::Vector3d(2.0, -2.0, 3.0);
  ConvexQpPoint point;
  const Result result = solve_convex_qp(qp, {}, point);
  CHECK(result.status == Status::kSolved);
  CHECK(result.iterations == 0);
  CHECK((point.v - Eigen::Vector3d(2.0, -0.5, 0.01)).norm() <= 1e-15);
  CHECK(point.x.size() == 0);
  CHECK(point.y.size() == 0);
}

TEST_CASE("a program of nothing is solved by nothing") {
  ConvexQp qp;
  qp.M = Eigen::Vector2d(1.0, 2.0);
  qp.c = Eigen::Vector2d::Zero();
  ConvexQpPoint point;
  CHECK(solve_convex_qp(qp, {}, point).status == Status::kSolved);
  CHECK(point.v == Eigen::Vector2d::Zero());
}

TEST_CASE("the nearest point of a box is the clamped one") {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const int n = 1 + random.index(10);
    Eigen::MatrixXd A(2 * n, n);
    A << Eigen::MatrixXd::Identity(n, n), -Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd M = (5.7 * random_vector(random, n)).array().exp();
    const Eigen::VectorXd to = 2.0 * random_vector(random, n);
    const ConvexQp qp = dense_qp(M, M.cwiseProduct(to), A, Eigen::VectorXd::Ones(2 * n));
    ConvexQpPoint point;
    const Result result = solve_convex_qp(qp, {}, point);
    REQUIRE(result.status == Status::kSolved);
    const Eigen::VectorXd expected = to.cwiseMax(-1.0).cwiseMin(1.0);
    const Eigen::VectorXd error = M.cwiseSqrt().cwiseProduct(point.v - expected);
    CHECK(error.norm() <= 1e-8 * M.cwiseSqrt().maxCoeff());
    // The multipliers are the forces of the walls.
    const Eigen::VectorXd force = M.cwiseProduct(expected - to);
    CHECK((point.x.head(n) - point.x.tail(n) - force).cwiseAbs().maxCoeff() <= 1e-8 * M.maxCoeff());
    CHECK(point.x.minCoeff() >= 0.0);
  }
}

TEST_CASE("convex programs agree with Lemke on their optimality conditions") {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 3 + random.index(8);
    const int m = random.index(15);
    const int k = random.index(3);
    ConvexQp qp = dense_qp((3.0 * random_vector(random, n)).array().exp(), random_vector(random, n),
                           random_matrix(random, m, n),
                           // feasible at a point that satisfies the equalities below
                           Eigen::VectorXd::Zero(m));
    const Eigen::VectorXd feasible = random_vector(random, n);
    qp.b = random_vector(random, m).cwiseMax(0.0) - qp.A * feasible;
    qp.E = random_matrix(random, k, n).sparseView();
    qp.e = -qp.E * feasible;
    ConvexQpPoint point;
    const Result result = solve_convex_qp(qp, {}, point);
    Eigen::VectorXd z;
    REQUIRE(mcp::lemke(optimality_conditions(qp), {}, z).status == Status::kSolved);
    CAPTURE(trial, n, m, k, result.residual, mcp::name(result.status));
    REQUIRE(result.status == Status::kSolved);
    CHECK((point.v - z.head(n)).cwiseAbs().maxCoeff() <= 1e-7);
    CHECK(violation(qp, point) <= 1e-7);
    CHECK((m == 0 || point.x.minCoeff() >= 0.0));
  }
}

TEST_CASE("equalities only are a projection") {
  // The nearest point to (1, 2, 3) of the plane v1 + v2 + v3 = 0 and, redundantly, twice that.
  ConvexQp qp;
  qp.M = Eigen::Vector3d::Ones();
  qp.c = Eigen::Vector3d(1.0, 2.0, 3.0);
  qp.E = Eigen::MatrixXd{{1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}}.sparseView();
  qp.e = Eigen::Vector2d::Zero();
  ConvexQpPoint point;
  const Result result = solve_convex_qp(qp, {}, point);
  REQUIRE(result.status == Status::kSolved);
  CHECK(result.iterations <= 2);
  CHECK((point.v - Eigen::Vector3d(-1.0, 0.0, 1.0)).norm() <= 1e-9);
  CHECK(point.y[0] + 2.0 * point.y[1] == Approx(-2.0));
}

TEST_CASE("the multipliers of equal rows are equal") {
  // v >= 1 three times, pulled down by 6
  ConvexQpPoint point;
  const ConvexQp qp = dense_qp(Eigen::VectorXd::Ones(1), Eigen::VectorXd::Constant(1, -5.0),
                               Eigen::MatrixXd::Ones(3, 1), -Eigen::VectorXd::Ones(3));
  const Result result = solve_convex_qp(qp, {}, point);
  REQUIRE(result.status == Status::kSolved);
  CHECK(point.v[0] == Approx(1.0).epsilon(1e-9));
  CHECK((point.x - Eigen::Vector3d::Constant(2.0)).cwiseAbs().maxCoeff() <= 1e-6);
}

TEST_CASE("degenerate pairs with neither force nor slack are resolved") {
  // The free minimum touches a constraint: x = 0 and A v + b = 0.
  ConvexQpPoint point;
  const ConvexQp qp = dense_qp(Eigen::Vector2d(1.0, 2.0), Eigen::Vector2d(3.0, 2.0),
                               Eigen::MatrixXd{{1.0, -3.0}}, Eigen::VectorXd::Zero(1));
  const Result result = solve_convex_qp(qp, {}, point);
  REQUIRE(result.status == Status::kSolved);
  CHECK((point.v - Eigen::Vector2d(3.0, 1.0)).norm() <= 1e-9);
  CHECK(point.x[0] <= 1e-9);
}

TEST_CASE("a feasible set without interior is found") {
  // v1 >= 0 and -v1 >= 0: multipliers are unbounded.
  ConvexQpPoint point;
  const ConvexQp qp = dense_qp(Eigen::Vector2d(1.0, 1.0), Eigen::Vector2d(2.0, 2.0),
                               Eigen::MatrixXd{{1.0, 0.0}, {-1.0, 0.0}}, Eigen::Vector2d::Zero());
  const Result result = solve_convex_qp(qp, {}, point);
  REQUIRE(result.status == Status::kSolved);
  CHECK((point.v - Eigen::Vector2d(0.0, 2.0)).norm() <= 1e-9);
  CHECK(point.x[1] - point.x[0] == Approx(2.0));
}

TEST_CASE("constraints that contradict each other are infeasible") {
  ConvexQpPoint point;
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  SECTION("v above 1 and below 0") {
    const ConvexQp qp =
        dense_qp(one, one, Eigen::MatrixXd{{1.0}, {-1.0}}, Eigen::Vector2d(-1.0, 0.0));
    CHECK(solve_convex_qp(qp, {}, point).status == Status::kInfeasible);
  }
  SECTION("a row of zeros") {
    const ConvexQp qp = dense_qp(one, one, Eigen::MatrixXd::Zero(1, 1), -one);
    CHECK(solve_convex_qp(qp, {}, point).status == Status::kInfeasible);
  }
  SECTION("equalities") {
    ConvexQp qp;
    qp.M = qp.c = one;
    qp.E = Eigen::MatrixXd{{1.0}, {1.0}}.sparseView();
    qp.e = Eigen::Vector2d(0.0, -1.0);
    CHECK(solve_convex_qp(qp, {}, point).status == Status::kInfeasible);
  }
  SECTION("an equality against an inequality in several unknowns and masses") {
    ConvexQp qp =
        dense_qp(Eigen::Vector3d(1.0, 20.0, 300.0), Eigen::Vector3d(1.0, 2.0, 3.0),
                 Eigen::MatrixXd{{1.0, 1.0, 1.0}, {0.0, 1.0, 0.0}}, Eigen::Vector2d(-0.02, 1.0));
    qp.E = Eigen::MatrixXd{{1.0, 1.0, 1.0}}.sparseView();
    qp.e = Eigen::VectorXd::Constant(1, -0.01);
    CHECK(solve_convex_qp(qp, {}, point).status == Status::kInfeasible);
  }
}

TEST_CASE("a block on three collinear contacts sticks within the cone and not beyond it") {
  PlanarContacts contacts = block_on_table(2.0, 0.5, 0.0, {-1.0, 0.25, 1.0}, 0.3);
  ConvexQpPoint point;
  contacts.v_free << 0.02, -0.0981, 0.0;
  REQUIRE(solve_convex_qp(contact_qp(contacts), {}, point).status == Status::kSolved);
  CHECK(point.v.norm() <= 1e-9);
  CHECK(point.x.sum() == Approx(2.0 * 0.0981));
  // Sliding, the variant lifts at the rate mu times the slip: the nearest point of the cone
  // v_y = 0.3 v_x to (0.5, -0.0981).
  contacts.v_free << 0.5, -0.0981, 0.0;
  REQUIRE(solve_convex_qp(contact_qp(contacts), {}, point).status == Status::kSolved);
  const double along = (0.5 - 0.3 * 0.0981) / 1.09;
  CHECK((point.v - Eigen::Vector3d(along, 0.3 * along, 0.0)).norm() <= 1e-9);
}

TEST_CASE("a large pyramid of unlike masses satisfies the optimality conditions") {
  Random random(3);
  for (const double mu : {0.0, 0.5}) {
    PlanarContacts contacts = pyramid_of_discs(11, 2.5, mu, random);
    for (auto& v : contacts.v_free) v += random.uniform(-0.3, 0.3);
    const ConvexQp qp = contact_qp(contacts);
    ConvexQpPoint point;
    const Result result = solve_convex_qp(qp, {}, point);
    REQUIRE(result.status == Status::kSolved);
    CHECK(result.iterations <= 30);
    const Eigen::VectorXd force = qp.A.transpose() * point.x;
    CHECK((qp.M.cwiseProduct(point.v) - qp.c - force).cwiseAbs().maxCoeff() <= 1e-8);
    CHECK((qp.A * point.v).minCoeff() >= -1e-9);
    CHECK(point.x.minCoeff() >= 0.0);
    // The energy of what the contacts do: no better feasible motion, by weak duality.
    CHECK(std::abs(point.x.dot(qp.A * point.v)) <= 1e-7);
  }
}

TEST_CASE("the motion does not depend on units") {
  Random random(4);
  PlanarContacts contacts = pyramid_of_discs(4, 1.0, 0.2, random);
  for (auto& v : contacts.v_free) v += random.uniform(-0.3, 0.3);
  const ConvexQp qp = contact_qp(contacts);
  ConvexQpPoint expected;
  REQUIRE(solve_convex_qp(qp, {}, expected).status == Status::kSolved);
  ConvexQp other = qp;
  other.M *= 1e6;
  other.c *= 1e6 * 1e-3;  // and a thousandth of the speed
  other.A *= 1e4;
  ConvexQpPoint point;
  REQUIRE(solve_convex_qp(other, {}, point).status == Status::kSolved);
  CHECK((1e3 * point.v - expected.v).cwiseAbs().maxCoeff() <= 1e-8);
}

TEST_CASE("data of a convex program that are not finite or positive are reported") {
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ConvexQpPoint point;
  CHECK(solve_convex_qp(dense_qp(one, nan * one, Eigen::MatrixXd::Ones(1, 1), one), {}, point)
            .status == Status::kNotFinite);
  CHECK(solve_convex_qp(dense_qp(one, one, Eigen::MatrixXd::Constant(1, 1, nan), one), {}, point)
            .status == Status::kNotFinite);
  CHECK(solve_convex_qp(dense_qp(-one, one, Eigen::MatrixXd::Ones(1, 1), one), {}, point).status ==
        Status::kNotFinite);
}

TEST_CASE("the history of a convex program and its iteration limit") {
  Random random(5);
  PlanarContacts contacts = pyramid_of_discs(4, 1.0, 0.3, random);
  for (auto& v : contacts.v_free) v += random.uniform(-0.3, 0.3);
  ConvexQpOptions options;
  options.keep_history = true;
  ConvexQpPoint point;
  const Result result = solve_convex_qp(contact_qp(contacts), options, point);
  REQUIRE(result.status == Status::kSolved);
  REQUIRE(static_cast<int>(result.history.size()) == result.iterations);
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    CHECK(result.history[i].residual <= result.history[i - 1].residual);
    CHECK(result.history[i].step_length > 0.0);
    CHECK(result.history[i].step_length <= 1.0);
  }
  CHECK(result.history.back().merit < 1e-6 * result.history.front().merit);
  options.max_iterations = 3;
  const Result early = solve_convex_qp(contact_qp(contacts), options, point);
  CHECK(early.status == Status::kIterationLimit);
  CHECK(early.residual == result.history[2].residual);
}
