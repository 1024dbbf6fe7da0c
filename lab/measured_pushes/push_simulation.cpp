#include "lab/measured_pushes/push_simulation.hpp"

#include <cmath>

namespace graspmap {
namespace {

constexpr double kFarAway_mm = 2000.0;  // opening
constexpr double kStep_s = 0.05;
constexpr double kStepError_mm = 1e-3;
constexpr double kPoint_mm = 0.01;  // radius
constexpr double kTouch_mm = 1e-4;  // left open by in_contact
constexpr double kProbe_mm = 1e-4;  // for the gap's gradient

Scenario push_scenario(const PushedShape& shape, double radius_mm) {
  Scenario scenario = sliding_scenario(shape);
  scenario.gripper.opening_mm = kFarAway_mm;
  scenario.gripper.palm = pushing_disc(radius_mm);
  return scenario;
}

/// The gripper begins where the pusher does.
TrialParameters trial_of(const RecordedPush& push, const Pose2& part) {
  const Vec2 placement = push.tip_start_mm - part.position_mm;
  return {.placement_x_mm = placement.x(),
          .placement_y_mm = placement.y(),
          .theta_rad = part.angle_rad};
}

}  // namespace

Outline pushing_disc(double radius_mm) {
  OutlineLoop loop{{{radius_mm, 0.0}, 1.0, "pusher"}, {{-radius_mm, 0.0}, 1.0, "pusher_back"}};
  return {loop, {}};
}

Scenario sliding_scenario(const PushedShape& shape) {
  Scenario scenario;
  scenario.part = shape.part;
  scenario.mass = shape.mass;
  scenario.order = 2;
  scenario.step_s = kStep_s;
  scenario.tolerance_mm = kStepError_mm;
  return scenario;
}

PushScene::PushScene(const PushedShape& shape)
    : scenario_(push_scenario(shape, kPusherRadius_mm)),
      at_center_(push_scenario(shape, kPoint_mm)) {}

double PushScene::gap_mm(const RecordedPush& push, const Pose2& part) const {
  return smallest_gap_mm(at_center_, initial_state(at_center_, trial_of(push, part))) + kPoint_mm -
         kPusherRadius_mm;
}

PushStart PushScene::in_contact(const RecordedPush& push) const {
  PushStart start{push.start, Vec2::Zero()};
  const double gap = gap_mm(push, push.start);
  if (!(std::abs(gap) <= kMostGap_mm)) return start;
  const auto slope = [&](const Vec2& probe) {
    const Pose2 moved{push.start.position_mm + probe, push.start.angle_rad};
    return (gap_mm(push, moved) - gap) / kProbe_mm;
  };
  const Vec2 gradient(slope({kProbe_mm, 0.0}), slope({0.0, kProbe_mm}));
  if (gradient.norm() < 0.5) return start;  // the pusher's centre lies on the part
  start.moved_mm = -(gap - kTouch_mm) * gradient.normalized();
  start.part.position_mm += start.moved_mm;
  return start;
}

SimulatedPush PushScene::simulated(const RecordedPush& push, const PushStart& start,
                                   const PushLaw& law, Workspace& workspace,
                                   SimulationResult& result) const {
  const double length_mm = push.path_mm().norm();
  if (length_mm == 0.0) return {push.start, true};
  Scenario scenario = scenario_;
  scenario.support = law.support;
  scenario.program = {{.drive = JawDrive::kHold,
                       .twist = {push.path_mm() * (push.speed_mm_s / length_mm), 0.0},
                       .until = PhaseGoal::kDuration,
                       .duration_s = length_mm / push.speed_mm_s}};
  TrialParameters trial = trial_of(push, start.part);
  trial.mu_jaw = law.mu_pusher;
  trial.mu_support = law.mu_support;
  simulate(scenario, trial, workspace, result);
  if (result.end != EndReason::kStopped) return {push.start, false};
  const State& end = result.final_state;
  Pose2 part = compose(end.gripper, part_pose_in_gripper(scenario, end));
  part.position_mm += push.tip_start_mm - start.moved_mm;
  return {part, true};
}

}  // namespace graspmap
