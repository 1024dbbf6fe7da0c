#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

/// Runs a sweep of 18 trials into a folder.
void run_sweep(Program& program, const std::string& folder, const Arguments& more = {}) {
  const Arguments run =
      join({"run", lock_piece(), "--no-plots", "--quiet", "--out", folder}, small_sweep());
  REQUIRE(program.run(join(run, more)).exit_code == 0);
}

TEST_CASE("hash prints 32 digits, the same for any number of threads") {
  Program program;
  run_sweep(program, "one", {"--threads", "1"});
  run_sweep(program, "eight", {"--threads", "8"});
  const ProgramResult result = program.run({"hash", "one"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::Matches("[0-9a-f]{32}\n"));
  CHECK(program.run({"hash", "eight"}).out == result.out);
  CHECK(program.run({"hash", "one/run.sqlite"}).out == result.out);
}

TEST_CASE("hash depends on the trials, not on what is made from them") {
  Program program;
  run_sweep(program, "a");
  const std::string digest = program.run({"hash", "a"}).out;
  run_sweep(program, "b", {"--set", "sweep.seed=2"});
  CHECK(program.run({"hash", "b"}).out != digest);
  for (const char* file : {"trials.csv", "map.csv", "summary.json", "config.toml"}) {
    std::filesystem::remove(program.path("a") / file);
  }
  CHECK(program.run({"hash", "a"}).out == digest);
}

TEST_CASE("hash says which trials are missing") {
  Program program;
  run_sweep(program, "first", {"--shard", "1/3"});
  run_sweep(program, "last", {"--shard", "3/3"});
  CHECK(program.run({"hash", "last"}).err.empty());
  REQUIRE(program.run({"merge", "out", "first", "last", "--partial", "--no-plots"}).exit_code == 0);
  const ProgramResult result = program.run({"hash", "out"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Matches("[0-9a-f]{32}\n"));
  CHECK(result.err == "graspmap: note: the digest is of 12 of 18 trials; missing: 6-11\n");
}

TEST_CASE("hash refuses a damaged store") {
  Program program;
  run_sweep(program, "a");
  const std::string store = program.text("a/run.sqlite");
  // The text of the configuration is in the file as it is.
  const std::size_t at = store.find("closing_force_n");
  REQUIRE(at != std::string::npos);
  std::string changed = store;
  changed[at] = 'C';
  std::ofstream(program.path("a/run.sqlite"), std::ios::binary) << changed;
  const ProgramResult result = program.run({"hash", "a"});
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: a/run.sqlite: is damaged"));
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);

  std::filesystem::resize_file(program.path("a/run.sqlite"), store.size() / 2);
  CHECK(program.run({"hash", "a"}).exit_code == 2);
}

}  // namespace
}  // namespace graspmap::testing
