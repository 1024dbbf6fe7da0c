#include "grasp/sweep/store/run_store.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <stdexcept>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/sqlite.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using Access = RunStore::Access;
using testing::all_rows;
using testing::made_up_row;
using testing::made_up_rows;
using testing::made_up_store;
using testing::same_rows;
using testing::TemporaryFolder;

/// 25 cells, 2 trials each.
SweepConfig stored_config() { return testing::small_lock_piece_sweep(); }

TEST_CASE("a new store knows its run and has no trials") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  { const RunStore made = RunStore::create(file, stored_config(), {2, 3}); }
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
  const RunStore store = RunStore::open(file, Access::kRead);
  CHECK(store.file() == file);
  testing::check_equal(store.config(), stored_config());
  CHECK(store.config_toml() == to_toml(stored_config()));
  CHECK(store.shard() == Shard{2, 3});
  CHECK(store.asked() == shard_range(50, {2, 3}));
  CHECK(store.stored().empty());
  CHECK(store.processes().empty());
  CHECK_FALSE(store.row(20));
  CHECK(all_rows(store).empty());
}

TEST_CASE("an engine from before steps of second order had those of first order") {
  // Fixed ones, or sized by their error, which no later engine has.
  const bool sized = GENERATE(false, true);
  const SweepConfig config = testing::small_lock_piece_sweep({"simulation.order=1"});
  const std::string tolerance = sized ? "tolerance_mm = 0.005\n" : "";
  const std::string text =
      testing::replaced(to_toml(config), "\norder = 1\n", "\norder = 1\n" + tolerance);
  const std::string older = testing::replaced(text, "\norder = 1\n", "\n");
  CHECK(parse_sweep_config(older, "a new file").scenario.order == 2);

  const TemporaryFolder folder;
  const auto check_first_order = [&](const fs::path& file) {
    const RunStore store = RunStore::open(file, Access::kRead);
    testing::check_equal(store.config(), config);
    CHECK(store.config_toml() == to_toml(config));
    CHECK(all_rows(store).size() == 50);
  };
  for (const int engine : {2, 5}) {
    const fs::path file = folder.path() / fmt::format("{}.sqlite", engine);
    made_up_store(file, config, {{0, 50}}, {}, engine);
    testing::put_config_text(file, engine == 2 ? older : text);
    check_first_order(file);
  }
  const fs::path oldest = folder.path() / "2.sqlite";
  sqlite::Database(oldest, sqlite::Database::Mode::kReadWrite).execute("DROP TABLE engine");
  check_first_order(oldest);
}

TEST_CASE("a changed number of the engine is damage; stores without its digest are read") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  made_up_store(file, stored_config(), {{0, 50}});
  const auto change = [&](const char* sql) {
    sqlite::Database(file, sqlite::Database::Mode::kReadWrite).execute(sql);
  };
  change("UPDATE engine SET number = number + 1");
  CHECK_THROWS_WITH(RunStore::open(file, RunStore::Access::kRead),
                    Catch::Contains("the number of its engine is not as stored"));
  change("DROP TABLE engine");
  change("CREATE TABLE engine (number INTEGER)");
  change("INSERT INTO engine VALUES (6)");
  CHECK(RunStore::open(file, RunStore::Access::kRead).engine() == 6);
}

TEST_CASE("a store is not made over another file") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("run.sqlite", "mine");
  CHECK_THROWS_AS(RunStore::create(file, stored_config()), IoError);
  CHECK(fs::file_size(file) == 4);
  CHECK_THROWS_AS(RunStore::create(folder.path() / "none" / "run.sqlite", stored_config()),
                  IoError);
}

TEST_CASE("rows come back to the last bit, in the order of their indices") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  made_up_store(file, stored_config(), {{20, 30}, {0, 7}, {30, 50}});
  const RunStore store = RunStore::open(file, Access::kRead);
  CHECK(store.stored() == TrialRanges{{0, 7}, {20, 50}});
  std::vector<TrialRow> expected = made_up_rows(stored_config(), {0, 7});
  for (const TrialRow& row : made_up_rows(stored_config(), {20, 50})) expected.push_back(row);
  CHECK(same_rows(all_rows(store), expected));
}

TEST_CASE("one row is found by its index") {
  const TemporaryFolder folder;
  const RunStore store =
      made_up_store(folder.path() / "run.sqlite", stored_config(), {{5, 10}, {20, 30}});
  for (const std::int64_t index : {5, 9, 20, 29}) {
    CAPTURE(index);
    REQUIRE(store.row(index));
    CHECK(identical(*store.row(index), made_up_row(stored_config(), index)));
  }
  for (const std::int64_t index : {-1, 0, 4, 10, 19, 30, 1000}) CHECK_FALSE(store.row(index));
}

TEST_CASE("a store keeps minus zero, infinity, NaN and the largest numbers") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  TrialRow row = made_up_row(stored_config(), 3);
  testing::make_odd(row);
  RunStore::create(file, stored_config()).append({&row, 1}, 0);
  const std::vector<TrialRow> rows = all_rows(file);
  REQUIRE(rows.size() == 1);
  CHECK(encode(rows[0]) == encode(row));
}

TEST_CASE("a reader goes through the store row by row") {
  const TemporaryFolder folder;
  const RunStore store =
      made_up_store(folder.path() / "run.sqlite", stored_config(), {{5, 7}, {20, 21}});
  TrialReader reader(store);
  for (const std::int64_t index : {5, 6, 20}) {
    CHECK(reader.next_index() == index);
    CHECK(reader.next().index == index);
  }
  CHECK_FALSE(reader.next_index());
  CHECK_THROWS_AS(reader.next(), std::logic_error);
}

TEST_CASE("between two rows of a reader another process can write") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  RunStore writer = made_up_store(file, stored_config(), {{0, 3}, {3, 6}});
  const RunStore store = RunStore::open(file, Access::kRead);
  TrialReader reader(store);
  for (std::int64_t k = 0; k < 6; ++k) {
    CHECK(reader.next_index() == k);
    CHECK(reader.next().index == k);
    const TrialRow row = made_up_row(stored_config(), 10 + k);
    writer.append({&row, 1}, 1);
  }
  CHECK_FALSE(reader.next_index());
  CHECK(store.stored() == TrialRanges{{0, 6}, {10, 16}});
}

TEST_CASE("sessions count the trials that were added in them") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  made_up_store(file, stored_config(), {{0, 5}, {5, 7}});
  {
    RunStore again = RunStore::open(file, Access::kWrite);
    again.add_past_process({"0.1", "x", "old", "2025-01-01T00:00:00Z", 3, 12, 99, 7.5});
    again.begin_process({"1.3", "def", "other", "2026-11-22T08:15:30Z", 4, 8});
    again.append(made_up_rows(stored_config(), {10, 14}), 2.5);
  }
  const auto processes = RunStore::open(file, Access::kRead).processes();
  REQUIRE(processes.size() == 3);
  CHECK(processes[0].host == "old");
  CHECK(processes[0].trials == 99);
  CHECK(processes[0].wall_s == 7.5);
  CHECK(processes[1].version == "1.2.3");
  CHECK(processes[1].git_commit == "abc");
  CHECK(processes[1].trials == 7);
  CHECK(processes[1].wall_s == 0.5);
  CHECK(processes[2].started_utc == "2026-11-22T08:15:30Z");
  CHECK(processes[2].ranks == 4);
  CHECK(processes[2].threads == 8);
  CHECK(processes[2].trials == 4);
  CHECK(processes[2].wall_s == 2.5);

  const RunStore store = RunStore::open(file, Access::kRead);
  for (const std::int64_t index : {0, 4, 5, 6}) CHECK(store.process_of(index) == processes[1]);
  for (const std::int64_t index : {10, 13}) CHECK(store.process_of(index) == processes[2]);
  for (const std::int64_t index : {-1, 7, 9, 14}) CHECK_FALSE(store.process_of(index));
}

TEST_CASE("trials that are added without a session are nobody's") {
  const TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run.sqlite", stored_config());
  store.add_past_process({"0.1", "x", "old", "2025-01-01T00:00:00Z", 3, 12, 99, 7.5});
  store.append(made_up_rows(stored_config(), {0, 3}), 0);
  CHECK_FALSE(store.process_of(1));
}

TEST_CASE("trials without a session are kept too") {
  const TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run.sqlite", stored_config());
  store.append(made_up_rows(stored_config(), {0, 5}), 0);
  CHECK(store.processes().empty());
  CHECK(all_rows(store).size() == 5);
}

TEST_CASE("a run that is extended keeps its trials and asks for more") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  {
    RunStore store = made_up_store(file, stored_config(), {{0, 50}});
    store.extend(5);
    CHECK(store.config().trials_per_cell == 5);
    CHECK(store.asked() == TrialRange{0, 125});
    store.append(made_up_rows(store.config(), {50, 125}), 1);
    CHECK_THROWS_AS(store.extend(4), std::logic_error);
  }
  const RunStore store = RunStore::open(file, Access::kRead);
  CHECK(store.config_toml() ==
        to_toml(testing::small_lock_piece_sweep({"sweep.trials_per_cell=5"})));
  CHECK(store.asked() == TrialRange{0, 125});
  CHECK(same_rows(all_rows(store), made_up_rows(store.config(), {0, 125})));
}

TEST_CASE("a store refuses blocks that do not fit, and stays as it was") {
  const TemporaryFolder folder;
  RunStore store = made_up_store(folder.path() / "run.sqlite", stored_config(), {{20, 22}}, {2, 3});
  const auto refused = [&](const std::vector<TrialRow>& rows) {
    CHECK_THROWS_AS(store.append(rows, 1), std::logic_error);
  };
  const TrialRange asked = store.asked();
  refused({});
  refused({made_up_row(stored_config(), asked.first - 1)});
  refused({made_up_row(stored_config(), asked.end)});
  refused(made_up_rows(stored_config(), {20, 21}));
  refused(made_up_rows(stored_config(), {17, 24}));
  refused(made_up_rows(stored_config(), {21, 23}));
  refused({made_up_row(stored_config(), 24), made_up_row(stored_config(), 26)});
  TrialRow elsewhere = made_up_row(stored_config(), 24);
  ++elsewhere.cell_x;
  refused({elsewhere});
  CHECK_THROWS_AS(store.extend(10), std::logic_error);
  CHECK(store.stored() == TrialRanges{{20, 22}});
  store.append(made_up_rows(stored_config(), {22, 24}), 1);
  CHECK(store.processes().at(0).trials == 4);
}

TEST_CASE("a block has a most of trials") {
  const TemporaryFolder folder;
  const SweepConfig large = testing::small_lock_piece_sweep({"sweep.trials_per_cell=2000"});
  RunStore store = RunStore::create(folder.path() / "run.sqlite", large);
  const auto rows = made_up_rows(large, {0, kMostBlockTrials + 1});
  CHECK_THROWS_AS(store.append(rows, 1), std::logic_error);
  store.append(std::span(rows).first(kMostBlockTrials), 1);
  CHECK(store.stored() == TrialRanges{{0, kMostBlockTrials}});
  CHECK(identical(store.row(kMostBlockTrials - 1).value(), rows[kMostBlockTrials - 1]));
}

TEST_CASE("rows with gaps are stored as blocks, all or none of them") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  RunStore store = made_up_store(file, stored_config(), {{0, 5}});
  std::vector<TrialRow> rows;
  for (const std::int64_t index : {40, 41, 42, 44, 9, 10}) {
    rows.push_back(made_up_row(stored_config(), index));
  }
  store.append_blocks(rows, 2.0);
  CHECK(store.stored() == TrialRanges{{0, 5}, {9, 11}, {40, 43}, {44, 45}});
  CHECK(store.processes().at(0).trials == 11);
  CHECK(identical(store.row(41).value(), rows[1]));
  rows = {made_up_row(stored_config(), 20), made_up_row(stored_config(), 44)};
  CHECK_THROWS_AS(store.append_blocks(rows, 3.0), std::logic_error);
  CHECK_FALSE(store.row(20).has_value());
  CHECK(store.processes().at(0).trials == 11);
}

TEST_CASE("a store that is only read cannot be changed") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  made_up_store(file, stored_config(), {{0, 5}});
  RunStore store = RunStore::open(file, Access::kRead);
  CHECK_THROWS_AS(store.append(made_up_rows(stored_config(), {5, 6}), 1), IoError);
  CHECK(store.stored() == TrialRanges{{0, 5}});
}

TEST_CASE("a block that the disk does not take is not there") {
  const TemporaryFolder folder;
  const SweepConfig large = testing::small_lock_piece_sweep({"sweep.trials_per_cell=1000"});
  const fs::path file = folder.path() / "run.sqlite";
  RunStore store = made_up_store(file, large, {{0, 100}});
  {
    const testing::FileSizeLimit limit(fs::file_size(file) + 30'000);
    CHECK_THROWS_AS(store.append(made_up_rows(large, {100, 5000}), 1), IoError);
  }
  CHECK(store.stored() == TrialRanges{{0, 100}});
  CHECK(store.processes().at(0).trials == 100);
  store.append(made_up_rows(large, {100, 5000}), 1);
  CHECK(same_rows(all_rows(file), made_up_rows(large, {0, 5000})));
}

TEST_CASE("trial_table shows cells and names as the rows have them") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  SweepConfig turned = stored_config();
  turned.placement.theta_rad = {0, 1, 2};  // 2 x 25 cells
  made_up_store(file, turned, {{0, 70}});
  const sqlite::Database database(file, sqlite::Database::Mode::kRead);
  sqlite::Statement query(database,
                          "SELECT trial, cell_x, cell_y, cell_theta, outcome, x_mm, steps_halved "
                          "FROM trial_table ORDER BY trial");
  for (const TrialRow& row : made_up_rows(turned, {0, 70})) {
    REQUIRE(query.step());
    CHECK(query.next_integer() == row.index);
    CHECK(query.next_integer() == row.cell_x);
    CHECK(query.next_integer() == row.cell_y);
    CHECK(query.next_integer() == row.cell_theta);
    CHECK(query.next_text() == name(row.outcome));
    CHECK(query.next_number() == row.parameters.placement_x_mm);
    CHECK(query.next_integer() == row.statistics.by_rung[4]);
  }
  CHECK_FALSE(query.step());
}

TEST_CASE("a store whose view has no cell_theta is read and grows") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  made_up_store(file, stored_config(), {{0, 30}});
  {
    const sqlite::Database database(file, sqlite::Database::Mode::kReadWrite);
    database.execute("DROP VIEW trial_table");
    database.execute("CREATE VIEW trial_table AS SELECT trial, trial % 25 AS cell_x FROM trials");
  }
  RunStore::open(file, RunStore::Access::kWrite).append(made_up_rows(stored_config(), {30, 50}), 1);
  CHECK(same_rows(all_rows(file), made_up_rows(stored_config(), {0, 50})));
}

TEST_CASE("cells are read as the rows had them") {
  const TemporaryFolder folder;
  SweepConfig turned = stored_config();
  turned.placement.theta_rad = {0, 1, 2};
  made_up_store(folder.path() / "run.sqlite", turned, {{0, 20}, {20, 100}});
  const std::vector<TrialRow> rows = all_rows(folder.path() / "run.sqlite");
  REQUIRE(rows.size() == 100);
  for (const TrialRow& row : rows) {
    REQUIRE(row.cell() == cell_of_trial(turned.placement, row.index));
  }
}

TEST_CASE("docs/reference/formats.md names every table, view and column") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  made_up_store(file, stored_config(), {});
  const std::string text =
      testing::file_text(fs::path(testing::source_dir()) / "docs" / "reference" / "formats.md");
  const std::size_t begin = text.find("\n## run.sqlite\n");
  REQUIRE(begin != std::string::npos);
  const std::string section = text.substr(begin, text.find("\n## ", begin + 1) - begin);
  const sqlite::Database database(file, sqlite::Database::Mode::kRead);
  sqlite::Statement query(database,
                          "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') UNION "
                          "SELECT info.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS "
                          "info");
  int names = 0;
  for (; query.step(); ++names) {
    CHECK_THAT(section, Catch::Contains(std::string("`").append(query.next_text()).append("`")));
  }
  CHECK(names > 40);
}

TEST_CASE("a store says which program made it") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  made_up_store(file, stored_config(), {});
  const sqlite::Database database(file, sqlite::Database::Mode::kRead);
  sqlite::Statement query(database,
                          "SELECT name, seed, created_version, created_git_commit, created_utc "
                          "FROM run");
  REQUIRE(query.step());
  CHECK(query.next_text() == stored_config().name);
  CHECK(query.next_integer() == static_cast<std::int64_t>(stored_config().seed));
  CHECK(query.next_text() == version());
  CHECK(query.next_text() == git_commit());
  CHECK_THAT(query.next_text(), Catch::Matches("20..-..-..T..:..:..Z"));
}

}  // namespace
}  // namespace graspmap
