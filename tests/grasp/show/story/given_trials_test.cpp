#include "grasp/show/story/given_trials.hpp"

#include <catch2/catch.hpp>

#include "grasp/base/process/environment.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_stories.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

TEST_CASE("the columns may come in any order, with others between") {
  const auto trials = given_trials(
      parse_csv("mu_support,note,y_mm,x_mm,mu_jaw,theta_rad\n0.5,hi,2,1,0.4,0.3\n", "t.csv"),
      SweepConfig{});
  REQUIRE(trials.size() == 1);
  CHECK(trials[0].placement_x_mm == 1);
  CHECK(trials[0].placement_y_mm == 2);
  CHECK(trials[0].theta_rad == 0.3);
  CHECK(trials[0].mu_jaw == 0.4);
  CHECK(trials[0].mu_support == 0.5);
}

TEST_CASE("trials that cannot be run are refused with file, line and column") {
  const std::string header = "x_mm,y_mm,theta_rad,mu_jaw,mu_support\n";
  const auto reading = [](const std::string& text) {
    return [text] { given_trials(parse_csv(text, "t.csv"), SweepConfig{}); };
  };
  CHECK_THROWS_WITH(reading("x_mm,y_mm,theta_rad,mu_jaw\n1,2,0,0.1\n")(),
                    Catch::StartsWith("t.csv:1: mu_support: missing column"));
  CHECK_THROWS_WITH(reading(header + "1,2,0,0.1,0.1\n1,2,0,-0.1,0.1\n")(),
                    Catch::StartsWith("t.csv:3: mu_jaw: "));
  CHECK_THROWS_WITH(reading(header + "1,2,0,0.1,-1e-9\n")(),
                    Catch::StartsWith("t.csv:2: mu_support: "));
  CHECK_THROWS_WITH(reading(header + "one,2,0,0.1,0.1\n")(), Catch::StartsWith("t.csv:2: x_mm: "));
  CHECK_THROWS_WITH(reading(header + "1,2,0,inf,0.1\n")(), Catch::StartsWith("t.csv:2: mu_jaw: "));
  CHECK_THROWS_WITH(reading(header + "1,2,10001,0.1,0.1\n")(),
                    "t.csv:2: theta_rad: 10001; must be from -10000 to 10000");
  CHECK_THROWS_WITH(reading("outcome," + header + "a,1,2,0,0.1,0.1\n")(),
                    Catch::StartsWith("t.csv:1: outcome: "));
}

TEST_CASE("columns named by uncertain numbers give their values, others are nominal") {
  const SweepConfig config = parse_sweep_config(
      testing::file_text(testing::lock_piece_file()) +
          "[uncertain]\n\"part.mass_kg\" = { distribution = \"uniform\", min = 0.04, max = 0.06 }\n"
          "\"gripper.opening_mm\" = { distribution = \"uniform\", min = 63, max = 65 }\n",
      "lock_piece.toml");
  const std::string header = "part.mass_kg,x_mm,y_mm,theta_rad,mu_jaw,mu_support\n";
  const CsvTable table =
      parse_csv(header + "0.07,0,-11,0,0.2,0.3\n0.05,0,-11,0,0.2,0.3\n", "t.csv");
  const auto values = given_uncertain(table, config);
  REQUIRE(values.size() == 2);
  CHECK(values[0] == std::vector<double>{64.0, 0.07});  // by key: the opening comes first
  const auto trials = given_trials(table, config);
  const auto results = run_given_trials(config, trials, {1, nullptr, nullptr}, values);
  const auto nominal = run_given_trials(config, trials, {1, nullptr, nullptr});
  CHECK(results[0].row.final_pose.position_mm != nominal[0].row.final_pose.position_mm);
  CHECK(results[1].row.final_pose.position_mm == nominal[1].row.final_pose.position_mm);
  CHECK(given_uncertain(parse_csv("x_mm\n1\n", "t.csv"), config).empty());
  CHECK_THROWS_WITH(given_uncertain(parse_csv("part.mass_kg\n0.05\n0\n", "t.csv"), config),
                    "t.csv:3: part.mass_kg: 0; must be a number from 1e-12 to 1e+09");
}

TEST_CASE("results stand beside their trials, and other columns pass through unchanged") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const CsvTable table = parse_csv(
      "id,x_mm,y_mm,theta_rad,mu_jaw,mu_support\n"
      "\"a,1\",0.300,-11,0,0.2,0.3\n"
      "b,0,-30,0,0.2,0.3\n",
      "t.csv");
  const auto trials = given_trials(table, config);
  const auto results = run_given_trials(config, trials, {2, nullptr, nullptr});
  const CsvTable out = parse_csv(given_trials_csv(table, results, config), "out.csv");
  CHECK(out.header.fields == std::vector<std::string>{"id", "x_mm", "y_mm", "theta_rad", "mu_jaw",
                                                      "mu_support", "outcome", "end_time_s",
                                                      "part_x_mm", "part_y_mm", "part_theta_rad",
                                                      "jaw_right_x_mm", "jaw_left_x_mm",
                                                      "left_touches", "right_touches"});
  REQUIRE(out.rows.size() == 2);
  CHECK(out.rows[0].fields[0] == "a,1");
  CHECK(out.rows[0].fields[1] == "0.300");
  CHECK(out.rows[0].fields[6] == "success");
  CHECK_THAT(out.rows[0].fields[13], Catch::Contains("tooth_1"));
  CHECK_THAT(out.rows[0].fields[14], Catch::Contains("tooth_6"));
  CHECK(out.rows[1].fields[6] == "missed");

  Workspace workspace;
  SimulationResult result;
  const TrialRow alone = run_trial(config, trials[0], workspace, result);
  CHECK(out.number(out.rows[0], out.column("part_x_mm")) == alone.final_pose.position_mm.x());
  CHECK(out.number(out.rows[0], out.column("end_time_s")) == alone.end_time_s);
}

TEST_CASE("where there is a palm, results say what it touches, and an input may not") {
  SweepConfig config = testing::small_lock_piece_sweep();
  const std::string text =
      "palm_touches,x_mm,y_mm,theta_rad,mu_jaw,mu_support\nmine,0,-30,0,0.2,0.3\n";
  const CsvTable table = parse_csv(text, "t.csv");
  CHECK(given_trials(table, config).size() == 1);
  config.scenario.gripper.palm = testing::palm();
  CHECK_THROWS_WITH(given_trials(table, config), Catch::StartsWith("t.csv:1: palm_touches: "));
  const CsvTable input = parse_csv("x_mm\n0\n", "t.csv");
  const CsvTable out =
      parse_csv(given_trials_csv(input, {{{}, {0}, {6}, {1, 2}, {}, {}}}, config), "out.csv");
  REQUIRE(out.rows.size() == 1);
  CHECK(out.header.fields.back() == "palm_touches");
  CHECK(out.rows[0].fields.back() == "tooth_1;tooth_2");
  CHECK(out.rows[0].fields[out.column("right_touches")] == "tooth_6");
}

TEST_CASE("a file without trials gives a file with a header") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const CsvTable table = parse_csv("x_mm,y_mm,theta_rad,mu_jaw,mu_support\n", "t.csv");
  const auto results = run_given_trials(config, given_trials(table, config), {2, nullptr, nullptr});
  CHECK(results.empty());
  CHECK(parse_csv(given_trials_csv(table, results, config), "o").rows.empty());
}

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
  store.begin_process({"9.9", "other", "far", "2026-11-22T08:15:30Z", 1, 2});
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
    store.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
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
  store.add_past_process({"0.1", "x", "old", "2025-01-01T00:00:00Z", 3, 12, 20, 7.5});
  store.add_past_process({"0.2", "y", "new", "2026-01-01T00:00:00Z", 3, 12, 30, 7.5});
  const TrialRow row = tampered_row(config);
  store.append({&row, 1}, 0);
  CHECK_THAT(difference_text(reproduce(config, row), store),
             Contains("graspmap 0.1 (x) on old") && Contains("graspmap 0.2 (y) on new"));
}

}  // namespace

}  // namespace graspmap
