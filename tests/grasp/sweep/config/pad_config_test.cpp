#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kRubber =
    "modulus_mpa = 5\nthickness_mm = 3\nheight_mm = 6\nmost_deflection_mm = 1\ndamping_s = 0.002\n";
constexpr const char* kSprings = "normal_n_per_mm2 = 12\nspread_mm = 2\nmost_deflection_mm = 0.5\n";

std::string with_pad(const std::string& keys, const std::string& more = "") {
  return std::string(kConfigText) + "[gripper.pad]\n" + keys + more;
}

}  // namespace

TEST_CASE("a pad is given by its material or by its stiffness, for both jaws or each") {
  CHECK_FALSE(sweep_of(kConfigText).scenario.gripper.right_pad);
  const Gripper rubber = sweep_of(with_pad(kRubber)).scenario.gripper;
  CHECK(rubber.right_pad->normal_n_per_mm2 == 10);
  CHECK(rubber.right_pad->shear_n_per_mm2 == Approx(10.0 / 3));
  CHECK(rubber.right_pad->spread_mm == 3);
  CHECK(rubber.right_pad->most_deflection_mm == 1);
  CHECK(rubber.right_pad->damping_s == 0.002);
  CHECK(rubber.right_pad->law == PadLaw::kFoundation);
  CHECK(rubber.left_pad->normal_n_per_mm2 == 10);
  const Gripper springs =
      sweep_of(with_pad(kSprings, std::string("law = \"spring\"\n[gripper.left_pad]\n") + kRubber))
          .scenario.gripper;
  CHECK(springs.right_pad->normal_n_per_mm2 == 12);
  CHECK(springs.right_pad->shear_n_per_mm2 == 4);
  CHECK(springs.right_pad->law == PadLaw::kSpring);
  CHECK(springs.left_pad->spread_mm == 3);
  // The softest that the keys admit, in shear as well.
  const SweepConfig softest = sweep_of(with_pad(replaced(kSprings, "12", "1e-6")));
  CHECK(softest.scenario.gripper.right_pad->shear_n_per_mm2 == 1e-6);
}

TEST_CASE("pads read back as they were written, and give the same trials") {
  for (const std::string& text :
       {with_pad(kRubber), with_pad(kSprings, std::string("[gripper.left_pad]\n") + kRubber),
        with_pad(replaced(kSprings, "12", "{ distribution = \"uniform\", min = 5, max = 20 }"))}) {
    const SweepConfig config = sweep_of(text);
    const SweepConfig again = sweep_of(to_toml(config));
    CHECK(to_toml(again) == to_toml(config));
    Workspace workspace;
    SimulationResult result;
    for (std::int64_t k = 0; k < config.trials(); k += 7) {
      const TrialRow row = run_trial(config, k, workspace, result);
      CHECK(row.outcome != Outcome::kFailed);
      CHECK(identical(row, run_trial(again, k, workspace, result)));
    }
  }
}

TEST_CASE("an uncertain pad differs from trial to trial, on both jaws alike") {
  const SweepConfig config = sweep_of(
      with_pad(replaced(kSprings, "12", "{ distribution = \"uniform\", min = 5, max = 20 }")));
  REQUIRE(config.uncertain.size() == 1);
  CHECK(config.uncertain[0].key == "gripper.pad.normal_n_per_mm2");
  DrawnScenario memory;
  const std::vector<double> value = {7.5};
  const Scenario& scenario = scenario_of(config, value, memory);
  CHECK(scenario.gripper.right_pad->normal_n_per_mm2 == 7.5);
  CHECK(scenario.gripper.left_pad->normal_n_per_mm2 == 7.5);
}

TEST_CASE("what is wrong with a pad is told with its line") {
  const auto error = [](const std::string& keys) { return sweep_error(with_pad(keys)); };
  CHECK_THAT(
      error("most_deflection_mm = 1\n"),
      Contains("gripper.pad.normal_n_per_mm2: missing; give normal_n_per_mm2 and spread_mm"));
  CHECK_THAT(error(""), Contains("normal_n_per_mm2: missing; give ") &&
                            Contains("most_deflection_mm: missing"));  // both at once
  CHECK_THAT(error(std::string(kRubber) + "spread_mm = 3\nnormal_n_per_mm2 = 5\n"),
             Contains("gripper.pad.modulus_mpa: does not go with"));
  CHECK_THAT(error("modulus_mpa = 5\nmost_deflection_mm = 1\n"), Contains("thickness_mm: missing"));
  CHECK_THAT(error(replaced(kRubber, "most_deflection_mm = 1", "most_deflection_mm = 3")),
             Contains("most_deflection_mm: is 3; must be below thickness_mm = 3"));
  CHECK_THAT(error(replaced(kSprings, "12", "-12")), Contains("normal_n_per_mm2: is -12"));
  CHECK_THAT(sweep_error(std::string(kConfigText) + "[gripper.left_pad]\n" + kRubber),
             Contains("gripper.pad: missing; must be given with left_pad"));
}
