#include "grasp/decide/robot_grasps/tool_pose.hpp"

#include <Eigen/Geometry>
#include <cmath>

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

}  // namespace graspmap
