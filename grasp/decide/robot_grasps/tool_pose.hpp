#pragma once

#include <Eigen/Core>
#include <array>

#include "geometry/types.hpp"

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

}  // namespace graspmap
