#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

/// The robot's error in the configuration: run, plan, pose and report answer with it, alike.

namespace graspmap::testing {
namespace {

using Catch::Contains;

ProgramResult robot_run(Program& program, const std::vector<std::string>& robot,
                        const std::vector<std::string>& more = {}) {
  std::vector<std::string> args = {
      "run", kConfigs + "/lock_piece_quick.toml", "--no-plots", "--quiet", "--out", "run"};
  for (const std::string& assignment : robot) {
    args.insert(args.end(), {"--set", "robot." + assignment});
  }
  return program.run(join(args, more));
}

std::string first_lines(const std::string& text, int lines) {
  std::size_t end = 0;
  for (int n = 0; n < lines; ++n) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

/// "(0, -10.5) mm" of a text's first line.
std::string place_in(const std::string& text) {
  const std::size_t begin = text.find('(');
  return text.substr(begin, text.find(" mm", begin) - begin);
}

TEST_CASE("run, plan, pose and summary.json name one placement and its success", "[slow]") {
  Program program;
  // The interval of so few trials is too wide for 95 %.
  const ProgramResult run =
      robot_run(program, {"position_sigma_mm=1"}, {"--set", "summary.plateau_probability=0.9"});
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.out, Catch::StartsWith("Put the gripper at (") &&
                          Contains("with a positioning error of\n1 mm in x and 1 mm in y (standard "
                                   "deviations)\n"));
  const ProgramResult plan = program.run({"plan", "run", "--no-plots"});
  CHECK(plan.exit_code == 0);
  CHECK(first_lines(plan.out, 3) == first_lines(run.out, 3));
  // The same as by the option, and an option is in place of [robot].
  CHECK(program.run({"plan", "run", "--no-plots", "--position-sigma-mm", "1"}).out == plan.out);
  CHECK_THAT(program.run({"plan", "run", "--no-plots", "--repeatability-mm", "2"}).out,
             Contains("of a repeatability of 2 mm"));
  CHECK_THAT(
      program.run({"pose", "run", "--no-plots"}).out,
      Contains("at the placement " + place_in(run.out) + " mm with a positioning error of 1 mm"));
  CHECK_THAT(program.run({"sensitivity", "run", "--no-plots"}).out,
             Contains("At the run's answer, " + place_in(run.out) + " mm") &&
                 !Contains("in place of 0.5 mm"));
  const std::string summary = program.text("run/summary.json");
  const std::string x = place_in(run.out).substr(1, place_in(run.out).find(',') - 1);
  CHECK_THAT(summary, Contains("\"answer\": \"yes\"") && Contains("\"error\": \"1 mm in x") &&
                          Contains("\"robot\": {\n    \"error\": ") && Contains("\"x_mm\": " + x));
  CHECK(program.run({"plot", "run"}).exit_code == 0);
  CHECK_THAT(program.text("run/figures/success_map.gp"), Contains("gripper at (" + x + ","));
}

TEST_CASE("sensitivity prints a command that it takes, whatever the robot") {
  Program program;
  REQUIRE(robot_run(program, {"position_sigma_mm=1", "repeats=9"}).exit_code == 0);
  const std::string text = program.run({"sensitivity", "run", "--no-plots"}).out;
  CHECK_THAT(text, Contains("with your robot's error in place of 0.5 mm:\n") &&
                       Contains(" --position-sigma-mm 0.5 \\\n"));
}

TEST_CASE("a run goes on with another robot, and its trials stay") {
  Program program;
  REQUIRE(robot_run(program, {}).exit_code == 0);
  const std::string digest = program.run({"hash", "run"}).out;
  const ProgramResult resumed = robot_run(program, {"position_range_mm=2"}, {"--resume"});
  CHECK(resumed.exit_code == 0);
  CHECK_THAT(resumed.out, Contains("with a positioning error of\n±2 mm in x and in y"));
  CHECK(program.run({"hash", "run"}).out == digest);
  CHECK_THAT(program.text("run/config.toml"), Contains("[robot]\nposition_range_mm = 2.0\n"));
  CHECK_THAT(robot_run(program, {}, {"--resume"}).out, Contains("in each cell within +-"));
  CHECK_THAT(program.text("run/config.toml"), !Contains("[robot]"));
  CHECK(program.run({"hash", "run"}).out == digest);
}

TEST_CASE("a robot that is too inexact gets a no with the reason, everywhere") {
  Program program;
  const ProgramResult run = robot_run(program, {"position_sigma_mm=6"});
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, Catch::StartsWith(
                          "No placement succeeds reliably, in 95 % or more, with a positioning "
                          "error of\n6 mm in x and 6 mm in y (standard deviations):\n") &&
                          Contains("\nTo see one: graspmap replay run --outcome "));
  CHECK_THAT(program.text("run/summary.json"), Contains("\"answer\": \"no\""));
  const ProgramResult plan = program.run({"plan", "run", "--no-plots"});
  CHECK(plan.exit_code == 0);
  CHECK(first_lines(plan.out, 4) == first_lines(run.out, 4));
  CHECK_THAT(program.text("run/plan/plan.json"), Contains("\"answer\": \"no\""));
}

TEST_CASE("measured deviations are found beside the configuration, and errors name their line") {
  Program program;
  std::ofstream(program.path("moves.csv")) << "x_mm,y_mm\n0.1,0\n0,0.2\n-0.1,0\n0,-0.2\n1,1\n";
  const std::string file = "measured=\"" + program.path("moves.csv").string() + "\"";
  const ProgramResult run = robot_run(program, {file});
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, Contains("with a positioning error of\n5 measured deviations (standard "));
  CHECK_THAT(program.text("run/config.toml"), Contains("deviations = [[0.1, 0.0], [0.0, 0.2], "));
  const ProgramResult plan = program.run({"plan", "run", "--no-plots", "--measured", "moves.csv"});
  CHECK(first_lines(plan.out, 3) == first_lines(run.out, 3));

  std::ofstream(program.path("moves.csv")) << "x_mm,y_mm\n0.1,0\nx,0\n";
  const ProgramResult wrong = robot_run(program, {file}, {"--force"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.err, Contains("moves.csv:3: x_mm: "));
}

TEST_CASE("a pose is of the sweet spot without a robot, and says how far it is off") {
  Program program;
  const ProgramResult run = robot_run(program, {});
  const ProgramResult pose = program.run({"pose", "run", "--no-plots"});
  CHECK_THAT(pose.out, Contains("at the placement " + place_in(run.out) +
                                " mm with a positioning error of ±3 mm in x and in y, the sweet "
                                "spot's square.\n") &&
                           Contains("The placement alone would leave it at (1, 11) mm, turned by 0 "
                                    "rad: on average it is\n("));
  CHECK_THAT(program.text("run/pose/pose.json"), Contains("\"mean_deviation\": {\n    \"x_mm\": "));
}

TEST_CASE("options that do not exist, and percentages, are told what was meant") {
  Program program;
  const auto error = [&](const std::vector<std::string>& args) { return program.run(args).err; };
  CHECK_THAT(error({"plan", "run", "--sigma", "1"}),
             Contains("; did you mean --position-sigma-mm?"));
  CHECK_THAT(error({"plan", "run", "--repeat", "8"}), Contains("; did you mean --repeats?"));
  CHECK_THAT(error({"plan", "run", "--zzz", "8"}), !Contains("did you mean"));
  REQUIRE(robot_run(program, {}).exit_code == 0);
  CHECK_THAT(error({"plan", "run", "--required-probability", "99"}),
             Contains(" and below 1: 0.99?"));
  CHECK_THAT(error({"plan", "run"}), Contains("put [robot] into the configuration"));
  CHECK_THAT(error({"plan", "run", "--repeatability-mm", "1", "--position-range-mm", "1"}),
             Contains("several errors of the position; must be one of --repeatability-mm, "
                      "--position-range-mm, --position-sigma-mm, --position-covariance-mm2, "
                      "--measured ("));
}

TEST_CASE("init writes the robot's error as it was given") {
  Program program;
  const auto init = [&](const std::vector<std::string>& more) {
    return program.run(join({"init", "--shape", "disc", "--no-plots", "--force"}, more));
  };
  CHECK_THAT(init({}).out,
             Contains("\nThen: graspmap plan outputs/disc --required-probability 0.99\n"));
  CHECK_THAT(program.text("disc.toml"),
             Contains("\nposition_sigma_mm = 0.5\n") && Contains("\ntrials_per_cell = 150\n"));
  REQUIRE(init({"--robot-repeatability-mm", "0.1"}).exit_code == 0);
  CHECK_THAT(program.text("disc.toml"),
             Contains("\n[robot]\n") && Contains("\nrepeatability_mm = 0.1\n"));
  REQUIRE(init({"--robot-range-mm", "0.2"}).exit_code == 0);
  CHECK_THAT(program.text("disc.toml"), Contains("\nposition_range_mm = 0.2\n"));
  CHECK_THAT(init({"--robot-range-mm", "1", "--robot-sigma-mm", "1"}).err,
             Contains("give one of --robot-sigma-mm"));
}

}  // namespace
}  // namespace graspmap::testing
