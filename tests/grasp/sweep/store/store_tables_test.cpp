#include "grasp/sweep/store/store_tables.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "grasp/show/story/given_trials.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/numpy.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

/// 50 trials of the lock piece with four uncertain numbers.
SweepConfig uncertain_sweep() {
  const std::string text =
      testing::file_text(testing::lock_piece_file()) +
      "\n[uncertain]\n"
      "\"part.mass_kg\" = { distribution = \"uniform\", min = 0.04, max = 0.06 }\n"
      "\"part.offset_mm\" = { distribution = \"uniform\", min = -0.2, max = 0.2 }\n"
      "\"part.piece.tooth_1.angle_rad\" = { distribution = \"uniform\", min = 4.0, max = 4.2 }\n"
      "\"gripper.offset_mm.0\" = { distribution = \"uniform\", min = -0.5, max = 0.5 }\n";
  return parse_sweep_config(
      text, "lock_piece.toml",
      {"placement.x_cells=5", "placement.y_cells=5", "sweep.trials_per_cell=2"});
}

std::string digest_of_rows(const std::vector<TrialRow>& rows) {
  TrialDigest digest;
  for (const TrialRow& row : rows) digest.add(row);
  return digest.hex();
}

TEST_CASE("sweeps with uncertain numbers have one digest, however they are run") {
  const TemporaryFolder folder;
  const SweepConfig config = uncertain_sweep();
  REQUIRE(config.uncertain.size() == 4);
  const std::string digest = digest_of_rows(testing::sweep_rows(config, 1));
  CHECK(digest_of_rows(testing::sweep_rows(config, 3)) == digest);
  const fs::path file = folder.path() / "run.sqlite";
  const std::vector<TrialRow> rows = testing::sweep_rows(config);
  RunStore::create(file, config).append(std::span(rows).first(20), 0.5);  // and then killed
  RunStore store = RunStore::open(file, RunStore::Access::kWrite);
  RunTotals totals = read_totals(store);
  store.begin_process({});
  run_stored_sweep(store, totals, {2, nullptr, nullptr}, sweep_trials(store.config()));
  CHECK(digest_of_rows(testing::all_rows(file)) == digest);
  CHECK(digest != digest_of_rows(testing::sweep_rows(testing::small_lock_piece_sweep())));
}

TEST_CASE("a store has the values of uncertain numbers in a table of their own") {
  const TemporaryFolder folder;
  const SweepConfig config = uncertain_sweep();
  const fs::path file = folder.path() / "run.sqlite";
  testing::made_up_store(file, config, {{0, 7}, {20, 30}});
  const sqlite::Database database(file, sqlite::Database::Mode::kRead);
  sqlite::Statement query(database,
                          "SELECT trial, \"gripper.offset_mm.0\", \"part.mass_kg\", "
                          "\"part.offset_mm\", \"part.piece.tooth_1.angle_rad\" FROM uncertain "
                          "JOIN trials USING (trial) ORDER BY trial");
  int rows = 0;
  for (; query.step(); ++rows) {
    const std::int64_t index = query.next_integer();
    for (const double value : sample_trial(config, index).uncertain) {
      CHECK(query.next_number() == value);
    }
  }
  CHECK(rows == 17);
}

TEST_CASE("a store without uncertain numbers has no table of them, and one that lost it grows") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.sqlite";
  const SweepConfig config = uncertain_sweep();
  testing::made_up_store(file, config, {{0, 7}});
  {
    const sqlite::Database database(file, sqlite::Database::Mode::kReadWrite);
    database.execute("DROP TABLE uncertain");
  }
  RunStore::open(file, RunStore::Access::kWrite)
      .append(testing::made_up_rows(config, {7, 20}), 1.0);
  CHECK(testing::all_rows(file).size() == 20);
  const fs::path plain = folder.path() / "plain.sqlite";
  testing::made_up_store(plain, testing::small_lock_piece_sweep(), {{0, 7}});
  const sqlite::Database database(plain, sqlite::Database::Mode::kRead);
  CHECK(database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'uncertain'") == 0);
}

TEST_CASE("keys that differ in capitals only are columns of their own") {
  const TemporaryFolder folder;
  SweepConfig config = uncertain_sweep();
  UncertainNumber other = config.uncertain[1];
  other.key = "Part.Mass_kg";
  config.uncertain.push_back(other);
  const sqlite::Database database(folder.path() / "a.sqlite", sqlite::Database::Mode::kCreate);
  create_uncertain_table(database, config);
  UncertainInserter(database, config).insert(3);
  CHECK(database.integer("SELECT count(*) FROM pragma_table_info('uncertain')") == 6);
}

TEST_CASE("a trial of a run with uncertain numbers is replayed to the last bit and tells them") {
  const SweepConfig config = uncertain_sweep();
  for (const TrialRow& row : testing::sweep_rows(config)) {
    const Reproduction reproduction = reproduce(config, row);
    REQUIRE(reproduction.is_exact());
    const std::vector<double> values = sample_trial(config, row.index).uncertain;
    const TrialStory& story = reproduction.story;
    REQUIRE(story.drawn.size() == 4);
    CHECK(story.drawn[1] == std::pair<std::string, double>("part.mass_kg", values[1]));
    CHECK(story.scenario.mass.mass_kg == values[1]);
    CHECK(story.scenario.part.pieces[0].shape.a_mm == 20.75 + values[2]);
    CHECK_THAT(trial_text(story), Catch::Contains("\nUncertain numbers\n  gripper.offset_mm.0 "));
    CHECK_THAT(json_document(trial_fields(story)), Catch::Contains("\"uncertain\""));
  }
  const TrialStory plain = tell_trial(testing::small_lock_piece_sweep(), 3);
  CHECK(trial_text(plain).find("Uncertain") == std::string::npos);
  CHECK(json_document(trial_fields(plain)).find("uncertain") == std::string::npos);
}

TEST_CASE("trials.csv and trials.npz have a column for each uncertain number") {
  const TemporaryFolder folder;
  const SweepConfig config = uncertain_sweep();
  const UncertainColumns columns(config);
  CHECK_THAT(trials_csv_header(columns),
             Catch::EndsWith(",worst_residual,gripper.offset_mm.0,part.mass_kg,part.offset_mm,"
                             "part.piece.tooth_1.angle_rad\n"));
  const TrialRow row = testing::sweep_rows(config)[7];
  const std::vector<double> values = columns.of(7);
  std::string plain;
  std::string text;
  const SweepConfig without;
  append_trial_csv(plain, row, UncertainColumns(without));
  append_trial_csv(text, row, columns);
  plain.pop_back();
  for (const double value : values) plain += fmt::format(",{}", value);
  CHECK(text == plain + "\n");
  TrialsNpz npz(folder.path() / "trials.npz", columns);
  npz.add(row);
  const std::atomic<int> no_stop{0};
  REQUIRE(npz.commit(no_stop));
  const std::string dump = testing::npz_dump(folder.path() / "trials.npz");
  CHECK_THAT(dump, Catch::Contains("part.mass_kg <f8"));
}

}  // namespace
}  // namespace graspmap
