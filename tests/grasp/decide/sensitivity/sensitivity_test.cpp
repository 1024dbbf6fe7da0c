#include "grasp/decide/sensitivity/sensitivity.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "tests/support/config_text.hpp"

namespace graspmap::testing {
namespace {

/// x and y uniform on one square, both friction coefficients uniform on (0, 1).
SweepConfig square_sweep(int cells, int trials_per_cell) {
  SweepConfig config = parse_sweep_config(kConfigText, "test");
  config.placement.x_mm = {0, 1, cells};
  config.placement.y_mm = {0, 1, cells};
  config.mu_jaw = Uniform{0, 1};
  config.mu_support = Uniform{0, 1};
  config.trials_per_cell = trials_per_cell;
  return config;
}

using Rule = std::function<bool(const TrialParameters&)>;
using TrialRule = std::function<bool(const SampledTrial&)>;

std::vector<TrialSample> samples_by(const SweepConfig& config, const TrialRule& succeeds) {
  std::vector<TrialSample> samples;
  for (std::int64_t k = 0; k < config.trials(); ++k) {
    const SampledTrial trial = sample_trial(config, k);
    const auto cell = static_cast<std::size_t>(k % config.placement.cell_count());
    samples.push_back({cell, succeeds(trial) ? Outcome::kSuccess : Outcome::kWedged, trial.intended,
                       trial.parameters, trial.uncertain});
  }
  return samples;
}

std::vector<TrialSample> samples_of(const SweepConfig& config, const Rule& succeeds) {
  return samples_by(config, [&](const SampledTrial& trial) { return succeeds(trial.parameters); });
}

Sensitivity analyse(const SweepConfig& config, const Rule& rule,
                    const std::optional<AimedPlacement>& aim = {}) {
  return analyse_sensitivity(config, samples_of(config, rule), aim, 0.95);
}

bool holds(const Estimate& estimate, double truth, double margin = 0.0) {
  return estimate.interval.low - margin <= truth && truth <= estimate.interval.high + margin;
}

/// E[f|x] = x for x + jaw > 1: a third of the variance each, a third both together.
bool is_above_diagonal(const TrialParameters& p) { return p.placement_x_mm + p.mu_jaw > 1; }

/// The square with numbers of part, gripper and support that are uniform on (0, 1).
SweepConfig uncertain_square(int cells, int trials_per_cell) {
  SweepConfig config = square_sweep(cells, trials_per_cell);
  for (const char* key :
       {"gripper.closing_force_n", "part.mass_kg", "support.e_r_mm", "support.e_t"}) {
    config.uncertain.push_back({key, Uniform{0, 1}, *ScenarioNumber::find(config.scenario, key)});
  }
  return config;
}

std::size_t place_of(const RandomInputs& inputs, const std::string& key) {
  const auto& list = inputs.varying();
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const RandomInput& input) { return input.key == key; });
  REQUIRE(found != list.end());
  return static_cast<std::size_t>(found - list.begin());
}

}  // namespace

TEST_CASE("the effects of an indicator are found in its trials", "[sensitivity]") {
  const Sensitivity result = analyse(square_sweep(2, 250), is_above_diagonal);
  REQUIRE(result.whole.state == SensitivityState::kKnown);
  CHECK(result.whole.predictivity > 0.9);
  const std::vector<double> first = {1.0 / 3, 0, 1.0 / 3, 0};
  const std::vector<double> total = {2.0 / 3, 0, 2.0 / 3, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(k, result.inputs.varying()[k].name);
    CHECK(result.whole.inputs[k].first.value == Approx(first[k]).margin(0.03));
    CHECK(result.whole.inputs[k].total.value == Approx(total[k]).margin(0.03));
    CHECK(holds(result.whole.inputs[k].first, first[k], 0.005));
    CHECK(holds(result.whole.inputs[k].total, total[k], 0.005));
  }
  REQUIRE(result.groups);
  REQUIRE(result.groups->groups.size() == 2);
  CHECK(result.groups->groups[0].effect.first.value == Approx(1.0 / 3).margin(0.03));
  CHECK(result.groups->together.value == Approx(1.0 / 3).margin(0.03));

  // In a cell of the left column x is below 1/2: p = x, on average 1/4.
  const Effects& cell = result.cells[0];
  REQUIRE(cell.state == SensitivityState::kKnown);
  const double variance = 3.0 / 16;
  CHECK(holds(cell.inputs[0].first, 1.0 / 48 / variance));
  // E[x (1 - x)]: what is left to the jaws' friction where all else is known.
  CHECK(cell.inputs[2].total.value == Approx((1.0 / 4 - 1.0 / 12) / variance).margin(0.06));
  CHECK(holds(cell.inputs[2].total, (1.0 / 4 - 1.0 / 12) / variance));

  const std::string csv = csv_text(sensitivity_table(result));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  CHECK_THAT(csv, Catch::Contains("first_mu_jaw,first_mu_jaw_low,first_mu_jaw_high,total_mu_jaw,"));
}

TEST_CASE("around an aim the effects are those of the errors", "[sensitivity]") {
  // x is about 1/2; half of the errors in y are beyond the map.
  const Sensitivity result = analyse(square_sweep(2, 100), is_above_diagonal,
                                     AimedPlacement{0.5, 0.0, {Normal{0, 0.02}, Normal{0, 0.1}}});
  REQUIRE(result.whole.state == SensitivityState::kKnown);
  CHECK(result.whole.inputs[2].first.value > 0.9);
  CHECK(result.whole.inputs[0].total.value < 0.1);
  REQUIRE(result.groups);
  CHECK(result.groups->surplus.interval.high < 0);
  CHECK(result.left_out == Approx(0.5).margin(0.001));
  const std::string text = sensitivity_text(result, 0.95);
  CHECK_THAT(text, Catch::StartsWith("Tighten the friction.") &&
                       Catch::Contains("50.0 % of these placements lie outside"));
}

TEST_CASE("a uniform error reaches no further than its half width", "[sensitivity]") {
  const auto is_near = [](const TrialParameters& p) {
    return std::abs(p.placement_y_mm - 0.5) < 0.3;
  };
  const auto around = [&](const Distribution& error) {
    return analyse(square_sweep(5, 60), is_near, AimedPlacement{0.5, 0.5, {Fixed{0}, error}}).whole;
  };
  const Effects uniform = around(Uniform{-0.2, 0.2});
  CHECK(uniform.state == SensitivityState::kNoVariance);
  CHECK(uniform.success_probability == 1.0);
  CHECK(around(Normal{0, 0.2}).success_probability < 0.95);
  const RandomInputs cut =
      RandomInputs::of_aim(square_sweep(2, 1), {0.9, 0.5, {Uniform{-0.2, 0.2}, Fixed{0}}});
  CHECK(cut.varying().front().distribution == Distribution(Uniform{0.9 - 0.2, 1.0}));
}

TEST_CASE("the ends of a whole turn are one place", "[sensitivity]") {
  constexpr double kTurn = 2 * std::numbers::pi;
  SweepConfig config = square_sweep(1, 2000);
  config.placement.theta_rad = angle_axis({0, kTurn, 12});
  const auto aimed_at = [&](double angle_rad) {
    const AimedPlacement aim{0.5, 0.5, {Normal{0, 1}, Normal{0, 1}, Normal{0, 0.3}}, angle_rad};
    return analyse(
        config,
        [&](const TrialParameters& p) {
          return std::abs(std::remainder(p.theta_rad - angle_rad, kTurn)) < 0.3;
        },
        aim);
  };
  const Sensitivity middle = aimed_at(std::numbers::pi);
  const Sensitivity end = aimed_at(0.01);
  CHECK(end.left_out == Approx(middle.left_out).margin(1e-6));
  CHECK(end.whole.success_probability == Approx(middle.whole.success_probability).margin(0.03));
  CHECK(end.effective_trials == Approx(middle.effective_trials).epsilon(0.05));
  // Cells are those of the run.
  CHECK(end.map.theta_rad.min == 0);
  REQUIRE(end.cells.size() == 12);
  CHECK(end.cells[6].success_probability == 0);
  CHECK(end.cells[0].success_probability > 0.3);
  CHECK(end.cells[11].success_probability > 0.3);
}

TEST_CASE("an error below half a cell is told with what it is judged with", "[sensitivity]") {
  const Sensitivity fine = analyse(square_sweep(2, 100), is_above_diagonal,
                                   AimedPlacement{0.5, 0.5, {Normal{0, 0.02}, Normal{0, 0.3}}});
  CHECK_THAT(sensitivity_text(fine, 0.95),
             Catch::Contains("errors 0.02 and 0.3 mm, judged with 0.25 and 0.3 mm: ") &&
                 Catch::Contains("too sparse for less"));
  CHECK_THAT(json_document(sensitivity_fields(fine, 0.95)),
             Catch::Contains("\"judged_sigma\": [\n      0.25,\n      0.3,\n      0\n"));
  const Sensitivity wide = analyse(square_sweep(2, 100), is_above_diagonal,
                                   AimedPlacement{0.5, 0.5, {Normal{0, 0.3}, Normal{0, 0.3}}});
  CHECK_FALSE(wide.judged_error);
  CHECK_THAT(sensitivity_text(wide, 0.95), !Catch::Contains("judged"));
}

TEST_CASE("noise is an input of its own", "[sensitivity]") {
  SweepConfig config = square_sweep(2, 150);
  config.mu_support = Fixed{0.3};
  config.placement.noise_y_mm = Normal{0.0, 0.3};
  // Success is x + noise alone: y itself does not matter where only the noise decides.
  const Sensitivity result =
      analyse(config, [](const TrialParameters& p) { return p.placement_y_mm > 0.5; });
  REQUIRE(result.inputs.varying().size() == 4);
  CHECK(result.inputs.varying()[2].key == std::string("noise_y_mm"));
  REQUIRE(result.whole.state == SensitivityState::kKnown);
  CHECK(result.whole.inputs[0].total.value < 0.02);
  // Each of y and its noise has a share, and there is one that only both have.
  CHECK(result.whole.inputs[1].first.value + result.whole.inputs[2].total.value ==
        Approx(1).margin(0.03));
}

TEST_CASE("uncertain numbers are inputs, and their groups share the variance",
          "[sensitivity][slow]") {
  const SweepConfig config = uncertain_square(2, 400);
  const std::size_t mass = 1;  // among the uncertain numbers
  REQUIRE(config.uncertain[mass].key == "part.mass_kg");
  // x + mass > 1: a third of the variance each, a third both together.
  const std::vector<TrialSample> samples = samples_by(config, [&](const SampledTrial& trial) {
    return trial.parameters.placement_x_mm + trial.uncertain[mass] > 1;
  });
  const Sensitivity result = analyse_sensitivity(config, samples, {}, 0.95);
  REQUIRE(result.whole.state == SensitivityState::kKnown);
  REQUIRE(result.whole.inputs.size() == 8);
  const std::size_t of_mass = place_of(result.inputs, "part.mass_kg");
  CHECK(result.inputs.varying()[of_mass].group == InputGroup::kPart);
  for (std::size_t k = 0; k < result.whole.inputs.size(); ++k) {
    CAPTURE(result.inputs.varying()[k].key);
    const bool matters = k == 0 || k == of_mass;
    const InputEffect& effect = result.whole.inputs[k];
    CHECK(effect.first.value == Approx(matters ? 1.0 / 3 : 0).margin(0.03));
    CHECK(effect.total.value == Approx(matters ? 2.0 / 3 : 0).margin(0.03));
  }
  REQUIRE(result.groups);
  REQUIRE(result.groups->groups.size() == 5);
  double sum = result.groups->together.value;
  for (const GroupEffect& group : result.groups->groups) {
    CAPTURE(name(group.group));
    const bool matters = group.group == InputGroup::kPosition || group.group == InputGroup::kPart;
    CHECK(group.effect.first.value == Approx(matters ? 1.0 / 3 : 0).margin(0.03));
    CHECK(group.effect.total.value == Approx(matters ? 2.0 / 3 : 0).margin(0.03));
    sum += group.effect.first.value;
  }
  CHECK(sum == Approx(1).margin(0.005));
  const std::string text = sensitivity_text(result, 0.95);
  CHECK_THAT(text, Catch::Contains("The position and the part's tolerances matter alike") ||
                       Catch::Contains("The part's tolerances and the position matter alike") ||
                       Catch::StartsWith("Where the gripper is put decides on this map") ||
                       Catch::StartsWith("Tighten the part's tolerances"));
  CHECK_THAT(text, Catch::Contains("only several together"));
  CHECK_THAT(csv_text(sensitivity_table(result)), Catch::Contains(",first_part.mass_kg,"));
  CHECK_THAT(json_document(sensitivity_fields(result, 0.95)),
             Catch::Contains("\"part_total\"") && !Catch::Contains("\"halved\""));
}

TEST_CASE("of many inputs those that act together are found by screening", "[sensitivity]") {
  // The product of two numbers that come last in the alphabet decides: only crossed terms tell it.
  const SweepConfig config = uncertain_square(1, 1500);
  const std::vector<TrialSample> samples = samples_by(config, [](const SampledTrial& trial) {
    return trial.uncertain[2] * trial.uncertain[3] > 0.25;
  });
  const Sensitivity result = analyse_sensitivity(config, samples, {}, 0.95);
  REQUIRE(result.whole.state == SensitivityState::kKnown);
  CHECK(result.whole.predictivity > 0.9);
  const std::size_t first = place_of(result.inputs, "support.e_r_mm");
  const std::size_t second = place_of(result.inputs, "support.e_t");
  CHECK(result.whole.inputs[first].total.value ==
        Approx(result.whole.inputs[second].total.value).margin(0.05));
  CHECK(result.whole.inputs[first].total.value > 0.5);
}

TEST_CASE("correlated inputs have no shares", "[sensitivity]") {
  SweepConfig config = uncertain_square(2, 10);
  const std::vector<TrialSample> samples = samples_of(config, [](const auto&) { return true; });
  config.correlated.push_back({{"part.mass_kg", "support.e_t"}, Eigen::MatrixXd::Identity(2, 2)});
  const Sensitivity result = analyse_sensitivity(config, samples, {}, 0.95);
  CHECK(result.whole.state == SensitivityState::kCorrelated);
  CHECK(result.whole.success_probability == 1.0);
  CHECK(result.whole.inputs.empty());
  CHECK_THAT(sensitivity_text(result, 0.95),
             Catch::StartsWith("No shares of the variance: part.mass_kg, support.e_t are "
                               "correlated,\n") &&
                 !Catch::Contains("emulator"));
  CHECK_THAT(json_document(sensitivity_fields(result, 0.95)),
             Catch::Contains("\"state\": \"correlated\""));
  CHECK_THAT(csv_text(sensitivity_table(result)), Catch::Contains(",correlated,"));
}

TEST_CASE("without variance nothing matters", "[sensitivity]") {
  const Sensitivity all = analyse(square_sweep(2, 10), [](const auto&) { return true; });
  CHECK(all.whole.state == SensitivityState::kNoVariance);
  CHECK(all.cells[3].state == SensitivityState::kNoVariance);
  CHECK_THAT(sensitivity_text(all, 0.95),
             Catch::StartsWith("Nothing matters here, judged by 40 trials:\non the whole map "
                               "all grasps succeed."));
  const Sensitivity one = analyse(square_sweep(1, 1), [](const auto&) { return true; });
  CHECK_THAT(sensitivity_text(one, 0.95), Catch::Contains("judged by 1 trial:"));
}

TEST_CASE("what cannot be foretold is not told", "[sensitivity]") {
  // The last bits of the friction decide: no emulator learns that.
  const Sensitivity result = analyse(square_sweep(2, 60), [](const TrialParameters& p) {
    return std::fmod(p.mu_jaw * 1e9, 2.0) < 1;
  });
  CHECK(result.whole.state == SensitivityState::kUnreliable);
  CHECK(result.whole.inputs.empty());
  CHECK_THAT(sensitivity_text(result, 0.95), Catch::StartsWith("The effects on"));
}

TEST_CASE("failed trials widen the effects' intervals", "[sensitivity][slow]") {
  const SweepConfig config = square_sweep(1, 200);
  std::vector<TrialSample> samples = samples_of(config, is_above_diagonal);
  const auto width = [&] {
    const Sensitivity result = analyse_sensitivity(config, samples, {}, 0.95);
    REQUIRE(result.whole.state == SensitivityState::kKnown);
    const Interval& interval = result.whole.inputs[0].total.interval;
    return interval.high - interval.low;
  };
  const double without = width();
  for (std::size_t k = 0; k < samples.size(); k += 10) samples[k].outcome = Outcome::kFailed;
  CHECK(width() > 1.5 * without);
}

}  // namespace graspmap::testing
