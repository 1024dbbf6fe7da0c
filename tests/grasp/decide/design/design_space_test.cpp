#include "grasp/decide/design/design_space.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

DesignVariable range(const std::string& key, double min, double max,
                     std::optional<double> step = {}) {
  DesignVariable variable;
  variable.key = key;
  variable.min = min;
  variable.max = max;
  variable.step = step;
  return variable;
}

DesignRule rule_of(std::vector<DesignVariable> variables) {
  DesignRule rule;
  rule.variables = std::move(variables);
  return rule;
}

const auto has_nothing = [](const std::string& /*key*/) { return false; };

}  // namespace

TEST_CASE("a point of the unit cube is a design") {
  DesignRule rule =
      rule_of({range("gripper.opening_mm", 2, 6), range("part.thickness_mm", 1, 2, 0.25)});
  rule.variables.push_back(range("c", 0, 1));
  rule.variables.back().min = rule.variables.back().max = {};
  rule.variables.back().texts = {"x", "y", "z"};
  const DesignSpace space(rule, has_nothing);
  REQUIRE(space.dimensions() == 4);
  const Design design = space.at(std::vector{0.5, 0.25, 0.99, 0.4});
  CHECK(design.values[0] == 3.0);
  CHECK(design.values[1] == 2.0);
  CHECK(space.overrides(design) ==
        std::vector<std::string>{"gripper.opening_mm=3", "part.thickness_mm=2", "c=\"y\""});
  CHECK(space.words(design) == "opening 3 mm, part thickness 2 mm, c y");
  // Each step is as likely as the others.
  std::map<double, int> counts;
  for (int k = 0; k < 1000; ++k)
    ++counts[space.at(std::vector{0.5, 0.5, k / 1000.0, 0.5}).values[1]];
  REQUIRE(counts.size() == 5);
  for (const auto& [value, count] : counts) CHECK(count == 200);
  CHECK(space.level(design, 0) == 0.25);
  CHECK(space.with_level(design, 1, space.level(design, 1)) == design);
}

TEST_CASE("a design near another one keeps to the steps and the range") {
  const DesignSpace space(rule_of({range("a_mm", 0, 10), range("b_mm", 0, 3, 1)}), has_nothing);
  const Design design = space.at(std::vector{0.5, 0.98, 0.4});
  std::set<double> steps;
  for (int k = 0; k < 200; ++k) {
    const double u = (k + 0.5) / 200.0;
    const Design near = space.near(design, 0.1, std::vector{u, u, u});
    CHECK(near.values[0] <= 10.0);
    CHECK(near.values[0] >= 8.8);
    steps.insert(near.values[1]);
  }
  // A coarse step can be left, whatever the reach is.
  CHECK(steps == std::set{0.0, 1.0, 2.0});
}

TEST_CASE("a shape takes away what it does not have") {
  DesignRule rule = rule_of({range("gripper.finger.tip_radius_mm", 1, 3),
                             range("gripper.finger.groove_angle_deg", 60, 120),
                             range("gripper.opening_mm", 30, 50)});
  rule.shapes = {"plain", "radius", "v_groove+radius", "hook.dxf"};
  const DesignSpace space(rule, [](const std::string& key) {
    return key == "gripper.finger.groove_depth_mm" || key == "gripper.finger.tip_radius_mm" ||
           key == "gripper.finger.width_mm";
  });
  const auto overrides = [&](double shape) {
    return space.overrides(space.at(std::vector{shape, 0.5, 0.5, 0.5}));
  };
  CHECK(overrides(0.1) ==
        std::vector<std::string>{"gripper.finger.groove_depth_mm=", "gripper.finger.tip_radius_mm=",
                                 "gripper.opening_mm=40"});
  CHECK(overrides(0.3) == std::vector<std::string>{
                              "gripper.finger.groove_depth_mm=", "gripper.finger.tip_radius_mm=2",
                              "gripper.opening_mm=40"});
  CHECK(overrides(0.6) == std::vector<std::string>{"gripper.finger.tip_radius_mm=2",
                                                   "gripper.finger.groove_angle_deg=90",
                                                   "gripper.opening_mm=40"});
  CHECK(overrides(0.9) ==
        std::vector<std::string>{"gripper.finger.file=\"hook.dxf\"",
                                 "gripper.finger.groove_depth_mm=", "gripper.finger.tip_radius_mm=",
                                 "gripper.finger.width_mm=", "gripper.opening_mm=40"});
  CHECK(space.words(space.at(std::vector{0.3, 0.5, 0.5, 0.5})) ==
        "radius: tip radius 2 mm, opening 40 mm");
}

TEST_CASE("a variable is named without its unit, and its values with it") {
  CHECK(variable_name("gripper.pad.normal_n_per_mm2") == "normal");
  CHECK(quantity_text("gripper.pad.normal_n_per_mm2", 5) == "5 N/mm²");
  CHECK(variable_name("gripper.mount.turning_n_mm") == "turning");
  CHECK(quantity_text("gripper.mount.turning_n_mm", 2e4) == "2e+04 N mm");
  CHECK(variable_name("part.piece.Tooth.angle_deg") == "part piece Tooth angle");
  CHECK(quantity_text("gripper.finger.groove_angle_deg", 110) == "110 degrees");
  CHECK(quantity_text("friction.jaw", 0.2) == "0.2");
}

TEST_CASE("of a plain finger without a width nothing is left") {
  DesignRule rule = rule_of({range("gripper.finger.tip_radius_mm", 1, 3)});
  rule.shapes = {"plain", "radius"};
  const DesignSpace space(rule, [](const std::string& key) {
    return key == "gripper.finger" || key == "gripper.finger.tip_radius_mm";
  });
  CHECK(space.overrides(space.at(std::vector{0.1, 0.5})) ==
        std::vector<std::string>{"gripper.finger="});
}

TEST_CASE("linked keys get the same value") {
  DesignVariable variable = range("gripper.finger.tip_radius_mm", 1, 3);
  variable.linked = {"gripper.left_finger.tip_radius_mm"};
  const DesignSpace space(rule_of({variable}), has_nothing);
  CHECK(space.overrides(space.at(std::vector{0.5, 0.25})) ==
        std::vector<std::string>{"gripper.finger.tip_radius_mm=1.5",
                                 "gripper.left_finger.tip_radius_mm=1.5"});
}
