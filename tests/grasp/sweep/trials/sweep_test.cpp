#include "grasp/sweep/trials/sweep.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/sweep_rows.hpp"

namespace graspmap {
namespace {

void fill(TrialChunk& chunk) {
  for (const TrialRange& range : chunk.ranges) {
    for (std::int64_t index = range.first; index < range.end; ++index) {
      chunk.rows.emplace_back().index = index;
    }
  }
}

std::vector<std::int64_t> indices(const std::vector<TrialRow>& rows) {
  std::vector<std::int64_t> result;
  for (const TrialRow& row : rows) result.push_back(row.index);
  return result;
}

using Indices = std::vector<std::int64_t>;

TEST_CASE("chunks are claimed in order and have as many trials as are asked for over gaps too") {
  ChunkQueue queue({{0, 5}, {8, 10}, {12, 13}}, nullptr);
  CHECK(queue.claim(3)->ranges == TrialRanges{{0, 3}});
  CHECK(queue.claim(4)->ranges == TrialRanges{{3, 5}, {8, 10}});
  CHECK_FALSE(queue.exhausted());
  CHECK(queue.unclaimed() == 1);
  CHECK(queue.claim(3)->ranges == TrialRanges{{12, 13}});
  CHECK(queue.exhausted());
  CHECK(queue.claim(3) == nullptr);
}

TEST_CASE("a chunk has at least one trial and not more than the most") {
  ChunkQueue queue({{0, 1'000'000}}, nullptr);
  CHECK(count_trials(queue.claim(0)->ranges) == 1);
  CHECK(count_trials(queue.claim(1'000'000)->ranges) == 999'999);
}

TEST_CASE("rows are taken in order, whatever the order of delivery") {
  ChunkQueue queue({{0, 6}}, nullptr);
  TrialChunk& first = *queue.claim(2);
  TrialChunk& second = *queue.claim(2);
  TrialChunk& third = *queue.claim(2);
  for (TrialChunk* chunk : {&first, &second, &third}) fill(*chunk);
  std::vector<TrialRow> rows;
  queue.deliver(third);
  queue.deliver(second);
  CHECK(queue.take(rows, 100, 0));
  CHECK(rows.empty());
  queue.deliver(first);
  CHECK(queue.take(rows, 3, 0));
  CHECK(indices(rows) == Indices{0, 1, 2, 3});
  CHECK(queue.take(rows, 100, 0));
  CHECK(indices(rows) == Indices{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a closed queue gives nothing out, and gives back what is ready before the first gap") {
  ChunkQueue queue({{0, 100}}, nullptr);
  TrialChunk& first = *queue.claim(2);
  static_cast<void>(queue.claim(2));
  TrialChunk& third = *queue.claim(2);
  fill(first);
  fill(third);
  queue.deliver(first);
  queue.deliver(third);
  queue.close();
  CHECK(queue.claim(2) == nullptr);
  std::vector<TrialRow> rows;
  CHECK(queue.take(rows, 100, 10));
  CHECK_FALSE(queue.take(rows, 100, 10));
  CHECK(indices(rows) == Indices{0, 1});
}

TEST_CASE("nothing is given out once the stop flag is set") {
  std::atomic<int> stop{0};
  ChunkQueue queue({{0, 100}}, &stop);
  CHECK(queue.claim(2) != nullptr);
  stop = 15;
  CHECK(queue.claim(2) == nullptr);
  CHECK(queue.exhausted());
}

TEST_CASE("a full window holds workers up until rows are taken") {
  ChunkQueue queue({{0, 100}}, nullptr, 4);
  TrialChunk& first = *queue.claim(2);
  static_cast<void>(queue.claim(2));
  CHECK(queue.try_claim(2) == nullptr);
  fill(first);
  queue.deliver(first);
  CHECK(queue.try_claim(2) == nullptr);

  std::atomic<bool> claimed{false};
  std::thread worker([&] {
    const TrialChunk* chunk = queue.claim(2);
    claimed = chunk != nullptr && chunk->ranges == TrialRanges{{4, 6}};
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(claimed);
  std::vector<TrialRow> rows;
  CHECK(queue.take(rows, 100, 0));
  worker.join();
  CHECK(claimed);
}

TEST_CASE("a worker that waits for room is let go when the queue is stopped or closed") {
  const bool by_closing = GENERATE(true, false);
  std::atomic<int> stop{0};
  ChunkQueue queue({{0, 100}}, &stop, 2);
  static_cast<void>(queue.claim(2));
  const TrialChunk* chunk = nullptr;
  std::thread worker([&] { chunk = queue.claim(2); });
  if (by_closing) {
    queue.close();
  } else {
    stop = 2;
  }
  worker.join();
  CHECK(chunk == nullptr);
}

TEST_CASE("trials that are added later are claimed in the order in which they are added") {
  ChunkQueue queue(nullptr);
  CHECK(queue.try_claim(5) == nullptr);
  CHECK_FALSE(queue.exhausted());
  queue.add({{10, 13}});
  queue.add({{0, 2}});
  CHECK(queue.unclaimed() == 5);
  CHECK(queue.claim(3)->ranges == TrialRanges{{10, 13}});
  CHECK(queue.unclaimed() == 2);
  CHECK(queue.claim(5)->ranges == TrialRanges{{0, 2}});
  CHECK_FALSE(queue.exhausted());
  queue.add_no_more();
  CHECK(queue.exhausted());
  CHECK(queue.claim(5) == nullptr);
}

TEST_CASE("a worker waits for trials that may be added, and is let go when no more will come") {
  const bool added = GENERATE(true, false);
  ChunkQueue queue(nullptr);
  const TrialChunk* chunk = nullptr;
  std::thread worker([&] { chunk = queue.claim(2); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (added) queue.add({{4, 9}});
  if (!added) queue.add_no_more();
  worker.join();
  CHECK((chunk != nullptr) == added);
}

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
  CHECK_THROWS_WITH(run_chunks(queue, 1, failing), "broken");
  std::vector<TrialRow> rows;
  while (queue.take(rows, SIZE_MAX, 0)) {
  }
  REQUIRE_FALSE(rows.empty());
  CHECK(rows.size() <= 500);
  CHECK(rows.back().index == static_cast<std::int64_t>(rows.size()) - 1);
}

/// The lines of trials.csv.
std::string trials_csv(const std::vector<TrialRow>& rows) {
  const SweepConfig config;
  std::string text;
  for (const TrialRow& row : rows) append_trial_csv(text, row, UncertainColumns(config));
  return text;
}

SuccessMap map_of(const SweepConfig& config, const std::vector<TrialRow>& rows) {
  RunTotals totals(config);
  for (const TrialRow& row : rows) totals.add(row);
  return totals.map();
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

TEST_CASE("chunks grow and shrink to the time that they should take") {
  ChunkPacer pacer(0.5, 100, 1000);
  CHECK(pacer.trials() == 100);
  pacer.took(100, 1.0);
  CHECK(pacer.trials() == 50);
  pacer.took(50, 0.4);
  CHECK(pacer.trials() == 62);
  pacer.took(62, 1e-6);  // at most twice as many
  CHECK(pacer.trials() == 124);
  pacer.took(1, 10.0);
  CHECK(pacer.trials() == 1);
  for (int i = 0; i < 20; ++i) pacer.took(pacer.trials(), 0.0);
  CHECK(pacer.trials() == 1000);
}

}  // namespace

TEST_CASE("trials with given parameters come out as in the sweep, for any number of threads") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  std::vector<TrialParameters> trials;
  std::vector<Outcome> expected;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t i = 0; i < 50; ++i) {
    const TrialRow row = run_trial(config, i, workspace, result);
    trials.push_back(row.parameters);
    expected.push_back(row.outcome);
  }
  CHECK(simulate_trials(config, trials, {.threads = 1}) == expected);
  CHECK(simulate_trials(config, trials, {.threads = 2}) == expected);
  CHECK(std::count(expected.begin(), expected.end(), Outcome::kSuccess) > 0);
}

TEST_CASE("a placement gets noise and friction as a trial of the sweep with its seed and index") {
  SweepConfig config = testing::small_lock_piece_sweep();
  config.points = SweepPoints::kIndependent;  // sample_at's points are somebody's own
  config.placement.noise_x_mm = Normal{0.5, 0.2};
  const SampledTrial sampled = sample_trial(config, 23);
  const TrialParameters same = sample_at(config, sampled.intended, config.seed, 23);
  CHECK(same.placement_x_mm == sampled.parameters.placement_x_mm);
  CHECK(same.placement_y_mm == sampled.parameters.placement_y_mm);
  CHECK(same.mu_jaw == sampled.parameters.mu_jaw);
  CHECK(same.mu_support == sampled.parameters.mu_support);
  const TrialParameters other = sample_at(config, sampled.intended, config.seed, 24);
  CHECK(other.mu_jaw != same.mu_jaw);
  CHECK(other.placement_x_mm != same.placement_x_mm);
}

TEST_CASE("trials with given uncertain numbers come out as in the sweep") {
  SweepConfig config = testing::small_lock_piece_sweep();
  for (const char* key : {"gripper.closing_force_n", "part.center_of_mass_mm.0"}) {
    const ScenarioNumber number = *ScenarioNumber::find(config.scenario, key);
    const double value = number.value(config.scenario);
    config.uncertain.push_back({key, Uniform{value - 8, value + 8}, number});
  }
  std::vector<TrialParameters> trials;
  std::vector<double> uncertain;
  std::vector<Outcome> expected;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t i = 0; i < 50; ++i) {
    const SampledTrial trial = sample_trial(config, i);
    trials.push_back(trial.parameters);
    uncertain.insert(uncertain.end(), trial.uncertain.begin(), trial.uncertain.end());
    expected.push_back(run_trial(config, i, workspace, result).outcome);
  }
  CHECK(simulate_trials(config, trials, {}, uncertain) == expected);
  // They matter: the nominal numbers give other outcomes.
  CHECK(simulate_trials(config, trials) != expected);
}

}  // namespace graspmap
