#include <catch2/catch.hpp>

#include "lab/contact_space/contact_space.hpp"
#include "tests/lab/contact_space/contact_spaces.hpp"

using namespace graspmap;
using namespace graspmap::testing;

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
