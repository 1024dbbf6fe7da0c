#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/cli/runs.hpp"

// Runs that are stopped, killed, resumed, extended and split.

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;
using Seconds = std::chrono::duration<double>;

constexpr double kRun_s = 0.6;

/// The trials per cell with which a run takes about kRun_s here, whatever the build and the load.
int trials_per_cell_for_a_moment(Program& program) {
  const auto start = std::chrono::steady_clock::now();
  CHECK(program.run(run_of(20, {"--out", "calibration"})).exit_code == 0);
  const double elapsed_s = Seconds(std::chrono::steady_clock::now() - start).count();
  return std::clamp(static_cast<int>(20.0 * kRun_s / elapsed_s), 20, 2000);
}

TEST_CASE("a run that is killed at 20 random moments and resumed is the run that was not",
          "[slow]") {
  Program program;
  const int trials_per_cell = trials_per_cell_for_a_moment(program);
  CAPTURE(trials_per_cell);
  CHECK(program.run(run_of(trials_per_cell, {"--out", "whole"})).exit_code == 0);
  const std::string whole = digest(program, "whole");

  std::mt19937 random(20);
  std::uniform_real_distribution<double> moment_s(0.0, 1.2 * kRun_s);
  int folder = 0;
  for (int kills = 0; kills < 20;) {
    const std::string name = "killed_" + std::to_string(folder);
    program.start(run_of(trials_per_cell, {"--out", name, "--resume"}));
    sleep(moment_s(random));
    program.send(SIGKILL);
    const ProgramResult result = program.wait();
    if (result.signal == SIGKILL) {
      ++kills;
      continue;
    }
    // It was faster than the signal.
    CHECK(result.exit_code == 0);
    CHECK(digest(program, name) == whole);
    ++folder;
  }
  const std::string last = "killed_" + std::to_string(folder);
  CHECK(program.run(run_of(trials_per_cell, {"--out", last, "--resume"})).exit_code == 0);
  CHECK(digest(program, last) == whole);
  CHECK(program.text(last + "/trials.csv") == program.text("whole/trials.csv"));
  CHECK(program.text(last + "/map.csv") == program.text("whole/map.csv"));
}

TEST_CASE("a second process is refused with the first one's process id, readers are not") {
  Program first;
  first.start(run_of(20000, {"--out", "run"}));
  wait_for_trials(first, "run");
  Program second;
  const std::string folder = first.path("run").string();
  const ProgramResult refused = second.run(run_of(20000, {"--out", folder, "--resume"}));
  CHECK(refused.exit_code == 2);
  CHECK(count_lines(refused.err) == 1);
  CHECK_THAT(refused.err, Catch::Contains("process " + std::to_string(first.id()) + " on host"));
  CHECK(second.run(run_of(20000, {"--out", folder, "--force"})).exit_code == 2);
  CHECK(second.run({"plot", folder}).exit_code == 0);

  first.send(SIGKILL);
  CHECK(first.wait().signal == SIGKILL);
  second.start(run_of(20000, {"--out", folder, "--resume"}));
  wait_for_trials(first, "run");
  sleep(0.5);
  second.send(SIGINT);
  const ProgramResult resumed = second.wait();
  CHECK(resumed.exit_code == 130);
  CHECK_THAT(resumed.err, Catch::Contains("process " + std::to_string(first.id()) + " on host") &&
                              Catch::Contains("ended without finishing"));
}

/// The first lines of a text.
std::string head(const std::string& text, std::size_t lines) {
  std::size_t end = 0;
  while (lines-- > 0 && end < text.size()) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

TEST_CASE("an interrupted run says what it kept and the command that goes on") {
  const auto [signal, code] =
      GENERATE(table<int, int>({{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}));
  Program program;
  // Far more trials than there is time for.
  program.start(run_of(100'000, {"--out", "run"}));
  wait_for_trials(program, "run");
  program.send(signal);
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == code);
  CHECK_THAT(result.err, Catch::Contains("are kept in run. To continue:\n  graspmap run ") &&
                             Catch::EndsWith(" --out run --resume\n"));
  CHECK_THAT(program.text("run/summary.json"), Catch::Contains("\"complete\": false"));
  const std::string table = program.text("run/trials.csv");
  const std::size_t kept = count_lines(table) - 1;
  CHECK(kept > 0);
  CHECK_THAT(program.text("run/summary.json"),
             Catch::Contains("\"trials_done\": " + std::to_string(kept) + ","));

  const ProgramResult refused = program.run(run_of(100'000, {"--out", "run"}));
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Catch::Contains("an incomplete run (" + std::to_string(kept) + " of ") &&
                              Catch::Contains("--resume") && Catch::Contains("--force"));

  // What was kept are the first trials, as a shorter run has them.
  CHECK(program.run(run_of(20, {"--out", "short"})).exit_code == 0);
  const std::size_t compared = std::min<std::size_t>(kept, 180) + 1;
  CHECK(head(table, compared) == head(program.text("short/trials.csv"), compared));
}

TEST_CASE("a run extended in two steps is the run of all its trials") {
  Program program;
  CHECK(program.run(run_of(9, {"--out", "whole"})).exit_code == 0);
  CHECK(program.run(run_of(2, {"--out", "run"})).exit_code == 0);
  const ProgramResult extended = program.run(run_of(2, {"--out", "run", "--trials-per-cell", "5"}));
  CHECK(extended.exit_code == 0);
  CHECK_THAT(extended.err, Catch::Contains("18 of 45 trials already exist"));
  CHECK(program.run(run_of(9, {"--out", "run", "--resume"})).exit_code == 0);
  CHECK(digest(program, "run") == digest(program, "whole"));
  for (const char* file : {"/trials.csv", "/map.csv", "/config.toml"}) {
    CHECK(program.text(std::string("run") + file) == program.text(std::string("whole") + file));
  }

  const ProgramResult fewer = program.run(run_of(4, {"--out", "run", "--resume"}));
  CHECK(fewer.exit_code == 2);
  CHECK_THAT(fewer.err, Catch::Contains("sweep.trials_per_cell") && Catch::Contains("9"));
}

TEST_CASE("a finished run is resumed by doing nothing but its files") {
  Program program;
  CHECK(program.run(run_of(2, {"--out", "run"})).exit_code == 0);
  const std::string before = digest(program, "run");
  std::filesystem::remove(program.path("run/map.csv"));
  CHECK(program.run(run_of(2, {"--out", "run", "--resume"})).exit_code == 0);
  CHECK(digest(program, "run") == before);
  CHECK(count_lines(program.text("run/map.csv")) == 10);
}

TEST_CASE("a run of another configuration is not resumed, and the keys that differ are named") {
  Program program;
  CHECK(program.run(run_of(2, {"--out", "run"})).exit_code == 0);
  const std::string before = digest(program, "run");
  const ProgramResult refused =
      program.run(run_of(2, {"--out", "run", "--resume", "--set", "gripper.opening_mm=63", "--set",
                             "part.piece.0.exponent=3"}));
  CHECK(refused.exit_code == 2);
  CHECK(count_lines(refused.err) == 1);
  CHECK_THAT(refused.err, Catch::Contains("gripper.opening_mm") &&
                              Catch::Contains("part.piece.0.exponent") && Catch::Contains("63"));
  CHECK_THAT(refused.err, !Catch::Contains("sweep.seed"));
  CHECK(digest(program, "run") == before);
}

TEST_CASE("options that contradict each other or are no shard are refused") {
  Program program;
  CHECK(program.run(run_of(2, {"--resume", "--force"})).exit_code == 2);
  const std::string shard = GENERATE("0/2", "3/2", "1", "1/", "a/b", "1/2/3", "-1/2", "");
  CAPTURE(shard);
  const ProgramResult refused = program.run(run_of(2, {"--shard", shard}));
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Catch::Contains("--shard"));
  CHECK(program.names().empty());
}

TEST_CASE("a shard is not extended, nor taken for another one") {
  Program program;
  CHECK(program.run(run_of(4, {"--shard", "1/2", "--out", "run"})).exit_code == 0);
  CHECK(count_lines(program.text("run/trials.csv")) == 1 + 18);
  const ProgramResult longer =
      program.run(run_of(8, {"--shard", "1/2", "--out", "run", "--resume"}));
  CHECK(longer.exit_code == 2);
  CHECK_THAT(longer.err, Catch::Contains("shard"));
  const ProgramResult other =
      program.run(run_of(4, {"--shard", "2/2", "--out", "run", "--resume"}));
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.err, Catch::Contains("holds shard 1/2, not shard 2/2"));
}

TEST_CASE("a full disk keeps what was stored, and the run goes on when there is room") {
  Program program;
  CHECK(program.run(run_of(400, {"--out", "whole"})).exit_code == 0);
  program.file_size_limit = 300'000;
  const ProgramResult full = program.run(run_of(400, {"--out", "run"}));
  CHECK(full.exit_code == 1);
  CHECK_THAT(full.err, Catch::Contains("run.sqlite") && Catch::Contains("trials are kept") &&
                           Catch::Contains("--resume"));
  program.file_size_limit.reset();
  CHECK(program.run(run_of(400, {"--out", "run", "--resume"})).exit_code == 0);
  CHECK(digest(program, "run") == digest(program, "whole"));
}

TEST_CASE("a run whose folder is removed says that nothing is kept") {
  Program program;
  program.start(run_of(100'000, {"--out", "run"}));
  wait_for_trials(program, "run");
  std::filesystem::rename(program.path("run"), program.path("gone"));
  std::filesystem::remove_all(program.path("gone"));
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.err, Catch::EndsWith("graspmap: error: run/run.sqlite: was removed while it "
                                         "was written; no trials are kept\n"));
}

TEST_CASE("the trial table has the same digest for any number of threads") {
  Program program;
  for (const char* threads : {"1", "8"}) {
    CHECK(program.run(run_of(6, {"--threads", threads, "--out", threads})).exit_code == 0);
  }
  CHECK(digest(program, "1") == digest(program, "8"));
}

}  // namespace
}  // namespace graspmap::testing
