#include "grasp/sweep/config/config_difference.hpp"

#include <catch2/catch.hpp>

#include "geometry/outline_shapes.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"

namespace graspmap {
namespace {

SweepConfig knob_bar() { return parse_sweep_config(testing::kConfigText, "knob_bar.toml"); }

/// "KEY: FIRST, SECOND" for each difference between a configuration and a changed one.
std::vector<std::string> differences(const SweepConfig& changed) {
  std::vector<std::string> lines;
  for (const ConfigDifference& d : config_differences(to_toml(knob_bar()), to_toml(changed))) {
    lines.push_back(d.key + ": " + d.first + ", " + d.second);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("a configuration does not differ from itself") { CHECK(differences(knob_bar()).empty()); }

TEST_CASE("a difference is told by its key and both values") {
  SweepConfig config = knob_bar();
  SECTION("a number") {
    config.scenario.part.pieces[1].shape.exponent = 3;
    CHECK(differences(config) == Lines{"part.piece.1.exponent: 2, 3"});
  }
  SECTION("the last bit of a number") {
    config.scenario.gripper.opening_mm = 30 + 0x1p-48;
    CHECK(differences(config) == Lines{"gripper.opening_mm: 30, 30.000000000000004"});
  }
  SECTION("an integer") {
    config.seed = 43;
    CHECK(differences(config) == Lines{"sweep.seed: 42, 43"});
  }
  SECTION("the order of steps, and what it brings") {
    config.scenario.order = 1;
    config.scenario.tolerance_mm = 0;
    CHECK(differences(config) ==
          Lines{"simulation.order: 2, 1", "simulation.tolerance_mm: 0.02, not given"});
  }
  SECTION("a text") {
    config.name = "other";
    CHECK(differences(config) == Lines{"name: \"knob-bar\", \"other\""});
  }
  SECTION("lists") {
    config.scenario.part.pieces[0].pose.position_mm = {1, 0.5};
    config.success[0].left = {{"bar", {0}}, {"knob", {1}}};
    CHECK(differences(config) == Lines{"part.piece.0.center_mm: [0, 0], [1, 0.5]",
                                       "success.0.left: [\"knob\"], [\"bar\", \"knob\"]"});
  }
  SECTION("a window, and a truth") {
    config.success[0].x_mm = Window{-1, 1};
    config.success[0].at_rest = true;
    CHECK(differences(config) ==
          Lines{"success.0.at_rest: not given, true", "success.0.x_mm: not given, [-1, 1]"});
  }
  SECTION("a distribution") {
    config.mu_jaw = {.mean = 0.2};
    CHECK(differences(config) == Lines{"friction.jaw.distribution: \"uniform\", \"fixed\"",
                                       "friction.jaw.max: 0.35, not given",
                                       "friction.jaw.min: 0.05, not given",
                                       "friction.jaw.value: not given, 0.2"});
  }
  SECTION("a piece more") {
    config.scenario.part.pieces.push_back(config.scenario.part.pieces[1]);
    CHECK(differences(config).size() == 5);
    CHECK(differences(config)[0] == "part.piece.2.angle_rad: not given, 0");
  }
}

TEST_CASE("outlines are compared point by point") {
  SweepConfig one = knob_bar();
  one.scenario.part.outlines = {
      {"plate",
       {polygon_loop({{0, 0}, {4, 0}, {0, 3}}), {polygon_loop({{1, 1}, {1, 2}, {2, 1}})}},
       {}}};
  SweepConfig other = one;
  other.scenario.part.outlines[0].outline.outer[1].bulge = 0.5;
  other.scenario.part.outlines[0].outline.holes[0][2].begin_mm.x() = 1.5;
  const auto differences = config_differences(to_toml(one), to_toml(other));
  REQUIRE(differences.size() == 2);
  CHECK(differences[0].key == "part.piece.2.holes_mm.0.2");
  CHECK(differences[0].first == "[2, 1]");
  CHECK(differences[0].second == "[1.5, 1]");
  CHECK(differences[1].key == "part.piece.2.outline_mm.1");
  CHECK(differences[1].first == "[4, 0]");
  CHECK(differences[1].second == "[4, 0, 0.5]");
}

}  // namespace
}  // namespace graspmap
