#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>

#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/design_rule.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

std::string with_design(const std::string& keys) {
  return std::string(kConfigText) + "[design]\n" + keys;
}

const std::string kForce = "[[design.variable]]\nkey = \"gripper.closing_force_n\"\n";

}  // namespace

TEST_CASE("[design] has variables, shapes and parts") {
  CHECK_FALSE(sweep_of(kConfigText).design);
  const DesignRule rule = *sweep_of(with_design(R"(objective = "worst-cell"
second_objective = "pose-spread"
probability = 0.9
spread_of = "y_mm"
shapes = ["plain", "v_groove+radius", "hook.dxf"]
placement = [1, -2]
clearance_mm = 2
most_width_mm = 20
parts = "worst"
weight = 2
[[design.variable]]
key = "gripper.closing_force_n"
linked = ["gripper.closing_speed_mm_s"]
min = 5
max = 25
step = 7
[[design.variable]]
key = "gripper.opening_mm"
values = [40, 50]
[[design.variable]]
key = "gripper.coupling"
texts = ["symmetric", "independent", "left-fixed"]
[[design.part]]
name = "heavy"
set = ["part.mass_kg=0.2"]
weight = 3
[[design.part]]
name = "other"
config = "../parts/other.toml"
)"))
                               .design;
  CHECK(rule.objectives() ==
        std::vector{DesignObjective::kWorstCell, DesignObjective::kPoseSpread});
  CHECK(rule.spread_of == SpreadOf::kY);
  CHECK(rule.placement == std::vector{1.0, -2.0});
  CHECK(rule.parts_rule == PartsRule::kWorst);
  REQUIRE(rule.variables.size() == 3);
  CHECK(rule.variables[0].choices() == 3);  // 5, 12, 19
  CHECK(rule.variables[1].choices() == 2);
  CHECK(rule.variables[2].choices() == 3);
  CHECK(rule.variables[0].linked == std::vector<std::string>{"gripper.closing_speed_mm_s"});
  REQUIRE(rule.parts.size() == 2);
  CHECK(rule.parts[0].weight == 3);
  CHECK(rule.parts[1].config == "../parts/other.toml");
  // Written and read again it is the same, and no trial depends on it.
  SweepConfig config = sweep_of(kConfigText);
  config.design = rule;
  check_equal(sweep_of(to_toml(config)), config);
  CHECK(config_differences(config, sweep_of(kConfigText)).empty());
}

TEST_CASE("each number of a finger but its width goes with a feature, angles in both units") {
  std::set<std::string> of_features;
  for (const FingerFeature& feature : finger_features()) {
    of_features.insert(feature.keys.begin(), feature.keys.end());
  }
  std::set<std::string> of_fingers;
  for (const std::string& key : possible_number_keys()) {
    constexpr std::string_view kFinger = "gripper.finger.";
    if (!key.starts_with(kFinger)) continue;
    const std::string name = key.substr(kFinger.size());
    of_fingers.insert({name, in_degrees(name)});
  }
  CHECK(of_fingers.erase("width_mm") == 1);
  CHECK(of_features == of_fingers);
}

TEST_CASE("what is wrong in [design] is told with its line") {
  const auto error = [](const std::string& keys) { return sweep_error(with_design(keys)); };
  CHECK_THAT(error("objective = \"best\"\n"), Contains("design.objective"));
  CHECK_THAT(error(""), Contains("there is nothing to choose"));
  CHECK_THAT(error("shapes = [\"plain\", \"hook\"]\n"),
             Contains("has \"hook\"; must be of \"plain\", \"radius\""));
  CHECK_THAT(error(kForce), Contains("has none of min and max, values, texts"));
  CHECK_THAT(error(kForce + "min = 1\nmax = 2\nvalues = [1, 2]\n"), Contains("more than one"));
  CHECK_THAT(error(kForce + "min = 1\n"), Contains("design.variable.0.max: missing"));
  CHECK_THAT(error(kForce + "min = 2\nmax = 2\n"), Contains("is 2; must be above min = 2"));
  CHECK_THAT(error(kForce + "min = 1\nmax = 2\nstep = 3\n"), Contains("step: is 3"));
  CHECK_THAT(error(kForce + "values = [1]\n"), Contains("values"));
  CHECK_THAT(error(kForce + "min = 1\nmax = 2\n" + kForce + "min = 1\nmax = 2\n"),
             Contains("is that of another variable too"));
  CHECK_THAT(error("second_objective = \"success\"\n" + kForce + "min = 1\nmax = 2\n"),
             Contains("second_objective: is the objective"));
  CHECK_THAT(error(kForce + "min = 1\nmax = 2\n[[design.part]]\nname = \"a\"\n"),
             Contains("must have what is different in this part"));
  CHECK_THAT(error(kForce + "min = 1\nmax = 2\n[[design.part]]\nname = \"a\"\nset = [\"b\"]\n"),
             Contains("must have KEY=VALUE"));
}
