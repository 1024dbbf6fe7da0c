#include <catch2/catch.hpp>
#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "tests/support/captured_output.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/store_files.hpp"
#include "tests/support/sweep_rows.hpp"
#include "tests/support/temporary_folder.hpp"

// What cannot be shown with stores that the program itself has made.

namespace graspmap {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using testing::CapturedOutput;
using testing::TemporaryFolder;

/// What a command did.
struct Replayed {
  int exit_code = -1;
  std::string out;
  std::string err;
};

Replayed replay(const std::vector<std::string>& args) {
  const CapturedOutput out(std::cout);
  const CapturedOutput err(std::cerr);
  const int exit_code = replay_command().run(args);
  return {exit_code, out.text(), err.text()};
}

/// A run in which two numbers of trial 7 are not those that were computed.
void store_tampered_run(const TemporaryFolder& run) {
  const SweepConfig config = testing::small_lock_piece_sweep();
  std::vector<TrialRow> rows = testing::sweep_rows(config);
  rows[7].end_time_s = 0.125;
  rows[7].final_pose.position_mm.y() = -3;
  RunStore store = RunStore::create(run.path() / run_files::kStore, config);
  store.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
  store.append(rows, 0.5);
}

TEST_CASE("replay: a tampered trial is exit code 3 and names the fields, the story is told") {
  const TemporaryFolder run;
  store_tampered_run(run);
  const std::string folder = run.path().string();
  const Replayed tampered = replay({folder, "7"});
  CHECK(tampered.exit_code == 3);
  CHECK_THAT(tampered.err,
             StartsWith("graspmap: trial 7 of " + folder + " is not reproduced: 2 of 25 fields") &&
                 Contains("\n  end_time_s               0.125 ") &&
                 Contains("\n  part_y_mm                -3 ") &&
                 Contains("stored by graspmap 1.2.3 (abc) on host"));
  CHECK_THAT(tampered.out, StartsWith("trial 7 of " + folder + ": not reproduced") &&
                               Contains("At the end") && Contains("Contacts"));

  const Replayed other = replay({folder, "8"});
  CHECK(other.exit_code == 0);
  CHECK(other.err.empty());
  CHECK_THAT(other.out, StartsWith("trial 8 of " + folder + ": reproduced to the last bit\n"));
}

TEST_CASE("replay: a trial that is not reproduced is drawn as it runs now, and told as JSON") {
  const TemporaryFolder run;
  store_tampered_run(run);
  const std::string file = (run.path() / "path.csv").string();
  const Replayed tampered = replay({run.path().string(), "7", "--json", "--out", file});
  CHECK(tampered.exit_code == 3);
  CHECK_THAT(tampered.err, Contains("is not reproduced"));
  CHECK_THAT(tampered.out, StartsWith("{\n") && !Contains("reproduced"));
  CHECK_THAT(testing::file_text(file), StartsWith("time_s,part_x_mm,"));
}

TEST_CASE("replay: a run of another format or without trials is refused") {
  const TemporaryFolder run;
  RunStore::create(run.path() / run_files::kStore, testing::small_lock_piece_sweep());
  const std::string folder = run.path().string();
  CHECK_THROWS_WITH(replay({folder, "--worst", "3"}), Contains("has no trials yet"));
  CHECK_THROWS_WITH(replay({folder, "0"}), Contains("existing trials: none"));
}

}  // namespace
}  // namespace graspmap
