#include "grasp/decide/compare/experiment_comparison.hpp"

#include <catch2/catch.hpp>

#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// A simulated run of the lock piece on 5 x 5 cells of 4 mm.
class SimulatedRun {
 public:
  explicit SimulatedRun(int trials_per_cell)
      : config_(
            small_lock_piece_sweep({"sweep.trials_per_cell=" + std::to_string(trials_per_cell)})),
        store_(RunStore::create(folder_.path() / "run.sqlite", config_)) {
    store_.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
    store_.append_blocks(sweep_rows(config_), 0.5);
  }

  [[nodiscard]] const RunStore& store() const { return store_; }
  [[nodiscard]] const SweepConfig& config() const { return config_; }

 private:
  TemporaryFolder folder_;
  SweepConfig config_;
  RunStore store_;
};

/// A laboratory of the simulator: `repeats` trials at each placement.
Experiment laboratory(const SweepConfig& truth, const std::vector<IntendedPlacement>& placements,
                      int repeats) {
  std::vector<TrialParameters> trials;
  Experiment experiment;
  experiment.file = "lab.csv";
  for (const IntendedPlacement& at : placements) {
    for (int i = 0; i < repeats; ++i) {
      trials.push_back(sample_at(truth, at, 99, trials.size()));
      experiment.single_trials.push_back({at.x_mm, at.y_mm});
    }
  }
  const std::vector<Outcome> outcomes = simulate_trials(truth, trials);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    experiment.single_trials[k].success = outcomes[k] == Outcome::kSuccess;
  }
  return experiment;
}

ComparisonOptions simulated(std::int64_t trials) {
  return {.slice = 0, .prediction = {.trials = trials}};
}

}  // namespace

TEST_CASE("the true model is not rejected for placements on a lattice", "[experiment_prediction]") {
  const SimulatedRun run(20);
  std::vector<IntendedPlacement> lattice;
  const PlacementSweep& map = run.config().placement;
  for (int j = 3; j < 5; ++j) {
    for (int i = 0; i < 5; ++i) {
      lattice.push_back({map.x_mm.cell_min(i) + 0.2, map.y_mm.cell_min(j) + 0.2, 0.0});
    }
  }
  const Experiment lab = laboratory(run.config(), lattice, 10);
  const ExperimentComparison exact = compare_experiment(run.store(), lab, simulated(1000));
  CHECK(exact.prediction.simulated);
  CHECK(exact.prediction.placements == 10);
  CHECK(exact.agreement.p_value > 0.05);
  CHECK(exact.significant.empty());
  // Taken as uniform in their cells, the same trials reject it: what was done until now.
  const ExperimentComparison uniform =
      compare_experiment(run.store(), lab, {.slice = 0, .prediction = {.simulate = false}});
  CHECK_FALSE(uniform.prediction.simulated);
  CHECK(uniform.agreement.p_value < 0.01);
  CHECK(uniform.test.p_value < 0.01);
}

TEST_CASE("sparse trials at the plateau's edge show another friction distribution",
          "[experiment_prediction][slow]") {
  const SimulatedRun run(4);
  std::vector<IntendedPlacement> edge;
  for (int k = 0; k < 60; ++k) edge.push_back({-7.1 + 0.24 * k, -5.5 + 0.9 * (k % 7 - 3) / 3.0, 0});
  const Experiment lab = laboratory(small_lock_piece_sweep({"friction.jaw.max=0.2"}), edge, 1);
  const ExperimentComparison comparison = compare_experiment(run.store(), lab, simulated(3000));
  const ChangeResult& level = *comparison.agreement.of(Change::kLevel);
  CHECK(level.p_value < 0.001);
  CHECK(level.estimate.interval.low > 0);
  CHECK(comparison.agreement.significant);
  CHECK(comparison.significant.empty());  // cell by cell nothing is found
  CHECK(comparison.agreement.of(Change::kJawFriction)->estimate.value < 0);
}

TEST_CASE("sessions share their draws of friction", "[experiment_prediction]") {
  const SweepConfig config = small_lock_piece_sweep();
  const std::vector<Place> places = {{{0, 0, -5.5, -5.5}, 0, 0}, {{3, 3, -5, -5}, 0, 0}};
  const PredictionEffort effort{40, 2};
  const Predictions draws = predict(config, places, effort, true, 7);
  REQUIRE(draws.draws.draws() == 40);
  REQUIRE(draws.draws.places == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 40; ++j) sum += draws.draws.success[j * 2 + k];
    CHECK(sum == Approx(static_cast<double>(draws.places[k].counts.successes)));
  }
  const Predictions again = predict(config, places, effort, true, 7, {.threads = 1});
  CHECK(again.draws.success == draws.draws.success);
  CHECK(again.places[1].changed[1].low == draws.places[1].changed[1].low);
  // With placement noise, a draw of friction has several trials.
  SweepConfig noisy = config;
  noisy.placement.noise_y_mm = Normal{0.0, 0.5};
  CHECK(predict(noisy, places, effort, true, 7).draws.draws() == 10);
  CHECK(predict(config, places, {40, 0}, false, 7).draws.success.empty());
}

TEST_CASE("cells of the run are predicted from its stored trials, other cells are simulated",
          "[experiment_prediction]") {
  const SimulatedRun run(4);
  Experiment cells{"lab.csv", ExperimentOrigin::kMeasured, "", {{{-2, 2, -8, -4}, 10, 7}}, {}};
  const ExperimentComparison own = compare_experiment(run.store(), cells, simulated(400));
  CHECK_FALSE(own.prediction.simulated);
  REQUIRE(own.prediction.sites.size() == 1);
  CHECK(own.prediction.sites[0].model.trials == 4);
  CHECK(own.prediction.simulated_trials > 0);  // the changes
  cells.cells[0].x_max_mm = 1;
  const ExperimentComparison other = compare_experiment(run.store(), cells, simulated(400));
  CHECK(other.prediction.simulated);
  CHECK(other.prediction.sites[0].model.trials + other.prediction.sites[0].model.failed == 240);
  cells.sessions = {"monday"};
  cells.cells[0].x_max_mm = 2;
  CHECK(compare_experiment(run.store(), cells, simulated(400)).prediction.draws->draws() == 60);
}

TEST_CASE("predictions draw the uncertain numbers of each trial", "[agreement]") {
  SweepConfig config = parse_sweep_config(kConfigText, "test");
  const SweepConfig nominal = config;
  const char* key = "part.piece.knob.center_mm.0";
  config.uncertain.push_back({key, Uniform{-30, 30}, *ScenarioNumber::find(config.scenario, key)});
  const std::vector<Place> places = {{{-1, 1, -6, -5}, 0, 0}};
  const PredictionEffort effort{60, 4};
  const Predictions drawn = predict(config, places, effort, false, 7);
  const Predictions fixed = predict(nominal, places, effort, false, 7);
  // The knob is often beyond the jaws: fewer grasps succeed.
  CHECK(drawn.places[0].counts.successes + 10 < fixed.places[0].counts.successes);
  // In a session too, each part has its own knob.
  CHECK(predict(config, places, effort, true, 7).draws.draws() == 15);
  CHECK(predict(nominal, {std::vector<Place>{{{0, 0, -5, -5}, 0, 0}}}, effort, true, 7)
            .draws.draws() == 60);
}

TEST_CASE("a map is an experiment without its failed trials", "[experiment_prediction]") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  map.cells[0].by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = 3;
  map.cells[0].by_outcome[static_cast<std::size_t>(Outcome::kFailed)] = 2;
  map.cells[0].by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = 1;
  const Experiment experiment = experiment_of_map(map, 0, "other");
  CHECK(experiment.origin == ExperimentOrigin::kSimulated);
  REQUIRE(experiment.cells.size() == 2);
  CHECK(experiment.cells[0].trials == 4);
  CHECK(experiment.cells[0].successes == 3);
  CHECK(experiment.cells[1].trials == 0);
  CHECK(experiment.failed == 2);
  CHECK_THROWS_WITH(experiment_of_map(SuccessMap({0, 2, 2}, {0, 1, 1}), 0, "none"),
                    Catch::StartsWith("none: no trials"));
}

TEST_CASE("a friction that would be negative is cut, and the text says so", "[agreement]") {
  Agreement found;
  found.changes.push_back({Change::kSupportFriction, {-0.546, {-1.34, 0.249}}});
  cut_at(found, Change::kSupportFriction, -0.275);
  const ChangeResult& cut = found.changes.front();
  CHECK(cut.at_bound);
  CHECK(cut.estimate.value == -0.275);
  CHECK(cut.estimate.interval.low == -0.275);
  CHECK(cut.estimate.interval.high == 0.249);
  ExperimentComparison comparison;
  comparison.agreement = found;
  CHECK_THAT(agreement_tests_text(comparison),
             Catch::Contains("-0.275 (-0.275 to +0.249)") &&
                 Catch::Contains("The support friction is cut at the change that makes it 0"));
}
