#include "grasp/decide/reweight/reweighted_map.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <numbers>

#include "grasp/base/probability/stratified.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Distribution fixed(double value) { return Fixed{value}; }
Distribution uniform(double min, double max) { return Uniform{min, max}; }
Distribution normal(double mean, double sigma, double min = -kInfinity, double max = kInfinity) {
  return Normal{mean, sigma, min, max};
}
Distribution truncated(double mean, double sigma, double min, double max) {
  return TruncatedNormal{mean, sigma, min, max};
}

TEST_CASE("a distribution is covered when all that it can give was possible") {
  const Distribution stored = uniform(0.05, 0.35);
  CHECK(uncovered_text(stored, uniform(0.05, 0.2)).empty());
  CHECK(uncovered_text(stored, truncated(0.5, 0.1, 0.1, 0.35)).empty());
  CHECK(uncovered_text(normal(0.2, 0.1, 0, 1), uniform(0, 1)).empty());
  CHECK(uncovered_text(normal(0.2, 0.1, 0, 1), normal(0.3, 0.1, 0, 1)).empty());
  CHECK(uncovered_text(normal(0.2, 0.1, 0, 1), fixed(0)).empty());
  CHECK(uncovered_text(normal(0, 1), normal(5, 3)).empty());
  CHECK(uncovered_text(fixed(0.2), fixed(0.2)).empty());
}

TEST_CASE("why a distribution is not covered is told with what is") {
  using Case = std::tuple<Distribution, Distribution, std::string>;
  const auto [stored, wanted, told] = GENERATE(table<Distribution, Distribution, std::string>({
      Case{uniform(0.05, 0.35), uniform(0.0, 0.2), "reaches below 0.05"},
      Case{uniform(0.05, 0.35), uniform(0.1, 0.5), "the run drew uniform 0.05 to 0.35"},
      Case{uniform(0.05, 0.35), fixed(0.2), "min = 0.185, max = 0.215"},
      Case{uniform(0.05, 0.35), fixed(0.5), "0.5 is not covered"},
      Case{uniform(0.05, 0.35), normal(0.2, 0.1, 0.05, 0.35), "6.7 % onto 0.05"},
      Case{uniform(0.05, 0.35), normal(0.2, 0.1), "reaches below"},
      Case{fixed(0.2), uniform(0.1, 0.3), "fixed 0.2 only"},
      Case{truncated(0.2, 0.1, 0, 1), normal(0.2, 0.1, 0), "reaches above 1"},
  }));
  CHECK_THAT(uncovered_text(stored, wanted), Catch::Contains(told));
}

TEST_CASE("weights are ratios of densities and of atoms") {
  CHECK(probability_ratio(uniform(0, 1), uniform(0.2, 0.4), 0.3) == Approx(5));
  CHECK(probability_ratio(uniform(0, 1), uniform(0.2, 0.4), 0.5) == 0);
  const Distribution stored = normal(0.2, 0.1, 0.1, 0.4);
  // The stored atom at 0.1 has Phi(-1), the wanted one Phi(-2).
  CHECK(probability_ratio(stored, normal(0.3, 0.1, 0.1, 0.4), 0.1) ==
        Approx(0.022750131948179195 / 0.15865525393145707));
  CHECK(probability_ratio(stored, uniform(0.1, 0.4), 0.1) == 0);  // of no atom at all
  CHECK(probability_ratio(stored, normal(0.3, 0.1, 0.1, 0.4), 0.25) == Approx(1));
}

TEST_CASE("weights have the mean 1 and turn one distribution into the other") {
  const Distribution stored = normal(0.2, 0.1, 0.05, 0.4);
  const Distribution wanted = normal(0.15, 0.05, 0.05, 0.3);
  double weights = 0;
  double mean = 0;
  double below = 0;
  constexpr int kCount = 20'000;
  for (int i = 0; i < kCount; ++i) {
    const double x = stored.quantile((i + 0.5) / kCount);
    // The stored distribution can give 0.3, but not as an atom.
    const double w = x > 0.3 ? 0 : probability_ratio(stored, wanted, x);
    weights += w / kCount;
    mean += w * x / kCount;
    below += x <= 0.12 ? w / kCount : 0;
  }
  CHECK(weights == Approx(1 - wanted.atom(0.3)).margin(1e-3));
  CHECK(below == Approx(wanted.cumulative(0.12)).margin(1e-3));
  CHECK(mean > 0.1);
}

SweepConfig noisy_config() {
  return parse_sweep_config(std::string(kConfigText) +
                                "[placement.noise]\nx_mm = { distribution = \"uniform\", min = -1, "
                                "max = 1 }\n",
                            "test");
}

TEST_CASE("trials of the wanted distributions count and others do not") {
  const TemporaryFolder folder;
  const SweepConfig config = noisy_config();
  const RunStore store =
      made_up_store(folder.path() / "run.sqlite", config, {{0, config.trials()}});
  const std::vector<std::string> overrides = {"friction.jaw.max=0.2", "placement.noise.x_mm.min=0"};
  const SweepConfig wanted = with_other_distributions(store.config_toml(), overrides);
  const InputChange change(store.config(), wanted, overrides, "");
  REQUIRE(change.changed().size() == 2);
  CHECK(change.changed()[0].key == "friction.jaw");
  CHECK(change.changed()[1].key == "placement.noise.x_mm");
  double counted = 0;
  store.for_each([&](const TrialRow& row) {
    const bool inside = row.parameters.mu_jaw <= 0.2 && sample_noise(config, row.index).x_mm >= 0;
    CHECK(change.weight(row) == (inside ? Approx(4) : Approx(0)));
    counted += inside && row.outcome != Outcome::kFailed ? 1 : 0;
  });
  const ReweightedMap map = reweight_trials(store, change);
  CHECK(map.stored.total().trials() == config.trials());
  double effective = 0;
  for (const WeightedCell& cell : map.cells) effective += cell.effective_trials();
  CHECK(effective == Approx(counted));
}

TEST_CASE("cells that an adaptive run left at its first round have numbers") {
  const TemporaryFolder folder;
  SweepConfig config = noisy_config();
  AdaptiveSampling sampling;
  sampling.first_trials = 8;
  sampling.round_trials = 100;
  sampling.most_trials = config.trials();
  const auto unknown_cells = [&](const char* file) {
    const std::int64_t trials = 8 * config.placement.cell_count();
    const RunStore store = made_up_store(folder.path() / file, config, {{0, trials}});
    const std::vector<std::string> overrides = {"friction.jaw.max=0.3"};
    const SweepConfig wanted = with_other_distributions(store.config_toml(), overrides);
    const ReweightedMap map =
        reweight_trials(store, InputChange(store.config(), wanted, overrides, ""));
    return std::count_if(map.cells.begin(), map.cells.end(), [](const WeightedCell& cell) {
      return cell.is_unknown() && cell.of(Outcome::kFailed) == 0;
    });
  };
  CHECK(unknown_cells("uniform.sqlite") > 0);
  config.adaptive = sampling;
  CHECK(unknown_cells("adaptive.sqlite") == 0);
}

SweepConfig uncertain_config() {
  return parse_sweep_config(
      replaced(kConfigText, "[placement]",
               "[uncertain]\n\"part.mass_kg\" = { distribution = \"uniform\", min = 0.04, max = "
               "0.06 }\n\"gripper.closing_force_n\" = { distribution = \"normal\", mean = 10, "
               "sigma = 1 }\n[placement]"),
      "test");
}

TEST_CASE("the distributions of uncertain numbers change as those of friction do") {
  const TemporaryFolder folder;
  const SweepConfig config = uncertain_config();
  const RunStore store =
      made_up_store(folder.path() / "run.sqlite", config, {{0, config.trials()}});
  // By the number's own key, or by its place in the run's configuration.
  const std::string set = GENERATE("part.mass_kg.max=0.05", "uncertain.part.mass_kg.max = 0.05",
                                   "part.mass_kg={ distribution = \"uniform\", min = 0.04, max = "
                                   "0.05 }");
  CAPTURE(set);
  const SweepConfig wanted = with_other_distributions(store.config_toml(), {set});
  const InputChange change(store.config(), wanted, {set}, "");
  REQUIRE(change.changed().size() == 1);
  CHECK(change.changed()[0].key == "part.mass_kg");
  CHECK(change.changed()[0].wanted.text() == "uniform 0.04 to 0.05");
  store.for_each([&](const TrialRow& row) {
    const double mass = sample_trial(config, row.index).uncertain[1];
    CHECK(change.weight(row) == (mass <= 0.05 ? Approx(2) : Approx(0)));
  });
}

TEST_CASE("distributions of uncertain numbers that are not covered are refused") {
  const SweepConfig stored = uncertain_config();
  const auto change_to = [&](const std::string& set) {
    InputChange(stored, with_other_distributions(to_toml(stored), {set}), {set}, "graspmap run");
  };
  CHECK_THROWS_WITH(
      change_to("part.mass_kg.max=0.07"),
      Catch::StartsWith("--set part.mass_kg.max=0.07: part.mass_kg: ") &&
          Catch::EndsWith("(the run drew uniform 0.04 to 0.06); simulate: graspmap run"));
  CHECK_THROWS_WITH(change_to("part.mass_kg=0.05"),
                    Catch::Contains("no stored trial has exactly 0.05"));
  CHECK_THROWS_WITH(change_to("part.inertia_kg_mm2=13"),
                    Catch::Contains("only the distributions of random inputs can change") &&
                        Catch::Contains(".theta_rad, gripper.closing_force_n, part.mass_kg"));
  SweepConfig correlated = stored;
  correlated.correlated.push_back(
      {{"part.mass_kg", "gripper.closing_force_n"}, Eigen::MatrixXd::Identity(2, 2)});
  const SweepConfig wanted = with_other_distributions(to_toml(stored), {"part.mass_kg.max=0.05"});
  CHECK_THROWS_WITH(InputChange(correlated, wanted, {"part.mass_kg.max=0.05"}, ""),
                    Catch::Contains("is correlated with other inputs"));
}

TEST_CASE("unchanged distributions leave probabilities and intervals as they are") {
  WeightedCell cell;
  for (int i = 0; i < 30; ++i) cell.add(i < 18 ? Outcome::kSuccess : Outcome::kWedged, 1.0);
  for (int i = 0; i < 4; ++i) cell.add(Outcome::kFailed, 1.0);
  CHECK(cell.effective_trials() == Approx(30));
  CHECK(cell.success_probability() == Approx(0.6));
  const Interval plain = SampleCounts{18, 30, 4}.interval();
  CHECK(cell.success_interval().low == Approx(plain.low));
  CHECK(cell.success_interval().high == Approx(plain.high));
}

TEST_CASE("a cell worth too little has no number") {
  WeightedCell cell;
  for (int i = 0; i < 100; ++i) cell.add(Outcome::kSuccess, i < 9 ? 1.0 : 0.0);
  CHECK(cell.effective_trials() == Approx(9));
  CHECK(std::isnan(cell.success_probability()));
  CHECK(cell.success_interval().low == 0.0);
  cell.add(Outcome::kSuccess, 1.0);
  CHECK(cell.success_probability() == 1.0);
}

TEST_CASE("only distributions of random inputs can be changed") {
  const std::string toml = to_toml(parse_sweep_config(kConfigText, "test"));
  CHECK(with_other_distributions(toml, {"friction.jaw.max = 0.2"}).mu_jaw.range().high == 0.2);
  CHECK(with_other_distributions(toml, {"placement.noise.theta_deg=180"})
            .placement.noise_theta_rad.mean() == std::numbers::pi);
  CHECK_THROWS_WITH(with_other_distributions(toml, {"placement.noise.theta_deg.sigma=4"}),
                    Catch::Contains("stands there as theta_rad; give the whole distribution"));
  for (const char* bad :
       {"sweep.seed=2", "gripper.opening_mm=40", "frictions.jaw=1", "placement={}"}) {
    CHECK_THROWS_WITH(with_other_distributions(toml, {bad}),
                      Catch::StartsWith(std::string("--set ") + bad) &&
                          Catch::Contains("only the distributions of random inputs can change"));
  }
}

TEST_CASE("the mean of a reweighted map has the interval of its effective trials", "[reweight]") {
  ReweightedMap map;
  map.cells.resize(3);
  for (int k = 0; k < 40; ++k) {
    // Half of the trials weigh three times as much: 40 are worth 32.
    const double weight = k % 2 == 0 ? 1.0 : 3.0;
    map.cells[0].add(k % 8 < 6 ? Outcome::kSuccess : Outcome::kWedged, weight);
    map.cells[1].add(Outcome::kSuccess, weight);
  }
  CHECK(map.mean_probability() == Approx(0.875));
  const Interval found = map.mean_interval(kZ95);
  const std::vector<Stratum> strata = {{0.5, 24, 32, 0}, {0.5, 32, 32, 0}};
  const Interval expected = stratified_probability(strata).interval;
  CHECK(found.low == Approx(expected.low));
  CHECK(found.high == Approx(expected.high));
  map.cells[1].add(Outcome::kFailed, 20.0);
  CHECK(map.mean_interval(kZ95).low < found.low - 0.02);
}

}  // namespace
}  // namespace graspmap::testing
