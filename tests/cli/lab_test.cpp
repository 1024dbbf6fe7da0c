#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"

// graspmap-lab as a user runs it; simulate_test.cpp and validate_test.cpp have its larger commands.

namespace graspmap::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;

void check_refused_by_lab(const ProgramResult& result, const std::string& says) {
  CHECK(result.exit_code == 2);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Contains(says));
}

TEST_CASE("graspmap-lab has the commands of graspmap besides its own") {
  const std::string help = Program(kLab).run({"--help"}).out;
  for (const char* command :
       {"simulate", "validate", "certify", "study-steppers", "run", "plan", "hash"}) {
    CHECK_THAT(help, Contains(std::string("  graspmap-lab ") + command));
  }
  CHECK_THAT(Program(kLab).run({"--version"}).out, StartsWith("graspmap-lab "));
}

TEST_CASE("sweeps with other time-steppers are for graspmap-lab, and so are their runs") {
  Program lab(kLab);
  const std::vector<std::string> sweep =
      join(join({"run", lock_piece(), "--no-plots", "--quiet", "--out", "r"}, small_sweep()),
           {"--set", "simulation.stepper=anitescu-hart", "--set", "simulation.step_s=0.01"});
  const ProgramResult run = lab.run(sweep);
  CHECK(run.err.empty());
  REQUIRE(run.exit_code == 0);
  CHECK(lab.run({"replay", "r", "0"}).exit_code == 0);

  Program program;
  const ProgramResult refused = program.run(sweep);
  CHECK(refused.exit_code == 2);
  CHECK(count_lines(refused.err) == 1);
  CHECK_THAT(refused.err,
             Contains("simulation.stepper: is \"anitescu-hart\"") && Contains("graspmap-lab"));
  CHECK(program.names() == std::vector<std::string>{});
  const std::string there = lab.path("r").string();
  for (const char* command : {"replay", "plan", "hash", "export", "plot", "report"}) {
    std::vector<std::string> words{command, there};
    if (words[0] == "replay") words.emplace_back("0");
    if (words[0] == "plan") words = join(words, {"--position-sigma-mm", "1,1"});
    CAPTURE(command);
    const ProgramResult result = program.run(words);
    CHECK(result.exit_code == 2);
    CHECK(count_lines(result.err) == 1);
    CHECK_THAT(result.err, Contains("only graspmap-lab has others"));
  }
}

TEST_CASE("a simulation of hours, or with too many states, must be asked for") {
  Program lab(kLab);
  const std::string scene = testing::source_dir() + "/configs/scenes/rolling_disc.toml";
  const ProgramResult hours =
      lab.run({"simulate", scene, "--duration-s", "1e6", "--step-s", "0.01", "--set",
               "body.1.kind=regular_polygon", "--set", "body.1.radius_mm=", "--set",
               "body.1.vertices=1000", "--set", "body.1.circumradius_mm=1000", "--out", "o"});
  check_refused_by_lab(hours, "100000000 steps of 1 body that moves are expected to take about ");
  CHECK_THAT(hours.err, Contains("or be asked for with --force"));
  check_refused_by_lab(
      lab.run({"simulate", scene, "--duration-s", "1e4", "--every", "1", "--out", "o"}),
      "--every: 1 keeps more than 500000 states of 2 bodies");
  CHECK(lab.names("o").empty());
}

TEST_CASE("simulate says what a sweep is") {
  check_refused_by_lab(Program(kLab).run({"simulate", lock_piece(), "--out", "o"}),
                       "part: this is the configuration of a sweep, for graspmap run; ");
}

TEST_CASE("certify counts digits in any folder, and fails where a promise is broken") {
  Program lab(kLab);
  const ProgramResult all = lab.run({"certify", "--quiet", "--csv", "ends.csv"});
  CHECK(all.err.empty());
  CHECK(all.exit_code == 0);
  CHECK_THAT(all.out, Contains("\norder 2: 30 problems, digits from ") &&
                          Contains("\norder 1: 30 problems, digits from "));
  CHECK_THAT(lab.text("ends.csv"), StartsWith("problem,level,order,quantity,certified,"
                                              "certified_digits,computed,digits\n"));

  std::string text = file_text(kConfigs + "/certified/disc_in_v.toml");
  const std::string promise = "least_digits = 8";
  REQUIRE(text.find(promise) != std::string::npos);
  text.replace(text.find(promise), promise.size(), "least_digits = 14");
  std::ofstream(lab.path("mine.toml")) << text;
  const ProgramResult broken = lab.run({"certify", "mine.toml", "--quiet"});
  CHECK(broken.exit_code == 1);
  CHECK(count_lines(broken.err) == 1);
  CHECK_THAT(broken.err, StartsWith("graspmap: mine.toml:") &&
                             Contains(": certified.least_digits: is 14, and opening_mm has 9."));
  // The promise is of the second order, with its default accuracy.
  CHECK(lab.run({"certify", "mine.toml", "--order", "1"}).exit_code == 0);
}

TEST_CASE("certify names what it cannot read") {
  Program lab(kLab);
  std::filesystem::create_directory(lab.path("empty"));
  check_refused_by_lab(lab.run({"certify", "empty"}), "'empty' has no problem; must have files");
  check_refused_by_lab(lab.run({"certify", "none.toml"}), "none.toml: cannot be read");
  check_refused_by_lab(lab.run({"certify", "--step-s", "0.001"}), "--step-s: must go with --order");
  check_refused_by_lab(lab.run({"certify", "--order", "3"}), "--order");
  CHECK_THAT(lab.run({"certify", lock_piece(), "--csv", "e.csv"}).err,
             Contains(": level: missing") && Contains(": why: missing"));
  check_refused_by_lab(lab.run({"certify", "--csv", "none/e.csv"}),
                       "--csv: 'none/e.csv'; must be in a folder that is there; 'none' is not");
  CHECK(lab.names() == std::vector<std::string>{"empty"});
}

TEST_CASE("the examples of the papers are validated in any folder") {
  Program lab(kLab);
  const ProgramResult result = lab.run({"validate", "A1", "--no-plots", "--quiet"});
  CHECK(result.err.empty());
  CHECK(result.exit_code == 0);
}

TEST_CASE("man pages are written for a program and its own commands") {
  Program lab(kLab);
  CHECK(lab.run({"__man-pages", "."}).exit_code == 0);
  CHECK(lab.names() == std::vector<std::string>{"graspmap-lab-certify.1", "graspmap-lab-simulate.1",
                                                "graspmap-lab-study-steppers.1",
                                                "graspmap-lab-validate.1", "graspmap-lab.1"});
}

TEST_CASE("keys of a scene are completed for the scene that is named") {
  Program lab(kLab);
  const std::vector<std::string> simulate = {"__complete", "simulate",
                                             kConfigs + "/scenes/box_stack.toml", "--set"};
  CHECK_THAT(lab.run(join(simulate, {""})).out, Contains("\nsolver. \n"));
  CHECK_THAT(lab.run(join(simulate, {"solver.stepper=anitescu-h"})).out,
             Contains("\nsolver.stepper=anitescu-hart-convex \n"));
  CHECK_THAT(lab.run({"__complete", "validate", "A"}).out, StartsWith("words\nA0 \nA1 \n"));
}

}  // namespace
}  // namespace graspmap::testing
