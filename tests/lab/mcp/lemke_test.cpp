#include "lab/mcp/lemke.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/lab/mcp/contact_lcps.hpp"
#include "tests/lab/mcp/linear_problems.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using mcp::Kind;
using mcp::LemkeOptions;
using mcp::LinearProblem;
using mcp::Result;
using mcp::Status;

namespace {

/// Murty's problem: Lemke's method visits all 2^n complementary bases on the way to (2^n, 0...).
LinearProblem murty(int n) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd q(n);
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) M(i, j) = 2.0;
    sum += std::ldexp(1.0, n - i);
    q[i] = -sum;
  }
  return complementary_problem(M, q);
}

}  // namespace

TEST_CASE("nonnegative q is solved without a pivot") {
  Eigen::VectorXd z;
  const Result result =
      mcp::lemke(Eigen::Matrix2d::Constant(-1.0), Eigen::Vector2d(0.0, 2.0), {}, z);
  CHECK(result.status == Status::kSolved);
  CHECK(result.iterations == 0);
  CHECK(result.residual == 0.0);
  CHECK(z == Eigen::Vector2d::Zero());
}

TEST_CASE("a problem of two unknowns with both basic") {
  const Eigen::Matrix2d M{{2.0, 1.0}, {1.0, 2.0}};
  Eigen::VectorXd z;
  const Result result = mcp::lemke(M, Eigen::Vector2d(-5.0, -6.0), {}, z);
  REQUIRE(result.status == Status::kSolved);
  CHECK(z[0] == Approx(4.0 / 3.0).epsilon(1e-14));
  CHECK(z[1] == Approx(7.0 / 3.0).epsilon(1e-14));
}

TEST_CASE("Lemke agrees with all bases of random positive definite problems") {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.index(8);
    const Eigen::MatrixXd M = random_definite(random, n);
    const Eigen::VectorXd q = random_vector(random, n);
    const auto expected = all_solutions(M, q);
    REQUIRE(expected.size() == 1);
    Eigen::VectorXd z;
    const Result result = mcp::lemke(M, q, {}, z);
    CHECK(result.status == Status::kSolved);
    CHECK((z - expected[0]).cwiseAbs().maxCoeff() <= 1e-11);
  }
}

TEST_CASE("Lemke finds one of the solutions of problems with positive entries") {
  // Strictly copositive, so solvable; not monotone, so often with several solutions.
  Random random(4);
  int several = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 2 + random.index(5);
    const Eigen::MatrixXd M = random_matrix(random, n, n).cwiseAbs();
    const Eigen::VectorXd q = random_vector(random, n);
    const auto expected = all_solutions(M, q);
    Eigen::VectorXd z;
    const Result result = mcp::lemke(M, q, {}, z);
    REQUIRE(result.status == Status::kSolved);
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& solution : expected) nearest = std::min(nearest, (z - solution).norm());
    CHECK(nearest <= 1e-8);
    if (expected.size() > 1) ++several;
  }
  CHECK(several > 5);
}

TEST_CASE("Murty's problem takes exponentially many pivots") {
  for (const int n : {2, 4, 6}) {
    Eigen::VectorXd z;
    LemkeOptions options;
    options.max_pivots = 1000;
    const LinearProblem problem = murty(n);
    const Result result = mcp::lemke(problem, options, z);
    REQUIRE(result.status == Status::kSolved);
    CHECK(result.iterations == (1 << n));
    CHECK(z == std::ldexp(1.0, n) * Eigen::VectorXd::Unit(n, 0));
  }
}

TEST_CASE("too few pivots are an iteration limit") {
  Random random(2);
  const LinearProblem problem = contact_lcp(pyramid_of_discs(4, 1.0, 0.5, random));
  LemkeOptions options;
  options.max_pivots = 10;
  Eigen::VectorXd z;
  const Result result = mcp::lemke(problem, options, z);
  CHECK(result.status == Status::kIterationLimit);
  CHECK(result.iterations == 4 * 10);  // in each attempt
  CHECK(result.residual > 1e-3);
  CHECK(result.residual == Approx(linear_residual(problem, z)));
}

TEST_CASE("semidefinite problems end in a solution or in a ray with proof") {
  Random random(5);
  int rays = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + random.index(12);
    const Eigen::MatrixXd A = random_matrix(random, n, n / 2);
    const Eigen::MatrixXd M = A * A.transpose();
    const Eigen::VectorXd q = random_vector(random, n);
    Eigen::VectorXd z;
    const Result result = mcp::lemke(M, q, {}, z);
    if (result.status == Status::kSolved) {
      CHECK(linear_residual(complementary_problem(M, q), z) <= 1e-10);
      continue;
    }
    ++rays;
    REQUIRE(result.status == Status::kRay);
    // No solution: there is a direction u >= 0 with A^T u = 0 and q.u < 0, by Farkas. Minimising
    // 1/2 |A^T u|^2 + 1/2 s |u|^2 + q.u over u >= 0 for a small s gives it, up to its length 1/s.
    constexpr double kSmall = 1e-9;
    LemkeOptions rough;
    rough.tolerance = 1e-5;
    Eigen::VectorXd u;
    const Eigen::MatrixXd regular = M + kSmall * Eigen::MatrixXd::Identity(n, n);
    REQUIRE(mcp::lemke(regular, q, rough, u).status == Status::kSolved);
    u /= u.maxCoeff();
    CHECK(u.minCoeff() >= 0.0);
    // u.(M z + q) >= 0 then needs |A^T z| > 1e4.
    CHECK((A.transpose() * u).norm() < -1e-4 * q.dot(u));
  }
  CHECK(rays > 10);
  CHECK(rays < 190);
}

TEST_CASE("a skew problem is that of a linear program") {
  // Minimise 2 x1 + 3 x2 subject to x1 + x2 >= 2 and x1 + 3 x2 >= 3: x = (3/2, 1/2), with the
  // prices (3/2, 1/2).
  Eigen::Matrix4d M = Eigen::Matrix4d::Zero();
  M.bottomLeftCorner<2, 2>() << 1.0, 1.0, 1.0, 3.0;
  M.topRightCorner<2, 2>() = -M.bottomLeftCorner<2, 2>().transpose();
  Eigen::VectorXd z;
  const Result result = mcp::lemke(M, Eigen::Vector4d(2.0, 3.0, -2.0, -3.0), {}, z);
  REQUIRE(result.status == Status::kSolved);
  CHECK((z - Eigen::Vector4d(1.5, 0.5, 1.5, 0.5)).norm() <= 1e-14);
}

TEST_CASE("a zero matrix and a negative q is a ray") {
  Eigen::VectorXd z;
  const Result result = mcp::lemke(Eigen::Matrix2d::Zero(), Eigen::Vector2d(1.0, -1.0), {}, z);
  CHECK(result.status == Status::kRay);
  CHECK(result.residual >= 0.5);
}

TEST_CASE("data that are not finite are reported") {
  Eigen::VectorXd z;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(mcp::lemke(Eigen::Matrix2d::Identity(), Eigen::Vector2d(nan, -1.0), {}, z).status ==
        Status::kNotFinite);
  CHECK(mcp::lemke(Eigen::Matrix2d::Constant(nan), Eigen::Vector2d(1.0, -1.0), {}, z).status ==
        Status::kNotFinite);
}

TEST_CASE("equal rows and columns and degenerate solutions do not cycle") {
  Random random(6);
  for (int trial = 0; trial < 50; ++trial) {
    // Every contact twice or three times, half of the solution's pairs zero.
    const int n = 4 + random.index(6);
    const int copies = 2 + random.index(2);
    const Eigen::MatrixXd A = random_matrix(random, n, n);
    const Eigen::MatrixXd M = (A * A.transpose()).replicate(copies, copies);
    Eigen::VectorXd z = random_vector(random, n).cwiseMax(0.0);
    Eigen::VectorXd w = random_vector(random, n).cwiseMax(0.0);
    for (int i = 0; i < n; ++i) {
      if (z[i] > 0.0) w[i] = 0.0;
      if (random.index(4) == 0) z[i] = w[i] = 0.0;
    }
    const Eigen::VectorXd q = (w - A * A.transpose() * z).replicate(copies, 1);
    Eigen::VectorXd found;
    const Result result = mcp::lemke(M, q, {}, found);
    REQUIRE(result.status == Status::kSolved);
    CHECK((M * found + q - w.replicate(copies, 1)).cwiseAbs().maxCoeff() <= 1e-10);
  }
}

TEST_CASE("a block on three collinear contacts slides and stops as Coulomb says") {
  const double mass = 283.0;
  for (const double speed : {0.02, 0.5}) {
    PlanarContacts contacts = block_on_table(mass, 20.0, 0.5, {-1.0, 0.25, 1.0}, 0.3);
    contacts.v_free << speed, -9.81 * 0.01, 0.0;
    const LinearProblem lcp = contact_lcp(contacts);
    Eigen::VectorXd z;
    const Result result = mcp::lemke(lcp, {}, z);
    REQUIRE(result.status == Status::kSolved);
    const Eigen::VectorXd v = motion(contacts, z);
    const double loss = 0.3 * 9.81 * 0.01;
    CHECK(v[0] == Approx(std::max(0.0, speed - loss)).margin(1e-13));
    CHECK(std::abs(v[1]) <= 1e-13);
    CHECK(std::abs(v[2]) <= 1e-13);
    CHECK(z.head(3).sum() == Approx(mass * 9.81 * 0.01));
  }
}

TEST_CASE("pyramids of discs with redundant contacts and unlike masses are solved") {
  for (const double decades : {0.0, 2.5}) {
    for (const double mu : {0.0, 0.2, 0.8}) {
      Random random(7);
      const PlanarContacts contacts = pyramid_of_discs(4, decades, mu, random);
      const LinearProblem lcp = contact_lcp(contacts);
      Eigen::VectorXd z;
      const Result result = mcp::lemke(lcp, {}, z);
      REQUIRE(result.status == Status::kSolved);
      const auto k = contacts.normals.rows();
      const Eigen::VectorXd v = motion(contacts, z);
      CHECK((contacts.normals * v).minCoeff() >= -1e-12);
      const Eigen::VectorXd slip = contacts.tangents * v;
      const Eigen::VectorXd friction = z.segment(k, k) - z.segment(2 * k, k);
      const double load = z.head(k).maxCoeff();
      for (int i = 0; i < k; ++i) {
        CHECK(std::abs(friction[i]) <= mu * z[i] + 1e-12 * load);
        if (std::abs(slip[i]) <= 1e-10) continue;
        CHECK(friction[i] == Approx(std::copysign(mu * z[i], -slip[i])).margin(1e-11 * load));
      }
    }
  }
}

TEST_CASE("the solution does not depend on the units of the masses") {
  Random random(8);
  PlanarContacts contacts = pyramid_of_discs(3, 1.0, 0.0, random);
  for (int i = 0; i < contacts.v_free.size(); ++i) contacts.v_free[i] += random.uniform(-0.2, 0.2);
  Eigen::VectorXd z;
  REQUIRE(mcp::lemke(contact_lcp(contacts), {}, z).status == Status::kSolved);
  const Eigen::VectorXd expected = motion(contacts, z);
  for (const double unit : {1e-6, 1e6}) {
    PlanarContacts other = contacts;
    other.mass *= unit;
    const Result result = mcp::lemke(contact_lcp(other), {}, z);
    REQUIRE(result.status == Status::kSolved);
    CHECK((motion(other, z) - expected).cwiseAbs().maxCoeff() <= 1e-13);
  }
}

TEST_CASE("a mixed problem is that of its eliminated unknowns") {
  // Minimise 1/2 v.diag(1 2 4) v - c.v subject to v1 + v2 + v3 = 1, v >= 0 in v2 and v3.
  LinearProblem problem;
  problem.M = Eigen::Matrix4d::Zero();
  problem.M.diagonal() << 1.0, 2.0, 4.0, 0.0;
  problem.M.topRightCorner<3, 1>().setConstant(-1.0);
  problem.M.bottomLeftCorner<1, 3>().setConstant(1.0);
  problem.q = Eigen::Vector4d(-2.0, -1.0, 3.0, -1.0);
  problem.kinds = {Kind::kFree, Kind::kNonnegative, Kind::kNonnegative, Kind::kFree};
  Eigen::VectorXd z;
  const Result result = mcp::lemke(problem, {}, z);
  REQUIRE(result.status == Status::kSolved);
  // v3 = 0; v1 = 2 + y, v2 = (1 + y)/2, so y = -1, v1 = 1, v2 = 0: degenerate.
  CHECK((z - Eigen::Vector4d(1.0, 0.0, 0.0, -1.0)).cwiseAbs().maxCoeff() <= 1e-14);
}

TEST_CASE("mixed problems agree with a larger problem of differences") {
  // A free unknown is the difference of two nonnegative ones.
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 3 + random.index(6);
    LinearProblem mixed;
    mixed.M = random_semidefinite(random, n, n) + 0.2 * Eigen::MatrixXd::Identity(n, n);
    mixed.q = random_vector(random, n);
    mixed.kinds.assign(static_cast<std::size_t>(n), Kind::kNonnegative);
    mixed.kinds[1] = Kind::kFree;
    Eigen::MatrixXd split = Eigen::MatrixXd::Zero(n + 1, n);
    split.topRows(n).setIdentity();
    split(n, 1) = -1.0;
    Eigen::VectorXd z;
    Eigen::VectorXd parts;
    REQUIRE(mcp::lemke(mixed, {}, z).status == Status::kSolved);
    REQUIRE(mcp::lemke(split * mixed.M * split.transpose(), split * mixed.q, {}, parts).status ==
            Status::kSolved);
    CHECK((z - split.transpose() * parts).cwiseAbs().maxCoeff() <= 1e-10);
  }
}

TEST_CASE("free unknowns only are a linear system") {
  Random random(10);
  LinearProblem problem;
  problem.M = random_matrix(random, 6, 6);
  problem.q = random_vector(random, 6);
  problem.kinds.assign(6, Kind::kFree);
  Eigen::VectorXd z;
  const Result result = mcp::lemke(problem, {}, z);
  CHECK(result.status == Status::kSolved);
  CHECK(result.iterations == 0);
  CHECK((z + problem.M.fullPivLu().solve(problem.q)).norm() <= 1e-11);
}

TEST_CASE("a free row that says the same twice leaves a problem without solution a ray") {
  LinearProblem problem{Eigen::Matrix3d::Constant(1.0),
                        Eigen::Vector3d(1.0, 1.0, -1.0),
                        {Kind::kFree, Kind::kFree, Kind::kNonnegative}};
  Eigen::VectorXd z;
  const Result result = mcp::lemke(problem, {}, z);
  CHECK(result.status == Status::kRay);
  CHECK(result.residual == 1.0);
}

TEST_CASE("free rows that contradict each other are a ray without a pivot") {
  LinearProblem problem{Eigen::Matrix3d::Constant(1.0),
                        Eigen::Vector3d(1.0, 2.0, 3.0),
                        {Kind::kFree, Kind::kFree, Kind::kNonnegative}};
  Eigen::VectorXd z;
  const Result result = mcp::lemke(problem, {}, z);
  CHECK(result.status == Status::kRay);
  CHECK(result.iterations == 0);
}

TEST_CASE("a linear program with equations is solved by Lemke") {
  // Minimise x1 + 2 x2 + 4 x3, x >= 0, subject to x1 + x2 + x3 = 2 and x2 + 2 x3 = 1: the free
  // prices have a block of zeros. x = (1, 1, 0), prices (1, 1).
  LinearProblem problem;
  problem.M = Eigen::MatrixXd::Zero(5, 5);
  problem.M.bottomLeftCorner(2, 3) << 1.0, 1.0, 1.0, 0.0, 1.0, 2.0;
  problem.M.topRightCorner(3, 2) = -problem.M.bottomLeftCorner(2, 3).transpose();
  problem.q = Eigen::VectorXd{{1.0, 2.0, 4.0, -2.0, -1.0}};
  problem.kinds = {Kind::kNonnegative, Kind::kNonnegative, Kind::kNonnegative, Kind::kFree,
                   Kind::kFree};
  Eigen::VectorXd z;
  const Result result = mcp::lemke(problem, {}, z);
  REQUIRE(result.status == Status::kSolved);
  CHECK((z - Eigen::VectorXd{{1.0, 1.0, 0.0, 1.0, 1.0}}).cwiseAbs().maxCoeff() <= 1e-13);
}

TEST_CASE("mixed problems with a singular free block are solved, 32 of 32") {
  for (const Family family : kMonotoneFamilies) {
    Random random(21);
    for (int trial = 0; trial < 32; ++trial) {
      const LinearProblem problem = solvable_mixed_problem(random, family);
      Eigen::VectorXd z;
      const Result result = mcp::lemke(problem, {}, z);
      CAPTURE(static_cast<int>(family), trial, z.size(), mcp::name(result.status));
      CHECK(result.status == Status::kSolved);
      CHECK(linear_residual(problem, z) <= 1e-10 * std::max(1.0, problem.q.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_CASE("thousands of solvable mixed problems with a singular free block", "[.long]") {
  for (const Family family : kMonotoneFamilies) {
    Random random(22);
    int solved = 0;
    constexpr int kTrials = 20000;
    for (int trial = 0; trial < kTrials; ++trial) {
      const LinearProblem problem = solvable_mixed_problem(random, family);
      Eigen::VectorXd z;
      if (mcp::lemke(problem, {}, z).status == Status::kSolved) ++solved;
    }
    CHECK(solved == kTrials);
  }
  // Lemke's method proves nothing for matrices that are not positive semidefinite.
  Random random(23);
  int solved = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const LinearProblem problem = solvable_mixed_problem(random, Family::kIndefinite);
    Eigen::VectorXd z;
    if (mcp::lemke(problem, {}, z).status == Status::kSolved) ++solved;
  }
  WARN("indefinite matrices: " << solved << " of 3000");
  CHECK(solved > 2500);
}

TEST_CASE("joints that are held twice and contacts with friction are solved by Lemke") {
  // A block on a table by three collinear contacts, with a slider that is held by three equal rows.
  for (const double speed : {0.02, 0.5}) {
    PlanarContacts contacts = block_on_table(2.0, 0.5, 0.5, {-1.0, 0.25, 1.0}, 0.3);
    contacts.v_free << speed, -0.0981, 0.4;
    const LinearProblem lcp = contact_lcp(contacts);
    const auto k = contacts.normals.rows();
    Eigen::MatrixXd J(3 * k + 3, 3);
    J << contacts.normals, contacts.tangents, -contacts.tangents,
        Eigen::RowVector3d::UnitZ().replicate(3, 1);
    const Eigen::MatrixXd R = J * contacts.mass.cwiseInverse().asDiagonal() * J.transpose();
    const auto n = lcp.q.size();
    LinearProblem problem;
    problem.M = Eigen::MatrixXd::Zero(n + 3, n + 3);
    problem.M.topLeftCorner(n, n) = lcp.M;
    problem.M.bottomLeftCorner(3, 3 * k) = R.bottomLeftCorner(3, 3 * k);
    problem.M.topRightCorner(n, 3).topRows(3 * k) = R.topRightCorner(3 * k, 3);
    problem.M.bottomRightCorner(3, 3) = R.bottomRightCorner(3, 3);
    problem.q.resize(n + 3);
    problem.q << lcp.q, Eigen::Vector3d::Constant(contacts.v_free[2]);
    problem.kinds = lcp.kinds;
    problem.kinds.insert(problem.kinds.end(), 3, Kind::kFree);
    Eigen::VectorXd z;
    const Result result = mcp::lemke(problem, {}, z);
    REQUIRE(result.status == Status::kSolved);
    Eigen::VectorXd v = motion(contacts, z.head(n));
    v[2] += z.tail(3).sum() / contacts.mass[2];
    CHECK(v[0] == Approx(std::max(0.0, speed - 0.3 * 0.0981)).margin(1e-12));
    CHECK(std::abs(v[1]) <= 1e-12);
    CHECK(std::abs(v[2]) <= 1e-12);
  }
}

TEST_CASE("the history of Lemke has a residual for each pivot") {
  Random random(11);
  const PlanarContacts contacts = pyramid_of_discs(2, 0.0, 0.2, random);
  LemkeOptions options;
  options.keep_history = true;
  Eigen::VectorXd z;
  const Result result = mcp::lemke(contact_lcp(contacts), options, z);
  REQUIRE(result.status == Status::kSolved);
  REQUIRE(static_cast<int>(result.history.size()) == result.iterations);
  CHECK(result.history.front().residual > 0.1);
  CHECK(result.history.back().residual <= 1e-12);
}
