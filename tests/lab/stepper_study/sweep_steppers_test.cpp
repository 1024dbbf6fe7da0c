#include "lab/stepper_study/sweep_steppers.hpp"

#include <catch2/catch.hpp>

#include "lab/grasp_scene/scene_grasp_stepper.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// Before main(): every test of the lab reads sweeps with any time-stepper, as graspmap-lab does.
const bool kInstalled = (install_scene_steppers(), true);

const std::string kEllipsoid = "model = \"ellipsoid\"\ne_r_mm = 10\n";

/// [simulation] with these keys, before [friction].
std::string with(const std::string& keys) { return "[simulation]\n" + keys + "\n[friction]"; }

SweepConfig config_with(const std::string& keys) {
  return sweep_of(replaced(kConfigText, "[friction]", with(keys)));
}

void check_mistakes(const std::vector<Mistake>& mistakes, const std::string& text = kConfigText) {
  testing::check_mistakes(text, "sweep.toml", sweep_error, mistakes);
}

void check_steps(const std::string& keys) {
  const Scenario scenario = config_with(keys).scenario;
  CHECK(scenario.order == 1);
  CHECK(scenario.tolerance_mm == 0.0);
  CHECK(scenario.step_s == 0.002);
}

}  // namespace

TEST_CASE("the time-stepper and its polygons are read and written where they are no default") {
  REQUIRE(kInstalled);
  CHECK(config_with("stepper = \"implicit\"").scenario.other_stepper == nullptr);
  for (const StepperKind kind : kStepperKinds) {
    SweepConfig config = sweep_of(kConfigText);
    config.scenario.order = 1;
    config.scenario.tolerance_mm = 0.0;
    config.scenario.step_s = 0.002;
    for (const int vertices : {0, 31}) {
      config.scenario.other_stepper = scene_stepper(kind, vertices);
      check_equal(sweep_of(to_toml(config)), config);
    }
  }
  const SweepConfig config = config_with("stepper = \"anitescu-potra\"\npolygon_vertices = 31");
  const auto& stepper = dynamic_cast<const SceneStepper&>(*config.scenario.other_stepper);
  CHECK(stepper.kind == StepperKind::kAnitescuPotra);
  CHECK(stepper.polygon_vertices == 31);
  CHECK_THAT(to_toml(config),
             Catch::Contains("\nstepper = \"anitescu-potra\"\npolygon_vertices = 31\n"));
}

TEST_CASE("the program of a configuration is graspmap-lab with another time-stepper only") {
  CHECK(std::string(program_of(sweep_of(kConfigText).scenario)) == "graspmap");
  CHECK(std::string(program_of(config_with("stepper = \"implicit-full\"").scenario)) ==
        "graspmap-lab");
}

TEST_CASE("steps of other time-steppers are fixed, of first order") {
  check_steps("stepper = \"implicit-full\"");
  check_steps("stepper = \"stewart-trinkle\"");
}

TEST_CASE("a time-stepper that does not fit is named with what fits") {
  check_mistakes({
      {"[friction]", with("stepper = \"rk4\""), "rk4", "simulation.stepper",
       "is the text \"rk4\"; must be \"implicit\" or \"implicit-full\" or"},
      {"[friction]", with("polygon_vertices = 16"), "polygon_vertices",
       "simulation.polygon_vertices", "the stepper \"implicit\" takes the pieces as they are"},
      {"[friction]", with("stepper = \"anitescu-hart\"\npolygon_vertices = 2"), "vertices = 2",
       "simulation.polygon_vertices", "is 2; must be an integer from 3 to 100000"},
      {"model = \"ellipsoid\"\ne_r_mm = 10\n",
       "model = \"tripod\"\nradius_mm = 10\n[simulation]\nstepper = \"implicit-full\"\n", "tripod",
       "support.model", "must be \"ellipsoid\" with all steppers but \"implicit\""},
      {kEllipsoid,
       "model = \"points\"\npoints_mm = [[-10, 0], [10, 0], [10, 8], [-10, -7]]\n[simulation]\n"
       "stepper = \"implicit-full\"\n",
       "model = \"points\"", "support.model",
       "\"points\" with simulation.stepper = \"implicit-full\"; must be \"ellipsoid\" with all "
       "steppers but \"implicit\""},
      {"[friction]", with("tolerance_mm = 0.01\nstepper = \"stewart-trinkle\""), "tolerance_mm",
       "simulation.tolerance_mm",
       "is 0.01 with the stepper \"stewart-trinkle\", whose steps are fixed; must be 0"},
      {"[friction]", with("order = 2\nstepper = \"implicit-full\""), "order", "simulation.order",
       "is 2 with the stepper \"implicit-full\"; must be 1 or left out with all steppers but "
       "\"implicit\""},
      {"[friction]", with("order = 2\nstepper = \"anitescu-hart\"\ntolerance_mm = 0"), "order",
       "simulation.order", "is 2 with the stepper \"anitescu-hart\""},
  });
  check_mistakes({{"[friction]", with("stepper = \"anitescu-potra\""), "stepper",
                   "simulation.stepper", "with friction_factor in [[part.piece]]"}},
                 replaced(kConfigText, "semi_axes_mm = [3, 3]",
                          "semi_axes_mm = [3, 3]\nfriction_factor = 0.5"));
}

TEST_CASE("steppers of superellipses and quarter-planes refuse outlines") {
  check_mistakes(
      {{"[friction]", with("stepper = \"implicit-full\""), "stepper", "simulation.stepper",
        "is \"implicit-full\" with an outline in [[part.piece]]; must be "
        "\"implicit\" or left out"}},
      replaced(kConfigText, "semi_axes_mm = [3, 3]",
               "outline_mm = [[-3, -3], [3, -3], [3, 3], [-3, 3]]"));
  check_mistakes(
      {{"[support]",
        "[gripper.finger]\nwidth_mm = 3\n[simulation]\nstepper = \"anitescu-potra\"\n[support]",
        "stepper", "simulation.stepper",
        "is \"anitescu-potra\" with [gripper.finger]; must be \"implicit\""},
       {"[support]",
        "[gripper.palm]\noutline_mm = [[0, -90], [9, -90], [9, -80]]\n[simulation]\n"
        "stepper = \"anitescu-potra\"\n[support]",
        "stepper", "simulation.stepper", "with [gripper.palm]"}});
}

TEST_CASE("the full stepper ends where the condensed one does") {
  constexpr double kRadius_mm = 20.0;
  Scenario scenario = disc_scenario(kRadius_mm);
  const SimulationResult condensed = run(scenario, pushed_disc_trial());
  scenario.other_stepper = scene_stepper(StepperKind::kImplicitFull, 0);
  const SimulationResult full = run(scenario, pushed_disc_trial());
  CHECK(full.end == condensed.end);
  CHECK(full.statistics.steps == condensed.statistics.steps);
  const Vec3 apart = full.final_state.part_pose - condensed.final_state.part_pose;
  CHECK(apart.head<2>().norm() + kRadius_mm * std::abs(apart[2]) <= 1e-5);
}
