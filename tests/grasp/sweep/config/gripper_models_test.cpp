#include "grasp/sweep/config/gripper_models.hpp"

#include <catch2/catch.hpp>

#include "geometry/outline_shapes.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using namespace graspmap::testing;

/// The configuration of tests with these keys of the gripper only.
std::string with_gripper(const std::string& keys) {
  std::string text = kConfigText;
  const std::size_t begin = text.find("[gripper]");
  return text.replace(begin, text.find("[support]") - begin, "[gripper]\n" + keys + "\n");
}

TEST_CASE("each gripper of the library has plausible numbers and says where they are from") {
  std::string before;
  for (const GripperModel& model : gripper_models()) {
    CAPTURE(model.id);
    CHECK(before < model.id);
    before = model.id;
    CHECK(gripper_named(model.id) == &model);
    CHECK((model.opening_mm >= 5.0 && model.opening_mm <= 300.0));
    CHECK((model.force_n >= 10.0 && model.force_n <= 2000.0));
    CHECK((model.speed_mm_s >= 10.0 && model.speed_mm_s <= 500.0));
    CHECK(std::string(model.source).size() > 40);
    const std::string keys = fmt::format("model = \"{}\"\nopening_mm = 60\n", model.id);
    const SweepConfig config = sweep_of(with_gripper(keys));
    CHECK(config.scenario.gripper.closing_force_n == model.force_n);
  }
}

TEST_CASE("a gripper's model fills in what a configuration does not say") {
  const SweepConfig config = sweep_of(with_gripper("model = \"robotiq_2f85\""));
  const Gripper& gripper = config.scenario.gripper;
  CHECK(gripper.opening_mm == 85);
  CHECK(gripper.closing_force_n == 235);
  CHECK(gripper.closing_speed_mm_s == 75);
  CHECK(gripper.jaw_mass_kg == Approx(0.02 + 0.0005 * 235));
  CHECK(box_of(gripper.right_finger->outer).sizes() == Vec2(10, 22));
  check_equal(sweep_of(to_toml(config)), config);

  const SweepConfig own =
      sweep_of(with_gripper("model = \"robotiq_2f85\"\nopening_mm = 60\nclosing_force_n = 50\n"
                            "jaw_mass_kg = 0.3\n[gripper.finger]\nwidth_mm = 7"));
  CHECK(own.scenario.gripper.opening_mm == 60);
  CHECK(own.scenario.gripper.closing_force_n == 50);
  CHECK(own.scenario.gripper.closing_speed_mm_s == 75);
  CHECK(own.scenario.gripper.jaw_mass_kg == 0.3);
  CHECK_FALSE(own.scenario.right_shape->is_pad());

  const SweepConfig narrow =
      sweep_of(with_gripper("model = \"robotiq_2f85\"\n[gripper.finger]\npad_width_mm = 9\n"
                            "tip_radius_mm = 1"));
  CHECK(box_of(narrow.scenario.gripper.right_finger->outer).sizes() == Vec2(10, 9));
}

TEST_CASE("a jaw's mass follows from the force where it is not given") {
  const std::string text = replaced(kConfigText, "jaw_mass_kg = 0.2\n", "");
  const Gripper gripper = sweep_of(text).scenario.gripper;
  CHECK(gripper.jaw_mass_kg == usual_jaw_mass_kg(gripper.closing_force_n));
}

TEST_CASE("a gripper that is not known, or does not fit, is told with its name") {
  CHECK_THAT(sweep_error(with_gripper("model = \"robotiq\"")),
             Contains("gripper.model: is \"robotiq\"; must be one of festo_ehps_20, franka_hand"));
  CHECK_THAT(sweep_error(with_gripper("model = 2")), Contains("gripper.model: is no text"));
  CHECK_THAT(sweep_error(with_gripper("model = \"schunk_pgn_plus_p_80\"")),
             StartsWith("gripper.model \"schunk_pgn_plus_p_80\":1: gripper.opening_mm: is 16"));
}

}  // namespace
}  // namespace graspmap
