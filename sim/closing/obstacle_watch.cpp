#include "sim/closing/obstacle_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/closing/overlap.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// The obstacles at rest on the table, as a part.
State with_obstacles(State state) {
  const Pose2 X_GT = inverse(state.gripper);
  state.part_pose = {X_GT.position_mm.x(), X_GT.position_mm.y(), X_GT.angle_rad};
  state.part_velocity.setZero();
  return state;
}

State between(const State& from, const State& to, double s) {
  State state = to;
  const auto mix = [s](double a, double b) { return a + s * (b - a); };
  state.jaw_right_mm = mix(from.jaw_right_mm, to.jaw_right_mm);
  state.jaw_left_mm = mix(from.jaw_left_mm, to.jaw_left_mm);
  state.gripper.position_mm += (s - 1.0) * (to.gripper.position_mm - from.gripper.position_mm);
  state.gripper.angle_rad = mix(from.gripper.angle_rad, to.gripper.angle_rad);
  return state;
}

}  // namespace

void ObstacleWatch::begin(const Scenario& scenario, const State& state) {
  any_ = !scenario.obstacles.empty();
  met_ = -1;
  if (!any_) return;
  scenario_.gripper = scenario.gripper;
  scenario_.part.outlines.clear();
  for (const Obstacle& obstacle : scenario.obstacles) {
    scenario_.part.outlines.emplace_back().outline = obstacle.outline;
  }
  obstacles_.set_part(scenario_.part, Vec2::Zero());
  obstacles_.set_fingers(scenario.gripper);
  go_on_from(state);
}

double ObstacleWatch::closing_time_s(const State& state, double longest_s) const {
  if (!any_) return longest_s;
  const FreeTravel free(scenario_.gripper);
  const double most_mm = free.travel_at(longest_s);
  const double travel_mm = travel_to_contact_mm(obstacles_, with_obstacles(state), most_mm,
                                                tolerances::kTouchMm, scenario_.gripper.coupling);
  return travel_mm < most_mm ? free.time_of(travel_mm) : longest_s;
}

double ObstacleWatch::free_time_s(const Phase& phase, const State& state, double longest_s) {
  if (!any_) return longest_s;
  const FreeMotion motion(scenario_.gripper, phase, with_obstacles(state));
  return free_time(obstacles_, motion, tolerances::kTouchMm, longest_s);
}

void ObstacleWatch::go_on_from(const State& state) {
  last_ = state;
  gap_mm_ = 0.0;
}

int ObstacleWatch::met(const State& state) {
  if (!any_ || met_ >= 0) return met_;
  const State from = std::exchange(last_, state);
  const double moved_mm =
      largest_motion_mm(with_obstacles(from), with_obstacles(state), obstacles_.reach_mm());
  gap_mm_ -= moved_mm;
  if (gap_mm_ > 0.0) return -1;
  // Finger and obstacle may both be thin.
  const double looks = std::max(std::ceil(moved_mm / (0.5 * tolerances::kLookMm)), 1.0);
  for (double k = 1.0; k <= looks; ++k) {
    const Configuration q(with_obstacles(between(from, state, k / looks)));
    if (overlaps_deeply(scenario_, obstacles_, q, tolerances::kTouchMm)) {
      return met_ = first_met(q);
    }
  }
  gap_mm_ = smallest_gap_within_mm(obstacles_, Configuration(with_obstacles(state)),
                                   obstacles_.reach_mm());
  return -1;
}

int ObstacleWatch::first_met(const Configuration& q) const {
  Scenario one = scenario_;
  for (std::size_t k = 0; k < scenario_.part.outlines.size(); ++k) {
    one.part.outlines = {scenario_.part.outlines[k]};
    BroadPhase obstacle;
    obstacle.set_part(one.part, Vec2::Zero());
    obstacle.set_fingers(one.gripper);
    if (overlaps_deeply(one, obstacle, q, tolerances::kTouchMm)) return static_cast<int>(k);
  }
  return 0;
}

}  // namespace graspmap
