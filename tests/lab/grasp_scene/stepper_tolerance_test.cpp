#include <catch2/catch.hpp>
#include <cmath>

#include "sim/closing/simulate.hpp"
#include "tests/support/scenes.hpp"

namespace graspmap::testing {
namespace {

TEST_CASE("the full stepper keeps a tolerance as the condensed one does") {
  Scenario scenario = disc_scenario(20.0);
  scenario.step_s = 0.008;
  scenario.tolerance_mm = 0.02;
  const SimulationResult condensed = run(scenario, pushed_disc_trial());
  scenario.stepper = StepperKind::kImplicitFull;
  const SimulationResult full = run(scenario, pushed_disc_trial());
  CHECK(full.end == condensed.end);
  CHECK(full.statistics.steps == condensed.statistics.steps);
  const Vec3 apart = full.final_state.part_pose - condensed.final_state.part_pose;
  CHECK(apart.head<2>().norm() + 20.0 * std::abs(apart[2]) <= 1e-5);
}

}  // namespace
}  // namespace graspmap::testing
