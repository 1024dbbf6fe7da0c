#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

std::string on_mount(const std::string& keys, const std::string& more = "") {
  return std::string(kConfigText) + "[gripper.mount]\n" + keys + more;
}

}  // namespace

TEST_CASE("a mount gives way sideways, in turning, or both") {
  CHECK_FALSE(sweep_of(kConfigText).scenario.gripper.mount);
  const Mount both =
      *sweep_of(on_mount("sideways_n_per_mm = 50\nturning_n_mm = 2e5\ndamping_s = 0.01\n"))
           .scenario.gripper.mount;
  CHECK(both.sideways_n_per_mm == 50);
  CHECK(both.turning_n_mm == 2e5);
  CHECK(both.damping_s == 0.01);
  const Mount turns = *sweep_of(on_mount("turning_n_mm = 1e4\n")).scenario.gripper.mount;
  CHECK(std::isinf(turns.sideways_n_per_mm));
  CHECK(turns.damping_s == 0.02);
}

TEST_CASE("mounts read back as they were written, and give the same trials") {
  for (const std::string& text :
       {on_mount("sideways_n_per_mm = 50\nturning_n_mm = 2e5\n"),
        on_mount("sideways_n_per_mm = 20\ndamping_s = 0.01\n"),
        on_mount("turning_n_mm = { distribution = \"uniform\", min = 1e4, max = 1e5 }\n"),
        on_mount("sideways_n_per_mm = 20\nturning_n_mm = 1e5\n",
                 "[[program]]\ndo = \"close\"\n[[program]]\ndo = \"turn\"\nby_deg = 20\n"
                 "speed_rad_s = 1\n[[obstacle]]\nname = \"pin\"\n"
                 "outline_mm = [[-2, -90, 1], [2, -90, 1]]\n")}) {
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

TEST_CASE("a mount that cannot be is refused") {
  const auto refused = [](const std::string& text, const std::string& why) {
    CHECK_THROWS_WITH(sweep_of(text), Contains(why));
  };
  refused(on_mount("damping_s = 0.01\n"), "give sideways_n_per_mm, turning_n_mm, or both");
  CHECK_THROWS_WITH(sweep_of(on_mount("damping = 0.01\n")),  // both at once
                    Contains("give sideways_n_per_mm, turning_n_mm, or both") &&
                        Contains("did you mean damping_s?"));
  CHECK_THROWS_WITH(sweep_of(on_mount("turnin_n_mm = 3\n")),
                    Contains("did you mean turning_n_mm?") && !Contains("missing"));
  refused(on_mount("sideways_n_per_mm = 0\n"), "sideways_n_per_mm: is 0");
  refused(on_mount("turning_n_mm = 1e4\ndamping_s = 0\n"), "damping_s: is 0");
  refused(on_mount("turning_n_mm = 1e4\nstiffness = 3\n"), "stiffness");
}
