#include "grasp/sweep/store/merged_run.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using testing::made_up_rows;
using testing::made_up_store;

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
  CHECK(totals->map.total().trials() == 100);
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
