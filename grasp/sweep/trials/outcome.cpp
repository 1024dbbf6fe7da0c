#include "grasp/sweep/trials/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace graspmap {
namespace {

/// True when one of the target's features is among `touched` (ascending).
bool is_touched(const TouchTarget& target, const std::vector<int>& touched) {
  return std::any_of(target.features.begin(), target.features.end(), [&](int feature) {
    return std::binary_search(touched.begin(), touched.end(), feature);
  });
}

bool all_touched(const std::vector<TouchTarget>& targets, const std::vector<int>& touched) {
  return std::all_of(targets.begin(), targets.end(),
                     [&](const TouchTarget& target) { return is_touched(target, touched); });
}

bool touches_hold(const SuccessAlternative& rule, const SimulationResult& result) {
  if (rule.left.empty() && rule.right.empty() &&
      (result.left_touches.empty() || result.right_touches.empty())) {
    return false;
  }
  return all_touched(rule.left, result.left_touches) &&
         all_touched(rule.right, result.right_touches) &&
         all_touched(rule.palm, result.palm_touches);
}

bool holds(const std::optional<Window>& window, double value) {
  return !window || window->contains(value);
}

/// The same for an angle, whole periods from which are the same angle.
bool angle_holds(const std::optional<Window>& window, double angle_rad, double period_rad) {
  if (!window) return true;
  double above_min = std::fmod(angle_rad - window->min, period_rad);
  if (above_min < 0) above_min += period_rad;
  return above_min <= window->max - window->min;
}

bool windows_hold(const SuccessAlternative& rule, const State& state, const Pose2& pose) {
  return holds(rule.x_mm, pose.position_mm.x()) && holds(rule.y_mm, pose.position_mm.y()) &&
         angle_holds(rule.theta_rad, pose.angle_rad, rule.theta_period_rad) &&
         holds(rule.opening_mm, state.jaw_right_mm - state.jaw_left_mm);
}

bool succeeds(const SimulationResult& result, const Pose2& final_pose,
              const std::vector<SuccessAlternative>& success) {
  return std::any_of(success.begin(), success.end(), [&](const SuccessAlternative& rule) {
    return touches_hold(rule, result) && windows_hold(rule, result.final_state, final_pose) &&
           (!rule.at_rest || result.end == EndReason::kStopped);
  });
}

/// The outcome of jaws that neither closed nor failed.
Outcome classify_end(const SimulationResult& result, const Pose2& final_pose,
                     const std::vector<SuccessAlternative>& success) {
  if (succeeds(result, final_pose, success)) return Outcome::kSuccess;
  if (result.left_touches.empty() || result.right_touches.empty()) return Outcome::kMissed;
  return result.end == EndReason::kStopped ? Outcome::kWedged : Outcome::kTimeout;
}

}  // namespace

const char* name(Outcome outcome) {
  static constexpr std::array<const char*, kOutcomeCount> kNames = {"success", "wedged",  "missed",
                                                                    "timeout", "blocked", "failed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Outcome classify(const SimulationResult& result, const Pose2& final_pose,
                 const std::vector<SuccessAlternative>& success) {
  switch (result.end) {
    case EndReason::kFailed:
    case EndReason::kTooLong:
      return Outcome::kFailed;
    case EndReason::kBlocked:
      return Outcome::kBlocked;
    case EndReason::kClosed:
      return Outcome::kMissed;
    case EndReason::kStopped:
    case EndReason::kTimeout:
      break;
  }
  return classify_end(result, final_pose, success);
}

}  // namespace graspmap
