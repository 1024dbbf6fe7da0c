#include <catch2/catch.hpp>

#include "lab/contact_space/contact_space.hpp"
#include "tests/lab/contact_space/contact_spaces.hpp"

using namespace graspmap;
using namespace graspmap::testing;

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
