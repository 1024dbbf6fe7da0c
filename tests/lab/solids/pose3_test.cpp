#include "lab/solids/pose3.hpp"

#include <catch2/catch.hpp>

namespace graspmap::testing {

TEST_CASE("the z axis is turned to any direction, also to the opposite one and next to it") {
  const double length = GENERATE(1e-6, 1.0, 1e6);
  const Vec3 direction =
      GENERATE(Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1, 0, 0), Vec3(-0.3, 0.7, 0.2),
               Vec3(0.2, -0.1, -5.0), Vec3(1e-9, 2e-9, -1), Vec3(1e-200, 0, -1), Vec3(0, 1e-9, 1));
  const Eigen::Quaterniond turn = turn_from_z(length * direction);
  CHECK(turn.norm() == Approx(1.0).epsilon(1e-15));
  CHECK((turn * Vec3::UnitZ() - direction.normalized()).norm() < 1e-15);
  CHECK(turn.z() == 0.0);  // no more than needed
}

}  // namespace graspmap::testing
