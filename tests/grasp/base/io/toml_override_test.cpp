#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/success_rules.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

SweepConfig read_with(const std::vector<std::string>& overrides) {
  const TemporaryFolder folder;
  return read_sweep_config(folder.write("sweep.toml", kConfigText), overrides);
}

std::string error_with(const std::string& assignment) {
  return config_error([&] { (void)read_with({assignment}); });
}

/// The error must name the override and the key, and be one line.
void check_error(const std::string& assignment, const std::string& key, const std::string& says) {
  const std::string error = error_with(assignment);
  CHECK_THAT(error, StartsWith("--set " + assignment + ": " + (key.empty() ? "" : key + ": ")));
  CHECK_THAT(error, Contains(says));
  CHECK(error.find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("an override replaces a key of the file") {
  CHECK(read_with({"gripper.opening_mm=40"}).scenario.gripper.opening_mm == 40.0);
  CHECK(read_with({" gripper . opening_mm = 40.5 "}).scenario.gripper.opening_mm == 40.5);
  CHECK(read_with({"friction.jaw=0.2"}).mu_jaw.is<Fixed>());
  CHECK(read_with({"friction.jaw.max=0.9"}).mu_jaw.range().high == 0.9);
  CHECK(read_with({R"(friction.support={distribution="uniform",min=0.1,max=0.2})"}).mu_support ==
        Uniform{0.1, 0.2});
}

TEST_CASE("an override adds a key, with the tables that lead to it") {
  CHECK(read_with({"stop.timeout_s=1"}).scenario.stop.timeout_s == 1.0);
  CHECK(read_with({"placement.noise.x_mm=0.5"}).placement.noise_x_mm == Fixed{0.5});
  CHECK(read_with({"part.piece.0.angle_rad=0.1"}).scenario.part.pieces[0].pose.angle_rad == 0.1);
}

TEST_CASE("an override reaches into arrays by index") {
  const SweepConfig config =
      read_with({"part.piece.1.exponent=6", "part.piece.0.semi_axes_mm.1=4.5",
                 R"(success.0.left=["bar"])", R"(success.0.right.0="bar")"});
  CHECK(config.scenario.part.pieces[1].shape.exponent == 6.0);
  CHECK(config.scenario.part.pieces[0].shape.b_mm == 4.5);
  CHECK(features_of(config.success[0].left) == std::vector<int>{0});
  CHECK(features_of(config.success[0].right) == std::vector<int>{0});
}

TEST_CASE("an override replaces a whole array of tables") {
  const SweepConfig config = read_with({R"(success=[{left=["bar"]},{right=["knob"]}])"});
  REQUIRE(config.success.size() == 2);
  CHECK(features_of(config.success[1].right) == std::vector<int>{1});
}

TEST_CASE("a bare word is a text") {
  CHECK(read_with({"gripper.coupling=independent"}).scenario.gripper.coupling ==
        Coupling::kIndependent);
  CHECK(read_with({"name=second-run_1.5"}).name == "second-run_1.5");
  CHECK(read_with({"name=\"quoted\""}).name == "quoted");
}

TEST_CASE("the last of several overrides counts") {
  CHECK(read_with({"sweep.seed=1", "sweep.seed=2"}).seed == 2);
}

TEST_CASE("an override that is no assignment is refused") {
  const std::string allowed = "give key=value, as in a.b=1.5, or key= to take a key away";
  for (const char* text : {"gripper.opening_mm", "", "=3", "a..b=3", ".a=3", "a.=3"}) {
    check_error(text, "", allowed);
  }
}

TEST_CASE("an override whose value is not TOML is refused") {
  const std::string allowed = "not a TOML value; give a number, a word";
  check_error("gripper.opening_mm=,", "gripper.opening_mm", allowed);
  check_error("success.0.left=[\"bar\"", "success.0.left", allowed);
  check_error("name=two words", "name", allowed);
  CHECK_THAT(error_with("sweep.seed=1\nname=2"), Contains("more than one value"));
  CHECK(error_with("sweep.seed=1\nname=2").find('\n') == std::string::npos);
}

TEST_CASE("an override without a value takes a key or an element away") {
  CHECK(
      read_with({"gripper.coupling=independent", "gripper.coupling="}).scenario.gripper.coupling ==
      Coupling::kSymmetric);
  CHECK(
      read_with({R"(success.0.left=["bar","knob"])", "success.0.left.0="}).success[0].left.size() ==
      1);
  CHECK_THAT(error_with("gripper.opening_mm="), Contains("gripper.opening_mm: missing"));
  CHECK_THAT(error_with("gripper= "), Contains("gripper: missing"));
}

TEST_CASE("an override cannot take away what is not there") {
  check_error("gripper.opening_cm=", "gripper.opening_cm",
              "is not there, so it cannot be taken away; the keys are");
  check_error("zebra.stripes=", "zebra", "is not there");
  check_error("sweep.seed.x=", "sweep.seed", "is not a table");
  check_error("part.piece.2=", "part.piece.2", "give an index from 0 to 1");
}

TEST_CASE("an override of an element that does not exist is refused") {
  check_error("part.piece.2.exponent=3", "part.piece.2", "give an index from 0 to 1");
  check_error("part.piece.knob.exponent=3", "part.piece.knob", "give an index from 0 to 1");
  check_error("part.piece.-1=3", "part.piece.-1", "give an index from 0 to 1");
  check_error("success.0.left.1=bar", "success.0.left.1", "give an index from 0 to 0");
  check_error("sweep.seed.x=3", "sweep.seed", "is not a table");
  check_error("sweep.seed.x.y=3", "sweep.seed", "is not a table");
}

TEST_CASE("errors in an overriding value name the override and the key") {
  check_error("gripper.opening_cm=3", "gripper.opening_cm", "did you mean opening_mm?");
  check_error("zebra.stripes=3", "zebra", "unknown key; allowed: name, part");
  check_error("stop.patience=3", "stop.patience", "unknown key");
  check_error("gripper.opening_mm=wide", "gripper.opening_mm", "is the text \"wide\"; must be");
  check_error("part.piece.0.exponent=1", "part.piece.0.exponent", "from 2 to 100");
  check_error("part.piece.0=3", "part.piece.0", "is 3; must be a table");
  check_error("friction.jaw.max=0.01", "friction.jaw.max", "must be above min = 0.05");
  check_error("success.0.left=[\"nob\"]", "success.0.left", "the part's pieces are bar, knob");
  check_error("gripper.opening_mm=5", "gripper.opening_mm", "the jaws start inside the part");
}
