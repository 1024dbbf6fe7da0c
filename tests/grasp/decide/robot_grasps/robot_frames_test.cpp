#include "grasp/decide/robot_grasps/robot_frames.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/config_error.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;
using Eigen::Vector3d;

PlaneFrame read(const std::string& text) {
  const TemporaryFolder folder;
  PlaneCalibration calibration;
  calibration.file = folder.write("frame.toml", text);
  return *plane_frame(calibration);
}

std::string error_of(const std::string& text) {
  return config_error_of_file("frame.toml", text, [](const std::filesystem::path& file) {
    PlaneCalibration calibration;
    calibration.file = file;
    plane_frame(calibration);
  });
}

std::string request_error(const PlaneCalibration& calibration) {
  try {
    plane_frame(calibration);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "(no error)";
}

TEST_CASE("three points of a plane that is turned by a quarter, by hand") {
  // The plane's x shows along the robot's y, its y along the robot's -x.
  const auto frame =
      frame_of_points({Vector3d(400, -120, 15), Vector3d(400, 80, 15), Vector3d(250, -120, 15)},
                      {Vec2(0, 0), Vec2(200, 0), Vec2(0, 150)});
  REQUIRE(frame);
  CHECK((frame->pose.position_mm - Vector3d(400, -120, 15)).norm() < 1e-12);
  CHECK((frame->pose.rotation - rotation_of_rpy({0, 0, std::numbers::pi / 2})).norm() < 1e-12);
  CHECK(*frame->residual_mm < 1e-12);
}

TEST_CASE("any frame is found again from three points anywhere in the plane") {
  const Eigen::Matrix3d rotation = Eigen::Quaterniond(0.3, -0.5, 0.7, 0.2).normalized().matrix();
  const Vector3d at(-310, 42, 7);
  const std::array<Vec2, 3> plane{Vec2(20, 5), Vec2(180, -30), Vec2(60, 170)};
  std::array<Vector3d, 3> robot;
  for (std::size_t k = 0; k < 3; ++k) {
    robot[k] = at + rotation * Vector3d(plane[k].x(), plane[k].y(), 0);
  }
  const auto frame = frame_of_points(robot, plane);
  REQUIRE(frame);
  CHECK((frame->pose.rotation - rotation).norm() < 1e-12);
  CHECK((frame->pose.position_mm - at).norm() < 1e-9);
  CHECK(*frame->residual_mm < 1e-9);
  CHECK((frame->pose.rotation.transpose() * frame->pose.rotation - Eigen::Matrix3d::Identity())
            .norm() < 1e-14);
}

TEST_CASE("the residual tells lengths and angles that differ, and the rotation stays exact") {
  const std::array<Vec2, 3> plane{Vec2(0, 0), Vec2(200, 0), Vec2(0, 150)};
  const auto longer =
      frame_of_points({Vector3d(0, 0, 0), Vector3d(201, 0, 0), Vector3d(0, 150, 0)}, plane);
  CHECK(*longer->residual_mm == Approx(1));
  CHECK(longer->pose.rotation.isApprox(Eigen::Matrix3d::Identity()));
  const auto askew =
      frame_of_points({Vector3d(0, 0, 0), Vector3d(200, 0, 0), Vector3d(2, 150, 0)}, plane);
  CHECK(*askew->residual_mm == Approx(2));
  CHECK(askew->pose.rotation.isApprox(Eigen::Matrix3d::Identity()));
  CHECK_THAT(askew->notes(), Contains("differ by up to 2 mm"));
}

TEST_CASE("points in a line, and a plane that looks down") {
  CHECK(!frame_of_points({Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(2, 0, 0)},
                         {Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)}));
  CHECK(!frame_of_points({Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)},
                         {Vec2(0, 0), Vec2(0, 0), Vec2(0, 1)}));
  const auto mirrored = frame_of_points({Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, -1, 0)},
                                        {Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)});
  CHECK_THAT(mirrored->notes(), Contains("z axis points down"));
}

TEST_CASE("a frame's file is a pose or three points, and wrong ones name their line") {
  const PlaneFrame rpy = read("position_mm = [1, 2, 3]\nrpy_rad = [0, 0, 1.5707963267948966]\n");
  const PlaneFrame quaternion = read(
      "position_mm = [1, 2, 3]\nquaternion_wxyz = [0.7071067811865476, 0, 0, "
      "0.7071067811865476]\n");
  const PlaneFrame points = read(
      "robot_points_mm = [[1, 2, 3], [1, 12, 3], [-9, 2, 3]]\n"
      "plane_points_mm = [[0, 0], [10, 0], [0, 10]]\n");
  for (const PlaneFrame& frame : {quaternion, points}) {
    CHECK((frame.pose.rotation - rpy.pose.rotation).norm() < 1e-12);
    CHECK((frame.pose.position_mm - rpy.pose.position_mm).norm() < 1e-12);
  }
  CHECK(rpy.notes().empty());
  CHECK_THAT(error_of("position_mm = [1, 2, 3]\n"), Contains("rpy_rad: missing"));
  CHECK_THAT(error_of("position_mm = [1, 2]\nrpy_rad = [0, 0, 0]\n"),
             Contains("frame.toml:1: position_mm"));
  CHECK_THAT(error_of("position_mm = [1, 2, 3]\nquaternion_wxyz = [1, 1, 0, 0]\n"),
             Contains("frame.toml:2: quaternion_wxyz") && Contains("length 1"));
  CHECK_THAT(error_of("robot_points_mm = [[1, 2, 3], [1, 12, 3], [1, 22, 3]]\n"
                      "plane_points_mm = [[0, 0], [10, 0], [0, 10]]\n"),
             Contains("robot_points_mm") && Contains("not in one line"));
  CHECK_THAT(error_of("position_mm = [1, 2, 3]\nrpy_rad = [0, 0, 0]\nscale = 2\n"),
             Contains("frame.toml:3: scale"));
}

TEST_CASE("options that are no calibration, or two") {
  CHECK(!plane_frame({}));
  PlaneCalibration one;
  one.position_mm = {{1, 2, 3}};
  CHECK_THAT(request_error(one), Contains("--frame-rpy-rad"));
  one.rpy_rad = {{0, 0, 0}};
  CHECK(plane_frame(one)->pose.position_mm.isApprox(Vector3d(1, 2, 3)));
  one.file = "frame.toml";
  CHECK_THAT(request_error(one), Contains("must be one calibration"));
  PlaneCalibration half;
  half.robot_points_mm = {{0, 0, 0, 1, 0, 0, 0, 1, 0}};
  CHECK_THAT(request_error(half), Contains("must both be there"));
  half.plane_points_mm = {{0, 0}, {1, 0}, {2, 0}};
  CHECK_THAT(request_error(half), Contains("not in one line"));
}

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
