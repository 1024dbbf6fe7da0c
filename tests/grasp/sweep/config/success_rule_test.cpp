#include "grasp/sweep/config/success_rule.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/success_rules.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kRule = "left = [\"knob\"]\nright = [\"knob\"]";

/// The short configuration with two outlines: "plate" of five elements and "key" of three.
std::string outlines_text() {
  return replaced(kConfigText, "center_mm = [0, -6]\nsemi_axes_mm = [3, 3]\n",
                  "center_mm = [0, -6]\nsemi_axes_mm = [3, 3]\n[[part.piece]]\nname = \"plate\"\n"
                  "outline_mm = [[0, 0], [4, 0, 0.2], [4, 4], [2, 6], [0, 4]]\n"
                  "names = [\"flat\", \"\", \"side\", \"side\", \"\"]\n"
                  "[[part.piece]]\nname = \"key\"\noutline_mm = [[0, 0], [9, 0], [0, 9]]\n"
                  "names = [\"side\", \"\", \"\"]\n");
}

SuccessAlternative rule_of(const std::string& keys) {
  return sweep_of(replaced(kConfigText, kRule, keys)).success.at(0);
}

void check_rule(const std::string& keys, const std::string& key, const std::string& says) {
  const std::size_t at = keys.find(key);
  const std::string line =
      at == std::string::npos ? "[[success]]" : keys.substr(at, keys.find('\n', at) - at);
  graspmap::testing::check_mistakes(kConfigText, "sweep.toml", sweep_error,
                                    {{kRule, keys, line, "success.0." + key, says}});
}

}  // namespace

TEST_CASE("success rules name pieces, elements and what reports call them") {
  const auto features = [](const std::string& names) {
    const SweepConfig config =
        sweep_of(replaced(outlines_text(), "left = [\"knob\"]", "left = " + names));
    return features_of(config.success[0].left);
  };
  CHECK(features("[\"knob\"]") == std::vector<int>{1});
  CHECK(features("[\"plate\"]") == std::vector<int>{2, 3, 4, 5, 6});
  CHECK(features("[\"key\"]") == std::vector<int>{12, 13, 14});
  CHECK(features("[\"flat\"]") == std::vector<int>{2});
  CHECK(features("[\"side\"]") == std::vector<int>{4, 5, 12});
  CHECK(features("[\"plate: side\"]") == std::vector<int>{4, 5});
  CHECK(features("[\"plate: arc 2\"]") == std::vector<int>{3});
  CHECK(features("[\"key: edge 3\"]") == std::vector<int>{14});

  const SweepConfig config = sweep_of(
      replaced(outlines_text(), "left = [\"knob\"]", "left = [\"side\", \"bar\", \"side\"]"));
  REQUIRE(config.success[0].left.size() == 2);
  CHECK(config.success[0].left[0].name == "bar");
  CHECK(config.success[0].left[1].name == "side");
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("the elements of a part's only outline have their short names") {
  const std::string one =
      replaced(replaced(kConfigText, "name = \"bar\"\nsemi_axes_mm = [20, 5]\nexponent = 8",
                        "name = \"bar\"\noutline_mm = [[-9, 0], [9, 0], [9, 9]]"),
               "[[part.piece]]\nname = \"knob\"\ncenter_mm = [0, -6]\nsemi_axes_mm = [3, 3]\n", "");
  const SweepConfig config =
      sweep_of(replaced(one, kRule, "left = [\"edge 3\"]\nright = [\"edge 1\", \"edge 2\"]"));
  CHECK(features_of(config.success[0].left) == std::vector<int>{2});
  CHECK(features_of(config.success[0].right) == std::vector<int>{0, 1});
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("windows and conditions of a rule are read and written") {
  const std::string keys =
      "x_mm = [-1, 2]\ny_mm = [-3.5, 0]\ntheta_rad = [3.1, 3.2]\ntheta_period_rad = 1.0471976\n"
      "opening_mm = [23.9, 24.1]\nat_rest = true";
  const SuccessAlternative rule = rule_of(keys);
  CHECK(rule.left.empty());
  CHECK(rule.right.empty());
  CHECK((rule.x_mm->min == -1 && rule.x_mm->max == 2));
  CHECK((rule.y_mm->min == -3.5 && rule.y_mm->max == 0));
  CHECK((rule.theta_rad->min == 3.1 && rule.theta_rad->max == 3.2));
  CHECK(rule.theta_period_rad == 1.0471976);
  CHECK((rule.opening_mm->min == 23.9 && rule.opening_mm->max == 24.1));
  CHECK(rule.at_rest);
  const SweepConfig config = sweep_of(replaced(kConfigText, kRule, keys));
  check_equal(sweep_of(to_toml(config)), config);

  CHECK(rule_of("theta_rad = [0, 1]").theta_period_rad == 2 * std::numbers::pi);
  CHECK_FALSE(rule_of(kRule).theta_rad.has_value());
  CHECK_FALSE(rule_of(kRule).at_rest);
  const std::string plain = to_toml(sweep_of(kConfigText));
  for (const char* key : {"palm", "\nx_mm = [", "theta_period_rad", "at_rest"}) {
    CHECK(plain.find(key) == std::string::npos);
  }
}

TEST_CASE("a rule may name the palm of a gripper that has one") {
  const std::string text = replaced(kConfigText, kRule, "palm = [\"knob\"]");
  CHECK_THAT(sweep_error(text),
             Contains("success.0.palm: the gripper has no palm; must be left out"));
  const SweepConfig config = sweep_of(
      replaced(text, "[support]",
               "[gripper.palm]\noutline_mm = [[-50, -60], [50, -60], [50, -40], [-50, -40]]\n"
               "[support]"));
  CHECK(features_of(config.success[0].palm) == std::vector<int>{1});
  check_equal(sweep_of(to_toml(config)), config);
}

TEST_CASE("a rule that cannot be meant is named with what is allowed") {
  check_rule("x_mm = [1, 1]", "x_mm", "is [1, 1]; must be [min, max] with min below max");
  check_rule("y_mm = [1, -1]", "y_mm", "with min below max");
  check_rule("y_mm = [1]", "y_mm", "is a list of 1; must be a list of 2 finite numbers");
  check_rule("theta_rad = [3, -3]", "theta_rad", "with min below max");
  check_rule("theta_rad = [0, 6.3]", "theta_rad", "at most 6.283185307179586 wide, the period");
  check_rule("theta_rad = [0, 2]\ntheta_period_rad = 1.0471976", "theta_rad",
             "is 2 wide; must be at most 1.0471976 wide, the period");
  check_rule("theta_rad = [0, 0.1]\ntheta_period_rad = 60", "theta_period_rad",
             "is 60; must be a number > 0 and <= 6.283185307179586");
  check_rule("theta_rad = [0, 0.1]\ntheta_period_rad = 1", "theta_period_rad",
             "is 1; must be a turn divided by a whole number");
  check_rule("x_mm = [0, 1]\ntheta_period_rad = 1", "theta_period_rad", "has no effect");
  check_rule("opening_mm = [1, 2]", "opening_mm", "must overlap the openings between");
  check_rule("opening_mm = [30, 40]", "opening_mm", "gripper.opening_mm = 30");
  check_rule("at_rest = 1", "at_rest", "is 1; must be true or false");
  check_rule("at_rest = false", "left", "no condition is given; at least one must be named of bar");
  check_rule("x = [0, 1]", "x", "did you mean x_mm?");
}

TEST_CASE("a name that neither piece nor element has is told with the part's names") {
  const std::string error =
      sweep_error(replaced(outlines_text(), "left = [\"knob\"]", "left = [\"edge 2\"]"));
  CHECK_THAT(error,
             Contains("success.0.left: no piece or element is named \"edge 2\"; the part's "
                      "names are bar, knob, plate, key, flat, plate: arc 2, side, plate: edge 5, "
                      "key: edge 2, key: edge 3"));
}

TEST_CASE("success in words has all conditions") {
  SuccessAlternative held;
  held.left = {{"a", {0}}, {"b", {1}}};
  SuccessAlternative square;
  square.theta_rad = Window{-0.01, 0.01};
  square.at_rest = true;
  CHECK(success_words({held, square}) ==
        "the left finger touches a and b; or both fingers touch the part, the part's angle is "
        "-0.01 to 0.01 rad (-0.573 to 0.573°), all is at rest");
  square.theta_period_rad = std::numbers::pi;
  square.hold_factor = 1.5;
  CHECK(success_words({square}) ==
        "both fingers touch the part, the part's angle is -0.01 to 0.01 rad (-0.573 to 0.573°), "
        "or 3.142 rad or its multiples from there, all is at rest, it stays in the hand with a "
        "safety factor of 1.5");
}
