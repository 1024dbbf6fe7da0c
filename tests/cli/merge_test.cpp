#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/cli/program.hpp"

// What merge refuses, and what it tells. Merges that give the whole sweep: shards_test.cpp.

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

/// Runs a shard of a sweep of 18 trials into a folder.
void run_shard(Program& program, const std::string& shard, const std::string& folder,
               const Arguments& more = {}) {
  const Arguments run =
      join({"run", lock_piece(), "--no-plots", "--quiet", "--out", folder, "--shard", shard},
           small_sweep());
  REQUIRE(program.run(join(run, more)).exit_code == 0);
}

/// Checks that a merge is refused in one line that names something, and that OUT is not made.
void check_merge_refused(Program& program, const Arguments& args, const std::string& named) {
  CAPTURE(args);
  const ProgramResult result = program.run(join({"merge"}, args));
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_FALSE(std::filesystem::exists(program.path("out")));
}

TEST_CASE("merge refuses what does not belong together") {
  Program program;
  run_shard(program, "1/3", "one");
  run_shard(program, "3/3", "three");
  run_shard(program, "2/3", "other", {"--set", "friction.jaw=0.25", "--set", "sweep.seed=9"});
  check_merge_refused(program, {"out", "one", "three"}, "6 of 18 trials are in no shard: 6-11;");
  check_merge_refused(program, {"out", "one", "other", "three"}, "friction.jaw.value");
  check_merge_refused(program, {"out", "one", "other", "three"}, "sweep.seed (1 and 9)");
  check_merge_refused(program, {"out", "one", "none"}, "none");
  check_merge_refused(program, {"out", "one", lock_piece()}, "is not a run store");
  check_merge_refused(program, {"out"}, "SHARD... is missing");
  check_merge_refused(program, {}, "OUT is missing");
}

TEST_CASE("merge accepts gaps with --partial, and the run says so") {
  Program program;
  run_shard(program, "1/3", "one");
  run_shard(program, "3/3", "three");
  const ProgramResult result =
      program.run({"merge", "out", "three", "one", "--partial", "--no-plots"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Catch::Contains("100 % (12 of 12 trials)"));
  CHECK_THAT(result.out, Catch::Contains("Files in out: "));
  CHECK_THAT(program.text("out/summary.json"),
             Catch::Contains("\"complete\": false") && Catch::Contains("\"trials_done\": 12"));
  CHECK(program.names("out") ==
        Arguments{"config.toml", "map.csv", "run.sqlite", "summary.json", "trials.csv"});
}

TEST_CASE("merge overwrites a run with --force only, and OUT may be a shard") {
  Program program;
  run_shard(program, "1/2", "out");
  run_shard(program, "2/2", "two");
  const std::string before = program.text("out/run.sqlite");
  const ProgramResult refused = program.run({"merge", "out", "out", "two"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Catch::Contains("holds a run already; --force"));
  CHECK(program.text("out/run.sqlite") == before);
  const ProgramResult merged =
      program.run({"merge", "out", "out", "two", "--force", "--no-plots", "--quiet"});
  CHECK(merged.exit_code == 0);
  CHECK(merged.err.empty());
  run_shard(program, "1/1", "whole");
  CHECK(program.run({"hash", "out"}).out == program.run({"hash", "whole"}).out);
  CHECK(program.text("out/trials.csv") == program.text("whole/trials.csv"));
}

TEST_CASE("a merged run draws its figures and goes on") {
  Program program;
  run_shard(program, "1/2", "one");
  run_shard(program, "2/2", "two");
  CHECK(program.run({"merge", "out", "one", "two", "--quiet"}).exit_code == 0);
  CHECK_FALSE(program.text("out/figures/success_map.svg").empty());
  const ProgramResult more = program.run(
      {"run", "out/config.toml", "--out", "out", "--trials-per-cell", "3", "--no-plots"});
  CHECK(more.exit_code == 0);
  run_shard(program, "1/1", "whole", {"--trials-per-cell", "3"});
  CHECK(program.run({"hash", "out"}).out == program.run({"hash", "whole"}).out);
}

TEST_CASE("a merge onto a full disk leaves no half store") {
  Program program;
  run_shard(program, "1/2", "one");
  run_shard(program, "2/2", "two");
  program.file_size_limit = 40'000;
  const ProgramResult result = program.run({"merge", "out", "one", "two"});
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.err, Catch::Contains("graspmap: error: out/"));
  CHECK_FALSE(std::filesystem::exists(program.path("out")));
}

}  // namespace
}  // namespace graspmap::testing
