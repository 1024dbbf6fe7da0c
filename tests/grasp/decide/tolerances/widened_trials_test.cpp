#include "grasp/decide/tolerances/widened_trials.hpp"

#include <catch2/catch.hpp>

#include "tests/support/lock_piece.hpp"

namespace graspmap::testing {
namespace {

SweepConfig uncertain_lock_piece() {
  SweepConfig config = small_lock_piece_sweep();
  for (const auto& [key, distribution] :
       std::initializer_list<std::pair<const char*, Distribution>>{
           {"gripper.closing_force_n", Uniform{8, 12}}, {"part.mass_kg", Normal{0.05, 0.002}}}) {
    config.uncertain.push_back({key, distribution, *ScenarioNumber::find(config.scenario, key)});
  }
  config.placement.noise_x_mm = Normal{0.0, 0.5};
  return config;
}

TEST_CASE(
    "the inputs whose widths may change are those with distributions and the robot's errors") {
  const SweepConfig config = uncertain_lock_piece();
  const std::vector<ToleranceInput> inputs =
      tolerance_inputs(config, {{0, -10, 0}, {Fixed{0}, Normal{0, 0.25}, Fixed{0}}});
  std::vector<std::string> texts;
  for (const ToleranceInput& input : inputs) {
    texts.push_back(input.key + " " + width_text(input, input.width));
  }
  CHECK(texts == std::vector<std::string>{"gripper.closing_force_n ±2 N", "part.mass_kg σ 0.002 kg",
                                          "friction.jaw ±0.15", "friction.support ±0.2",
                                          "placement.noise.x_mm σ 0.5 mm", "robot.y_mm σ 0.25 mm"});
}

TEST_CASE("a width has the unit of its key") {
  const auto text = [](const char* key) {
    return width_text(tolerance_input(key, Uniform{0, 40}), 20);
  };
  CHECK(text("gripper.mount.sideways_n_per_mm") == "±20 N/mm");
  CHECK(text("gripper.mount.turning_n_mm") == "±20 N mm");
  CHECK(text("gripper.pad.normal_n_per_mm2") == "±20 N/mm²");
  CHECK(text("gripper.pad.damping_s") == "±20 s");
  CHECK(text("robot.theta_rad") == "±20 rad");
}

TEST_CASE("a width is a half width, a sigma or a standard deviation") {
  const auto width = [](const Distribution& distribution) {
    return tolerance_input("part.mass_kg", distribution).width;
  };
  CHECK(width(Uniform{1, 4}) == 1.5);
  CHECK(width(Lognormal{0.2, 0.06, 0.0, 0.3}) == 0.06);
  CHECK(width(Discrete{{1, 3}, {0.5, 0.5}}) == Approx(1));
}

TEST_CASE(
    "a distribution of another width has the quantiles of the distribution with these parameters") {
  struct Pair {
    Distribution distribution;
    Distribution wider;  ///< 1.5 times
  };
  const std::vector<Pair> pairs = {
      {Uniform{2, 4}, Uniform{1.5, 4.5}},
      {Normal{3, 0.2}, Normal{3, 0.3}},
      {TruncatedNormal{3, 0.2, 2.8, 3.2}, TruncatedNormal{3, 0.3, 2.8, 3.2}}};
  for (const Pair& pair : pairs) {
    const ToleranceInput input = tolerance_input("part.mass_kg", pair.distribution);
    for (const double u : {0.001, 0.2, 0.5, 0.7, 0.999}) {
      CHECK(input.distribution_of(1.5).quantile(u) == Approx(pair.wider.quantile(u)));
      CHECK(input.distribution_of(1.0).quantile(u) == pair.distribution.quantile(u));
      CHECK(input.distribution_of(0.0).quantile(u) == Approx(3));
    }
  }
}

TEST_CASE("a wider distribution keeps to what its number can be") {
  const Distribution distribution = Uniform{0.1, 0.3};
  SweepConfig config = small_lock_piece_sweep();
  config.mu_jaw = distribution;
  for (const char* key : {"part.mass_kg", "part.piece.disc.center_mm.0"}) {
    config.uncertain.push_back({key, distribution, *ScenarioNumber::find(config.scenario, key)});
  }
  const std::vector<ToleranceInput> inputs = tolerance_inputs(config, {});
  REQUIRE(inputs.size() == 4);
  CHECK(inputs[0].least == Approx(0.002));  // a mass is positive
  CHECK(inputs[1].least < -1e6);
  CHECK(inputs[2].least == 0);  // friction
  // Wide enough, half of the grasps would have less than no friction.
  const std::vector<double> wide{0, 0, 1000, 1};
  const WidenedTrials trials(config, {{0, -10, 0}, {}}, wide);
  Workspace workspace;
  SimulationResult result;
  for (std::uint64_t index = 0; index < 6; ++index) {
    CHECK(trials.run(5, index, workspace, result) != Outcome::kFailed);
  }
}

TEST_CASE("a part that cannot be made is no grasp that succeeds") {
  SweepConfig config = small_lock_piece_sweep();
  config.uncertain.push_back({"part.offset_mm", Uniform{-0.9, -0.7},
                              *ScenarioNumber::find(config.scenario, "part.offset_mm")});
  const AimAndRobot aim{{0, -10, 0}, {}};
  const WidenedTrials today(config, aim, std::vector<double>{1, 1, 1});
  const WidenedTrials wide(config, aim, std::vector<double>{8, 1, 1});
  Workspace workspace;
  SimulationResult result;
  int blocked = 0;
  for (std::uint64_t index = 0; index < 10; ++index) {
    CHECK(today.run(5, index, workspace, result) != Outcome::kBlocked);
    // Teeth of 1.1 mm half a width vanish at -1.1 mm.
    blocked += wide.run(5, index, workspace, result) == Outcome::kBlocked ? 1 : 0;
  }
  CHECK(blocked > 0);
  CHECK(blocked < 10);
}

TEST_CASE("grasps under today's widths are those of the sampler, without widths the nominal one") {
  const SweepConfig config = uncertain_lock_piece();
  const AimAndRobot aim{{0, -10, 0}, {}};
  const std::size_t inputs = tolerance_inputs(config, aim).size();
  const WidenedTrials today(config, aim, std::vector<double>(inputs, 1.0));
  const WidenedTrials exact(config, aim, std::vector<double>(inputs, 0.0));
  Workspace workspace;
  SimulationResult result;
  TrialParameters nominal;
  nominal.placement_y_mm = -10;
  nominal.mu_jaw = 0.2;
  nominal.mu_support = 0.3;
  const double nominal_time =
      run_trial(config, nominal, std::vector<double>{10, 0.05}, workspace, result).end_time_s;
  for (std::uint64_t index = 0; index < 6; ++index) {
    (void)today.run(5, index, workspace, result);
    const double time = result.end_time_s;
    const TrialRow row = run_trial(config, sample_at(config, {0, -10, 0}, 5, index),
                                   sample_uncertain(config, 5, index), workspace, result);
    CHECK(time == Approx(row.end_time_s).epsilon(1e-9));
    CHECK(time != Approx(nominal_time).epsilon(1e-9));
    (void)exact.run(5, index, workspace, result);
    CHECK(result.end_time_s == Approx(nominal_time).epsilon(1e-9));
  }
}

TEST_CASE("a sample does not depend on threads or on the parts that it is simulated in") {
  const SweepConfig config = uncertain_lock_piece();
  const AimAndRobot aim{{2, -14, 0}, {Normal{0, 1}, Normal{0, 1}, {}}};
  const std::vector<double> factors(tolerance_inputs(config, aim).size(), 1.5);
  const std::vector<PairSide> whole = simulated_widths(config, aim, 1, 2)(factors, 0, 40);
  std::vector<PairSide> parts = simulated_widths(config, aim, 1, 1)(factors, 0, 15);
  const std::vector<PairSide> rest = simulated_widths(config, aim, 1, 1)(factors, 15, 25);
  parts.insert(parts.end(), rest.begin(), rest.end());
  CHECK(whole == parts);
  CHECK(std::count(whole.begin(), whole.end(), PairSide::kSuccess) > 0);
  CHECK(std::count(whole.begin(), whole.end(), PairSide::kNoSuccess) > 0);
}

}  // namespace
}  // namespace graspmap::testing
