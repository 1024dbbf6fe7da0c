#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "tests/allocation/counting_malloc.hpp"
#include "tests/support/random_parts.hpp"
#include "tests/support/source_dir.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

SweepConfig config_of(const std::string& name, const std::vector<std::string>& overrides) {
  return read_sweep_config(testing::source_dir() + "/configs/" + name + ".toml", overrides);
}

/// What some trials of a sweep asked for and how they ended.
struct Tally {
  std::int64_t first_trial = 0;  ///< allocations
  std::int64_t others = 0;
  std::array<int, kOutcomeCount> outcomes{};
  StepStatistics steps;

  [[nodiscard]] int count(Outcome outcome) const {
    return outcomes[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] std::int64_t rung(Rung rung) const {
    return steps.by_rung[static_cast<std::size_t>(rung)];
  }
};

/// Runs `trials` trials from all over the map, sampling and row included, with the memory of one
/// thread.
Tally run_some(const SweepConfig& config, std::int64_t trials) {
  constexpr std::int64_t kPrime = 7919;
  Tally tally;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t k = 0; k < trials; ++k) {
    const std::int64_t before = allocations_of_this_thread();
    const TrialRow row = run_trial(config, kPrime * k % config.trials(), workspace, result);
    const std::int64_t allocated = allocations_of_this_thread() - before;
    (k == 0 ? tally.first_trial : tally.others) += allocated;
    ++tally.outcomes[static_cast<std::size_t>(row.outcome)];
    for (std::size_t rung = 0; rung < kRungCount; ++rung) {
      tally.steps.by_rung[rung] += row.statistics.by_rung[rung];
    }
  }
  return tally;
}

}  // namespace

TEST_CASE("the counting malloc counts what new and malloc ask for") {
  const std::int64_t before = allocations_of_this_thread();
  const auto number = std::make_unique<double>(1.0);
  std::vector<double> numbers(100, *number);
  numbers.resize(200);
  const Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(30, 30);
  CHECK(allocations_of_this_thread() - before == 4);
  CHECK(matrix.size() == 900);
}

TEST_CASE("after the first trial of a part nothing is allocated") {
  SECTION("lock piece") {
    const Tally tally = run_some(config_of("lock_piece", {}), 1000);
    CHECK(tally.first_trial > 0);
    CHECK(tally.others == 0);
    CHECK(tally.count(Outcome::kSuccess) > 0);
    CHECK(tally.count(Outcome::kWedged) > 0);
    CHECK(tally.count(Outcome::kMissed) > 0);
    CHECK(tally.rung(Rung::kCold) > 0);
    CHECK(tally.rung(Rung::kHalved) > 0);
  }
  SECTION("bolt") {
    const Tally tally = run_some(config_of("bolt", {}), 200);
    CHECK(tally.first_trial > 0);
    CHECK(tally.others == 0);
    CHECK(tally.count(Outcome::kBlocked) > 0);
  }
  SECTION("trefoil in trials that run out of time") {
    const Tally tally = run_some(config_of("trefoil", {"stop.timeout_s=0.4"}), 200);
    CHECK(tally.first_trial > 0);
    CHECK(tally.others == 0);
    CHECK(tally.count(Outcome::kTimeout) > 0);
  }
  SECTION("lock piece on seven points, and on a fourth-order surface") {
    const std::string points =
        "support={model=\"points\", points_mm=[[9, 0], [7, 7], [0, 9], [-7, 7], [-9, 0], [-7, -7], "
        "[7, -7]]}";
    const std::string surface =
        "support={model=\"fourth-order\", length_mm=14, "
        "coefficients=[1, 0, 0, 3, 0, 2, 0, 0, 0, 0, 1, 0, 1, 0, 1.5]}";
    for (const std::string& support : {points, surface}) {
      const Tally tally = run_some(config_of("lock_piece", {support}), 100);
      CHECK(tally.first_trial > 0);
      CHECK(tally.others == 0);
    }
  }
  SECTION("lock piece and bolt on pads") {
    const std::string pad =
        "gripper.pad={normal_n_per_mm2=20, spread_mm=2, most_deflection_mm=1, damping_s=0.001}";
    for (const char* name : {"lock_piece", "bolt"}) {
      for (const char* step : {"simulation.step_s=0.002", "simulation.tolerance_mm=0.03"}) {
        const Tally tally = run_some(config_of(name, {pad, step}), 100);
        CHECK(tally.first_trial > 0);
        CHECK(tally.others == 0);
      }
    }
  }
  SECTION("lock piece with a tolerance") {
    const Tally tally = run_some(config_of("lock_piece", {"simulation.tolerance_mm=0.03"}), 100);
    CHECK(tally.first_trial > 0);
    CHECK(tally.others == 0);
  }
}

TEST_CASE("nothing is allocated in hard trials either") {
  Random random(81);
  std::int64_t tried_again = 0;
  std::int64_t halved = 0;
  Workspace workspace;
  SimulationResult result;
  for (int k = 0; k < 60; ++k) {
    Scenario scenario = random_scenario(random);
    scenario.step_s = 0.02;
    simulate(scenario, random_trial(random), workspace, result);
    const std::int64_t before = allocations_of_this_thread();
    for (int trial = 0; trial < 4; ++trial) {
      simulate(scenario, random_trial(random), workspace, result);
      tried_again += result.statistics.by_rung[static_cast<std::size_t>(Rung::kCold)];
      halved += result.statistics.by_rung[static_cast<std::size_t>(Rung::kHalved)];
    }
    CHECK(allocations_of_this_thread() == before);
  }
  CHECK(tried_again > 0);
  CHECK(halved > 100);
}
