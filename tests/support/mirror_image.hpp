#pragma once

#include <numbers>
#include <utility>
#include <variant>

#include "sim/closing/trial_result.hpp"

/// What a mirror along the y axis of the gripper shows.

namespace graspmap::testing {

inline Vec2 mirror_image(const Vec2& x) { return {-x.x(), x.y()}; }

inline Pose2 mirror_image(const Pose2& pose) {
  return {mirror_image(pose.position_mm), -pose.angle_rad};
}

/// The chains run backwards, so that elements have other numbers.
inline Part mirror_image(Part part) {
  for (Piece& piece : part.pieces) piece.pose = mirror_image(piece.pose);
  for (OutlinePiece& piece : part.outlines) {
    piece.outline = mirrored(piece.outline);
    piece.pose = mirror_image(piece.pose);
  }
  return part;
}

inline SupportModel mirror_image(SupportModel support) {
  const Vec3 signs(-1.0, 1.0, -1.0);  // of (f_x, f_y, m)
  if (auto* tripod = std::get_if<TripodSupport>(&support)) {
    for (double& angle : tripod->angles_rad) angle = std::numbers::pi - angle;
  }
  if (auto* points = std::get_if<PointsSupport>(&support)) {
    for (SupportPoint& point : points->points) point.point_P_mm = mirror_image(point.point_P_mm);
  }
  if (auto* ellipsoid = std::get_if<PartEllipsoidSupport>(&support)) {
    ellipsoid->matrix = (signs.asDiagonal() * ellipsoid->matrix * signs.asDiagonal()).eval();
  }
  if (auto* surface = std::get_if<FourthOrderSupport>(&support)) {
    for (std::size_t k = 0; k < surface->coefficients.size(); ++k) {
      const auto& [x, y, turn] = kFourthOrderPowers[k];
      if ((x + turn) % 2 != 0) surface->coefficients[k] *= -1.0;
    }
  }
  return support;
}

inline Scenario mirror_image(Scenario scenario) {
  scenario.part = mirror_image(std::move(scenario.part));
  scenario.mass.center_of_mass_P_mm = mirror_image(scenario.mass.center_of_mass_P_mm);
  scenario.support = mirror_image(std::move(scenario.support));
  Gripper& gripper = scenario.gripper;
  gripper.offset_mm = mirror_image(gripper.offset_mm);
  std::swap(gripper.right_finger, gripper.left_finger);
  std::swap(gripper.mu_right, gripper.mu_left);
  std::swap(gripper.right_pad, gripper.left_pad);
  for (std::optional<Outline>* outline :
       {&gripper.right_finger, &gripper.left_finger, &gripper.palm}) {
    if (*outline) *outline = mirrored(**outline);
  }
  for (Phase& phase : scenario.program) {
    phase.twist.velocity_mm_s = mirror_image(phase.twist.velocity_mm_s);
    phase.twist.turn_rad_s *= -1.0;
  }
  return scenario;
}

inline TrialParameters mirror_image(TrialParameters trial) {
  trial.placement_x_mm *= -1.0;
  trial.theta_rad *= -1.0;
  return trial;
}

inline State mirror_image(const State& state) {
  State image = state;
  for (const int k : {0, 2}) {
    image.part_pose[k] *= -1.0;
    image.part_velocity[k] *= -1.0;
  }
  for (const int k : {0, 2}) {
    image.mount[k] *= -1.0;
    image.mount_velocity[k] *= -1.0;
  }
  image.jaw_right_mm = -state.jaw_left_mm;
  image.jaw_left_mm = -state.jaw_right_mm;
  image.jaw_right_mm_s = -state.jaw_left_mm_s;
  image.jaw_left_mm_s = -state.jaw_right_mm_s;
  return image;
}

}  // namespace graspmap::testing
