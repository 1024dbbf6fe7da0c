#include "lab/measured_pushes/hand_simulation.hpp"

#include <numbers>

namespace graspmap {
namespace {

constexpr double kTableFriction = 0.25;  // slow pushes do not depend on it
constexpr double kMostCleared_mm = 50.0;
constexpr double kClearError_mm = 1e-3;
const Pose2 kGripperInHand{Vec2::Zero(), 0.5 * std::numbers::pi};  // its x axis is the hand's y
const Vec2 kPushing(0.0, -1.0);                                    // the hand's x, in the gripper

/// After a push the hand goes away, and the part comes to rest.
const Phase kRetreat{.drive = JawDrive::kHold,
                     .twist = {-10.0 * kPushing, 0.0},
                     .until = PhaseGoal::kDuration,
                     .duration_s = 0.2};

/// The constant twist of a gripper from one pose to another: moved_by undone.
Phase motion_between(const Pose2& from, const Pose2& to, double time_s) {
  const Pose2 moved = compose(inverse(from), to);
  const double half = 0.5 * moved.angle_rad;
  const double sinc = half == 0.0 ? 1.0 : elementary::sin(half) / half;
  return {.drive = JawDrive::kHold,
          .twist = {Rotation2(half).inverse_times(moved.position_mm) / (time_s * sinc),
                    moved.angle_rad / time_s},
          .until = PhaseGoal::kDuration,
          .duration_s = time_s};
}

TrialParameters hand_trial(const Pose2& part_in_gripper) {
  return {.placement_x_mm = -part_in_gripper.position_mm.x(),
          .placement_y_mm = -part_in_gripper.position_mm.y(),
          .theta_rad = part_in_gripper.angle_rad,
          .mu_support = kTableFriction};
}

}  // namespace

HandScene::HandScene(const PushedShape& shape) : scenario_(sliding_scenario(shape)) {
  scenario_.gripper.opening_mm = kFingerDistance_mm;
  scenario_.gripper.right_finger = scenario_.gripper.left_finger = pushing_disc(kFingerRadius_mm);
}

Pose2 HandScene::cleared(Pose2 part) const {
  const auto is_clear = [&](double moved_mm) {
    const Pose2 moved{part.position_mm + moved_mm * kPushing, part.angle_rad};
    return StartCheck(scenario_).is_free(initial_state(scenario_, hand_trial(moved)));
  };
  if (is_clear(0.0)) return part;
  double within_mm = 0.0;
  double clear_mm = 1.0;
  while (clear_mm < kMostCleared_mm && !is_clear(clear_mm)) within_mm = clear_mm++;
  while (clear_mm - within_mm > kClearError_mm) {
    const double middle_mm = 0.5 * (within_mm + clear_mm);
    (is_clear(middle_mm) ? clear_mm : within_mm) = middle_mm;
  }
  part.position_mm += clear_mm * kPushing;
  return part;
}

std::vector<Pose2> HandScene::rests(const RepeatedRun& run, const Pose2& start, const HandLaw& law,
                                    Workspace& workspace, SimulationResult& result) const {
  Scenario scenario = scenario_;
  scenario.support = EllipsoidSupport{1.0, 1.0, law.length_mm};
  std::vector<Pose2> rests;
  Pose2 part = compose(start, law.part);
  for (const std::vector<HandSample>& path : run.pushes) {
    const auto gripper = [&](std::size_t row) {
      return compose(compose(path[row].hand, law.hand), kGripperInHand);
    };
    scenario.program.clear();
    std::size_t last = path.size() - 1;  // row of the motion
    while (last > 0 && path[last - 1].hand == path[last].hand) --last;
    for (std::size_t k = 1; k <= last; ++k) {
      scenario.program.push_back(
          motion_between(gripper(k - 1), gripper(k), path[k].time_s - path[k - 1].time_s));
    }
    if (last > 0) {
      scenario.program.push_back(kRetreat);
      TrialParameters trial = hand_trial(cleared(compose(inverse(gripper(0)), part)));
      trial.mu_jaw = law.mu_finger;
      simulate(scenario, trial, workspace, result);
      if (result.end != EndReason::kStopped) return {};
      const State& end = result.final_state;
      const Pose2 moved = compose(end.gripper, part_pose_in_gripper(scenario, end));
      part = compose(gripper(0), moved);
    }
    rests.push_back(compose(part, inverse(law.part)));
  }
  return rests;
}

}  // namespace graspmap
