#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/cli/runs.hpp"
#include "tests/support/source_dir.hpp"

// Shards joined again, and the scripts that run them on clusters.

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

/// The options of a sweep with 9 cells and 45 trials.
const Arguments kSweep = {
    "--set", "placement.x_cells=3", "--set", "placement.y_cells=3", "--trials-per-cell", "5"};

/// Runs the whole sweep into the folder "whole" and returns its digest.
std::string whole_digest(Program& program) {
  CHECK(
      program.run(join({"run", lock_piece(), "--no-plots", "--out", "whole"}, kSweep)).exit_code ==
      0);
  return program.run({"hash", "whole"}).out;
}

/// Changes the store of a run.
void execute(Program& program, const std::string& folder, const std::string& sql) {
  const std::string code =
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2]); "
      "d.close()";
  CHECK(program
            .run_program(GRASPMAP_PYTHON,
                         {"-c", code, (program.path(folder) / "run.sqlite").string(), sql})
            .exit_code == 0);
}

std::string script(const std::string& name) {
  return testing::source_dir() + "/scripts/cluster/" + name;
}

TEST_CASE("shards merged in any order are the whole sweep") {
  Program program;
  const std::string whole = whole_digest(program);
  for (const char* shard : {"1", "2", "3", "4"}) {
    const ProgramResult result =
        program.run(join({"run", lock_piece(), "--shard", std::string(shard) + "/4"}, kSweep));
    CHECK(result.exit_code == 0);
  }
  CHECK(program.names("outputs/lock_piece/shards") ==
        Arguments{"1-of-4", "2-of-4", "3-of-4", "4-of-4"});
  const std::string folder = "outputs/lock_piece/shards/";
  const ProgramResult merged =
      program.run({"merge", "outputs/lock_piece", folder + "3-of-4", folder + "1-of-4",
                   folder + "4-of-4", folder + "2-of-4", "--no-plots"});
  CHECK(merged.exit_code == 0);
  CHECK(program.run({"hash", "outputs/lock_piece"}).out == whole);
  for (const char* file : {"/trials.csv", "/map.csv", "/config.toml"}) {
    CHECK(program.text(std::string("outputs/lock_piece") + file) ==
          program.text(std::string("whole") + file));
  }
}

TEST_CASE("a merged sweep is extended by further shards") {
  Program program;
  const std::string whole = whole_digest(program);
  const Arguments sweep = {
      "run",   lock_piece(),         "--no-plots", "--set", "placement.x_cells=3",
      "--set", "placement.y_cells=3"};
  CHECK(program.run(join(sweep, {"--trials-per-cell", "3", "--out", "small"})).exit_code == 0);
  // Trials 27 to 44 of 45 are the last two fifths.
  for (const char* shard : {"4", "5"}) {
    CHECK(program
              .run(join(sweep, {"--trials-per-cell", "5", "--shard", std::string(shard) + "/5",
                                "--out", shard}))
              .exit_code == 0);
  }
  CHECK(program.run({"merge", "large", "small", "5", "4", "--no-plots"}).exit_code == 0);
  CHECK(program.run({"hash", "large"}).out == whole);
}

TEST_CASE("shards of an older processor are merged, and make the same run") {
  Program program;
  CHECK(program.run(run_of(40, {"--shard", "1/2", "--out", "one"})).exit_code == 0);
  program.environment["GLIBC_TUNABLES"] = kNoFusedOperations;
  CHECK(program.run(run_of(40, {"--shard", "2/2", "--out", "two"})).exit_code == 0);
  CHECK(program.run(run_of(40, {"--out", "other"})).exit_code == 0);
  program.environment.clear();
  CHECK(program.run(run_of(40, {"--out", "plain"})).exit_code == 0);
  const ProgramResult merged = program.run({"merge", "out", "one", "two", "--no-plots"});
  CHECK(merged.exit_code == 0);
  CHECK_THAT(merged.err, !Catch::Contains("warning"));
  CHECK(digest(program, "out") == digest(program, "plain"));
  CHECK(digest(program, "other") == digest(program, "plain"));
  CHECK(program.run(run_of(50, {"--out", "other", "--resume"})).exit_code == 0);
}

TEST_CASE("shards of machines that compute other bits are merged with a warning") {
  Program program;
  CHECK(program.run(run_of(40, {"--shard", "1/2", "--out", "one"})).exit_code == 0);
  CHECK(program.run(run_of(40, {"--shard", "2/2", "--out", "two"})).exit_code == 0);
  // As if trials had come out otherwise where the second shard was simulated.
  execute(program, "two", "UPDATE sessions SET probe = '0123'; DELETE FROM session_digests");
  const ProgramResult merged = program.run({"merge", "out", "one", "two", "--no-plots"});
  CHECK(merged.exit_code == 0);
  CHECK_THAT(merged.err, Catch::Contains("warning: the shards come from programs or machines that "
                                         "compute other bits"));
}

TEST_CASE("a run of an earlier version is read, and told when it is to go on") {
  Program program;
  CHECK(program.run(run_of(10, {"--out", "old"})).exit_code == 0);
  CHECK(program.run(run_of(10, {"--shard", "1/2", "--out", "one"})).exit_code == 0);
  const std::string before = digest(program, "old");
  execute(program, "old", "DROP TABLE engine");
  const ProgramResult resumed = program.run(run_of(20, {"--out", "old", "--resume"}));
  CHECK(resumed.exit_code == 2);
  CHECK_THAT(resumed.err, Catch::Contains("was simulated by an earlier graspmap"));
  const ProgramResult merged = program.run({"merge", "out", "old", "one", "--no-plots"});
  CHECK(merged.exit_code == 2);
  CHECK_THAT(merged.err, Catch::Contains("cannot be merged"));
  CHECK(digest(program, "old") == before);
  CHECK(program.run({"plot", "old"}).exit_code == 0);
}

TEST_CASE("GNU parallel runs the shards and joins them") {
  Program program;
  const std::string whole = whole_digest(program);
  const ProgramResult result =
      program.run_program(script("shards_parallel"), join({lock_piece(), "run", "5"}, kSweep));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(program.names("run/shards").size() == 5);
  CHECK(program.run({"hash", "run"}).out == whole);
}

TEST_CASE("the tasks of a Slurm job array run their shards") {
  Program program;
  program.environment = {{"SHARDS", "2"}, {"RUN", "run"}, {"CONFIG", "sweep.toml"}};
  const std::string whole = whole_digest(program);
  std::filesystem::copy(program.path("whole/config.toml"), program.path("sweep.toml"));
  for (const char* task : {"2", "1"}) {
    program.environment["SLURM_ARRAY_TASK_ID"] = task;
    CHECK(program.run_program(script("slurm_shards.sbatch"), {}).exit_code == 0);
  }
  CHECK(program.run({"merge", "run", "run/shards/1-of-2", "run/shards/2-of-2", "--no-plots"})
            .exit_code == 0);
  CHECK(program.run({"hash", "run"}).out == whole);
}

}  // namespace
}  // namespace graspmap::testing
