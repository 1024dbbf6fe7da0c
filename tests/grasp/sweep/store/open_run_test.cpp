#include "grasp/sweep/store/open_run.hpp"

#include <catch2/catch.hpp>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using testing::small_lock_piece_sweep;
using testing::TemporaryFolder;

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
  CHECK(run.totals.map.total().trials() == 0);
}

TEST_CASE("a run that is there is refused, overwritten or resumed") {
  const TemporaryFolder folder;
  run_in(folder);
  const SweepConfig config = small_lock_piece_sweep();
  CHECK_THROWS_WITH(open_run(folder.path(), config, {}, ExistingRun::kRefuse),
                    Catch::Contains("a finished run (50 of 50 trials)"));
  CHECK(resume(folder).totals.map.total().trials() == 50);
  CHECK(open_run(folder.path(), config, {}, ExistingRun::kOverwrite).store.stored().empty());
  CHECK_THROWS_WITH(open_run(folder.path(), config, {}, ExistingRun::kRefuse),
                    Catch::Contains("an incomplete run (0 of 50 trials)"));
}

TEST_CASE("a run is extended by more trials per cell only") {
  const TemporaryFolder folder;
  run_in(folder);
  CHECK_THROWS_WITH(resume(folder, {"sweep.trials_per_cell=1"}),
                    Catch::Contains("sweep.trials_per_cell") && Catch::Contains("2 trials"));
  const OpenedRun longer = resume(folder, {"sweep.trials_per_cell=3"});
  CHECK(longer.store.asked() == TrialRange{0, 75});
  CHECK(longer.totals.map.total().trials() == 50);
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
}

TEST_CASE("a shard is resumed as itself") {
  const TemporaryFolder folder;
  run_in(folder, {1, 2});
  CHECK(resume(folder, {}, {1, 2}).totals.map.total().trials() == 25);
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
  CHECK_THROWS_WITH(resume(folder),
                    Catch::Contains("was simulated by an earlier graspmap (1.2.3, abc)") &&
                        Catch::Contains("cannot go on here; hash, plot, compare and others read"));
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
