#include "grasp/sweep/store/stored_trials.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/random.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using testing::TemporaryFolder;

/// 25 cells, 2 trials each.
SweepConfig searched_config() { return testing::small_lock_piece_sweep(); }

/// Rows of which many have the same outcome or the same residual, and one has none.
std::vector<TrialRow> rows_with_ties(std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<TrialRow> rows = testing::made_up_rows(searched_config(), {0, 50});
  for (TrialRow& row : rows) {
    row.outcome = kOutcomes[static_cast<std::size_t>(random.index(4))];
    row.statistics.worst_residual = 1e-10 * random.index(12);
  }
  rows[static_cast<std::size_t>(random.index(50))].statistics.worst_residual =
      std::numeric_limits<double>::quiet_NaN();
  return rows;
}

/// A store of rows in two blocks, of which the second is added first.
RunStore store_of(const TemporaryFolder& folder, const std::vector<TrialRow>& rows) {
  RunStore store = RunStore::create(folder.path() / "run.sqlite", searched_config());
  const std::span<const TrialRow> all(rows);
  store.append(all.subspan(20), 0);
  store.append(all.first(20), 0);
  return store;
}

bool passes(const TrialRow& row, const TrialFilter& filter) {
  const bool in_cell =
      !filter.cell || (row.cell_x == filter.cell->x && row.cell_y == filter.cell->y);
  return in_cell && (!filter.outcome || row.outcome == *filter.outcome);
}

/// All filters: any cell or each of them, any outcome or each of them.
std::vector<TrialFilter> all_filters() {
  std::vector<TrialFilter> filters;
  for (int cell = -1; cell < 25; ++cell) {
    TrialFilter filter;
    if (cell >= 0) filter.cell = CellIndex{cell % 5, cell / 5, 0};
    filters.push_back(filter);
    for (const Outcome outcome : kOutcomes) filters.push_back({filter.cell, outcome});
  }
  return filters;
}

TEST_CASE("the first trial that passes is found, for all cells and outcomes") {
  const TemporaryFolder folder;
  const std::vector<TrialRow> rows = rows_with_ties(1);
  const RunStore store = store_of(folder, rows);
  int found = 0;
  for (const TrialFilter& filter : all_filters()) {
    const auto expected = std::find_if(rows.begin(), rows.end(),
                                       [&](const TrialRow& row) { return passes(row, filter); });
    const std::optional<TrialRow> row = first_trial(store, filter);
    REQUIRE(row.has_value() == (expected != rows.end()));
    if (!row) continue;
    CHECK(identical(*row, *expected));
    ++found;
  }
  CHECK(found > 26);
  CHECK(found < static_cast<int>(all_filters().size()));
}

TEST_CASE("outcomes of the trials that pass are counted") {
  const TemporaryFolder folder;
  const std::vector<TrialRow> rows = rows_with_ties(2);
  const RunStore store = store_of(folder, rows);
  for (const TrialFilter& filter : all_filters()) {
    const CellCounts counts = count_outcomes(store, filter);
    for (const Outcome outcome : kOutcomes) {
      CHECK(counts.count(outcome) ==
            std::count_if(rows.begin(), rows.end(), [&](const TrialRow& row) {
              return passes(row, filter) && row.outcome == outcome;
            }));
    }
  }
}

TEST_CASE("the worst trials are those of a sorted table, the first of equal ones first") {
  const auto seed = GENERATE(as<std::uint64_t>(), 3, 4, 5);
  const TemporaryFolder folder;
  std::vector<TrialRow> rows = rows_with_ties(seed);
  const RunStore store = store_of(folder, rows);
  const auto rank = [](const TrialRow& row) {
    const double residual = row.statistics.worst_residual;
    return std::isnan(residual) ? -1e300 : -residual;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const TrialRow& a, const TrialRow& b) { return rank(a) < rank(b); });
  for (const std::size_t count : {1U, 2U, 10U, 49U, 50U, 51U, 1000U}) {
    const std::vector<TrialRow> worst = worst_trials(store, count);
    REQUIRE(worst.size() == std::min<std::size_t>(count, 50));
    CHECK(std::equal(worst.begin(), worst.end(), rows.begin(), identical));
  }
}

TEST_CASE("nothing is found in a store without trials") {
  const TemporaryFolder folder;
  const RunStore store = RunStore::create(folder.path() / "run.sqlite", searched_config());
  CHECK_FALSE(first_trial(store, {}));
  CHECK(count_outcomes(store, {}).trials() == 0);
  CHECK(worst_trials(store, 3).empty());
}

using Catch::Matchers::Contains;

/// 5 x 5 cells of 4 mm from (-10, -20); trial k of the store ended with outcome k mod 6.
SweepConfig choice_config() { return testing::small_lock_piece_sweep(); }

RunStore some_store(const TemporaryFolder& folder) {
  return testing::made_up_store(folder.path() / "run.sqlite", choice_config(), {{0, 24}, {30, 49}});
}

TrialChoice of_cell(double x_mm, double y_mm, std::optional<Outcome> outcome = std::nullopt) {
  return {std::nullopt, Vec2(x_mm, y_mm), outcome};
}

TEST_CASE("a trial is chosen by index, cell, outcome, or cell and outcome") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  const auto chosen = [&](const TrialChoice& choice) { return chosen_trial(store, choice).index; };
  CHECK(chosen({33, std::nullopt, std::nullopt}) == 33);
  CHECK(chosen({std::nullopt, std::nullopt, Outcome::kTimeout}) == 3);
  CHECK(chosen(of_cell(-10, -20)) == 0);
  CHECK(chosen(of_cell(0, -10)) == 12);
  CHECK(chosen(of_cell(1.9, -8.1, Outcome::kSuccess)) == 12);
  CHECK(chosen(of_cell(1.9, -8.1, Outcome::kWedged)) == 37);
  CHECK(chosen(of_cell(-10, -16)) == 5);
  CHECK(identical(chosen_trial(store, of_cell(0, -10)), *store.row(12)));
}

TEST_CASE("a trial of a cell is chosen at its angle, or at any") {
  const TemporaryFolder folder;
  SweepConfig turned = choice_config();
  turned.placement.theta_rad = {-0.3, 0.3, 3};  // 75 cells
  const RunStore store =
      testing::made_up_store(folder.path() / "run.sqlite", turned, {{0, 60}, {70, 150}});
  const auto at = [](double theta_rad, std::optional<Outcome> outcome = std::nullopt) {
    TrialChoice choice = of_cell(0, -10, outcome);
    choice.theta_rad = theta_rad;
    return choice;
  };
  CHECK(chosen_trial(store, of_cell(0, -10)).index == 12);
  CHECK(chosen_trial(store, at(-0.3)).index == 12);
  CHECK(chosen_trial(store, at(0)).index == 37);
  CHECK(chosen_trial(store, at(0.3)).index == 137);  // 62 is not there
  CHECK(chosen_trial(store, at(0.3)).cell() == CellIndex{2, 2, 2});
  CHECK(chosen_trial(store, of_cell(0, -10, Outcome::kBlocked)).index == 112);
  CHECK_THROWS_WITH(chosen_trial(store, at(-0.2, Outcome::kBlocked)),
                    Contains("the cell x -2 to 2 mm, y -12 to -8 mm, theta -0.3 to -0.1 rad ended "
                             "blocked; how its 2 trials ended: success 1, timeout 1"));
  CHECK_THROWS_WITH(chosen_trial(store, at(0.4)),
                    Contains("--cell 0,-10,0.4: is not on the map") &&
                        Contains("y from -20 to 0 mm, theta from -0.3 to 0.3 rad"));
  CHECK_THROWS_AS(chosen_trial(store, at(0.4)), ConfigError);
}

TEST_CASE("the angle of a run at one angle may be named, no other") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  TrialChoice choice = of_cell(0, -10);
  choice.theta_rad = 0;
  CHECK(chosen_trial(store, choice).index == 12);
  choice.theta_rad = 0.1;
  CHECK_THROWS_WITH(chosen_trial(store, choice), Contains("y from -20 to 0 mm, theta = 0 rad"));
}

TEST_CASE("a trial that is not stored is refused with those that are") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  for (const std::int64_t index : {24, 29, 49, 50, -1}) {
    const TrialChoice choice{index, std::nullopt, std::nullopt};
    CHECK_THROWS_AS(chosen_trial(store, choice), ConfigError);
    CHECK_THROWS_WITH(chosen_trial(store, choice),
                      Contains("trial " + std::to_string(index)) && Contains("0-23, 30-48"));
  }
}

TEST_CASE("a placement that is not on the map is refused with the map's range") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  for (const TrialChoice& choice : {of_cell(10.1, -10), of_cell(0, 0.1), of_cell(0, -20.5)}) {
    CHECK_THROWS_AS(chosen_trial(store, choice), ConfigError);
    CHECK_THROWS_WITH(chosen_trial(store, choice),
                      Contains("x from -10 to 10 mm, y from -20 to 0 mm"));
  }
}

TEST_CASE("when no trial fits it is told how those of the cell ended") {
  const TemporaryFolder folder;
  const RunStore store = some_store(folder);
  CHECK_THROWS_WITH(chosen_trial(store, of_cell(0, -10, Outcome::kMissed)),
                    Contains("no trial of the cell x -2 to 2 mm, y -12 to -8 mm ended missed") &&
                        Contains("2 trials ended: success 1, wedged 1"));
  CHECK_THROWS_AS(chosen_trial(store, of_cell(0, -10, Outcome::kMissed)), ConfigError);
  CHECK_THROWS_WITH(chosen_trial(store, of_cell(10, 0)),
                    Contains("the cell x 6 to 10 mm, y -4 to 0 mm has no trials yet"));
}

TEST_CASE("an outcome that no trial of the run has is told with those that they have") {
  const TemporaryFolder folder;
  const RunStore store =
      testing::made_up_store(folder.path() / "run.sqlite", choice_config(), {{0, 2}, {6, 7}});
  CHECK_THROWS_WITH(chosen_trial(store, {std::nullopt, std::nullopt, Outcome::kFailed}),
                    Contains("no trial of the run ended failed") &&
                        Contains("3 trials ended: success 2, wedged 1"));
  const TemporaryFolder other;
  const RunStore empty = RunStore::create(other.path() / "run.sqlite", choice_config());
  CHECK_THROWS_WITH(chosen_trial(empty, {std::nullopt, std::nullopt, Outcome::kFailed}),
                    Contains("the run has no trials yet"));
}

}  // namespace

}  // namespace graspmap
