#include "lab/validation/validation_context.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "lab/validation/examples.hpp"

using namespace graspmap;

namespace {

ValidationContext context() {
  return {GRASPMAP_SOURCE_DIR "/configs/scenes", GRASPMAP_SOURCE_DIR "/configs/lock_piece.toml"};
}

}  // namespace

TEST_CASE("steppers that solve other equations are told apart") {
  const SceneFile rod = validation_scene(context(), "falling_rod", {"time.duration_s=0.5"});
  CHECK(stepper_disagreement(rod, StepperKind::kImplicit, StepperKind::kImplicit) == 0.0);
  CHECK(stepper_disagreement(rod, StepperKind::kImplicit, StepperKind::kStewartTrinkle) > 1e-4);
  CHECK(implicit_steppers_agree(rod).passed());
}

TEST_CASE("a run whose step was not solved fails its check") {
  SceneRun run;
  CHECK(all_steps_solved("run", run).passed());
  run.failure.emplace();
  CHECK_FALSE(all_steps_solved("run", run).passed());
}

TEST_CASE("the clock of steps keeps what an observer does out of the steps") {
  StepClock clock;
  StepClock of_all;  // is not told when the observer is done
  CHECK(clock.median_s() == 0.0);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the observer
  clock.go_on();
  const double step_s = clock.step_s();
  CHECK(step_s >= 0.0);
  CHECK(of_all.step_s() >= step_s + 0.005);
  CHECK(clock.median_s() == step_s);
  CHECK(median({3.0, 1.0, 2.0}) == 2.0);
  CHECK(median({4.0, 1.0, 2.0, 3.0}) == 3.0);
}

TEST_CASE("the examples that take a moment hold") {
  for (const auto validate :
       {validate_rolling_disc, validate_sphere_on_plane, validate_sliding_cube,
        validate_falling_cube, validate_handled_cylinder, validate_ellipse}) {
    const ExampleReport report = validate(context());
    INFO(validation_text({report}));
    CHECK(report.passed());
    CHECK(report.checks.size() > 10);
  }
}
