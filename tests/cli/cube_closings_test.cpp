#include <catch2/catch.hpp>
#include <map>
#include <sstream>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/source_dir.hpp"

/// The commands of docs/tutorial/real-cube.md, on a small experiment with the columns of its data.

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kCubeColumns =
    "placement_id,repeat,x_mm,y_mm,theta_rad,success,tip_above_centre_mm,opening_mm,source_qs\n";

/// What a simulated laboratory found: held in the middle, missed beside it, mixed between.
const std::string kCubeTrials =
    "# origin = simulated\n" + kCubeColumns +
    "p1,1,3.4,2.5,0.1,1,-1.0,50,1\np1,2,3.4,2.5,0.1,1,-1.0,50,1\n"
    "p2,1,0,19.2,0,1,10.5,50,0\np2,2,0,19.2,0,0,10.5,50,0\np2,3,0,19.2,0,1,10.5,50,0\n"
    "p3,1,-2,23.7,0.02,0,10.5,50,1\np3,2,-2,23.7,0.02,0,10.5,50,1\n";
const std::string kCubePlanned = "n1,1,1,-3,0.02,,3,50,1\nn2,1,1,-24,0.02,,3,50,1\n";

/// The columns of a table by name, row by row.
std::vector<std::map<std::string, std::string>> cube_rows(const std::string& csv) {
  std::istringstream lines(csv);
  const auto fields = [](const std::string& line) {
    std::vector<std::string> words;
    std::istringstream text(line);
    for (std::string word; std::getline(text, word, ',');) words.push_back(word);
    return words;
  };
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = fields(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> words = fields(line);
    REQUIRE(words.size() == names.size());
    auto& row = rows.emplace_back();
    for (std::size_t k = 0; k < names.size(); ++k) row[names[k]] = words[k];
  }
  return rows;
}

/// A small run of the cube in the folder "cube".
void run_cube(Program& program) {
  const ProgramResult run =
      program.run({"run", testing::source_dir() + "/configs/cube_closings.toml", "--out", "cube",
                   "--no-plots", "--quiet", "--set", "sweep.trials_per_cell=2"});
  CAPTURE(run.err);
  REQUIRE(run.exit_code == 0);
}

}  // namespace

TEST_CASE("real cube: compare with a session for each placement, and predict planned ones") {
  Program program;
  run_cube(program);
  (void)program.folder().write("closings.csv", kCubeTrials + kCubePlanned);
  const ProgramResult found =
      program.run({"compare", "cube", "closings.csv", "--columns", "session=placement_id",
                   "--no-plots", "--quiet", "--trials", "3000"});
  CAPTURE(found.out, found.err);
  REQUIRE(found.exit_code == 0);
  CHECK_THAT(found.out,
             Contains("4 of 7 trials succeeded") &&
                 Contains("Predicted in placements.csv: 2 placements without a result."));
  const auto rows = cube_rows(program.text("cube/compare/placements.csv"));
  REQUIRE(rows.size() == 5);
  CHECK(rows[1].at("session") == "p2");
  CHECK(rows[1].at("trials") == "3");
  CHECK(rows[3].at("session") == "n1");
  CHECK(rows[3].at("theta_min_rad") == "0.02");
  CHECK(rows[3].at("trials") == "0");
  CHECK(std::stod(rows[3].at("expected_probability")) > 0.9);
  CHECK(std::stod(rows[4].at("expected_probability")) < 0.5);
  CHECK(std::stod(rows[3].at("expected_low")) < std::stod(rows[3].at("expected_probability")));
}

TEST_CASE("real cube: compare predicts a list of placements that has no result") {
  Program program;
  run_cube(program);
  (void)program.folder().write("new.csv", "# origin = measured\n" + kCubeColumns + kCubePlanned);
  const ProgramResult found =
      program.run({"compare", "cube", "new.csv", "--no-plots", "--quiet", "--trials", "3000"});
  REQUIRE(found.exit_code == 0);
  CHECK_THAT(found.out, StartsWith("Nothing to compare: no trial has a result.\n"
                                   "Predicted in placements.csv: 2 placements"));
  CHECK(cube_rows(program.text("cube/compare/placements.csv")).size() == 2);
  const ProgramResult none = program.run({"calibrate", "cube", "new.csv", "--simulate"});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.err, Contains("new.csv:2: no trial has a result; there must be at least one"));
}

TEST_CASE("real cube: calibrate predicts planned placements after what it has learned", "[slow]") {
  Program program;
  run_cube(program);
  (void)program.folder().write("closings.csv", kCubeTrials + kCubePlanned);
  const ProgramResult found =
      program.run({"calibrate", "cube", "closings.csv", "--columns", "session=placement_id",
                   "--simulate", "--with", "gripper.finger.pad_width_mm", "--no-plots", "--quiet"});
  CAPTURE(found.out, found.err);
  REQUIRE(found.exit_code == 0);
  CHECK_THAT(found.out, Contains("7 trials of the experiment at 3 placements;") &&
                            Contains("Predicted in map.csv: 2 placements without a result."));
  const auto rows = cube_rows(program.text("cube/calibrate/map.csv"));
  REQUIRE(rows.size() == 5);
  CHECK(rows[3].at("trials") == "0");
  const double held = std::stod(rows[3].at("probability"));
  CHECK(held > 0.9);
  CHECK(std::stod(rows[3].at("probability_low")) < held);
  CHECK(std::stod(rows[4].at("probability")) < 0.5);
}

}  // namespace graspmap::testing
