#include "grasp/show/story/reproduction.hpp"

#include <catch2/catch.hpp>

#include "grasp/base/process/version.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;
using testing::TemporaryFolder;

TEST_CASE("every trial of a sweep is reproduced to the last bit") {
  const SweepConfig config = testing::small_lock_piece_sweep(
      GENERATE(std::vector<std::string>{},
               std::vector<std::string>{
                   "gripper.coupling=independent",
                   "placement.noise.theta_rad={ distribution = 'normal', mean = 0, sigma = 0.1 }",
                   "placement.noise.x_mm={ distribution = 'uniform', min = -1, max = 1 }"}));
  const std::vector<TrialRow> rows = testing::sweep_rows(config);
  REQUIRE(rows.size() == 50);
  for (const TrialRow& row : rows) {
    CAPTURE(row.index);
    const Reproduction reproduction = reproduce(config, row);
    CHECK(reproduction.is_exact());
    CHECK(identical(reproduction.story.row, row));
  }
}

/// A trial of a small sweep that was not stored as it is.
TrialRow tampered_row(const SweepConfig& config) {
  Workspace workspace;
  SimulationResult result;
  TrialRow row = run_trial(config, 31, workspace, result);
  row.parameters.mu_jaw = 2;
  row.jaw_left_mm = -0.25;
  return row;
}

TEST_CASE("what differs is told with the stored value first") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialRow stored = tampered_row(config);
  const Reproduction reproduction = reproduce(config, stored);
  CHECK_FALSE(reproduction.is_exact());
  REQUIRE(reproduction.differences.size() == 2);
  CHECK(reproduction.differences[0].field == "mu_jaw");
  CHECK(reproduction.differences[0].first == "2");
  CHECK(reproduction.differences[1].field == "jaw_left_x_mm");
  CHECK(reproduction.differences[1].first == "-0.25");
  CHECK(std::stod(reproduction.differences[1].second) == reproduction.story.row.jaw_left_mm);
}

TEST_CASE("a difference names both values, who stored the trial, and this program") {
  const TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep();
  RunStore store = testing::made_up_store(folder.path() / "run.sqlite", config, {{0, 31}});
  store.begin_session({"9.9", "other", "far", "2026-11-22T08:15:30Z", 1, 2});
  const TrialRow row = tampered_row(config);
  store.append({&row, 1}, 0.5);
  const std::string text = difference_text(reproduce(config, row), store);
  CHECK_THAT(text, Contains("jaw_left_x_mm            -0.25  ") &&
                       Contains("stored by graspmap 9.9 (other) on far, 2026-11-22T08:15:30Z\n"));
  CHECK_THAT(text, Contains(std::string("run again by graspmap ") + version() + " (" +
                            git_commit() + ")\n") &&
                       !Contains("1.2.3"));
}

TEST_CASE("a trial of an earlier engine is told from one that came out with other bits") {
  const TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialRow row = tampered_row(config);
  const auto text_of = [&](const std::string& name, int engine) {
    RunStore store = testing::made_up_store(folder.path() / name, config, {{0, 31}}, {}, engine);
    store.append({&row, 1}, 0.5);
    return difference_text(reproduce(config, row), store);
  };
  CHECK_THAT(text_of("old", kEngine - 1),
             Contains("  an earlier graspmap, whose numbers differ in their last bits\n"));
  CHECK_THAT(text_of("new", kEngine), !Contains("graspmap, whose numbers differ"));
}

TEST_CASE("a trial from before steps of second order is run again as it was") {
  const TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep({"simulation.order=1"});
  Workspace workspace;
  SimulationResult result;
  const TrialRow row = run_trial(config, 31, workspace, result);
  const auto file = folder.path() / "run.sqlite";
  {
    RunStore store = RunStore::create(file, config, {}, 2);
    store.begin_session({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
    store.append({&row, 1}, 0.5);
  }
  testing::put_config_text(file, testing::replaced(to_toml(config), "\norder = 1\n", "\n"));
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  CHECK(reproduce(store.config(), store.row(31).value()).is_exact());
}

TEST_CASE("of a trial from another store all who may have computed it are named") {
  const TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep();
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  store.add_past_session({"0.1", "x", "old", "2025-01-01T00:00:00Z", 3, 12, 20, 7.5});
  store.add_past_session({"0.2", "y", "new", "2026-01-01T00:00:00Z", 3, 12, 30, 7.5});
  const TrialRow row = tampered_row(config);
  store.append({&row, 1}, 0);
  CHECK_THAT(difference_text(reproduce(config, row), store),
             Contains("graspmap 0.1 (x) on old") && Contains("graspmap 0.2 (y) on new"));
}

}  // namespace
}  // namespace graspmap
