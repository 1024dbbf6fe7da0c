#include "grasp/sweep/store/trial_search.hpp"

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

}  // namespace
}  // namespace graspmap
