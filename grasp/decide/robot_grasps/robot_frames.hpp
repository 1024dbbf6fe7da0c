#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/io/request.hpp"

namespace graspmap {

/// A pose in space X_AB: frame B's origin and axes in frame A.
struct SpatialPose {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position_mm = Eigen::Vector3d::Zero();
};

/// X_AC = X_AB X_BC.
SpatialPose compose(const SpatialPose& X_AB, const SpatialPose& X_BC);
/// X_BA.
SpatialPose inverse(const SpatialPose& X_AB);

/// w, x, y, z of the unit quaternion with w >= 0.
std::array<double, 4> quaternion_wxyz(const Eigen::Matrix3d& rotation);
/// The axis times the angle, 0 to pi.
Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& rotation);

/// A pose in the plane of the table, in space: z points up.
SpatialPose in_space(const Pose2& pose);

/// Where the tool's frame T is in the gripper's frame G of the plane: `height_mm` above the table,
/// turned so that its z points down, out of the tool. The jaws close along T's axis at
/// `jaw_angle_rad` from its x, counter-clockwise about its z: 0 along x, pi/2 along y.
/// With angle 0, T's x is G's x, T's y is -(G's y).
SpatialPose tool_in_gripper(double height_mm, double jaw_angle_rad);

/// Where the tool is in the frame of the part P that is to be grasped with a placement (x mm, y mm,
/// theta rad). A placement says where the part is in the gripper, X_GP: at (-x, -y), turned by
/// theta. So the gripper is in the part's frame at R(-theta) (x, y), turned by -theta: (x, y) is
/// along the gripper's axes, and a part that is turned to the left is reached by a gripper that is
/// turned to the right of it.
///   X_PT = X_GP^-1 X_GT
SpatialPose tool_in_part(const std::array<double, 3>& placement, double height_mm,
                         double jaw_angle_rad);

/// Where the part is in the tool's frame when it lies at a pose X_GP in the gripper: after the
/// grasp, for the next step.
///   X_TP = X_GT^-1 X_GP
SpatialPose part_in_tool(const Pose2& X_GP, double height_mm, double jaw_angle_rad);

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
/// rotation is exact, and the residual shows how far the triangles differ. Nothing when a triangle
/// is so flat that it has no plane, thinner than a thousandth of its length.
std::optional<PlaneFrame> frame_of_points(const std::array<Eigen::Vector3d, 3>& robot_mm,
                                          const std::array<Vec2, 3>& plane_mm);

/// What a calibration says; nothing without one. Throws RequestError, ConfigError.
std::optional<PlaneFrame> plane_frame(const PlaneCalibration& calibration);

}  // namespace graspmap
