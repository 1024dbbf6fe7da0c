/// The full and the condensed step are the same step: eq. (15)-(19) of Chakraborty et al. 2014 hold
/// exactly when the gap between the closest points is not negative (propositions 1-4).

#include <catch2/catch.hpp>
#include <cmath>

#include "lab/grasp_scene/grasp_scene.hpp"
#include "lab/planar/full/implicit_full.hpp"
#include "lab/planar/steppers/make_stepper.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/planar_scenes.hpp"
#include "tests/support/random_parts.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kTolerance = 1e-8;

/// Velocities of two states in the step's unit, angular ones times its length.
double difference(const PlanarScene& scene, const PlanarState& a, const PlanarState& b,
                  const StepScales& scales) {
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    Vec3 apart = body_velocity(scene, a, i) - body_velocity(scene, b, i);
    apart[2] *= scales.length_mm;
    keep_largest(worst, apart.norm());
  }
  return worst / scales.velocity_mm_s;
}

/// Runs a scene with the condensed stepper and repeats every step with the full one.
void check_agreement(const PlanarScene& scene, double step_s, double duration_s) {
  const auto condensed = make_stepper(StepperKind::kImplicit, {});
  const auto full = make_implicit_full({});
  SceneRunSettings settings;
  settings.step_s = step_s;
  settings.duration_s = duration_s;
  PlanarState before;
  PlanarStep repeated;
  double worst = 0.0;
  int touching = 0;
  const auto see = [&](const PlanarState& state, const PlanarStep* step) {
    if (step != nullptr) {
      const double h = step->end.time_s - before.time_s;
      full->step(scene, before, h, repeated);
      CHECK(repeated.status == mcp::Status::kSolved);
      keep_largest(worst,
                   difference(scene, step->end, repeated.end, step_scales(scene, before, h)));
      for (const PlanarContact& contact : repeated.contacts) touching += contact.p_n > 0.0 ? 1 : 0;
    }
    before = state;
    return true;
  };
  CHECK_FALSE(simulate_scene(scene, *condensed, settings, see).failure);
  CHECK(worst < kTolerance);
  CHECK(touching > 10);
}

std::vector<RecordedGraspStep> grasp_steps(const Scenario& scenario, const TrialParameters& trial) {
  std::vector<RecordedGraspStep> steps;
  State before;
  const StepObserver observer = [&](const StepRecord& record) {
    if (record.step_s > 0.0) {
      steps.push_back(
          {before, *record.state, record.step_s, *record.contacts, record.support_impulse});
    }
    before = *record.state;
  };
  run(scenario, trial, &observer);
  return steps;
}

/// Repeats the steps of simulated grasps.
class GraspRepeater {
 public:
  void repeat(const Scenario& scenario, const TrialParameters& trial) {
    const PlanarScene scene = grasp_scene(scenario, trial);
    for (const RecordedGraspStep& step : grasp_steps(scenario, trial)) {
      ++steps;
      const PlanarState start = planar_state(scene, step.start);
      stepper_->step(scene, start, step.h, repeated_);
      if (repeated_.status != mcp::Status::kSolved) {
        ++unsolved;
        continue;
      }
      StepScales scales = step_scales(scene, start, step.h);
      scales.velocity_mm_s = scenario.gripper.closing_speed_mm_s;
      const PlanarState expected = planar_state(scene, step.end);
      if (difference(scene, repeated_.end, expected, scales) < kTolerance) continue;
      // Steps with several solutions: the simulated one solves the problem too.
      if (full_residual(scene, step) < 1e-7) {
        ++indeterminate;
      } else {
        ++different;
      }
    }
  }

  int steps = 0;
  int unsolved = 0;
  int different = 0;
  int indeterminate = 0;

 private:
  std::unique_ptr<PlanarStepper> stepper_ = make_implicit_full({});
  PlanarStep repeated_;
};

}  // namespace

TEST_CASE("full and condensed steps of a disc agree") {
  check_agreement(disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 0.0}), 0.01, 0.5);
  check_agreement(disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 3.0}), 0.01, 0.5);
}

TEST_CASE("full and condensed steps of an ellipse agree") {
  check_agreement(falling_ellipse(), 0.01, 2.5);
}

TEST_CASE("full and condensed steps of a rod agree") { check_agreement(falling_rod(), 0.002, 0.6); }

TEST_CASE("full and condensed steps of a stack of discs agree") {
  check_agreement(disc_stack(3), 0.01, 0.4);
}

TEST_CASE("full and condensed steps of bodies of all shapes that fall into a box agree") {
  check_agreement(mixed_pile(), 0.002, 0.3);
}

TEST_CASE("full steps of the lock piece repeat the simulated ones") {
  Random random(7);
  GraspRepeater repeater;
  for (int k = 0; k < 24; ++k) {
    Scenario scenario = lock_piece_scenario();
    if (k % 2 == 1) scenario.gripper.coupling = Coupling::kIndependent;
    scenario.step_s = k % 4 < 2 ? 0.002 : 0.005;
    repeater.repeat(scenario, lock_piece_trial(random));
  }
  INFO("steps " << repeater.steps << ", indeterminate " << repeater.indeterminate);
  CHECK(repeater.unsolved == 0);
  CHECK(repeater.different == 0);
  CHECK(repeater.steps > 1500);
  CHECK(repeater.indeterminate < repeater.steps / 50);
}
