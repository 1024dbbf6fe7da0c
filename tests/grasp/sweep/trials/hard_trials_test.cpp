#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/step_checker.hpp"

// Trials that once ended in another way than they should: tests/data/hard_cases/trials.

namespace graspmap::testing {
namespace {

SweepConfig hard_trial(const std::string& name, const std::vector<std::string>& settings = {}) {
  return read_sweep_config(std::filesystem::path(testing::source_dir()) /
                               "tests/data/hard_cases/trials" / (name + ".toml"),
                           settings);
}

Outcome outcome_of(const SweepConfig& config, const TrialParameters& trial,
                   SimulationResult& result) {
  Workspace workspace;
  return run_trial(config, trial, workspace, result).outcome;
}

}  // namespace

TEST_CASE("no step jumps over a fingertip's passage from a side to a corner") {
  const SweepConfig config = hard_trial("jumped_corner_pin");
  SimulationResult result;
  for (const double dx_mm : {-0.05, -0.02, 0.0, 0.02, 0.05}) {
    for (const double dy_mm : {-0.05, 0.0, 0.05}) {
      INFO(dx_mm << ' ' << dy_mm);
      const TrialParameters trial{-1.120521 + dx_mm, 8.445055 + dy_mm, -0.49875, 0.184489,
                                  0.229068};
      CHECK(outcome_of(config, trial, result) == Outcome::kSuccess);
    }
  }
}

TEST_CASE("a corner in the bottom of a V touches with neither of its sides") {
  const SweepConfig config = hard_trial("corner_in_v");
  constexpr int kFirstCorner = 4;  // after four sides
  SimulationResult result;
  for (const double x_mm : {-0.3, 0.0, 0.3}) {
    for (const double y_mm : {12.0, 12.2, 13.0}) {
      INFO(x_mm << ' ' << y_mm);
      CHECK(outcome_of(config, {x_mm, y_mm, 0.0, 0.2, 0.3}, result) == Outcome::kWedged);
      CHECK(result.right_touches == std::vector<int>{kFirstCorner});
      CHECK(result.left_touches == std::vector<int>{kFirstCorner + 2});
    }
  }
}

// Parts of 680 and 62 t, which friction holds on the table against forces of 17 N and 4 mN
// (property trials 65526 and 121120 of seed 2026): jaws that meet them stop or slide along.
TEST_CASE("a part that no force moves is no failed trial") {
  const std::string name = GENERATE("heavy_part_65526", "heavy_part_121120");
  const std::vector<std::string> settings =
      GENERATE(std::vector<std::string>{},
               std::vector<std::string>{"simulation.order=1", "simulation.tolerance_mm=0"});
  CAPTURE(name, settings);
  const SweepConfig config = hard_trial(name, settings);
  const TrialParameters trial = sample_trial(config, 0).parameters;
  SimulationResult result;
  CHECK(outcome_of(config, trial, result) == Outcome::kMissed);
  const State start = initial_state(config.scenario, trial);
  CHECK((result.final_state.part_pose - start.part_pose).norm() <= 1e-6);
}

// A table that is 100,000 times weaker in one direction than in another (property trial 116498 of
// seed 2027): there it pulls against the slip, too.
TEST_CASE("friction of a table takes energy, however weak the table is along an axis") {
  const SweepConfig config = hard_trial("weak_axis");
  const TrialParameters trial = sample_trial(config, 0).parameters;
  StepLaws laws;
  const SimulationResult result = run_checked(config.scenario, trial, laws);
  CHECK(result.end == EndReason::kStopped);
  CHECK(laws.steps > 20);
  CHECK(laws.dissipation >= -1e-8);
}

}  // namespace graspmap::testing
