#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/robot_grasps/tool_pose.hpp"

namespace graspmap {

/// Where the plane of the table is in the robot's frame.
struct PlaneFrame {
  SpatialPose pose;
  std::optional<double> residual_mm;  ///< of three points: the most that one is missed by

  /// For a person: the residual, and a z axis that points down.
  [[nodiscard]] std::string notes() const;
};

/// A calibration as a person has it: a pose, or three points.
struct PlaneCalibration {
  std::string file;
  std::optional<std::array<double, 3>> position_mm;
  std::optional<std::array<double, 3>> rpy_rad;
  std::optional<std::array<double, 4>> quaternion_wxyz;
  std::optional<std::array<double, 9>> robot_points_mm;
  std::vector<std::array<double, 2>> plane_points_mm;

  RequestFields fields();
};

/// R_z(yaw) R_y(pitch) R_x(roll): turns about the fixed axes x, y, z, one after the other.
Eigen::Matrix3d rotation_of_rpy(const std::array<double, 3>& rpy_rad);

/// The frame of three points that were measured in the robot's frame and in the plane. The first is
/// met exactly, the second in its direction, the third in the plane (Gram and Schmidt): the
/// rotation is exact, and the residual tells how far the triangles differ. Nothing when a triangle
/// is so flat that it has no plane, thinner than a thousandth of its length.
std::optional<PlaneFrame> frame_of_points(const std::array<Eigen::Vector3d, 3>& robot_mm,
                                          const std::array<Vec2, 3>& plane_mm);

/// What a calibration says; nothing without one. Throws RequestError, ConfigError.
std::optional<PlaneFrame> plane_frame(const PlaneCalibration& calibration);

}  // namespace graspmap
