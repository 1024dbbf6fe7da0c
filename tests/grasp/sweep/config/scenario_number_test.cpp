#include "grasp/sweep/config/scenario_number.hpp"

#include <catch2/catch.hpp>

#include "geometry/outline.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kPlate = "outline_mm = [[-4, -3], [4, -3], [4, 3], [-4, 3]]";
const std::string kFinger =
    "[gripper.finger]\nwidth_mm = 20\ntip_radius_mm = 2\nstep_depth_mm = 1\nstep_height_mm = 4\n"
    "groove_angle_rad = 1.5\ngroove_depth_mm = 2\ngroove_position_mm = -12\n";

/// A bar and a plate, or a knob, between shaped fingers.
std::string with_fingers(const std::string& text) {
  return replaced(text, "[support]", kFinger + "\n[support]");
}

std::string with_plate(const std::string& text) {
  return replaced(text, "semi_axes_mm = [3, 3]", kPlate);
}

std::string with_offset(const std::string& text, const std::string& offset) {
  return replaced(text, "mass_kg = 0.05", "mass_kg = 0.05\noffset_mm = " + offset);
}

void set(DrawnScenario& scenario, const std::string& key, double value) {
  ScenarioNumber::find(scenario, key).value().set(scenario, value);
}

double width_mm(const Outline& outline) {
  Eigen::AlignedBox2d box;
  for (const OutlineCurve& curve : outline_curves(outline.outer)) box.extend(box_of(curve));
  return box.sizes().x();
}

}  // namespace

TEST_CASE("each number of a scenario is found by its key, set and kept") {
  const SweepConfig config = sweep_of(with_fingers(with_plate(kConfigText)));
  const std::vector<std::string> keys = scenario_number_keys(config.scenario);
  CHECK(keys.size() == 35);
  for (const std::string& key : keys) {
    INFO(key);
    const ScenarioNumber number = ScenarioNumber::find(config.scenario, key).value();
    const double value = number.value(config.scenario);
    CHECK((number.range().contains(value) || value == kFrictionOfTrial));
    DrawnScenario other = config.scenario;
    const double changed = value == 0.0 ? 0.001 : 1.001 * std::abs(value) * (value < 0 ? -1 : 1);
    number.set(other, changed);
    CHECK(number.value(other) == changed);
  }
  CHECK_FALSE(ScenarioNumber::find(config.scenario, "gripper.finger.tip_chamfer_mm"));
  CHECK_FALSE(ScenarioNumber::find(config.scenario, "gripper.left_finger.tip_radius_mm"));
  CHECK_FALSE(ScenarioNumber::find(config.scenario, "part.piece.knob.semi_axes_mm.0"));
  CHECK_FALSE(ScenarioNumber::find(config.scenario, "simulation.step_s"));
  CHECK_FALSE(ScenarioNumber::find(config.scenario, "simulation.order"));
  CHECK_FALSE(ScenarioNumber::find(config.scenario, "simulation.tolerance_mm"));
}

TEST_CASE("the offset of a part is that of all its shapes, and is written as it was read") {
  const std::string text = with_offset(with_plate(kConfigText), "0.5");
  const SweepConfig config = sweep_of(text);
  CHECK(config.scenario.part.pieces[0].shape.a_mm == 20.5);
  CHECK(width_mm(config.scenario.part.outlines[0].outline) == Approx(9.0));
  const SweepConfig again = sweep_of(to_toml(config));
  check_equal(config, again);
  CHECK(to_toml(again) == to_toml(config));

  DrawnScenario scenario = config.scenario;
  set(scenario, "part.piece.bar.semi_axes_mm.0", 19.0);
  CHECK(scenario.part.pieces[0].shape.a_mm == 19.5);
  set(scenario, "part.offset_mm", -1.0);
  CHECK(scenario.part.pieces[0].shape.a_mm == 18.0);
  CHECK(width_mm(scenario.part.outlines[0].outline) == Approx(6.0));
  CHECK_THROWS_WITH(set(scenario, "part.offset_mm", -3.5),
                    Contains("part.offset_mm: is -3.5 in a trial, by which edge 2 of \"knob\""));

  DrawnScenario plain = sweep_of(with_plate(kConfigText)).scenario;
  set(plain, "part.offset_mm", 0.5);
  check_equal(plain.part, config.scenario.part);
}

TEST_CASE("offsets that leave no part are refused in one line") {
  const std::string hole = kPlate + "\nholes_mm = [[[-3, -2], [-3, 2], [3, 2], [3, -2]]]";
  check_mistakes(kConfigText, "sweep.toml", sweep_error,
                 {{"mass_kg = 0.05", "mass_kg = 0.05\noffset_mm = -3", "offset_mm",
                   "part.offset_mm", "is -3, by which \"knob\" vanishes"}});
  check_mistakes(with_plate(kConfigText), "sweep.toml", sweep_error,
                 {{"mass_kg = 0.05", "mass_kg = 0.05\noffset_mm = -4", "offset_mm",
                   "part.offset_mm", "is -4, by which edge 1 of \"knob\" vanishes"}});
  check_mistakes(replaced(kConfigText, "semi_axes_mm = [3, 3]", hole), "sweep.toml", sweep_error,
                 {{"mass_kg = 0.05", "mass_kg = 0.05\noffset_mm = -0.6", "offset_mm",
                   "part.offset_mm", "is -0.6, by which in \"knob\""}});
}

TEST_CASE("numbers of a finger's shape make both fingers anew, and are written as numbers") {
  const std::string text =
      with_fingers(kConfigText) +
      "[uncertain]\n\"gripper.finger.tip_radius_mm\" = { distribution = \"uniform\", min = 1.5, "
      "max = 2.5 }\n";
  const SweepConfig config = sweep_of(text);
  REQUIRE(config.uncertain.size() == 1);
  DrawnScenario trial;
  set_uncertain_numbers(config.scenario, config.uncertain, std::vector<double>{2.5}, trial);
  const SweepConfig drawn =
      sweep_of(with_fingers(replaced(kConfigText, "jaw_mass_kg = 0.2", "jaw_mass_kg = 0.2  # so")));
  check_equal(config.scenario.gripper, drawn.scenario.gripper);
  FingerShape shape = *config.scenario.right_shape;
  shape.tip_radius_mm = 2.5;
  check_equal(trial.gripper.right_finger, std::optional(finger_outline(shape)));
  check_equal(trial.gripper.left_finger, std::optional(mirrored(finger_outline(shape))));
  const SweepConfig again = sweep_of(to_toml(config));
  check_equal(config, again);
  CHECK(again.uncertain.size() == 1);
  CHECK_THROWS_WITH(
      set_uncertain_numbers(config.scenario, config.uncertain, std::vector<double>{5.0}, trial),
      Contains("[gripper.finger]: with the numbers of a trial its features do not fit into the "
               "finger: width_mm = 20, tip_radius_mm = 5, step_depth_mm = 1, step_height_mm = 4, "
               "groove_angle_rad = 1.5, groove_depth_mm = 2, groove_position_mm = -12; its"));
}

TEST_CASE("friction of jaws and pieces and the gripper's offset are read, written and refused") {
  std::string text = replaced(kConfigText, "support = 0.3", "support = 0.3\nleft_jaw = 0.1");
  text = replaced(text, "semi_axes_mm = [3, 3]", "semi_axes_mm = [3, 3]\nfriction_factor = 0.5");
  text = replaced(text, "opening_mm = 30", "opening_mm = 30\noffset_mm = [0.2, -0.1]");
  const SweepConfig config = sweep_of(text);
  CHECK(config.scenario.gripper.mu_left == 0.1);
  CHECK(config.scenario.gripper.mu_right == kFrictionOfTrial);
  CHECK(config.scenario.part.pieces[1].friction_factor == 0.5);
  CHECK(config.scenario.gripper.offset_mm == Vec2(0.2, -0.1));
  check_equal(config, sweep_of(to_toml(config)));
  CHECK(to_toml(sweep_of(kConfigText)).find("factor") == std::string::npos);
  check_mistakes(text, "sweep.toml", sweep_error,
                 {{"left_jaw = 0.1", "left_jaw = -0.1", "left_jaw", "friction.left_jaw",
                   "must be a finite number >= 0"},
                  {"friction_factor = 0.5", "friction_factor = -1", "friction_factor",
                   "part.piece.1.friction_factor", "must be a finite number >= 0"}});
}
