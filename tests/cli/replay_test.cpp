#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

/// Runs a sweep of 3 x 3 cells on x from -10 to 10 mm, y from -20 to 0 mm, 18 trials, into "run".
void run_to_replay(Program& program, const Arguments& more = {}) {
  const Arguments run =
      join({"run", lock_piece(), "--no-plots", "--quiet", "--out", "run"}, small_sweep());
  REQUIRE(program.run(join(run, more)).exit_code == 0);
}

/// The fields of each trial in run/trials.csv.
std::vector<Arguments> trials(Program& program) {
  std::istringstream lines(program.text("run/trials.csv"));
  std::vector<Arguments> rows;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    Arguments& row = rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
  }
  return rows;
}

constexpr std::size_t kCellX = 1;
constexpr std::size_t kCellY = 2;
constexpr std::size_t kOutcome = 9;
constexpr std::size_t kResidual = 17;

TEST_CASE("every trial of a run is replayed to the last bit") {
  Program program;
  run_to_replay(program);
  const std::vector<Arguments> rows = trials(program);
  REQUIRE(rows.size() == 18);
  for (const Arguments& row : rows) {
    const ProgramResult result = program.run({"replay", "run", row[0]});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out,
               Catch::StartsWith("trial " + row[0] + " of run: reproduced to the last bit\n") &&
                   Catch::Contains("\n" + row[kOutcome] + " after "));
  }
}

TEST_CASE("trials of a shard are replayed, those of other shards are missing") {
  Program program;
  run_to_replay(program, {"--shard", "2/3"});
  CHECK(program.run({"replay", "run", "6"}).exit_code == 0);
  CHECK(program.run({"replay", "run/run.sqlite", "11"}).exit_code == 0);
  const ProgramResult missing = program.run({"replay", "run", "12"});
  CHECK(missing.exit_code == 2);
  CHECK(missing.err == "graspmap: error: run: trial 12 is not there; existing trials: 6-11\n");
}

TEST_CASE("a replayed trial is told as trial tells it") {
  Program program;
  run_to_replay(program);
  const Arguments row = trials(program)[5];
  const ProgramResult trial = program.run({"trial", "run/config.toml", "--json", "--placement",
                                           row[4] + "," + row[5] + "," + row[6], "--mu-jaw", row[7],
                                           "--mu-support", row[8], "--out", "trial.csv"});
  REQUIRE(trial.exit_code == 0);
  CHECK(program.run({"replay", "run", "5", "--json", "--out", "replay.csv"}).out == trial.out);
  CHECK(program.text("replay.csv") == program.text("trial.csv"));
  CHECK_FALSE(program.text("trial.csv").empty());
}

TEST_CASE("a trial is drawn as the file's name asks") {
  Program program;
  run_to_replay(program);
  const auto [file, beginning] = GENERATE(table<std::string, std::string>({
      {"a.svg", "<?xml"},
      {"a.png", "\x89PNG"},
      {"a.gif", "GIF89a"},
      {"a.csv", "time_s,"},
  }));
  CHECK(program.run({"replay", "run", "4", "--out", file}).exit_code == 0);
  CHECK_THAT(program.text(file), Catch::StartsWith(beginning));
  CHECK(program.names() == Names{file, "run"});
}

TEST_CASE("the first trial of a cell and outcome is picked") {
  Program program;
  run_to_replay(program, {"--trials-per-cell", "6"});
  const std::vector<Arguments> rows = trials(program);
  const Arguments& wanted = rows.back();
  const auto first = std::find_if(rows.begin(), rows.end(), [&](const Arguments& row) {
    return row[kCellX] == wanted[kCellX] && row[kCellY] == wanted[kCellY] &&
           row[kOutcome] == wanted[kOutcome];
  });
  const ProgramResult result =
      program.run({"replay", "run", "--cell", "9,-1", "--outcome", wanted[kOutcome]});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("trial " + (*first)[0] + " of run: reproduced"));
  CHECK_THAT(program.run({"replay", "run", "--cell", "-9,-19"}).out,
             Catch::StartsWith("trial 0 of run: reproduced"));
  CHECK_THAT(program.run({"replay", "run", "--cell", "-9,-19,0"}).out,
             Catch::StartsWith("trial 0 of run: reproduced"));
}

TEST_CASE("the worst trials are listed, with the command that replays the first") {
  Program program;
  run_to_replay(program);
  std::vector<Arguments> rows = trials(program);
  std::stable_sort(rows.begin(), rows.end(), [](const Arguments& a, const Arguments& b) {
    return std::stod(a[kResidual]) > std::stod(b[kResidual]);
  });
  const ProgramResult result = program.run({"replay", "run", "--worst", "4"});
  CHECK(result.exit_code == 0);
  std::istringstream lines(result.out);
  std::string line;
  std::getline(lines, line);
  CHECK_THAT(line, Catch::Contains("trial") && Catch::Contains("residual"));
  for (std::size_t k = 0; k < 4; ++k) {
    std::string trial;
    std::string outcome;
    lines >> trial >> outcome;
    std::getline(lines, line);
    CHECK(trial == rows[k][0]);
    CHECK(outcome == rows[k][kOutcome]);
  }
  CHECK_THAT(result.out,
             Catch::EndsWith("To replay the first:\n  graspmap replay run " + rows[0][0] + "\n"));
}

TEST_CASE("what cannot be replayed is one line, exit code 2, and writes nothing") {
  Program program;
  run_to_replay(program);
  const auto [args, named] = GENERATE(table<Arguments, std::string>({
      {Arguments{}, "RUNDIR is missing"},
      {{"run"}, "TRIAL is missing"},
      {{"run", "--out", "a.svg"}, "TRIAL is missing"},
      {{"none", "3"}, "no such folder"},
      {{"run", "3", "4"}, "also '4'"},
      {{"run", "x"}, "TRIAL: 'x'"},
      {{"run", "1.5"}, "TRIAL: '1.5'"},
      {{"run", "99999999999999999999"}, "TRIAL: '99999999999999999999'"},
      {{"run", "18"}, "0-17"},
      {{"run", "3", "--worst", "2"}, "--worst"},
      {{"run", "3", "--cell", "0,0"}, "--cell"},
      {{"run", "3", "--outcome", "missed"}, "--outcome"},
      {{"run", "--worst", "2", "--cell", "0,0"}, "--cell"},
      {{"run", "--worst", "2", "--out", "a.svg"}, "--out"},
      {{"run", "--worst", "2", "--json"}, "--json"},
      {{"run", "--worst", "0"}, "1 to 10000"},
      {{"run", "--worst", "10001"}, "1 to 10000"},
      {{"run", "--worst", "many"}, "--worst: 'many'"},
      {{"run", "--cell", "0"}, "--cell: '0'"},
      {{"run", "--cell", "0,0,0,0"}, "--cell: '0,0,0,0'"},
      {{"run", "--cell", "0,x"}, "--cell"},
      {{"run", "--cell", "10.5,-3", "--out", "a.svg"}, "x from -10 to 10 mm, y from -20 to 0 mm"},
      {{"run", "--cell", "1,-3,0.1"}, "--cell 1,-3,0.1: is not on the map of run"},
      {{"run", "--outcome", "wegded"}, "success, wedged, missed, timeout, blocked, failed"},
      {{"run", "--outcome", "failed", "--out", "a.svg"}, "18 trials ended: "},
      {{"run", "3", "--out", "a.jpg"}, "FILE.gif or FILE.csv"},
      {{"run", "3", "--out", "svg"}, "FILE.gif or FILE.csv"},
      {{"run", "3", "--out", ""}, "--out"},
      {{"run", "3", "--speed", "2"}, "--speed"},
  }));
  CAPTURE(args);
  const ProgramResult result = program.run(join({"replay"}, args));
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
  CHECK(program.names() == Names{"run"});
}

TEST_CASE("a file that cannot be written is told before the trial is run, and is exit code 2") {
  Program program;
  run_to_replay(program);
  const ProgramResult result = program.run({"replay", "run", "3", "--out", "none/a.svg"});
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::Contains("none/a.svg") && Catch::Contains("'none' is not"));
}

TEST_CASE("without gnuplot there is no animation, the trial is told all the same") {
  Program program;
  run_to_replay(program);
  program.search_path = "/nowhere";
  const ProgramResult result = program.run({"replay", "run", "3", "--out", "a.gif"});
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.out, Catch::Contains("reproduced to the last bit"));
  CHECK_THAT(result.err, Catch::Contains("gnuplot"));
  CHECK(program.names() == Names{"run"});
  CHECK(program.run({"replay", "run", "3", "--out", "a.svg"}).exit_code == 0);
}

}  // namespace
}  // namespace graspmap::testing
