#include "grasp/decide/compare/shared_cells.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/trial_rows.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The stored trials are made up: simulated ones would differ from them.
const ComparisonOptions kStored = {.slice = 0, .prediction = {.simulate = false}};

using OutcomeAt = std::function<Outcome(const TrialRow&)>;

/// A run on 4 x 3 cells of 2.5 x 2 mm, x from -5 to 5 and y from -8 to -2 mm, of made-up trials.
class MadeUpRun {
 public:
  MadeUpRun(const OutcomeAt& outcome, int trials_per_cell, const std::string& more = "")
      : config_(
            parse_sweep_config(replaced(kConfigText, "trials_per_cell = 10",
                                        "trials_per_cell = " + std::to_string(trials_per_cell)) +
                                   more,
                               "test")),
        store_(RunStore::create(folder_.path() / "run.sqlite", config_)) {
    rows_ = made_up_rows(config_, {0, config_.trials()});
    for (TrialRow& row : rows_) row.outcome = outcome(row);
    store_.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
    store_.append(rows_, 0.5);
  }

  [[nodiscard]] const RunStore& store() const { return store_; }

  /// The trials of a cell inside a rectangle, by their intended placement.
  [[nodiscard]] Stratum counted(int i, int j, const Rectangle& r, double weight) const {
    Stratum stratum{weight, 0, 0, 0};
    for (const TrialRow& row : rows_) {
      const IntendedPlacement at = sample_trial(config_, row.index).intended;
      const bool inside = r.x_min_mm <= at.x_mm && at.x_mm < r.x_max_mm && r.y_min_mm <= at.y_mm &&
                          at.y_mm < r.y_max_mm;
      if (row.cell_x != i || row.cell_y != j || !inside) continue;
      if (row.outcome == Outcome::kFailed) stratum.failed += 1;
      if (row.outcome != Outcome::kFailed) stratum.trials += 1;
      if (row.outcome == Outcome::kSuccess) stratum.successes += 1;
    }
    return stratum;
  }

 private:
  TemporaryFolder folder_;
  SweepConfig config_;
  RunStore store_;
  std::vector<TrialRow> rows_;
};

Outcome by_index(const TrialRow& row) {
  if (row.index % 10 == 9) return Outcome::kFailed;
  return row.index % 7 < 3 ? Outcome::kSuccess : Outcome::kWedged;
}

/// Success in the cells with this column only.
OutcomeAt only_in_column(int cell_x) {
  return [cell_x](const TrialRow& row) {
    return row.cell_x == cell_x ? Outcome::kSuccess : Outcome::kMissed;
  };
}

RectangleProbability probability_of(const RunStore& run, const Rectangle& rectangle) {
  return rectangle_probabilities(run, {rectangle}, kZ95).front();
}

Experiment with_cells(std::vector<ExperimentCell> cells) {
  return {"lab.csv", ExperimentOrigin::kMeasured, "", std::move(cells), {}};
}

}  // namespace

TEST_CASE("a rectangle that is a cell has its counts", "[shared_cells]") {
  const MadeUpRun run(by_index, 30);
  const Rectangle cell{-2.5, 1e-12, -6, -4};  // the border rounded
  const RectangleProbability p = probability_of(run.store(), cell);
  CHECK(p.cell == 1U + 4U * 1U);
  const Stratum counted = run.counted(1, 1, {-2.5, 0, -6, -4}, 1);
  CHECK(static_cast<double>(p.counts.successes) == counted.successes);
  CHECK(static_cast<double>(p.counts.trials) == counted.trials);
  CHECK(static_cast<double>(p.counts.failed) == counted.failed);
  CHECK(p.counts.trials + p.counts.failed == 30);
  CHECK(p.share_in_map == 1);
  CHECK(p.probability.value == Approx(counted.successes / counted.trials));
  CHECK(p.probability.interval.low == p.counts.interval().low);
}

TEST_CASE("a rectangle over several cells weighs them by area", "[shared_cells]") {
  const MadeUpRun run(only_in_column(1), 40);
  // 1.5 of 4 mm width lie in column 1; 0.5 and 1.5 of 2 mm height in two rows.
  const RectangleProbability p = probability_of(run.store(), {-4, 0, -6.5, -4.5});
  CHECK(p.probability.value == Approx(2.5 / 4));
  CHECK(p.share_in_map == Approx(1));
  CHECK_FALSE(p.cell.has_value());
  const RectangleProbability whole = probability_of(run.store(), {-5, 5, -8, -2});
  CHECK(whole.probability.value == Approx(0.25));
  CHECK(whole.counts.trials == 12 * 40);
  CHECK(whole.counts.successes == 3 * 40);
}

TEST_CASE("the strata are the cells and the trials inside the rectangle", "[shared_cells]") {
  const MadeUpRun run(by_index, 60);
  const Rectangle r{-3, 1, -7, -5};
  const std::vector<Stratum> strata = {
      run.counted(0, 0, r, 0.125 / 2), run.counted(1, 0, r, 0.625 / 2),
      run.counted(2, 0, r, 0.125),     run.counted(0, 1, r, 0.125 / 2),
      run.counted(1, 1, r, 0.625 / 2), run.counted(2, 1, r, 0.125)};
  const StratifiedProbability expected = stratified_probability(strata);
  const RectangleProbability p = probability_of(run.store(), r);
  CHECK(p.probability.value == Approx(expected.estimate));
  CHECK(p.probability.interval.low == Approx(expected.interval.low));
  CHECK(p.probability.interval.high == Approx(expected.interval.high));
  CHECK(p.counts.trials + p.counts.failed == std::llround(expected.effective_trials));
  CHECK(p.counts.failed > 0);
}

TEST_CASE("trials are counted where they were meant to be", "[shared_cells]") {
  const Rectangle r{-3, 1, -7, -5};
  const MadeUpRun exact(by_index, 20);
  const MadeUpRun noisy(by_index, 20, "[placement.noise]\nx_mm = 100\n");
  CHECK(probability_of(noisy.store(), r).probability.value ==
        probability_of(exact.store(), r).probability.value);
}

TEST_CASE("a rectangle that reaches beyond the map or holds no trials", "[shared_cells]") {
  const MadeUpRun run(by_index, 10);
  CHECK(probability_of(run.store(), {3, 7, -6, -4}).share_in_map == Approx(0.5));
  CHECK(probability_of(run.store(), {5, 7, -6, -4}).share_in_map == 0);
  const RectangleProbability tiny = probability_of(run.store(), {0, 1e-6, -6, -6 + 1e-6});
  CHECK(tiny.share_in_map == Approx(1));
  CHECK(tiny.known_share == 0);
  CHECK(tiny.counts.trials == 0);
  CHECK(tiny.probability.interval.high == 1);
}

TEST_CASE("cells of the run are compared as they are", "[shared_cells]") {
  const MadeUpRun run(by_index, 10);
  const SharedCells shared = share_cells(
      run.store(),
      with_cells({{{0, 2.5, -4, -2}, 8, 3}, {{-5, -2.5, -8, -6}, 9, 9}, {{0, 2.5, -6, -4}, 0, 0}}),
      kZ95);
  CHECK(shared.are_cells_of_run);
  REQUIRE(shared.cells.size() == 2);  // the third has no trials
  CHECK(shared.cells[0].place == 2 + 4 * 2);
  CHECK(shared.cells[1].place == 0);
  CHECK(shared.cells[0].experiment.trials == 8);
  CHECK(shared.cells[0].experiment.successes == 3);
  CHECK(shared.cells[0].run.trials + shared.cells[0].run.failed == 10);
  REQUIRE(shared.grid);
  CHECK(shared.grid->x_mm.cells == 4);
  CHECK(shared.outside.trials == 0);
}

TEST_CASE("cells on a grid of their own", "[shared_cells]") {
  const MadeUpRun run(by_index, 40);
  const SharedCells shared = share_cells(
      run.store(),
      with_cells({{{1, 2, -5, -4}, 8, 3}, {{-3, -2, -3, -2}, 9, 9}, {{4.5, 5.5, -5, -4}, 7, 1}}),
      kZ95);
  CHECK_FALSE(shared.are_cells_of_run);
  REQUIRE(shared.cells.size() == 2);
  CHECK(shared.outside.trials == 7);
  CHECK(shared.outside.cells == 1);
  REQUIRE(shared.grid);
  CHECK(shared.grid->x_mm.min == -3);
  CHECK(shared.grid->x_mm.max == 2);
  CHECK(shared.grid->x_mm.cells == 5);
  CHECK(shared.grid->y_mm.cells == 3);
  CHECK(shared.cells[0].place == 4);
  CHECK(shared.cells[1].place == 10);
}

TEST_CASE("cells of several sizes have no grid", "[shared_cells]") {
  const MadeUpRun run(by_index, 40);
  const auto has_grid = [&](const ExperimentCell& second) {
    return share_cells(run.store(), with_cells({{{1, 2, -5, -4}, 8, 3}, second}), kZ95)
        .grid.has_value();
  };
  CHECK_FALSE(has_grid({{2, 4, -5, -4}, 1, 1}));
  CHECK_FALSE(has_grid({{2.5, 3.5, -5, -4}, 1, 1}));
  CHECK(has_grid({{3, 4, -5, -4}, 1, 1}));
}

TEST_CASE("single trials are counted in the run's cells", "[shared_cells]") {
  const MadeUpRun run(by_index, 10);
  const Experiment experiment{"lab.csv",
                              ExperimentOrigin::kMeasured,
                              "",
                              {},
                              {{0.1, -3, true},
                               {2.4, -2, false},
                               {5, -2, true},
                               {-5, -8, true},
                               {5.1, -3, true},
                               {0, -1.9, true}}};
  const SharedCells shared = share_cells(run.store(), experiment, kZ95);
  CHECK(shared.are_cells_of_run);
  CHECK(shared.outside.trials == 2);
  CHECK(shared.outside.cells == 0);
  REQUIRE(shared.cells.size() == 3);
  CHECK(shared.cells[0].place == 0);
  CHECK(shared.cells[1].place == 10);
  CHECK(shared.cells[1].experiment.trials == 2);
  CHECK(shared.cells[1].experiment.successes == 1);
  CHECK(shared.cells[2].place == 11);
}

TEST_CASE("a comparison finds the cells that differ", "[shared_cells]") {
  // All trials succeed in column 1 of the run; in the experiment many do in a cell beside it too.
  const MadeUpRun run(only_in_column(1), 30);
  Experiment experiment = with_cells({{{-2.5, 0, -8, -6}, 25, 25},
                                      {{0, 2.5, -8, -6}, 25, 0},
                                      {{-2.5, 0, -6, -4}, 25, 24},
                                      {{0, 2.5, -6, -4}, 25, 20}});
  experiment.source = "the lab";
  const ExperimentComparison comparison = compare_experiment(run.store(), experiment, kStored);
  CHECK(comparison.significant == std::vector<std::size_t>{3});
  CHECK(comparison.largest == 3U);
  CHECK(comparison.cells[3].difference.value == Approx(0.8));
  CHECK(comparison.cells[3].difference.interval.low > 0.5);
  CHECK(comparison.cells[3].adjusted_p == Approx(4 * comparison.cells[3].p_value));
  CHECK(comparison.cells[0].p_value == 1.0);
  CHECK(comparison.test.mean_difference == Approx((0.8 + 0.04) / 4));
  CHECK(comparison.run_total.trials == 120);
  CHECK(comparison.experiment_total.successes == 69);
  CHECK(comparison_figures(comparison, run.store().config().scenario).size() == 2);
  const std::string text = comparison_text(comparison);
  CHECK_THAT(text, Catch::StartsWith("The experiment and the run differ by more than chance"));
  CHECK_THAT(text, Catch::Contains("Most at x 0 to 2.5, y -6 to -4 mm: 80.0 % in the experiment, "
                                   "0.0 % in the run") &&
                       Catch::Contains("measured: the lab"));
}

TEST_CASE("a comparison without a grid and with failed trials", "[shared_cells]") {
  const MadeUpRun run(by_index, 40);
  const ExperimentComparison comparison = compare_experiment(
      run.store(), with_cells({{{-4, -1, -7, -5}, 9, 4}, {{1, 2, -5, -4}, 8, 3}}), kStored);
  CHECK_FALSE(comparison.grid);
  CHECK_FALSE(comparison.numbers);
  CHECK_FALSE(comparison.largest);  // too few trials in each
  CHECK(comparison_figures(comparison, run.store().config().scenario).empty());
  CHECK_THAT(comparison_text(comparison),
             Catch::StartsWith("It is open whether the experiment and the run agree: no "
                               "difference beyond chance was\nfound (p = ") &&
                 Catch::Contains("are not of one size and lined up") &&
                 Catch::Contains("are not those of the run") &&
                 Catch::Contains(" of the run failed"));
  CHECK_THAT(json_document(comparison_fields(comparison)), !Catch::Contains("\"maps\""));
}

TEST_CASE("an experiment that has no cell in common with a run", "[shared_cells]") {
  const MadeUpRun run(by_index, 10);
  CHECK_THROWS_WITH(
      compare_experiment(run.store(), with_cells({{{4, 6, -7, -5}, 9, 4}}), kStored),
      Catch::StartsWith("lab.csv: no cell in common with") &&
          Catch::Contains("x from -5 to 5 mm, y from -8 to -2 mm: 9 trials outside of it"));
}
