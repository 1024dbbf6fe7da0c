#include "grasp/decide/sensitivity/simulated_sets.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/support/config_text.hpp"

namespace graspmap::testing {
namespace {

/// Numbers of the knob-bar, uncertain.
SweepConfig uncertain_bar(double knob_half_width_mm) {
  const std::string distribution = fmt::format(
      "[uncertain]\n\"part.piece.knob.center_mm.0\" = {{ distribution = \"uniform\", min = {}, max "
      "= {} }}\n\"gripper.closing_force_n\" = {{ distribution = \"normal\", mean = 10, sigma = 1 "
      "}}\n[placement]",
      -knob_half_width_mm, knob_half_width_mm);
  return parse_sweep_config(replaced(kConfigText, "[placement]", distribution), "test");
}

SampleCounts count(const SweepConfig& config, std::int64_t trials) {
  SampleCounts counts;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t k = 0; k < trials; ++k) {
    count_outcome(run_trial(config, k, workspace, result).outcome, counts);
  }
  return counts;
}

Estimate estimate(const SampleCounts& counts) {
  return {counts.probability(), wilson_interval(counts.successes, counts.trials)};
}

}  // namespace

TEST_CASE("success with a halved distribution is that of a fresh simulation of this distribution",
          "[sensitivity]") {
  constexpr std::int64_t kTrials = 480;  // a whole number of rounds over the cells
  const SweepConfig config = uncertain_bar(14.0);
  const RandomInputs inputs = RandomInputs::of_map(config);
  const HalvedInputs halved = simulate_halved_inputs(config, inputs, {.trials = kTrials});
  REQUIRE(halved.inputs.size() == inputs.varying().size());
  REQUIRE(inputs.varying()[4].key == "part.piece.knob.center_mm.0");

  // The configuration's own sweeps: other random numbers, placements dealt out to the cells.
  const Estimate fresh_now = estimate(count(config, kTrials));
  const Estimate fresh_half = estimate(count(uncertain_bar(7.0), kTrials));
  const auto agree = [](const Estimate& a, const SimulatedSuccess& b) {
    const Interval i = newcombe_interval(a, {b.counts.probability(), b.interval});
    return i.low <= 0 && 0 <= i.high;
  };
  CHECK(agree(fresh_now, halved.as_it_is));
  CHECK(agree(fresh_half, halved.inputs[4].success));
  // The change is large enough to be seen, and in pairs it is known better.
  const Estimate& gain = halved.inputs[4].gain;
  CHECK(gain.interval.low > 0);
  const Interval unpaired = newcombe_interval(fresh_half, fresh_now);
  CHECK(gain.interval.low <= unpaired.high);
  CHECK(gain.interval.high >= unpaired.low);
  CHECK(gain.interval.high - gain.interval.low < unpaired.high - unpaired.low);
}

TEST_CASE("halved inputs are the same for any number of threads", "[sensitivity]") {
  const SweepConfig config = uncertain_bar(14.0);
  const RandomInputs inputs = RandomInputs::of_aim(config, {0.0, -5.0, {Normal{0, 0.5}}});
  const auto simulate = [&](int threads) {
    return simulate_halved_inputs(config, inputs, {.trials = 20, .threads = threads});
  };
  const HalvedInputs one = simulate(1);
  const HalvedInputs two = simulate(2);
  REQUIRE(one.inputs.size() == 4);
  for (std::size_t k = 0; k < one.inputs.size(); ++k) {
    CHECK(one.inputs[k].success.counts.successes == two.inputs[k].success.counts.successes);
    CHECK(one.inputs[k].gain.value == two.inputs[k].gain.value);
  }
}

namespace {

SweepConfig bar_with_friction(const char* friction) {
  return parse_sweep_config(replaced(kConfigText, "[placement]",
                                     "[uncertain]\n\"part.piece.knob.center_mm.0\" = { "
                                     "distribution = \"uniform\", min = -14, max = 14 }\n"
                                     "[placement]"),
                            "test", {friction, "friction.support=0.2"});
}

/// Only what is uncertain besides the placement varies.
RandomInputs at_one_place(const SweepConfig& config) {
  return RandomInputs::of_aim(config, {.x_mm = 0.0, .y_mm = -5.0, .theta_rad = 0.0});
}

}  // namespace

TEST_CASE("the total effect of an input that alone varies is all of the variance",
          "[sensitivity]") {
  const SweepConfig config = bar_with_friction("friction.jaw=0.2");
  const RandomInputs inputs = at_one_place(config);
  REQUIRE(inputs.varying().size() == 1);
  const TotalEffects effects = simulate_totals(config, inputs, {.trials = 4096});
  const std::vector<Estimate>& totals = effects.inputs;
  REQUIRE(totals.size() == 1);
  CHECK(totals[0].interval.low < 1.0);
  CHECK(totals[0].interval.high > 1.0);
  // A standard error of random points is 0.016.
  CHECK(totals[0].value == Approx(1.0).margin(0.005));
  REQUIRE(effects.groups.size() == 1);  // the same alone
  CHECK(effects.groups[0].value == totals[0].value);
}

TEST_CASE("totals do not depend on the threads, and failures to change give 0", "[sensitivity]") {
  const SweepConfig config =
      bar_with_friction("friction.jaw={ distribution = \"uniform\", min = 0.2, max = 0.200001 }");
  const RandomInputs inputs = at_one_place(config);
  REQUIRE(inputs.varying().size() == 2);
  const auto totals_on = [&](int threads) {
    return simulate_totals(config, inputs, {.trials = 300, .threads = threads});
  };
  const std::vector<Estimate> one = totals_on(1).inputs;
  const std::vector<Estimate> two = totals_on(2).inputs;
  REQUIRE(one.size() == 2);
  for (std::size_t k = 0; k < one.size(); ++k) CHECK(one[k].value == two[k].value);
  CHECK(inputs.varying()[0].key == "mu_jaw");
  CHECK(one[0].value < 0.02);
  CHECK(one[1].value > 0.8);
}

}  // namespace graspmap::testing
