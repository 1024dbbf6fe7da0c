#include "grasp/decide/robot_grasps/robot_frames.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {
namespace {

Eigen::Matrix3d about_z(double angle_rad) {
  const Vec2 x = unit_vector(angle_rad);
  return Eigen::Matrix3d{{x.x(), -x.y(), 0}, {x.y(), x.x(), 0}, {0, 0, 1}};
}

}  // namespace

SpatialPose compose(const SpatialPose& X_AB, const SpatialPose& X_BC) {
  return {X_AB.rotation * X_BC.rotation, X_AB.position_mm + X_AB.rotation * X_BC.position_mm};
}

SpatialPose inverse(const SpatialPose& X_AB) {
  return {X_AB.rotation.transpose(), -(X_AB.rotation.transpose() * X_AB.position_mm)};
}

std::array<double, 4> quaternion_wxyz(const Eigen::Matrix3d& rotation) {
  Eigen::Quaterniond q(rotation);
  q.normalize();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return {q.w() + 0.0, q.x() + 0.0, q.y() + 0.0, q.z() + 0.0};  // no -0
}

Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& rotation) {
  const auto [w, x, y, z] = quaternion_wxyz(rotation);
  const Eigen::Vector3d axis(x, y, z);
  const double sine = axis.norm();
  if (sine == 0) return Eigen::Vector3d::Zero();
  return 2 * std::atan2(sine, w) / sine * axis;
}

SpatialPose in_space(const Pose2& pose) {
  return {about_z(pose.angle_rad), {pose.position_mm.x(), pose.position_mm.y(), 0.0}};
}

SpatialPose tool_in_gripper(double height_mm, double jaw_angle_rad) {
  const Eigen::Matrix3d looks_down = Eigen::Vector3d(1, -1, -1).asDiagonal();
  return {looks_down * about_z(-jaw_angle_rad), {0, 0, height_mm}};
}

SpatialPose tool_in_part(const std::array<double, 3>& placement, double height_mm,
                         double jaw_angle_rad) {
  const Pose2 X_GP{{-placement[0], -placement[1]}, placement[2]};
  return compose(in_space(inverse(X_GP)), tool_in_gripper(height_mm, jaw_angle_rad));
}

SpatialPose part_in_tool(const Pose2& X_GP, double height_mm, double jaw_angle_rad) {
  return compose(inverse(tool_in_gripper(height_mm, jaw_angle_rad)), in_space(X_GP));
}

namespace {

constexpr const char* kRotations =
    "needs a rotation, --frame-rpy-rad or --frame-quaternion, one of them";
constexpr const char* kFlat = "three points that are not in one line, in both frames";

/// The axes of the frame that three points span; nothing when they are in one line.
std::optional<Eigen::Matrix3d> axes_of(const std::array<Eigen::Vector3d, 3>& points) {
  constexpr double kThinnest = 1e-3;
  const Eigen::Vector3d along = points[1] - points[0];
  const Eigen::Vector3d aside = points[2] - points[0];
  const double longest = std::max({along.norm(), aside.norm(), (points[2] - points[1]).norm()});
  const double doubled_area = along.cross(aside).norm();
  if (!(along.norm() > 0) || !(doubled_area > kThinnest * longest * longest)) return std::nullopt;
  Eigen::Matrix3d axes;
  axes.col(0) = along.normalized();
  axes.col(1) = (aside - axes.col(0).dot(aside) * axes.col(0)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

Eigen::Matrix3d rotation_of(const std::array<double, 4>& wxyz) {
  return Eigen::Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized().toRotationMatrix();
}

bool is_unit(const std::array<double, 4>& wxyz) {
  constexpr double kRounded = 1e-3;
  return std::abs(std::hypot(std::hypot(wxyz[0], wxyz[1]), std::hypot(wxyz[2], wxyz[3])) - 1) <=
         kRounded;
}

/// A file with position_mm and rpy_rad or quaternion_wxyz, or with robot_points_mm and
/// plane_points_mm.
PlaneFrame read_frame(const std::filesystem::path& file) {
  const toml::table document = parse_toml(read_toml_text(file), file.string());
  return read_toml(document, [](const TomlTable& table) {
    if (table.has("robot_points_mm")) {
      const auto robot = table.number_lists("robot_points_mm", 3, 3);
      const auto plane = table.number_lists("plane_points_mm", 2, 2);
      table.check_keys();
      if (robot.size() != 3) table.fail("robot_points_mm", "must be three points [x, y, z]");
      if (plane.size() != 3) table.fail("plane_points_mm", "must be three points [x, y]");
      std::array<Eigen::Vector3d, 3> robot_mm;
      std::array<Vec2, 3> plane_mm;
      for (std::size_t k = 0; k < 3; ++k) {
        robot_mm[k] = {robot[k][0], robot[k][1], robot[k][2]};
        plane_mm[k] = {plane[k][0], plane[k][1]};
      }
      const std::optional<PlaneFrame> frame = frame_of_points(robot_mm, plane_mm);
      if (!frame) table.fail("robot_points_mm", std::string("must be ") + kFlat);
      return *frame;
    }
    const auto position = table.numbers<3>("position_mm");
    PlaneFrame frame{{Eigen::Matrix3d::Identity(), {position[0], position[1], position[2]}}, {}};
    if (table.first_present({"quaternion_wxyz", "rpy_rad"}) == "quaternion_wxyz") {
      const auto wxyz = table.numbers<4>("quaternion_wxyz");
      table.check_keys();
      if (!is_unit(wxyz)) table.fail("quaternion_wxyz", "must be [w, x, y, z] of length 1");
      frame.pose.rotation = rotation_of(wxyz);
    } else {
      frame.pose.rotation = rotation_of_rpy(table.numbers<3>("rpy_rad"));
      table.check_keys();
    }
    return frame;
  });
}

}  // namespace

RequestFields PlaneCalibration::fields() {
  return {
      text_field("frame FILE.toml", file,
                 "where the table's plane is in the robot's frame: position_mm with rpy_rad or "
                 "quaternion_wxyz, or robot_points_mm and plane_points_mm"),
      numbers_field("frame-position-mm X,Y,Z", position_mm, "X,Y,Z (mm)", so_many(3, 3),
                    "instead: the plane's origin in the robot's frame, with a rotation"),
      numbers_field("frame-rpy-rad R,P,Y", rpy_rad, "R,P,Y (rad)", so_many(3, 3),
                    "its axes: roll, pitch and yaw about the robot's x, y and z, in this order"),
      numbers_field(
          "frame-quaternion W,X,Y,Z", quaternion_wxyz, "W,X,Y,Z of a quaternion of length 1",
          [](const std::vector<double>& n) {
            return n.size() == 4 && is_unit({n[0], n[1], n[2], n[3]});
          },
          "instead: a quaternion"),
      numbers_field("robot-points-mm X,Y,Z,...", robot_points_mm,
                    "nine numbers, X,Y,Z of three points (mm)", so_many(9, 9),
                    "instead of a pose: three points in the robot's frame"),
      points_field("plane-points-mm X,Y;...", plane_points_mm,
                   "the same three points in the plane: the origin, one on +x, a third, as in "
                   "0,0;200,0;0,150")};
}

Eigen::Matrix3d rotation_of_rpy(const std::array<double, 3>& rpy_rad) {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  return (AngleAxisd(rpy_rad[2], Vector3d::UnitZ()) * AngleAxisd(rpy_rad[1], Vector3d::UnitY()) *
          AngleAxisd(rpy_rad[0], Vector3d::UnitX()))
      .toRotationMatrix();
}

std::optional<PlaneFrame> frame_of_points(const std::array<Eigen::Vector3d, 3>& robot_mm,
                                          const std::array<Vec2, 3>& plane_mm) {
  std::array<Eigen::Vector3d, 3> in_plane;
  for (std::size_t k = 0; k < 3; ++k) in_plane[k] = {plane_mm[k].x(), plane_mm[k].y(), 0.0};
  const auto robot_axes = axes_of(robot_mm);
  const auto plane_axes = axes_of(in_plane);
  if (!robot_axes || !plane_axes) return std::nullopt;
  PlaneFrame frame;
  frame.pose.rotation = *robot_axes * plane_axes->transpose();
  frame.pose.position_mm = robot_mm[0] - frame.pose.rotation * in_plane[0];
  frame.residual_mm = 0.0;
  for (std::size_t k = 1; k < 3; ++k) {
    const Eigen::Vector3d found = frame.pose.position_mm + frame.pose.rotation * in_plane[k];
    frame.residual_mm = std::max(*frame.residual_mm, (found - robot_mm[k]).norm());
  }
  return frame;
}

std::string PlaneFrame::notes() const {
  std::string text;
  if (residual_mm) {
    text += fmt::format(
        "graspmap: note: the three points differ by up to {:.3g} mm between robot and plane.\n",
        *residual_mm);
  }
  if (pose.rotation(2, 2) < 0) {
    text +=
        "graspmap: note: the plane's z axis points down in the robot's frame. Unless the robot "
        "hangs, the plane's axes are left-handed: swap its x and y.\n";
  }
  return text;
}

std::optional<PlaneFrame> plane_frame(const PlaneCalibration& calibration) {
  const bool has_rotation = calibration.rpy_rad || calibration.quaternion_wxyz;
  const bool has_pose = calibration.position_mm || has_rotation;
  const bool has_points = calibration.robot_points_mm || !calibration.plane_points_mm.empty();
  if (static_cast<int>(!calibration.file.empty()) + static_cast<int>(has_pose) +
          static_cast<int>(has_points) >
      1) {
    throw RequestError(
        "--frame, --frame-position-mm and --robot-points-mm: must be one calibration");
  }
  if (!calibration.file.empty()) return read_frame(calibration.file);
  if (has_points) {
    if (!calibration.robot_points_mm || calibration.plane_points_mm.size() != 3) {
      throw RequestError(
          "--robot-points-mm and --plane-points-mm: must both be there, with three points each");
    }
    const std::array<double, 9>& nine = *calibration.robot_points_mm;
    std::array<Eigen::Vector3d, 3> robot_mm;
    std::array<Vec2, 3> plane_mm;
    for (std::size_t k = 0; k < 3; ++k) {
      robot_mm[k] = {nine[3 * k], nine[3 * k + 1], nine[3 * k + 2]};
      plane_mm[k] = {calibration.plane_points_mm[k][0], calibration.plane_points_mm[k][1]};
    }
    const auto frame = frame_of_points(robot_mm, plane_mm);
    if (!frame) throw RequestError("robot-points-mm", "", kFlat);
    return frame;
  }
  if (!has_pose) return std::nullopt;
  if (!calibration.position_mm) {
    throw RequestError("frame-position-mm", "missing", "the plane's origin, X,Y,Z (mm)");
  }
  if (calibration.rpy_rad.has_value() == calibration.quaternion_wxyz.has_value()) {
    throw RequestError("frame-position-mm", kRotations);
  }
  const auto& [x, y, z] = *calibration.position_mm;
  return PlaneFrame{{calibration.rpy_rad ? rotation_of_rpy(*calibration.rpy_rad)
                                         : rotation_of(*calibration.quaternion_wxyz),
                     {x, y, z}},
                    {}};
}

}  // namespace graspmap
