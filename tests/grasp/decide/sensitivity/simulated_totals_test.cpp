#include "grasp/decide/sensitivity/simulated_totals.hpp"

#include <catch2/catch.hpp>

#include "tests/support/config_text.hpp"

namespace graspmap::testing {
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

TEST_CASE("an input that alone varies takes part in all of the variance", "[sensitivity]") {
  const SweepConfig config = bar_with_friction("friction.jaw=0.2");
  const RandomInputs inputs = at_one_place(config);
  REQUIRE(inputs.varying().size() == 1);
  const TotalEffects effects = simulate_totals(config, inputs, {.trials = 400});
  const std::vector<Estimate>& totals = effects.inputs;
  REQUIRE(totals.size() == 1);
  CHECK(totals[0].interval.low < 1.0);
  CHECK(totals[0].interval.high > 1.0);
  CHECK(totals[0].value == Approx(1.0).margin(0.15));
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
