#include "grasp/sweep/results/map_reasons.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>

#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/maps.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;

/// The shares of reasons in a cell, by their words.
std::map<std::string, double> by_words(const MapReasons& found, std::size_t cell) {
  std::map<std::string, double> shares;
  for (std::size_t k = 0; k < found.shares[cell].size(); ++k) {
    if (found.shares[cell][k] > 0) shares[found.reasons[k]] = found.shares[cell][k];
  }
  return shares;
}

TEST_CASE("the reasons of each cell are what its trials lack", "[map_reasons]") {
  // Five trials a cell: all that are wedged are simulated again.
  const SweepConfig config = parse_sweep_config(
      replaced(kConfigText, "trials_per_cell = 10", "trials_per_cell = 5"), "test");
  const TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  store.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
  SuccessMap map(config.placement.x_mm, config.placement.y_mm);
  std::vector<std::map<std::string, double>> lacking(map.cells.size());
  std::vector<double> failures(map.cells.size(), 0.0);
  std::vector<TrialRow> rows;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t trial = 0; trial < config.trials(); ++trial) {
    const TrialRow row = run_trial(config, trial, workspace, result);
    rows.push_back(row);
    map.add(row.cell_x, row.cell_y, row.outcome);
    const std::size_t cell = map.index(row.cell_x, row.cell_y);
    if (row.outcome == Outcome::kSuccess) continue;
    ++failures[cell];
    if (row.outcome == Outcome::kMissed) ++lacking[cell]["missed: a jaw touches nothing"];
    if (row.outcome == Outcome::kBlocked) {
      ++lacking[cell]["blocked: the fingers start in the part"];
    }
    if (row.outcome != Outcome::kWedged && row.outcome != Outcome::kTimeout) continue;
    for (const UnmetCondition& unmet :
         unmet_conditions(config.success, config.scenario.part, result, row.final_pose)) {
      ++lacking[cell][condition_text({unmet.key, unmet.wanted})];
    }
  }
  store.append(rows, 0.5);

  const std::optional<MapReasons> found = map_reasons(store, map, count_unmet(store, map.total()));
  REQUIRE(found);
  REQUIRE(found->shares.size() == map.cells.size());
  CHECK(found->reasons.size() >= 2);
  CHECK(std::is_sorted(found->share.rbegin(), found->share.rend()));
  for (std::size_t cell = 0; cell < map.cells.size(); ++cell) {
    CAPTURE(cell);
    const auto shares = by_words(*found, cell);
    CHECK(shares.size() == lacking[cell].size());
    for (const auto& [words, trials] : lacking[cell]) {
      CHECK(shares.at(words) == Approx(trials / failures[cell]));
    }
    CHECK(found->main_reason(cell).has_value() == (failures[cell] > 0));
  }
  // With what is known of no trial, or of some, the same ones are looked at in all.
  for (const std::int64_t known : {0, 7}) {
    const auto again = map_reasons(store, map, count_unmet(store, map.total(), known));
    REQUIRE(again);
    CHECK(again->shares == found->shares);
    CHECK(again->looked_at == found->looked_at);
  }
  CHECK_FALSE(map_reasons(store, map, std::nullopt));
}

TEST_CASE("the main reason is the largest share, the map's more frequent of equal ones") {
  MapReasons reasons;
  reasons.reasons = {"often", "seldom"};
  reasons.shares = {{}, {0.2, 0.7}, {0.5, 0.5}};
  CHECK_FALSE(reasons.main_reason(0));
  CHECK(reasons.main_reason(1) == 1U);
  CHECK(reasons.main_reason(2) == 0U);
}

TEST_CASE("the figure of reasons has a class for each main reason, and white without one") {
  const SuccessMap map =
      map_of({0, 4, 4}, {0, 1, 1}, 10, [](double x, double) { return x < 1 ? 1.0 : 0.0; });
  MapReasons reasons;
  reasons.reasons = {"first", "never the most frequent", "third, with a comma"};
  reasons.share = {0.5, 0.3, 0.2};
  reasons.shares = {{}, {1, 0.9, 0}, {0.1, 0, 0.8}, {1, 0, 0}};
  const auto figure = reasons_figure({map, {}, 0.95, "title"}, reasons);
  REQUIRE(figure);
  CHECK(figure->name == "reasons");
  CHECK(*figure->data ==
        "panel,x_min_mm,x_max_mm,y_min_mm,y_max_mm,value,class\n1,0,1,0,1,0,every grasp succeeded\n"
        "1,1,2,0,1,1,first\n1,2,3,0,1,2,\"third, with a comma\"\n1,3,4,0,1,1,first\n");
  CHECK_THAT(figure->script, Contains("'every grasp succeeded'") && Contains("'first'") &&
                                 Contains("'third, with a comma'") &&
                                 !Contains("never the most frequent"));
  reasons.shares.assign(4, {});
  CHECK_FALSE(reasons_figure({map, {}, 0.95, "title"}, reasons));
  const TemporaryFolder folder;
  reasons.shares = {{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  reasons.looked_at.assign(4, 5);
  make_figures(folder.path(), map, {}, "title", 0.95, nullptr, &reasons);
  CHECK(std::filesystem::exists(folder.path() / kFiguresFolder / "reasons.png"));
}

TEST_CASE("many reasons: six have a colour of their own, and all others one") {
  const SuccessMap map = map_of({0, 9, 9}, {0, 1, 1}, 10, [](double, double) { return 0.0; });
  MapReasons reasons;
  for (std::size_t k = 0; k < 9; ++k) {
    reasons.reasons.push_back("reason " + std::to_string(k));
    reasons.shares.emplace_back(9, 0.0);
    reasons.shares.back()[k] = 1;
  }
  const auto figure = reasons_figure({map, {}, 0.95, "title"}, reasons);
  REQUIRE(figure);
  CHECK_THAT(figure->script,
             Contains("'reason 5'") && !Contains("'reason 6'") && Contains("'other reasons'"));
  CHECK_THAT(
      *figure->data,
      Contains("1,5,6,0,1,6,reason 5\n1,6,7,0,1,7,other reasons\n1,7,8,0,1,7,other reasons\n"));
}

}  // namespace
}  // namespace graspmap::testing
