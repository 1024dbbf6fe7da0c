#include <array>
#include <catch2/catch.hpp>

#include "lab/contact_space/contact_space.hpp"
#include "tests/lab/contact_space/contact_spaces.hpp"
#include "tests/support/numeric_jacobian.hpp"

using namespace graspmap;
using namespace graspmap::testing;

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
