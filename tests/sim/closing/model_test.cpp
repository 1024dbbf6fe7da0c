#include "sim/closing/model.hpp"

#include <catch2/catch.hpp>

#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

TEST_CASE("a placement is the gripper's origin seen from the part") {
  const Scenario scenario = lopsided_scenario();
  TrialParameters trial;
  trial.placement_x_mm = 3.0;
  trial.placement_y_mm = -11.0;
  trial.theta_rad = 0.7;
  const State state = initial_state(scenario, trial);

  const Pose2 X_GP = part_pose_in_gripper(scenario, state);
  CHECK(X_GP.position_mm.x() == within(-3.0, 1e-14));
  CHECK(X_GP.position_mm.y() == within(11.0, 1e-14));
  CHECK(X_GP.angle_rad == 0.7);

  const Vec2 center = transform(X_GP, scenario.mass.center_of_mass_P_mm);
  CHECK((center - state.part_pose.head<2>()).norm() < 1e-14);
}

TEST_CASE("a trial starts at rest with open jaws") {
  const Scenario scenario = lock_piece_scenario();
  const State state = initial_state(scenario, {});
  CHECK(state.part_velocity == Vec3::Zero());
  CHECK(state.jaw_right_mm == 32.0);
  CHECK(state.jaw_left_mm == -32.0);
  CHECK(state.jaw_right_mm_s == 0.0);
  CHECK(state.jaw_left_mm_s == 0.0);
}

TEST_CASE("the part frame follows a turn about the centre of mass") {
  const Scenario scenario = lopsided_scenario();
  State state = initial_state(scenario, {});
  const Vec2 before = transform(part_pose_in_gripper(scenario, state), {5.0, 2.0});
  const Vec2 arm = before - state.part_pose.head<2>();
  state.part_pose[2] += 0.3;
  const Vec2 after = transform(part_pose_in_gripper(scenario, state), {5.0, 2.0});
  const Vec2 expected = state.part_pose.head<2>() + Rotation2(0.3) * arm;
  CHECK((after - expected).norm() < 1e-13);
}
