/// Steps of drawn parts and fingers against the laws that they solve and an independent gap.

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

#include "tests/support/random_drawn_scenes.hpp"
#include "tests/support/random_parts.hpp"
#include "tests/support/step_checker.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kOutlineResidual = 1e-8;
const double kOutlineSupportResidual = 3.0 * std::sqrt(2.0) * kOutlineResidual;
constexpr int kKinds = static_cast<int>(kOutlineKinds.size());
constexpr int kFingers = static_cast<int>(kFingerKinds.size());

/// A trial of random shapes: a pure function of its number, which chooses kinds in turn.
struct DrawnTrial {
  int kind = 0;
  int fingers = 0;
  Scenario scenario;
  TrialParameters parameters;

  explicit DrawnTrial(std::uint64_t number)
      : kind(static_cast<int>(number % kKinds)),
        fingers(static_cast<int>(number / kKinds % kFingers)) {
    Random random(number);
    scenario = random_outline_scenario(random, static_cast<OutlineKind>(kind),
                                       static_cast<FingerKind>(fingers));
    parameters = random_outline_trial(random, scenario);
  }

  [[nodiscard]] std::string describe() const {
    return std::string(kOutlineKinds[static_cast<std::size_t>(kind)]) + ", " +
           kFingerKinds[static_cast<std::size_t>(fingers)] + ": " +
           graspmap::testing::describe(parameters);
  }
};

void require_outline_laws(const StepLaws& laws) {
  CHECK(laws.finite);
  CHECK(laws.symmetric);
  CHECK(laws.smallest_gap_mm >= -1.1e-8);
  CHECK(laws.record_mm <= 1.1e-8);
  CHECK(laws.normal_mm <= 1e-11);
  CHECK(laws.record <= 1e-10);
  CHECK(laws.kinematics <= 1e-9);
  CHECK(laws.momentum <= kOutlineResidual);
  CHECK(laws.recorded_complementarity <= kOutlineResidual);
  CHECK(laws.complementarity <= 1.1 * kOutlineResidual);
  CHECK(laws.cone <= kOutlineResidual);
  CHECK(laws.opposition <= kOutlineResidual);
  CHECK(laws.support_limit <= kOutlineSupportResidual);
  CHECK(laws.support_power <= kOutlineSupportResidual);
  CHECK(laws.dissipation >= -kOutlineResidual);
}

SimulationResult run_checked(const DrawnTrial& trial, StepLaws& worst) {
  StepChecker checker(trial.scenario, trial.parameters);
  const StepObserver observer = [&](const StepRecord& record) { checker(record); };
  const SimulationResult result = run(trial.scenario, trial.parameters, &observer);
  merge(checker.laws(), worst);
  return result;
}

struct KindTable {
  long trials = 0;
  std::map<EndReason, long> ends;
  double seconds = 0.0;
  long steps = 0;
  long iterations = 0;
  long halved = 0;
  double gap_mm = 0.0;
  double residual = 0.0;

  void add(const SimulationResult& result, double trial_seconds) {
    ++trials;
    ++ends[result.end];
    seconds += trial_seconds;
    steps += result.statistics.steps;
    iterations += result.statistics.newton_iterations;
    halved += result.statistics.by_rung[static_cast<std::size_t>(Rung::kHalved)];
    gap_mm = std::min(gap_mm, result.statistics.worst_gap_mm);
    residual = std::max(residual, result.statistics.worst_residual);
  }

  void print(const char* kind, const char* fingers) {
    const auto n = static_cast<double>(trials);
    std::printf(
        "| %s | %s | %ld | %ld | %ld | %ld | %ld | %ld | %.0f | %.1f | %.2f | %.3f | %.1e | "
        "%.1e |\n",
        kind, fingers, trials, ends[EndReason::kStopped], ends[EndReason::kClosed],
        ends[EndReason::kTimeout], ends[EndReason::kBlocked], ends[EndReason::kFailed],
        1e6 * seconds / n, static_cast<double>(steps) / n,
        static_cast<double>(iterations) / static_cast<double>(std::max(steps, 1L)),
        static_cast<double>(halved) / n, gap_mm, residual);
  }
};

}  // namespace

TEST_CASE("steps of drawn parts and fingers obey the laws, and none fails", "[slow]") {
  StepLaws worst;
  for (std::uint64_t number = 0; number < 288; ++number) {
    const DrawnTrial trial(number);
    StepLaws laws;
    const SimulationResult result = run_checked(trial, laws);
    INFO(number << ", " << trial.describe());
    CHECK(result.end != EndReason::kFailed);
    CHECK(laws.smallest_gap_mm >= -1.1e-8);
    CHECK(laws.record_mm <= 1.1e-8);
    merge(laws, worst);
  }
  CHECK(worst.steps > 10000);
  require_outline_laws(worst);
}

TEST_CASE("random parts end between drawn quarter-planes as between quarter-planes") {
  int off = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Scenario scenario = random_scenario(random);
    const TrialParameters trial = random_trial(random);
    const SimulationResult plain = run(scenario, trial);
    set_fingers(scenario.gripper, square_finger());
    const SimulationResult drawn = run(scenario, trial);
    INFO("seed " << seed << ": " << describe(trial));
    CHECK(drawn.end == plain.end);
    if (plain.end != EndReason::kStopped) continue;  // what slides away moves on for ever
    CHECK(drawn.right_touches == plain.right_touches);
    CHECK(drawn.left_touches == plain.left_touches);
    const Vec3 d = drawn.final_state.part_pose - plain.final_state.part_pose;
    if (d.lpNorm<Eigen::Infinity>() > 1e-9) ++off;
    UNSCOPED_INFO(d.lpNorm<Eigen::Infinity>());
  }
  CHECK(off <= 4);  // where the motion does not determine an impulse
}

// Prints the numbers of docs/explanation/validation.md and a table of times. Every 50th trial is
// checked step by step.
TEST_CASE("100,000 trials of drawn parts and fingers", "[.long]") {
  std::map<std::pair<int, int>, KindTable> tables;
  StepLaws worst;
  Workspace workspace;
  SimulationResult result;
  KindTable all;
  for (std::uint64_t number = 0; number < 100000; ++number) {
    const DrawnTrial trial(number);
    INFO(number << ", " << trial.describe());
    const std::clock_t begin = std::clock();
    simulate(trial.scenario, trial.parameters, workspace, result);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    CHECK(result.end != EndReason::kFailed);
    if (result.end != EndReason::kBlocked) {
      CHECK(OutlineGap(trial.scenario).smallest_mm(result.final_state) >= -1.1e-8);
    }
    tables[{trial.kind, trial.fingers}].add(result, seconds);
    all.add(result, seconds);
    if (number % 50 == 0) {
      StepLaws laws;
      run_checked(trial, laws);
      CHECK(laws.smallest_gap_mm >= -1.1e-8);
      CHECK(laws.record_mm <= 1.1e-8);
      CHECK(laws.normal_mm <= 1e-11);
      merge(laws, worst);
    }
  }
  require_outline_laws(worst);
  std::printf(
      "| part | fingers | trials | stopped | closed | timeout | blocked | failed | us a trial "
      "| steps | iterations a step | halved | worst gap/mm | residual |\n");
  for (auto& [key, table] : tables) {
    table.print(kOutlineKinds[static_cast<std::size_t>(key.first)],
                kFingerKinds[static_cast<std::size_t>(key.second)]);
  }
  all.print("all", "all");
  std::printf(
      "smallest gap %.2e momentum %.1e complementarity %.1e cone %.1e opposition %.1e "
      "dissipation %.1e normal %.1e steps %ld\n",
      worst.smallest_gap_mm, worst.momentum, worst.complementarity, worst.cone, worst.opposition,
      worst.dissipation, worst.normal_mm, worst.steps);
}
