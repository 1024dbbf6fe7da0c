#include "web/engine/what_if.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/decide/difference/run_difference.hpp"
#include "grasp/decide/plan/expected_success.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using testing::TemporaryFolder;

RunStore stored_run(const TemporaryFolder& folder, const char* name = "run",
                    const std::vector<std::string>& changes = {}) {
  SweepConfig config = testing::small_lock_piece_sweep(changes);
  config.trials_per_cell = 30;
  RunStore store = RunStore::create(folder.path() / (name + std::string(".sqlite")), config);
  store.append(testing::sweep_rows(config), 0.5);
  return store;
}

RunPlan planned(const RunStore& run, double sigma_x_mm, double sigma_y_mm) {
  PlanRequest request;
  request.error.position_sigma_mm = {sigma_x_mm, sigma_y_mm};
  return plan_run(run, request);
}

TEST_CASE("the best placement under an error is plan's, with its success") {
  const TemporaryFolder folder;
  const RunStore run = stored_run(folder);
  const auto [x, y] = GENERATE(std::pair(1.0, 1.0), std::pair(0.0, 2.5), std::pair(0.0, 0.0));
  const RunPlan plan = planned(run, x, y);
  const PlannedPlacement& best = plan.plan.for_error->placements.front();
  CHECK(best_placement_json(run.config(), plan.field, {x, y, 0}) ==
        json_text(Object{{"x_mm", best.at[0]},
                         {"y_mm", best.at[1]},
                         {"theta_rad", best.at[2]},
                         {"success_probability", best.success.probability},
                         {"interval", best.success.interval},
                         {"judged_sigma", best.judged_with}}));
}

TEST_CASE("expected success at the cells' centres is that of plan's field") {
  const TemporaryFolder folder;
  const RunStore run = stored_run(folder);
  const RunPlan plan = planned(run, 1.5, 0.5);
  const ErrorMixture error(normal_error(1.5), normal_error(0.5), normal_error(0));
  const std::vector<double> shown = expected_at_centers(plan.field, {1.5, 0.5, 0}, 0);
  REQUIRE(shown.size() == 25);
  const auto& [x, y, theta] = plan.field.axes();
  for (int n = 0; n < 25; ++n) {
    const PlacementVector at{x.cell_center(n % 5), y.cell_center(n / 5), theta.min};
    const ExpectedSuccess success = expected_success(plan.field, error, at);
    CHECK(shown[static_cast<std::size_t>(n)] == Approx(success.probability).margin(1e-12));
    CHECK(expected_json(plan.field, {1.5, 0.5, 0}, at) ==
          json_text(Object{{"success_probability", success.probability},
                           {"interval", success.interval}}));
  }
}

TEST_CASE("no placement is the best where no success is known of") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  std::vector<TrialSample> samples(25);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    samples[k].cell = k;
    samples[k].outcome = Outcome::kWedged;
  }
  const SuccessField field(config.placement.axes(), samples);
  CHECK(best_placement_json(config, field, {1, 1, 0}) == "null");
}

TEST_CASE("a run is compared with a pinned one trial by trial, as difference does") {
  const TemporaryFolder folder;
  const RunStore before = stored_run(folder, "before");
  const RunStore run = stored_run(folder, "run", {"gripper.closing_force_n=5"});
  const RunDifference found = compare_runs(before, run, {});
  REQUIRE(found.pairing == Pairing::kPaired);
  Value::List values;
  for (const CellDifference& cell : found.cells) values.emplace_back(cell.difference.value);
  CHECK(difference_json(before, run) ==
        json_text(Object{{"cells", std::ssize(found.cells)},
                         {"mean", found.whole.difference.value},
                         {"interval", found.whole.difference.interval},
                         {"better", found.significant_cells(1)},
                         {"worse", found.significant_cells(-1)},
                         {"values", values}}));
  const RunStore wider = stored_run(folder, "wider", {"placement.x_max_mm=9"});
  CHECK_THROWS_WITH(difference_json(before, wider), Catch::Contains("different grids"));
}

TEST_CASE("a map under other distributions is that of reweight") {
  const TemporaryFolder folder;
  const RunStore run = stored_run(folder);
  const std::vector<std::string> distributions = {"friction.jaw.max=0.3"};
  const ReweightedMap map = reweight_run(run, {distributions}).map;
  Value::List probability, low, high, effective;
  for (const WeightedCell& cell : map.cells) {
    probability.emplace_back(cell.success_probability());
    low.emplace_back(cell.success_interval().low);
    high.emplace_back(cell.success_interval().high);
    effective.emplace_back(cell.effective_trials());
  }
  CHECK(reweighted_json(run, distributions) ==
        json_text(Object{{"effective_trials", map.effective_trials},
                         {"median_effective_trials_of_cells", map.median_effective_trials()},
                         {"pareto_k", map.pareto_shape},
                         {"warning", ""},
                         {"cells", Object{{"success_probability", probability},
                                          {"low", low},
                                          {"high", high},
                                          {"effective_trials", effective}}}}));
}

TEST_CASE("a map under distributions that the trials tell too little of comes with a warning") {
  const TemporaryFolder folder;
  const RunStore run = stored_run(folder);
  const std::vector<std::string> narrow = {"friction.jaw.max=0.06"};
  CHECK_THROWS(reweight_run(run, {narrow}));
  CHECK_THAT(reweighted_json(run, narrow), Catch::Contains("Cells of fewer than 10 get no number"));
  CHECK_THROWS_AS(reweighted_json(run, {"friction.jaw.max=7"}), ConfigError);
  CHECK_THROWS_AS(reweighted_json(run, {"part.mass_kg=1"}), ConfigError);
}

}  // namespace
}  // namespace graspmap
