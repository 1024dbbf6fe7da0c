#include "grasp/decide/robot_grasps/tool_pose.hpp"

#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

namespace graspmap::testing {
namespace {

constexpr double kQuarter = std::numbers::pi / 2;

Eigen::Matrix3d rows(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  Eigen::Matrix3d matrix;
  matrix << a.transpose(), b.transpose(), c.transpose();
  return matrix;
}

TEST_CASE("a tool beside a part that is not turned") {
  // The gripper is 10 mm to the right of the part and 3 mm before it: so is the tool.
  const SpatialPose tool = tool_in_part({10, -3, 0}, 40, 0);
  CHECK(tool.position_mm.isApprox(Eigen::Vector3d(10, -3, 40)));
  CHECK(tool.rotation.isApprox(rows({1, 0, 0}, {0, -1, 0}, {0, 0, -1})));
  CHECK(rotation_vector(tool.rotation).isApprox(Eigen::Vector3d(std::numbers::pi, 0, 0)));
}

TEST_CASE("a part that is turned by a quarter, by hand") {
  // Seen from the gripper, the part lies 10 mm to its left, and the part's x axis shows along the
  // gripper's y. So the gripper's x axis shows along the part's -y: seen from the part, the gripper
  // is at (0, -10), and its jaws close along the part's y.
  const SpatialPose tool = tool_in_part({10, 0, kQuarter}, 0, 0);
  CHECK((tool.position_mm - Eigen::Vector3d(0, -10, 0)).norm() < 1e-12);
  CHECK((tool.rotation.col(0) - Eigen::Vector3d(0, -1, 0)).norm() < 1e-12);
  CHECK((tool.rotation.col(2) - Eigen::Vector3d(0, 0, -1)).norm() < 1e-12);
  CHECK(tool.rotation.determinant() == Approx(1));
}

TEST_CASE("jaws that close along the tool's y") {
  const SpatialPose tool = tool_in_part({0, 0, 0}, 0, kQuarter);
  CHECK((tool.rotation.col(1) - Eigen::Vector3d(1, 0, 0)).norm() < 1e-12);
  CHECK((tool.rotation.col(2) - Eigen::Vector3d(0, 0, -1)).norm() < 1e-12);
}

TEST_CASE("a part that does not move is where the placement says, seen from the tool") {
  const std::array<double, 3> placement{4, -7, 0.3};
  const SpatialPose part = part_in_tool({{-4, 7}, 0.3}, 25, 0.8);
  const SpatialPose both = compose(tool_in_part(placement, 25, 0.8), part);
  CHECK((both.rotation - Eigen::Matrix3d::Identity()).norm() < 1e-12);
  CHECK(both.position_mm.norm() < 1e-12);
  const SpatialPose back = compose(part, inverse(part));
  CHECK(back.position_mm.norm() < 1e-12);
  // The table is below the tool, along its z.
  CHECK(part.position_mm.z() == Approx(25));
}

TEST_CASE("quaternions and rotation vectors, in closed form") {
  const Eigen::Matrix3d turned = in_space({{0, 0}, kQuarter}).rotation;
  const auto [w, x, y, z] = quaternion_wxyz(turned);
  CHECK(w == Approx(std::sqrt(0.5)));
  CHECK(z == Approx(std::sqrt(0.5)));
  CHECK(std::hypot(x, y) < 1e-15);
  CHECK((rotation_vector(turned) - Eigen::Vector3d(0, 0, kQuarter)).norm() < 1e-12);
  CHECK(rotation_vector(Eigen::Matrix3d::Identity()).norm() == 0);
}

}  // namespace
}  // namespace graspmap::testing
