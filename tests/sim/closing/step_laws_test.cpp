/// Every accepted step against an independent evaluation of the laws that it solves.

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random_parts.hpp"
#include "tests/support/step_checker.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kResidual = 1e-8;
/// Each component of each of the support's elements meets kResidual; the tripod has three of two.
const double kSupportResidual = 3.0 * std::sqrt(2.0) * kResidual;

/// The least friction dissipation of any contact or of the ellipsoid support in a step, mN mm.
double least_dissipation(const StepRecord& record) {
  double least = -record.support_impulse.dot(record.state->part_velocity);
  for (const ContactRecord& contact : *record.contacts) {
    least = std::min(least, -contact.tangential_impulse_mn_s * contact.slip_mm_s);
  }
  return least;
}

/// What holds for every part.
void require_laws(const StepLaws& laws) {
  CHECK(laws.finite);
  CHECK(laws.symmetric);
  CHECK(laws.smallest_gap_mm >= -1e-8);
  CHECK(laws.record_mm <= 1e-8);
  CHECK(laws.record <= 1e-10);
  CHECK(laws.kinematics <= 1e-9);
  CHECK(laws.momentum <= kResidual);
  CHECK(laws.recorded_complementarity <= kResidual);
  CHECK(laws.cone <= kResidual);
  CHECK(laws.opposition <= kResidual);
  CHECK(laws.support_limit <= kSupportResidual);
  CHECK(laws.support_power <= kSupportResidual);
  CHECK(laws.dissipation >= -kResidual);
}

}  // namespace

TEST_CASE("lock-piece steps obey the laws of motion, contact and friction") {
  for (const bool on_tripod : {false, true}) {
    for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kIndependent}) {
      Scenario scenario = on_tripod ? lock_piece_on_tripod() : lock_piece_scenario();
      scenario.gripper.coupling = coupling;
      Random random(11);
      StepLaws worst;
      for (int k = 0; k < 100; ++k) {
        const TrialParameters trial = lock_piece_trial(random);
        const SimulationResult result = run_checked(scenario, trial, worst);
        INFO(describe(trial));
        CHECK(result.end != EndReason::kFailed);
      }
      INFO((on_tripod ? "tripod" : "ellipsoid"));
      CHECK(worst.steps > 5000);
      require_laws(worst);
      CHECK(worst.complementarity <= kResidual);
    }
  }
}

TEST_CASE("steps of any part obey the laws, and none fails") {
  StepLaws worst;
  int failed = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const Scenario scenario = random_scenario(random);
    const TrialParameters trial = random_trial(random);
    const SimulationResult result = run_checked(scenario, trial, worst);
    INFO("seed " << seed << ": " << describe(trial));
    CHECK(result.end != EndReason::kFailed);
    CHECK(std::isfinite(result.end_time_s));
    if (result.end == EndReason::kFailed) ++failed;
  }
  CHECK(failed == 0);
  CHECK(worst.steps > 20000);
  require_laws(worst);
}

TEST_CASE("statistics report what the steps were") {
  const Scenario scenario = lock_piece_scenario();
  const Gripper& gripper = scenario.gripper;
  const double work_scale =
      scenario.step_s * 1000.0 * gripper.closing_force_n * gripper.closing_speed_mm_s;  // h F V
  Random random(12);
  int with_negative_dissipation = 0;
  for (int k = 0; k < 30; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    StepStatistics seen;
    const StepObserver observer = [&](const StepRecord& record) {
      if (record.step_s == 0.0) return;
      ++seen.steps;
      ++seen.by_rung[static_cast<std::size_t>(record.rung)];
      seen.worst_residual = std::max(seen.worst_residual, record.residual);
      seen.worst_gap_mm = std::min(seen.worst_gap_mm, smallest_gap_mm(scenario, *record.state));
      seen.least_dissipation = std::min(seen.least_dissipation, least_dissipation(record));
    };
    const StepStatistics told = run(scenario, trial, &observer).statistics;
    CHECK(told.steps == seen.steps);
    CHECK(told.by_rung == seen.by_rung);
    std::int64_t sum = 0;
    for (const std::int64_t count : told.by_rung) sum += count;
    CHECK(sum == told.steps);
    CHECK((told.steps == 0 || told.newton_iterations > 0));
    CHECK(told.worst_residual == seen.worst_residual);
    CHECK(told.worst_residual <= kResidual);
    // Where the piece is flat a lower bound is told, unless it is below -1e-9 mm.
    CHECK(told.worst_gap_mm <= seen.worst_gap_mm + 1e-13);
    CHECK(told.worst_gap_mm >= std::min(seen.worst_gap_mm - 1e-13, -1e-9));
    CHECK(told.least_dissipation == within(seen.least_dissipation, 1e-14 * work_scale));
    CHECK(told.least_dissipation >= -kResidual * work_scale);
    if (seen.least_dissipation < -1e-13 * work_scale) ++with_negative_dissipation;
  }
  CHECK(with_negative_dissipation > 0);  // within the residual
}
