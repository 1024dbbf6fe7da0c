#include <catch2/catch.hpp>

#include "tests/cli/runs.hpp"

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* kCosts = R"(unit = "EUR"
[[input]]
key = "friction.jaw"
grades = [[0.15, 0], [0.05, 1]]
[[input]]
keys = ["robot.x_mm", "robot.y_mm"]
grades = [[6, 0], [2, 2]]
)";

/// `graspmap tolerances` with few grasps.
ProgramResult tolerances(Program& program, const Arguments& more) {
  return program.run(join(
      {"tolerances", "run", "--trials", "250", "--check-trials", "300", "--no-plots", "--quiet"},
      more));
}

void refused(Program& program, const Arguments& more, const std::string& says) {
  const ProgramResult result = tolerances(program, more);
  INFO(result.err);
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Catch::Contains(says));
  CHECK(count_lines(result.err) == 1);
}

}  // namespace

TEST_CASE("a budget of tolerances is shared and checked, and its files tell the same") {
  Program program;
  REQUIRE(program.run(run_of(1, {"--quiet", "--out", "run"})).exit_code == 0);
  (void)program.folder().write("costs.toml", kCosts);
  const Arguments asked = {"--placement", "0,-10",      "--required-probability", "0.8",
                           "--costs",     "costs.toml", "--position-sigma-mm",    "6"};
  const ProgramResult result = tolerances(program, asked);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("80 % or more of the grasps at (0, -10) mm succeed for "
                                           "2 EUR") &&
                             Catch::Contains("Checked by 300 new grasps") &&
                             Catch::Contains("Equal shares of the money") &&
                             Catch::Contains("of the 4 that are offered") &&
                             Catch::Contains("Files in run/tolerances: tolerances.json, "
                                             "tolerances.csv"));
  const std::string json = program.text("run/tolerances/tolerances.json");
  CHECK_THAT(json, Catch::Contains("\"found\": true") && Catch::Contains("\"cheapest\": {") &&
                       Catch::Contains("\"equal_shares\": {"));
  CHECK_THAT(program.text("run/tolerances/tolerances.csv"),
             Catch::Contains("friction.jaw,half_width,,0.15,0,0.15,0,0.05,1,") &&
                 Catch::Contains("\nrobot.x_mm and robot.y_mm,sigma,mm,6,0,2,2,2,2,"));
  // With another number of threads the same, byte for byte.
  REQUIRE(tolerances(program, join(asked, {"--threads", "1"})).out == result.out);
  CHECK(program.text("run/tolerances/tolerances.json") == json);
  // What cannot be reached.
  const ProgramResult never =
      tolerances(program, {"--placement", "8,-18", "--required-probability", "0.99", "--costs",
                           "costs.toml", "--position-sigma-mm", "6"});
  CHECK(never.exit_code == 0);
  CHECK_THAT(never.out, Catch::StartsWith("No set of the widths that are offered lets 99 %") &&
                            Catch::Contains("The narrowest of all costs 3 EUR"));
}

TEST_CASE("what is wrong with a question about tolerances is told in one line") {
  Program program;
  REQUIRE(program.run(run_of(1, {"--quiet", "--out", "run"})).exit_code == 0);
  (void)program.folder().write("costs.toml", kCosts);
  const Arguments asked = {"--placement", "0,-10", "--required-probability", "0.8"};
  refused(program, {}, "--placement: missing; must be X,Y");
  refused(program, asked, "--costs: missing; must be a file");
  refused(program, join(asked, {"--costs", "none.toml"}), "none.toml");
  refused(program, join(asked, {"--costs", "costs.toml"}),
          "costs.toml:6: input.1.keys: robot.x_mm");
  refused(program,
          {"--placement", "0,-99", "--required-probability", "0.8", "--costs", "costs.toml"},
          "outside of the map");
  refused(program,
          {"--placement", "0,-9", "--required-probability", "1.8", "--costs", "costs.toml"},
          "above 0 and below 1");
  CHECK(program.names("run/tolerances").empty());
}

TEST_CASE("the run's [robot] is simulated as it is, or refused with its key") {
  Program program;
  (void)program.folder().write("costs.toml", kCosts);
  const auto run = [&](const Arguments& robot) {
    Arguments more = {"--quiet", "--out", "run"};
    for (const std::string& key : robot) more.insert(more.end(), {"--set", "robot." + key});
    std::filesystem::remove_all(program.path("run"));
    REQUIRE(program.run(run_of(2, more)).exit_code == 0);
  };
  const Arguments asked = {"--placement", "0,-10",   "--required-probability",
                           "0.8",         "--costs", "costs.toml"};
  run({"position_range_mm=5"});
  CHECK_THAT(tolerances(program, asked).out, Catch::Contains("±5 mm"));
  CHECK_THAT(
      program.run({"sensitivity", "run", "--placement", "0,-10", "--no-plots", "--quiet"}).out,
      Catch::Contains("placements around (0, -10) mm, errors ±5 and ±5 mm"));

  run({"position_sigma_mm=1", "offset_sigma_mm=0.5"});
  refused(program, asked, "robot.offset_sigma_mm of the run: ");
  const ProgramResult sensitivity =
      program.run({"sensitivity", "run", "--placement", "0,-10", "--no-plots"});
  CHECK(sensitivity.exit_code == 2);
  CHECK_THAT(sensitivity.err, Catch::Contains("robot.offset_sigma_mm") &&
                                  Catch::Contains("give --position-sigma-mm SX,SY in place of"));
  CHECK(tolerances(program, join(asked, {"--position-sigma-mm", "1"})).exit_code == 0);

  run({"deviations=[[0,1],[0,2],[0,1.5],[0,0.5],[0,1.2]]"});
  refused(program, asked, "robot.measured of the run: ");
  run({"position_range_mm=1", "camera.position_sigma_mm=1"});
  refused(program, asked, "robot.position_range_mm of the run: a uniform error beside another one");
}

}  // namespace graspmap::testing
