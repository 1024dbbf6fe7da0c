#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/sweep/trials/computed_columns.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/held_squares.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// 2 mu F over the weight.
double factor_by_hand(const TrialRow& row) {
  return 2 * row.parameters.mu_jaw * 10.0 / (0.04 * 9.81);
}

}  // namespace

TEST_CASE("[hold] changes no trial, and its factor follows from the trial's end") {
  const SweepConfig config = sweep_of(held_squares(""));
  SweepConfig without = config;
  without.hold.reset();
  const std::vector<TrialRow> rows = sweep_rows(config);
  const std::vector<TrialRow> others = sweep_rows(without);
  const ComputedColumns columns(config);
  REQUIRE(columns.size() == 1);
  CHECK(columns.key(0) == "hold_factor");
  CHECK(ComputedColumns(without).size() == 0);
  const std::vector<double> factors = columns.of(rows);
  REQUIRE(factors.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CHECK(identical(rows[k], others[k]));
    REQUIRE(rows[k].outcome == Outcome::kSuccess);
    CHECK(factors[k] == Approx(factor_by_hand(rows[k])).epsilon(1e-6));
  }
  CHECK(held_factor(config, rows[7]) == factors[7]);
}

TEST_CASE("hold_factor is a condition of success") {
  const double asked = 10.0;  // mu = 0.1962
  const SweepConfig config = sweep_of(held_squares("", "hold_factor = 10\n"));
  int lifted = 0;
  Workspace workspace;
  for (std::int64_t k = 0; k < config.trials(); k += 3) {
    SimulationResult result;
    const TrialRow row = run_trial(config, k, workspace, result);
    const double factor = factor_by_hand(row);
    if (std::abs(factor - asked) < 1e-4) continue;
    CHECK(row.outcome == (factor >= asked ? Outcome::kSuccess : Outcome::kWedged));
    lifted += row.outcome == Outcome::kSuccess ? 1 : 0;
    const auto unmet =
        unmet_conditions(config.success, config.scenario.part, result, row.final_pose,
                         asked_hold_factor(config, config.scenario, row));
    if (row.outcome == Outcome::kSuccess) {
      CHECK(unmet.empty());
      continue;
    }
    REQUIRE(unmet.size() == 1);
    CHECK(unmet[0].key == "hold_factor");
    CHECK(unmet[0].wanted == "at least 10");
    CHECK(*unmet[0].value == Approx(factor).epsilon(1e-6));
    CHECK(unmet_sentence(unmet[0]).starts_with("hold_factor is "));
  }
  CHECK(lifted > 100);
}

TEST_CASE("a part that nobody holds has no hold factor") {
  const SweepConfig config = sweep_of(held_squares(""));
  TrialRow row;
  row.outcome = Outcome::kMissed;
  CHECK(std::isnan(held_factor(config, row)));
  row.outcome = Outcome::kWedged;  // jaws far from the part
  row.jaw_right_mm = 15;
  row.jaw_left_mm = -15;
  CHECK(held_factor(config, row) == 0.0);
}
