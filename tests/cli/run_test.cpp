#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

using Names = std::vector<std::string>;

const Names kRunFiles = {"config.toml", "map.csv", "run.sqlite", "summary.json", "trials.csv"};

/// The arguments of a small run without figures.
std::vector<std::string> small_run(const std::vector<std::string>& more = {}) {
  return join(join({"run", lock_piece(), "--no-plots"}, small_sweep()), more);
}

TEST_CASE("a run writes its folder and answers first") {
  Program program;
  const ProgramResult result = program.run(small_run());
  CHECK(result.exit_code == 0);
  CHECK(program.names("outputs") == Names{"lock_piece"});
  CHECK(program.names("outputs/lock_piece") == kRunFiles);
  CHECK(count_lines(program.text("outputs/lock_piece/trials.csv")) == 1 + 18);
  CHECK(count_lines(program.text("outputs/lock_piece/map.csv")) == 1 + 9);
  CHECK_THAT(program.text("outputs/lock_piece/trials.csv"),
             Catch::StartsWith(
                 "index,cell_x,cell_y,cell_theta,x_mm,y_mm,theta_rad,mu_jaw,"
                 "mu_support,outcome,end_time_s,part_x_mm,part_y_mm,part_theta_rad,jaw_right_x_mm,"
                 "jaw_left_x_mm,steps,worst_residual\n0,0,0,0,"));
  CHECK_THAT(program.text("outputs/lock_piece/summary.json"),
             Catch::Contains("\"complete\": true") && Catch::Contains("\"trials_done\": 18"));
  CHECK_THAT(result.out, Catch::StartsWith("Too few trials to tell whether a placement "));
  CHECK_THAT(result.out, Catch::Contains("Outcomes") && Catch::Contains("Solver") &&
                             Catch::Contains("Files in outputs/lock_piece"));
  CHECK_THAT(result.err, Catch::Contains("100 % (18 of 18 trials)"));
}

TEST_CASE("no progress is shown with --quiet") {
  Program program;
  const ProgramResult result = program.run(small_run({"--quiet"}));
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
}

TEST_CASE("the files are the same bytes for any number of threads") {
  Program program;
  for (const char* threads : {"1", "2", "8"}) {
    CHECK(program.run(small_run({"--threads", threads, "--out", threads})).exit_code == 0);
  }
  for (const char* file : {"config.toml", "trials.csv", "map.csv"}) {
    const std::string one = program.text(std::string("1/") + file);
    CHECK_FALSE(one.empty());
    CHECK(program.text(std::string("2/") + file) == one);
    CHECK(program.text(std::string("8/") + file) == one);
  }
}

TEST_CASE("the resolved configuration repeats the run") {
  Program program;
  CHECK(program.run(small_run({"--out", "first"})).exit_code == 0);
  CHECK(program.run({"run", "first/config.toml", "--no-plots", "--out", "second"}).exit_code == 0);
  CHECK(program.text("second/trials.csv") == program.text("first/trials.csv"));
  CHECK(program.text("second/config.toml") == program.text("first/config.toml"));
}

TEST_CASE("a finished run is not overwritten without --force") {
  Program program;
  CHECK(program.run(small_run()).exit_code == 0);
  const std::string trials = program.text("outputs/lock_piece/trials.csv");
  const ProgramResult refused = program.run(small_run({"--set", "sweep.seed=5"}));
  CHECK(refused.exit_code == 2);
  CHECK(count_lines(refused.err) == 1);
  CHECK_THAT(refused.err, Catch::Contains("finished run") && Catch::Contains("--force"));
  CHECK(program.text("outputs/lock_piece/trials.csv") == trials);
  CHECK(program.run(small_run({"--set", "sweep.seed=5", "--force"})).exit_code == 0);
  CHECK(program.text("outputs/lock_piece/trials.csv") != trials);
}

TEST_CASE("a bad configuration is one line with file, line and key, and nothing is written") {
  Program program;
  const auto [override, key] = GENERATE(table<std::string, std::string>({
      {"gripper.opning_mm=60", "gripper.opning_mm"},
      {"sweep.trials_per_cell=0", "sweep.trials_per_cell"},
      {"placement.x_cells=0", "placement.x_cells"},
      {"placement.x_min_mm=20", "placement.x_m"},
      {"friction.jaw=-0.1", "friction.jaw"},
      {"part.piece.0.exponent=1.5", "exponent"},
      {"gripper.coupling=welded", "gripper.coupling"},
  }));
  CAPTURE(override);
  const ProgramResult result = program.run(small_run({"--set", override}));
  CHECK(result.exit_code == 2);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(key));
  CHECK(program.names().empty());
}

TEST_CASE("a folder that cannot be written is found before the sweep") {
  Program program;
  std::ofstream(program.path("file")) << "x";
  // Ten million trials: it would not end if it began.
  const ProgramResult result = program.run(
      {"run", lock_piece(), "--out", "file/below", "--set", "sweep.trials_per_cell=25000"});
  CHECK(result.exit_code == 2);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Catch::Contains("file/below") && Catch::Contains("'file' is a file"));
  CHECK(program.names() == Names{"file"});
}

TEST_CASE("a disk without room for a store leaves no file under its final name") {
  Program program;
  program.file_size_limit = 4096;
  const ProgramResult result = program.run(small_run());
  CHECK(result.exit_code == 1);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Catch::Contains("run.sqlite"));
  for (const std::string& name : program.names("outputs/lock_piece")) {
    CHECK(name == "run.sqlite");
  }
}

TEST_CASE("a run is completed when nobody reads its output any more") {
  Program program;
  std::ofstream(program.path("first_line")) << "#!/bin/sh\n"
                                               "{ $GRASPMAP \"$@\"; echo $? > code; } | true\n";
  std::filesystem::permissions(program.path("first_line"), std::filesystem::perms::owner_all);
  program.run_program(program.path("first_line"), join({"run", lock_piece()}, small_sweep()));
  CHECK(program.text("code") == "0\n");
  CHECK(program.names("outputs/lock_piece").size() == kRunFiles.size() + 1);
}

TEST_CASE("figures are drawn, and a missing gnuplot is a warning only") {
  Program program;
  const auto args = join({"run", lock_piece()}, small_sweep());
  SECTION("with gnuplot") {
    const ProgramResult result = program.run(args);
    CHECK(result.exit_code == 0);
    CHECK(program.names("outputs/lock_piece").size() == kRunFiles.size() + 1);
    CHECK(std::filesystem::file_size(program.path("outputs/lock_piece/figures/success_map.png")) >
          0);
    CHECK(program.run({"plot", "outputs/lock_piece"}).exit_code == 0);
  }
  SECTION("without gnuplot") {
    program.search_path = "/nonexistent";
    const ProgramResult result = program.run(args);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.err, Catch::Contains("warning: no figures: ") && Catch::Contains("gnuplot"));
    CHECK(program.names("outputs/lock_piece") == kRunFiles);
    CHECK(program.run({"plot", "outputs/lock_piece"}).exit_code == 1);
  }
}

}  // namespace
}  // namespace graspmap::testing
