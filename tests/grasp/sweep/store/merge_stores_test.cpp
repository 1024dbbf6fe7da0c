#include "grasp/sweep/store/merge_stores.hpp"

#include <sys/resource.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Files = std::vector<fs::path>;
using testing::all_rows;
using testing::made_up_rows;
using testing::made_up_store;
using testing::same_rows;

/// 25 cells.
SweepConfig config_to_merge(int trials_per_cell = 4) {
  return testing::small_lock_piece_sweep(
      {std::string("sweep.trials_per_cell=").append(std::to_string(trials_per_cell))});
}

/// Stores in a temporary folder.
class Stores {
 public:
  /// A new store with these blocks; returns its file.
  fs::path make(const std::string& name, const std::vector<TrialRange>& blocks, Shard shard = {},
                const SweepConfig& sweep = config_to_merge()) {
    made_up_store(path(name), sweep, blocks, shard);
    return path(name);
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }

  /// Merges stores into a new one; returns its rows.
  [[nodiscard]] std::vector<TrialRow> merged(const Files& files) {
    const MergePlan plan = plan_merge(files);
    RunStore out = RunStore::create(path(std::to_string(++count_).append("-out")), plan.config);
    const std::atomic<int> stop{0};
    std::vector<TrialRow> visited;
    merge_stores(
        plan, out, [&](const TrialRow& row) { visited.push_back(row); }, stop);
    CHECK(same_rows(all_rows(out), visited));
    CHECK(out.processes() == plan.processes);
    return visited;
  }

 private:
  testing::TemporaryFolder folder_;
  int count_ = 0;
};

TEST_CASE("shards give the whole sweep in any order") {
  Stores stores;
  Files shards = {stores.make("a", {{0, 20}, {20, 33}}, {1, 3}),
                  stores.make("b", {{40, 66}, {33, 40}}, {2, 3}),
                  stores.make("c", {{66, 100}}, {3, 3})};
  const auto all = made_up_rows(config_to_merge(), {0, 100});
  do {
    CHECK(plan_merge(shards).missing().empty());
    CHECK(same_rows(stores.merged(shards), all));
  } while (std::next_permutation(shards.begin(), shards.end()));
}

TEST_CASE("a merged store is the store of a whole sweep in large blocks") {
  Stores stores;
  const Files shards = {stores.make("a", {{0, 10}, {10, 50}}, {1, 2}),
                        stores.make("b", {{50, 75}, {75, 100}}, {2, 2})};
  const MergePlan plan = plan_merge(shards);
  RunStore out = RunStore::create(stores.path("out"), plan.config);
  const std::atomic<int> stop{0};
  merge_stores(
      plan, out, [](const TrialRow&) {}, stop);
  CHECK(out.shard().is_whole());
  CHECK(out.stored() == TrialRanges{{0, 100}});
  const sqlite::Database database(stores.path("out"), sqlite::Database::Mode::kRead);
  CHECK(database.integer("SELECT count(*) FROM blocks") == 1);
  CHECK(database.integer("SELECT count(session) FROM blocks") == 0);
}

TEST_CASE("shards that overlap must agree in every bit") {
  Stores stores;
  const fs::path a = stores.make("a", {{0, 60}});
  const fs::path b = stores.make("b", {{40, 100}});
  CHECK(same_rows(stores.merged({b, a, b}), made_up_rows(config_to_merge(), {0, 100})));

  RunStore other = RunStore::create(stores.path("other"), config_to_merge());
  auto rows = made_up_rows(config_to_merge(), {30, 50});
  rows[15].end_time_s += 1e-9;
  rows[15].statistics.steps += 1;
  other.append(rows, 0);
  const auto merge = [&] { return stores.merged({a, b, stores.path("other")}); };
  CHECK_THROWS_AS(merge(), ConfigError);
  CHECK_THROWS_WITH(merge(), Contains("different results of trial 45: end_time_s, steps;") &&
                                 Contains(stores.path("other").string()));
}

TEST_CASE("gaps are known before anything is merged") {
  Stores stores;
  const Files shards = {stores.make("a", {{5, 10}, {20, 30}}), stores.make("b", {{30, 99}}),
                        stores.make("none", {})};
  CHECK(plan_merge(shards).missing() == TrialRanges{{0, 5}, {10, 20}, {99, 100}});
  const auto rows = stores.merged(shards);
  REQUIRE(rows.size() == 84);
  CHECK(rows.front().index == 5);
  CHECK(rows[5].index == 20);
  CHECK(rows.back().index == 98);
}

TEST_CASE("the largest number of trials per cell is taken") {
  Stores stores;
  const fs::path before = stores.make("before", {{0, 100}}, {}, config_to_merge(4));
  const fs::path more = stores.make("more", {{200, 250}}, {5, 5}, config_to_merge(10));
  for (const Files& files : {Files{before, more}, Files{more, before}}) {
    const MergePlan plan = plan_merge(files);
    CHECK(plan.config.trials_per_cell == 10);
    CHECK(plan.missing() == TrialRanges{{100, 200}});
  }
}

TEST_CASE("stores of different sweeps are refused with the keys that differ") {
  Stores stores;
  const fs::path a = stores.make("a", {{0, 50}}, {1, 2});
  SweepConfig other = config_to_merge(8);
  other.seed = 7;
  other.scenario.part.pieces[0].shape.exponent = 2.5;
  const fs::path b = stores.make("b", {{100, 200}}, {2, 2}, other);
  CHECK_THROWS_AS(plan_merge({a, b}), ConfigError);
  CHECK_THROWS_WITH(plan_merge({a, b}),
                    Catch::StartsWith(a.string() + " and " + b.string() + " are of different") &&
                        Contains("part.piece.0.exponent (2 and 2.5), sweep.seed (1 and 7)") &&
                        !Contains("trials_per_cell"));
  other.scenario.gripper = {0.3, 20, 60, 80, Coupling::kIndependent};
  const fs::path c = stores.make("c", {}, {}, other);
  CHECK_THROWS_WITH(plan_merge({a, c}), Contains(", 2 more"));
}

TEST_CASE("shards of one earlier engine make a run of it, and are not merged with others") {
  Stores stores;
  made_up_store(stores.path("old"), config_to_merge(), {{0, 50}}, {1, 2}, kEngine - 1);
  made_up_store(stores.path("old too"), config_to_merge(), {{50, 100}}, {2, 2}, kEngine - 1);
  made_up_store(stores.path("new"), config_to_merge(), {{50, 100}}, {2, 2});
  CHECK(plan_merge({stores.path("old"), stores.path("old too")}).engine == kEngine - 1);
  CHECK(plan_merge({stores.path("new")}).engine == kEngine);
  CHECK_THROWS_WITH(
      plan_merge({stores.path("old"), stores.path("new")}),
      Contains("simulated by an earlier and a later graspmap") && Contains("cannot be merged"));
}

TEST_CASE("shards from before steps of second order make a run of first order") {
  Stores stores;
  SweepConfig config = config_to_merge();
  config.scenario.order = 1;
  for (const int index : {1, 2}) {
    const fs::path file = stores.path(std::to_string(index));
    made_up_store(file, config, {shard_range(100, {index, 2})}, {index, 2}, 2);
    testing::put_config_text(file, testing::replaced(to_toml(config), "\norder = 1\n", "\n"));
  }
  const MergePlan plan = plan_merge({stores.path("1"), stores.path("2")});
  CHECK(plan.config.scenario.order == 1);
  CHECK(plan.engine == 2);
  CHECK(plan.missing().empty());
}

TEST_CASE("sessions of all shards are kept once, and those with other bits are named") {
  Stores stores;
  const fs::path a = stores.make("a", {{0, 50}}, {1, 2});
  CHECK(plan_merge({a}).kinds_of_bits().size() == 1);
  RunStore b = RunStore::create(stores.path("b"), config_to_merge(), {2, 2});
  b.begin_process({"1.3", "def", "other", "2026-11-20T08:15:30Z", 1, 2, 0, 0, "0123"});
  b.append(made_up_rows(config_to_merge(), {50, 60}), 3);
  const MergePlan plan = plan_merge({a, stores.path("b"), a});
  REQUIRE(plan.processes.size() == 2);
  CHECK(plan.processes[0].host == "other");
  CHECK(plan.processes[0].trials == 10);
  CHECK(plan.processes[1].trials == 50);
  CHECK(plan.kinds_of_bits() ==
        std::vector<std::string>{"1.3 (def) on host other", "1.2.3 (abc) on host host"});
  // Another program, but the same bits.
  RunStore c = RunStore::create(stores.path("c"), config_to_merge(), {2, 2});
  c.begin_process({"1.4", "ghi", "third", "2026-11-22T08:15:30Z", 1, 2, 0, 0, "0123"});
  c.append(made_up_rows(config_to_merge(), {60, 70}), 3);
  CHECK(plan_merge({stores.path("b"), stores.path("c")}).kinds_of_bits().size() == 1);
}

TEST_CASE("more shards than files that can be open") {
  Stores stores;
  Files shards;
  for (int k = 1; k <= 100; ++k) {
    const TrialRange range = shard_range(100, {k, 100});
    shards.push_back(stores.make(std::to_string(k), {range}, {k, 100}));
  }
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{30, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  const auto rows = stores.merged(shards);
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(same_rows(rows, made_up_rows(config_to_merge(), {0, 100})));
}

TEST_CASE("a merge that is stopped ends") {
  Stores stores;
  const MergePlan plan = plan_merge({stores.make("a", {{0, 100}})});
  RunStore out = RunStore::create(stores.path("out"), plan.config);
  std::atomic<int> stop{0};
  merge_stores(
      plan, out, [&](const TrialRow& row) { stop = row.index == 9 ? 15 : 0; }, stop);
  CHECK(out.stored() == TrialRanges{{0, 10}});
}

/// 25 cells, 4 trials each.
SweepConfig merged_config() { return testing::small_lock_piece_sweep({"sweep.trials_per_cell=4"}); }

/// A run folder with the first half of a sweep, and the other half elsewhere.
class Halves {
 public:
  Halves() {
    made_up_store(run(), merged_config(), {{0, 50}});
    made_up_store(other(), merged_config(), {{50, 100}});
  }

  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }
  [[nodiscard]] fs::path run() const { return folder() / "run.sqlite"; }
  [[nodiscard]] fs::path other() const { return elsewhere_.path() / "run.sqlite"; }
  [[nodiscard]] std::optional<RunTotals> merge(int stop = 0) const {
    TrialCounters counters;
    return merge_into_run(folder(), plan_merge({other(), run()}), counters, std::atomic<int>(stop));
  }
  /// True when the run folder holds run.sqlite only.
  [[nodiscard]] bool is_tidy() const {
    return std::distance(fs::directory_iterator(folder()), {}) == 1;
  }

 private:
  testing::TemporaryFolder folder_;
  testing::TemporaryFolder elsewhere_;
};

TEST_CASE("a run takes in what is merged with it") {
  const Halves halves;
  const auto totals = halves.merge();
  REQUIRE(totals);
  CHECK(totals->map().total().trials() == 100);
  CHECK(halves.is_tidy());
  const auto rows = testing::all_rows(halves.run());
  const auto expected = made_up_rows(merged_config(), {0, 100});
  CHECK(std::equal(rows.begin(), rows.end(), expected.begin(), expected.end(), identical));
}

TEST_CASE("a merge that is stopped or fails leaves the run as it was") {
  const Halves halves;
  const std::string before = testing::file_text(halves.run());
  SECTION("stopped") { CHECK_FALSE(halves.merge(2)); }
  SECTION("failed") {
    auto rows = made_up_rows(merged_config(), {49, 50});
    rows[0].jaw_left_mm = 0;
    RunStore::open(halves.other(), RunStore::Access::kWrite).append(rows, 1);
    CHECK_THROWS_AS(halves.merge(), ConfigError);
  }
  CHECK(halves.is_tidy());
  CHECK(testing::file_text(halves.run()) == before);
}

TEST_CASE("what a killed merge left is removed by the next one") {
  const Halves halves;
  std::ofstream(halves.folder() / ".run.sqlite.merging") << "half a store";
  std::ofstream(halves.folder() / ".run.sqlite.merging-journal") << "half a journal";
  CHECK(halves.merge());
  CHECK(halves.is_tidy());
}

TEST_CASE("a journal that was left beside an overwritten store is removed") {
  const Halves halves;
  const MergePlan plan = plan_merge({halves.other()});
  std::ofstream(halves.folder() / "run.sqlite-journal") << "of the store that was there";
  TrialCounters counters;
  CHECK(merge_into_run(halves.folder(), plan, counters, std::atomic<int>(0)));
  CHECK(halves.is_tidy());
  CHECK(counters.snapshot().trials() == 50);
}

}  // namespace

}  // namespace graspmap
