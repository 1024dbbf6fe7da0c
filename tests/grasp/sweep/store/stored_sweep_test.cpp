#include "grasp/sweep/store/stored_sweep.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using testing::made_up_row;
using testing::same_rows;
using testing::TemporaryFolder;

SweepConfig config(int trials_per_cell = 2) {
  SweepConfig config = testing::small_lock_piece_sweep();
  config.trials_per_cell = trials_per_cell;
  return config;
}

/// Made-up rows instead of simulations.
RowFunction made_up_trials(const SweepConfig& config) {
  return [&config](std::int64_t index, Workspace&, SimulationResult&) {
    return made_up_row(config, index);
  };
}

TEST_CASE("a stored sweep has the rows of its trials, for any number of threads") {
  const int threads = GENERATE(1, 2, 8);
  const TemporaryFolder folder;
  const SweepConfig sweep = config();
  RunStore store = RunStore::create(folder.path() / "run.sqlite", sweep);
  RunTotals totals(sweep);
  store.begin_process({});
  run_stored_sweep(store, totals, {threads, nullptr, nullptr}, sweep_trials(sweep));
  CHECK(store.stored() == TrialRanges{{0, 50}});
  CHECK(same_rows(testing::all_rows(store), testing::sweep_rows(sweep)));
  CHECK(totals.map().total().trials() == 50);
  CHECK(store.processes().back().trials == 50);
  CHECK(map_csv(read_totals(store).map()) == map_csv(totals.map()));
}

TEST_CASE("a stored sweep runs what is missing, and nothing else") {
  const TemporaryFolder folder;
  const SweepConfig sweep = config(40);
  RunStore store = testing::made_up_store(folder.path() / "run.sqlite", sweep,
                                          {{0, 7}, {300, 310}, {990, 1000}});
  RunTotals totals = read_totals(store);
  std::vector<std::atomic<int>> runs(1000);
  run_stored_sweep(store, totals, {}, [&](std::int64_t index, Workspace&, SimulationResult&) {
    ++runs[static_cast<std::size_t>(index)];
    return made_up_row(sweep, index);
  });
  for (std::int64_t i = 0; i < 1000; ++i) {
    const bool was_there = i < 7 || (i >= 300 && i < 310) || i >= 990;
    CHECK(runs[static_cast<std::size_t>(i)] == (was_there ? 0 : 1));
  }
  CHECK(store.stored() == TrialRanges{{0, 1000}});
  CHECK(same_rows(testing::all_rows(store), testing::made_up_rows(sweep, {0, 1000})));
  CHECK(totals.map().total().trials() == 1000);
}

TEST_CASE("a stopped sweep has stored the trials that had begun, without a gap") {
  const int threads = GENERATE(1, 2, 8);
  const TemporaryFolder folder;
  const SweepConfig sweep = config(4000);
  RunStore store = RunStore::create(folder.path() / "run.sqlite", sweep);
  RunTotals totals(sweep);
  std::atomic<int> stop{0};
  std::atomic<std::int64_t> runs{0};
  run_stored_sweep(store, totals, {threads, &stop, nullptr},
                   [&](std::int64_t index, Workspace&, SimulationResult&) {
                     ++runs;
                     if (index == 5000) stop = 2;
                     return made_up_row(sweep, index);
                   });
  REQUIRE(store.stored().size() == 1);
  CHECK(store.stored().front() == TrialRange{0, runs});
  CHECK(runs > 5000);
  CHECK(runs < 100'000);
  CHECK(totals.map().total().trials() == runs);
}

TEST_CASE("trials are stored while the sweep goes on") {
  const TemporaryFolder folder;
  const SweepConfig sweep = config(4000);
  const fs::path file = folder.path() / "run.sqlite";
  RunStore store = RunStore::create(file, sweep);
  RunTotals totals(sweep);
  std::atomic<int> stop{0};
  std::int64_t stored_meanwhile = 0;
  const auto start = std::chrono::steady_clock::now();
  // The only worker looks into the store now and then, until there is something or a minute is
  // over.
  run_stored_sweep(
      store, totals, {1, &stop, nullptr}, [&](std::int64_t index, Workspace&, SimulationResult&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (index % 20 == 0) {
          stored_meanwhile = count_trials(RunStore::open(file, RunStore::Access::kRead).stored());
        }
        const auto waited = std::chrono::steady_clock::now() - start;
        if (stored_meanwhile > 0 || waited > std::chrono::minutes(1)) stop = 2;
        return made_up_row(sweep, index);
      });
  CHECK(stored_meanwhile > 0);
}

TEST_CASE("a store that cannot be written any more ends the sweep with its error") {
  const TemporaryFolder folder;
  const SweepConfig sweep = config(400'000);  // ten million trials: it would not end if it went on
  RunStore store = RunStore::create(folder.path() / "run.sqlite", sweep);
  RunTotals totals(sweep);
  TrialCounters counters;
  {
    const testing::FileSizeLimit limit(3'000'000);
    CHECK_THROWS_AS(run_stored_sweep(store, totals, {0, nullptr, &counters}, made_up_trials(sweep)),
                    IoError);
  }
  CHECK(count_trials(store.stored()) == totals.map().total().trials());
  CHECK(counters.snapshot().trials() == totals.map().total().trials());
  CHECK(same_rows(testing::all_rows(store),
                  testing::made_up_rows(sweep, {0, totals.map().total().trials()})));
}

TEST_CASE("an exception of a trial ends a stored sweep, and what was stored stays") {
  const TemporaryFolder folder;
  const SweepConfig sweep = config(4000);
  RunStore store = RunStore::create(folder.path() / "run.sqlite", sweep);
  RunTotals totals(sweep);
  const auto failing = [&](std::int64_t index, Workspace&, SimulationResult&) {
    if (index == 9000) throw std::logic_error("broken");
    return made_up_row(sweep, index);
  };
  CHECK_THROWS_WITH(run_stored_sweep(store, totals, {}, failing), "broken");
  CHECK(count_trials(store.stored()) <= 9000);
}

/// 25 cells, of which the middle ones mostly succeed.
SweepConfig adaptive_config() {
  SweepConfig sweep = testing::small_lock_piece_sweep(
      {"sweep.trials_per_cell=40", "sweep.sampling=adaptive", "sweep.adaptive.most_trials=400",
       "sweep.adaptive.round_trials=60", "summary.sweet_spot_half_width_mm=4"});
  return sweep;
}

/// Rows whose outcomes let an adaptive run take several rounds.
RowFunction rows_of_a_plateau(const SweepConfig& config) {
  return [&config](std::int64_t index, Workspace&, SimulationResult&) {
    TrialRow row = made_up_row(config, index);
    const double edge_mm = 5.0 + std::cos(static_cast<double>(index));
    const bool inside = std::abs(row.parameters.placement_x_mm) < edge_mm;
    row.outcome = inside ? Outcome::kSuccess : Outcome::kWedged;
    return row;
  };
}

/// The rows of an adaptive run that is stopped after every `trials_between_stops` trials.
std::vector<TrialRow> adaptive_rows(const SweepConfig& sweep, int threads,
                                    std::int64_t trials_between_stops) {
  const TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run.sqlite", sweep);
  store.begin_process({});
  bool finished = false;
  for (int n = 0; n < 1000 && !finished; ++n) {
    RunTotals totals = read_totals(store);
    std::atomic<int> stop{0};
    std::atomic<std::int64_t> begun{0};
    const RowFunction trial = rows_of_a_plateau(sweep);
    run_stored_sweep(store, totals, {threads, &stop, nullptr},
                     [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                       if (++begun >= trials_between_stops) stop = 2;
                       return trial(index, workspace, result);
                     });
    finished = totals.rounds->finished();
  }
  CHECK(finished);
  return testing::all_rows(store);
}

TEST_CASE("an adaptive run has the same trials for any number of threads and interruptions") {
  const SweepConfig sweep = adaptive_config();
  constexpr std::int64_t kNeverStopped = 1'000'000;
  const std::vector<TrialRow> rows = adaptive_rows(sweep, 1, kNeverStopped);
  CHECK(rows.size() > 150);  // more than the first round
  CHECK(rows.size() <= 400);
  CHECK(same_rows(adaptive_rows(sweep, 4, kNeverStopped), rows));
  CHECK(same_rows(adaptive_rows(sweep, 1, 90), rows));
  CHECK(same_rows(adaptive_rows(sweep, 3, 130), rows));
}

using testing::small_lock_piece_sweep;

/// A finished run of 50 trials in a folder.
void run_in(const TemporaryFolder& folder, Shard shard = {}) {
  OpenedRun run = open_run(folder.path(), small_lock_piece_sweep(), shard, ExistingRun::kRefuse);
  run_stored_sweep(run.store, run.totals, {}, sweep_trials(run.store.config()));
}

OpenedRun resume(const TemporaryFolder& folder, const std::vector<std::string>& overrides = {},
                 Shard shard = {}) {
  return open_run(folder.path(), small_lock_piece_sweep(overrides), shard, ExistingRun::kResume);
}

TEST_CASE("a new run is opened empty, whether it is to be resumed or not") {
  const ExistingRun existing =
      GENERATE(ExistingRun::kRefuse, ExistingRun::kOverwrite, ExistingRun::kResume);
  const TemporaryFolder folder;
  const OpenedRun run = open_run(folder.path(), small_lock_piece_sweep(), {}, existing);
  CHECK(run.store.stored().empty());
  CHECK(run.totals.map().total().trials() == 0);
}

TEST_CASE("a run that is there is refused, overwritten or resumed") {
  const TemporaryFolder folder;
  run_in(folder);
  const SweepConfig config = small_lock_piece_sweep();
  CHECK_THROWS_WITH(open_run(folder.path(), config, {}, ExistingRun::kRefuse),
                    Catch::Contains("a finished run (50 of 50 trials)"));
  CHECK(resume(folder).totals.map().total().trials() == 50);
  CHECK(open_run(folder.path(), config, {}, ExistingRun::kOverwrite).store.stored().empty());
  CHECK_THROWS_WITH(open_run(folder.path(), config, {}, ExistingRun::kRefuse),
                    Catch::Contains("an incomplete run (0 of 50 trials)"));
}

TEST_CASE("a complete run that is resumed has the same map") {
  const TemporaryFolder folder;
  const std::vector<std::string> enough = {"sweep.trials_per_cell=64"};
  const SweepConfig config = small_lock_piece_sweep(enough);
  std::string map;
  {
    OpenedRun run = open_run(folder.path(), config, {}, ExistingRun::kRefuse);
    run_stored_sweep(run.store, run.totals, {}, sweep_trials(run.store.config()));
    map = map_csv(run.totals.map());
    // Even points tell more: the map has what a resumed run could lose.
    CHECK(independent_trials(run.totals.map()) > 1.2 * static_cast<double>(config.trials()));
  }
  CHECK(map_csv(resume(folder, enough).totals.map()) == map);
}

TEST_CASE("a run is extended by more trials per cell only") {
  const TemporaryFolder folder;
  run_in(folder);
  CHECK_THROWS_WITH(resume(folder, {"sweep.trials_per_cell=1"}),
                    Catch::Contains("sweep.trials_per_cell") && Catch::Contains("2 trials"));
  const OpenedRun longer = resume(folder, {"sweep.trials_per_cell=3"});
  CHECK(longer.store.asked() == TrialRange{0, 75});
  CHECK(longer.totals.map().total().trials() == 50);
}

TEST_CASE("of an adaptive run only the budget may grow") {
  const TemporaryFolder folder;
  const std::vector<std::string> adaptive = {"sweep.trials_per_cell=9", "sweep.sampling=adaptive",
                                             "sweep.adaptive.most_trials=160",
                                             "summary.sweet_spot_half_width_mm=4"};
  const auto with = [&](const std::string& change) {
    std::vector<std::string> all = adaptive;
    all.push_back(change);
    return all;
  };
  static_cast<void>(resume(folder, adaptive));  // begins it
  CHECK_THROWS_WITH(
      resume(folder, with("sweep.trials_per_cell=10")),
      Catch::Contains("sweep.trials_per_cell") && Catch::Contains("must be the same"));
  CHECK_THROWS_WITH(resume(folder, with("sweep.adaptive.most_trials=159")),
                    Catch::Contains("sweep.adaptive.most_trials: the run has 160, here are 159"));
  CHECK_THROWS_WITH(resume(folder, with("sweep.adaptive.confidence=0.9")),
                    Catch::Contains("sweep.adaptive.confidence (0.95 and 0.9)"));
  CHECK_THROWS_WITH(resume(folder), Catch::Contains("a run with sweep.sampling = \"adaptive\""));
  CHECK(resume(folder, with("sweep.adaptive.most_trials=170")).store.trials_asked() == 170);
  CHECK(resume(folder, with("sweep.adaptive.most_trials=170")).store.trials_asked() == 170);
  // The robot's error changes no trial,
  const TemporaryFolder with_robot;
  CHECK_NOTHROW(resume(with_robot, adaptive));
  CHECK_NOTHROW(resume(with_robot, with("robot.position_sigma_mm=[1,1]")));
  // except where they are allocated for it.
  const TemporaryFolder allocated;
  const auto for_robot = [&](const std::string& robot) {
    std::vector<std::string> all = adaptive;
    all.insert(all.end(), {"sweep.adaptive.goal=plan", "sweep.adaptive.first_trials=6", robot});
    return all;
  };
  static_cast<void>(resume(allocated, for_robot("robot.position_sigma_mm=[1,1]")));
  CHECK_THROWS_WITH(resume(allocated, for_robot("robot.position_sigma_mm=[2,1]")),
                    Catch::Contains("robot: the run's trials are allocated for another error"));
  CHECK_NOTHROW(resume(allocated, for_robot("robot.position_sigma_mm=[1,1]")));
}

TEST_CASE("a shard is resumed as itself") {
  const TemporaryFolder folder;
  run_in(folder, {1, 2});
  CHECK(resume(folder, {}, {1, 2}).totals.map().total().trials() == 25);
  CHECK_THROWS_WITH(resume(folder, {}, {2, 2}), Catch::Contains("holds shard 1/2, not shard 2/2"));
  CHECK_THROWS_WITH(resume(folder), Catch::Contains("holds shard 1/2, not a whole sweep"));
  CHECK_THROWS_WITH(resume(folder, {"sweep.trials_per_cell=3"}, {1, 2}),
                    Catch::Contains("cannot be extended"));
}

TEST_CASE("another configuration is refused with the keys that differ and both values") {
  const TemporaryFolder folder;
  run_in(folder);
  CHECK_THROWS_WITH(resume(folder, {"gripper.opening_mm=63", "sweep.trials_per_cell=9"}),
                    Catch::Contains("gripper.opening_mm") && Catch::Contains("64") &&
                        Catch::Contains("63") && !Catch::Contains("trials_per_cell"));
}

TEST_CASE("a run whose trials come out differently is not gone on with") {
  const TemporaryFolder folder;
  const auto made_up = testing::made_up_store(folder.path() / run_files::kStore,
                                              small_lock_piece_sweep(), {{0, 30}});
  CHECK_THROWS_WITH(resume(folder), Catch::Contains("trial 0 comes out differently"));
}

TEST_CASE("a run of an earlier engine is read, and not gone on with") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / run_files::kStore;
  testing::made_up_store(file, small_lock_piece_sweep(), {{0, 30}}, {}, kEngine - 1);
  const bool has_table = GENERATE(true, false);
  if (!has_table) {  // as stores were made before there were engines
    sqlite::Database(file, sqlite::Database::Mode::kReadWrite).execute("DROP TABLE engine");
  }
  CHECK_THROWS_WITH(
      resume(folder),
      Catch::Contains("run.sqlite: was simulated by an earlier graspmap (1.2.3, abc)") &&
          Catch::Contains("cannot continue here; hash, plot, compare and others read"));
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  CHECK(store.engine() == (has_table ? kEngine - 1 : 1));
  CHECK(testing::all_rows(store).size() == 30);
  CHECK(open_run(folder.path(), small_lock_piece_sweep(), {}, ExistingRun::kOverwrite)
            .store.engine() == kEngine);
}

TEST_CASE("a run of a later engine is not gone on with either") {
  const TemporaryFolder folder;
  testing::made_up_store(folder.path() / run_files::kStore, small_lock_piece_sweep(), {{0, 30}}, {},
                         kEngine + 1);
  CHECK_THROWS_WITH(resume(folder), Catch::Contains("was simulated by a later graspmap"));
}

TEST_CASE("files without a store are no run, and only overwritten when asked") {
  const TemporaryFolder folder;
  static_cast<void>(folder.write("summary.json", "{}"));
  CHECK_THROWS_WITH(resume(folder), Catch::Contains("without its run.sqlite"));
  const SweepConfig config = small_lock_piece_sweep();
  CHECK_THROWS_AS(open_run(folder.path(), config, {}, ExistingRun::kRefuse), ConfigError);
  CHECK(open_run(folder.path(), config, {}, ExistingRun::kOverwrite).store.stored().empty());
}

}  // namespace

}  // namespace graspmap
