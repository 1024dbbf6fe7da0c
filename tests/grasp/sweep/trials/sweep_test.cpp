#include "grasp/sweep/trials/sweep.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

#include "grasp/sweep/results/map_csv.hpp"
#include "grasp/sweep/results/trials_csv.hpp"
#include "grasp/sweep/store/run_totals.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/sweep_rows.hpp"

namespace graspmap {
namespace {

TEST_CASE("every trial is run once, whatever the number of threads") {
  const int threads = GENERATE(1, 2, 8);
  const std::int64_t count = GENERATE(0, 1, 7, 1000);
  std::vector<std::atomic<int>> runs(1000);
  TrialCounters counters;
  const std::int64_t done = run_trials(
      count, {threads, nullptr, &counters}, [&](std::int64_t index, Workspace&, SimulationResult&) {
        ++runs[static_cast<std::size_t>(index)];
        return index % 2 == 0 ? Outcome::kSuccess : Outcome::kMissed;
      });
  CHECK(done == count);
  for (std::int64_t i = 0; i < 1000; ++i) {
    CHECK(runs[static_cast<std::size_t>(i)] == (i < count ? 1 : 0));
  }
  CHECK(counters.snapshot().count(Outcome::kSuccess) == (count + 1) / 2);
  CHECK(counters.snapshot().count(Outcome::kMissed) == count / 2);
}

TEST_CASE("a stopped sweep has run its first trials, all of them, and no others") {
  const int threads = GENERATE(1, 2, 8);
  std::vector<std::atomic<int>> runs(1000);
  std::atomic<int> stop{0};
  const std::int64_t done = run_trials(1000, {threads, &stop, nullptr},
                                       [&](std::int64_t index, Workspace&, SimulationResult&) {
                                         ++runs[static_cast<std::size_t>(index)];
                                         if (index == 100) stop = 2;
                                         return Outcome::kSuccess;
                                       });
  CHECK(done >= 101);
  CHECK(done < 1000);
  for (std::int64_t i = 0; i < 1000; ++i) {
    CHECK(runs[static_cast<std::size_t>(i)] == (i < done ? 1 : 0));
  }
}

TEST_CASE("an exception of a trial ends the sweep and comes out") {
  std::atomic<std::int64_t> runs{0};
  const auto failing = [&](std::int64_t index, Workspace&, SimulationResult&) {
    ++runs;
    if (index == 5) throw std::logic_error("broken");
    return Outcome::kSuccess;
  };
  CHECK_THROWS_WITH(run_trials(1'000'000, {2, nullptr, nullptr}, failing), "broken");
  CHECK(runs < 1'000'000);
}

/// A row that says nothing but its index.
TrialRow numbered_row(std::int64_t index) {
  TrialRow row;
  row.index = index;
  row.outcome = Outcome::kSuccess;
  return row;
}

TEST_CASE("chunks cover the trials of a queue once and in order, for any number of threads") {
  const int threads = GENERATE(1, 2, 8);
  ChunkQueue queue({{3, 10}, {20, 5020}}, nullptr);
  const auto rows = testing::run_all(
      queue, threads,
      [](std::int64_t index, Workspace&, SimulationResult&) { return numbered_row(index); });
  REQUIRE(rows.size() == 5007);
  for (std::int64_t k = 0; k < 5007; ++k) {
    CHECK(rows[static_cast<std::size_t>(k)].index == (k < 7 ? 3 + k : 13 + k));
  }
}

TEST_CASE(
    "an exception of a trial ends a chunked sweep and comes out, and rows before it are there") {
  ChunkQueue queue({{0, 50000}}, nullptr);
  const auto failing = [](std::int64_t index, Workspace&, SimulationResult&) {
    if (index == 500) throw std::logic_error("broken");
    return numbered_row(index);
  };
  CHECK_THROWS_WITH(run_chunks(queue, {1, nullptr, nullptr}, failing), "broken");
  std::vector<TrialRow> rows;
  while (queue.take(rows, SIZE_MAX, 0)) {
  }
  REQUIRE_FALSE(rows.empty());
  CHECK(rows.size() <= 500);
  CHECK(rows.back().index == static_cast<std::int64_t>(rows.size()) - 1);
}

/// The lines of trials.csv.
std::string trials_csv(const std::vector<TrialRow>& rows) {
  std::string text;
  for (const TrialRow& row : rows) append_trial_csv(text, row);
  return text;
}

SuccessMap map_of(const SweepConfig& config, const std::vector<TrialRow>& rows) {
  RunTotals totals(config);
  for (const TrialRow& row : rows) totals.add(row);
  return totals.map;
}

TEST_CASE("the tables are the same bytes for 1, 2 and 8 threads, and in a second run") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const auto rows = testing::sweep_rows(config, 1);
  REQUIRE(rows.size() == 50);
  const std::string trials = trials_csv(rows);
  const std::string map = map_csv(map_of(config, rows));
  for (const int threads : {1, 2, 8}) {
    const auto again = testing::sweep_rows(config, threads);
    CHECK(trials_csv(again) == trials);
    CHECK(map_csv(map_of(config, again)) == map);
  }
}

TEST_CASE("a row is the trial that its index says, run alone") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const auto rows = testing::sweep_rows(config);
  for (const std::int64_t index : {0, 13, 49}) {
    Workspace workspace;
    SimulationResult result;
    const TrialRow alone = run_trial(config, index, workspace, result);
    CHECK(trials_csv({alone}) == trials_csv({rows[static_cast<std::size_t>(index)]}));
    CHECK(alone.index == index);
  }
}

TEST_CASE("the map counts each cell's trials") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const SuccessMap map = map_of(config, testing::sweep_rows(config));
  CHECK(map.cells.size() == 25);
  for (const CellCounts& cell : map.cells) CHECK(cell.trials() == 2);
  CHECK(map.x_mm.min == config.placement.x_mm.min);
  CHECK(map.y_mm.max == config.placement.y_mm.max);
  // Some succeed and some do not, or this map would test nothing.
  CHECK(map.total().count(Outcome::kSuccess) > 0);
  CHECK(map.total().count(Outcome::kSuccess) < 50);
}

}  // namespace
}  // namespace graspmap
