#include "sim/closing/program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/elementary/elementary.hpp"

namespace graspmap {

bool is_legal(const Phase& phase) {
  const auto is_length = [](double value) { return std::isfinite(value) && value >= 0.0; };
  const bool held = phase.drive == JawDrive::kHold;
  const bool needs_drive = phase.until == PhaseGoal::kStopped || phase.until == PhaseGoal::kOpening;
  return is_length(phase.duration_s) && is_length(phase.opening_mm) &&
         phase.twist.velocity_mm_s.allFinite() && std::isfinite(phase.twist.turn_rad_s) &&
         !(held && needs_drive);
}

double final_opening_mm(const Phase& phase, double closed_opening_mm) {
  const bool waits = phase.until == PhaseGoal::kOpening;
  switch (phase.drive) {
    case JawDrive::kHold:
      break;
    case JawDrive::kOpen:
      return waits ? phase.opening_mm : std::numeric_limits<double>::infinity();
    case JawDrive::kClose:
      return waits ? std::max(phase.opening_mm, closed_opening_mm) : closed_opening_mm;
  }
  return -std::numeric_limits<double>::infinity();
}

GripperTwist carried_at(const Pose2& pose, const GripperTwist& twist) {
  const Vec2 velocity = twist.at(pose.position_mm).head<2>();
  return {Rotation2(pose.angle_rad).inverse_times(velocity), twist.turn_rad_s};
}

/// The integral of R(omega s) V over the time t is t sinc(omega t / 2) R(omega t / 2) V.
Pose2 moved_by(const GripperTwist& twist, double time_s) {
  if (!twist.turns()) return {time_s * twist.velocity_mm_s, 0.0};
  const double half = 0.5 * twist.turn_rad_s * time_s;
  const double sinc = half == 0.0 ? 1.0 : elementary::sin(half) / half;
  return {time_s * sinc * (Rotation2(half) * twist.velocity_mm_s), 2.0 * half};
}

Vec3 left_behind(const GripperTwist& twist, const Vec3& pose, double time_s) {
  const Pose2 moved = moved_by(twist, time_s);
  const Vec2 position = inverse_transform(moved, pose.head<2>());
  return {position.x(), position.y(), pose[2] - moved.angle_rad};
}

}  // namespace graspmap
