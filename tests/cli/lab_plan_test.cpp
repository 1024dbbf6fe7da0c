#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/runs.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;

/// The one line of a command line that cannot be run.
std::string problem(Program& program, const std::vector<std::string>& more) {
  std::vector<std::string> args = {"lab-plan", "run"};
  args.insert(args.end(), more.begin(), more.end());
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  return result.err;
}

}  // namespace

TEST_CASE("lab-plan says in one line what is wrong with a question") {
  Program program;
  REQUIRE(program.run(run_of(1, {"--quiet", "--out", "run"})).exit_code == 0);
  CHECK_THAT(problem(program, {}), Contains("must have one goal: --detect CHANGE"));
  CHECK_THAT(problem(program, {"--detect", "size_mm=1", "--agree-within", "5"}),
             Contains("must have one goal"));
  CHECK_THAT(problem(program, {"--detect", "size=1"}),
             Contains("'size' is no change; must be one of jaw_friction, support_friction"));
  CHECK_THAT(problem(program, {"--detect", "size_mm=1e300"}),
             Contains("--detect: 'size_mm=1e300'; must be of a number up to 100000 in size"));
  CHECK_THAT(problem(program, {"--detect", "jaw_friction=-0.2"}),
             Contains("friction is not negative"));
  CHECK_THAT(problem(program, {"--learn", "shift_x_mm"}), Contains("--learn: needs --to-width W"));
  CHECK_THAT(problem(program, {"--learn", "size_mm", "--to-width", "1"}),
             Contains("'size_mm'; must be one of level, shift_x_mm"));
  CHECK_THAT(problem(program, {"--agree-within", "5", "--to-width", "1"}),
             Contains("--to-width: belongs to --learn"));
  CHECK_THAT(problem(program, {"--agree-within", "0"}), Contains("percentage points > 0"));
  CHECK_THAT(problem(program, {"--agree-within", "5", "--power", "80"}),
             Contains("--power: '80'; must be a number from 0.5 to 0.99"));
  CHECK_THAT(problem(program, {"--agree-within", "5", "--placements", "informative"}),
             Contains("not for this goal"));
  CHECK_THAT(problem(program, {"--detect", "size_mm=1", "--placements", "even"}),
             Contains("must be spread or informative"));
  CHECK_THAT(problem(program, {"--trials", "8", "--sessions", "20"}),
             Contains("--sessions: '20'; must be at most --trials, 8"));
  CHECK_THAT(problem(program, {"--detect", "size_mm=1", "--sessions", "0"}),
             Contains("--sessions: '0'; must be a whole number from 1"));
  CHECK(program.names("run/lab_plan").empty());
}

TEST_CASE("lab-plan never orders the fingers into the part, and says what a number of trials shows",
          "[slow]") {
  Program program;
  REQUIRE(program
              .run({"run", kConfigs + "/lock_piece_quick.toml", "--no-plots", "--quiet", "--out",
                    "run", "--set", "sweep.trials_per_cell=2", "--set", "gripper.opening_mm=44"})
              .exit_code == 0);
  const ProgramResult plan =
      program.run({"lab-plan", "run", "--trials", "30", "--no-plots", "--out", "plan"});
  REQUIRE(plan.exit_code == 0);
  CHECK_THAT(plan.out, Contains("30 trials:\n30 placements, spread over the map.\nLeft out: ") &&
                           Contains("where the open fingers would overlap the part") &&
                           Contains("Agreement within ") && Contains("success in all"));
  CHECK_THAT(program.text("plan/lab_plan.json"), Contains("\"kind\": \"trials\"") &&
                                                     Contains("\"agree_within\"") &&
                                                     Contains("\"cells_left_out\""));
  // Each placement of the sheet, as a trial by itself.
  std::istringstream sheet(program.text("plan/run_sheet.csv"));
  std::size_t rows = 0;
  for (std::string row; std::getline(sheet, row);) {
    if (row.empty() || std::isdigit(static_cast<unsigned char>(row[0])) == 0) continue;
    ++rows;
    std::istringstream fields(row);
    std::string number;
    std::string x;
    std::string y;
    std::getline(fields, number, ',');
    std::getline(fields, x, ',');
    std::getline(fields, y, ',');
    CAPTURE(x, y);
    const ProgramResult trial = program.run({"trial", "run/config.toml", "--placement", x + "," + y,
                                             "--mu-jaw", "0.2", "--mu-support", "0.25"});
    CHECK(trial.exit_code == 0);
    CHECK_THAT(trial.out, !Contains("blocked"));
  }
  CHECK(rows == 30);
  // The picture names what success demands.
  CHECK_THAT(program.text("plan/run_sheet.html"),
             Contains(">tooth_1</text>") && Contains(">tooth_6</text>"));
}

TEST_CASE("lab-plan does not write over a run sheet that has results") {
  Program program;
  REQUIRE(program.run(run_of(1, {"--quiet", "--out", "run"})).exit_code == 0);
  std::filesystem::create_directories(program.path("run/lab_plan"));
  const std::string sheet = "# origin = measured\nnumber,x_mm,y_mm,success\n1,0,-10,\n2,1,-10,1\n";
  std::ofstream(program.path("run/lab_plan/run_sheet.csv")) << sheet;
  const ProgramResult refused = program.run({"lab-plan", "run", "--trials", "20", "--quiet"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("run_sheet.csv: success: has a result of the laboratory"));
  CHECK(program.text("run/lab_plan/run_sheet.csv") == sheet);
}

TEST_CASE("lab-plan writes over its own run sheet, until a result is in it", "[slow]") {
  Program program;
  REQUIRE(program.run(run_of(1, {"--quiet", "--out", "run"})).exit_code == 0);
  const std::vector<std::string> plan{"lab-plan",      "run", "--trials", "20",
                                      "--experiments", "200", "--quiet",  "--no-plots"};
  REQUIRE(program.run(plan).exit_code == 0);
  REQUIRE(program.run(plan).exit_code == 0);
  std::string sheet = program.text("run/lab_plan/run_sheet.csv");
  sheet.insert(sheet.find_last_not_of('\n') + 1, "1");
  std::ofstream(program.path("run/lab_plan/run_sheet.csv")) << sheet;
  const ProgramResult refused = program.run(plan);
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("success: has a result of the laboratory"));
  CHECK(program.text("run/lab_plan/run_sheet.csv") == sheet);
}

TEST_CASE("lab-plan --help teaches") {
  Program program;
  const ProgramResult help = program.run({"lab-plan", "--help"});
  CHECK(help.exit_code == 0);
  CHECK_THAT(help.out, Contains("--detect CHANGE") && Contains("run_sheet.csv") &&
                           Contains("graspmap lab-plan outputs/lock_piece --agree-within 5"));
}

}  // namespace graspmap::testing
