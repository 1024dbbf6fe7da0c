#include <catch2/catch.hpp>

#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/hold_rule.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

std::string with_hold(const std::string& keys) {
  return std::string(kConfigText) + "[hold]\n" + keys;
}

const std::string kOfPlate =
    replaced(kConfigText, "mass_kg = 0.05\ncenter_of_mass_mm = [0.5, -1]\ninertia_kg_mm2 = 12\n",
             "density_kg_mm3 = 7.85e-6\nthickness_mm = 8\n");

}  // namespace

TEST_CASE("[hold] fills in heights from the part's") {
  CHECK_FALSE(sweep_of(kConfigText).hold);
  const HoldRule rule = *sweep_of(with_hold("part_height_mm = 6\n")).hold;
  CHECK(rule.part_height_mm == 6);
  CHECK(rule.center_of_mass_height_mm == 3);
  CHECK(rule.contact_height_mm == 3);
  CHECK(rule.pad_height_mm == 6);
  CHECK(rule.acceleration_m_s2 == 0);
  CHECK(rule.direction == HoldDirection::kUp);
  CHECK(rule.drives == HeldDrive::kGivesWay);
  // A plate has its thickness.
  CHECK(sweep_of(kOfPlate + "[hold]\n").hold->part_height_mm == 8);
  CHECK(sweep_of(kOfPlate + "[hold]\npart_height_mm = 5\n").hold->part_height_mm == 5);
}

TEST_CASE("a manoeuvre is what [hold] says") {
  const Manoeuvre m = manoeuvre_of(*sweep_of(with_hold(R"(part_height_mm = 6
center_of_mass_height_mm = 2
contact_height_mm = 5
pad_height_mm = 4
acceleration_m_s2 = 3
directions = [[0, 0, 2], [3, 0, 4]]
drives = "lock"
tool_mass_kg = 0.1
tool_at_mm = [1, 2, 30]
)"))
                                        .hold);
  CHECK(m.heights.center_of_mass_mm == 2);
  CHECK(m.heights.contact_low_mm == 3);
  CHECK(m.heights.contact_high_mm == 6);  // the part ends there
  CHECK(m.acceleration_mm_s2 == 3000);
  REQUIRE(m.directions.size() == 2);
  CHECK(m.directions[0] == Eigen::Vector3d(0, 0, 1));
  CHECK(m.directions[1] == Eigen::Vector3d(0.6, 0, 0.8));
  CHECK(m.drive == HeldDrive::kLocks);
  CHECK(m.tool_mass_kg == 0.1);
  CHECK(m.tool_at_mm == Eigen::Vector3d(1, 2, 30));
  const HoldRule moved =
      *sweep_of(with_hold("part_height_mm = 6\ndirection = \"horizontal\"\n")).hold;
  CHECK(manoeuvre_of(moved).all_horizontal);
}

TEST_CASE("a plate keeps its thickness where its mass is written, for [hold]") {
  const std::string written = to_toml(sweep_of(kOfPlate));
  CHECK_THAT(written, Contains("mass_kg = ") && Contains("thickness_mm = 8.0"));
  CHECK(sweep_of(written + "[hold]\n").hold->part_height_mm == 8);
  // Runs of earlier versions, which did not write it, are gone on with.
  CHECK(config_differences(sweep_of(kOfPlate),
                           sweep_of(replaced(written, "thickness_mm = 8.0\n", "")))
            .empty());
}

TEST_CASE("[hold] reads back as it was written") {
  for (const char* keys : {"part_height_mm = 6\n", R"(part_height_mm = 6.5
direction = "horizontal"
acceleration_m_s2 = 3.3
tool_mass_kg = 0.1
tool_at_mm = [1, 2, 30.25]
)",
                           "part_height_mm = 2\ndirections = [[0, 0.1, 1], [1, 0, 0]]\n"}) {
    SweepConfig config = sweep_of(with_hold(keys));
    config.success[0].hold_factor = 1.25;
    const SweepConfig again = sweep_of(to_toml(config));
    CHECK(again.hold == config.hold);
    CHECK(again.success[0].hold_factor == 1.25);
    CHECK(to_toml(again) == to_toml(config));
  }
}

TEST_CASE("what is wrong in [hold] is told with its line") {
  const auto error = [](const std::string& keys) { return sweep_error(with_hold(keys)); };
  CHECK_THAT(error(""), Contains("part_height_mm: missing; must be given where [part] has no "
                                 "thickness_mm"));
  CHECK_THAT(error("part_height_mm = 6\ncenter_of_mass_height_mm = 7\n"),
             Contains("hold.center_of_mass_height_mm: is 7; must be at most part_height_mm = 6"));
  CHECK_THAT(error("part_height_mm = 6\ncontact_height_mm = 9\npad_height_mm = 4\n"),
             Contains("contact_height_mm: is 9: pads of 4 mm there do not reach the part"));
  CHECK_THAT(error("part_height_mm = 6\ndirection = \"sideways\"\n"),
             Contains("must be \"up\" or \"horizontal\""));
  CHECK_THAT(error("part_height_mm = 6\ndirections = [[0, 0, 0]]\n"),
             Contains("has [0, 0, 0]; must be vectors other than 0"));
  CHECK_THAT(error("part_height_mm = 6\ndirections = [[0, 1]]\n"), Contains("hold.directions"));
  CHECK_THAT(error("part_height_mm = 6\ndirections = []\n"), Contains("is empty"));
  CHECK_THAT(error("part_height_mm = 6\ndirections = [[0, 0, 1]]\ndirection = \"up\"\n"),
             Contains("there is direction, too; must be one of them"));
  CHECK_THAT(error("part_height_mm = 6\nacceleration_m_s2 = -1\n"),
             Contains("must be a finite number >= 0"));
  CHECK_THAT(error("part_height_mm = 6\nacceleration_mm_s2 = 1\n"),
             Contains("did you mean acceleration_m_s2?"));
  const std::string asked =
      replaced(kConfigText, "right = [\"knob\"]\n", "right = [\"knob\"]\nhold_factor = 1.5\n");
  CHECK_THAT(sweep_error(asked), Contains("hold_factor: there is no [hold]"));
  CHECK(sweep_of(asked + "[hold]\npart_height_mm = 6\n").success[0].hold_factor == 1.5);
}
