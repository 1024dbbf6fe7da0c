#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/source_dir.hpp"

/// Grasps for a robot, and detections of a camera, as a user asks for them.

namespace graspmap::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Catch::Contains;

const Arguments kExport = {"export", "run",    "--position-sigma-mm", "1", "--height-mm",
                           "10",     "--quiet"};
const Arguments kJointsExport = join(kExport, {"--joints", "left,right"});
/// The plane's x shows along the robot's y.
const Arguments kFrame = {"--frame-position-mm", "400,-120,15", "--frame-rpy-rad",
                          "0,0,1.5707963267948966"};

void robot_quick_run(Program& program, const std::string& folder = "run",
                     const Arguments& more = {}) {
  REQUIRE(program
              .run(join({"run", kConfigs + "/lock_piece_quick.toml", "--no-plots", "--quiet",
                         "--out", folder},
                        more))
              .exit_code == 0);
}

/// What tests/support/check_grasps.py prints: quality, position, quaternion of each grasp.
std::vector<std::vector<double>> checked_grasps(Program& program, const std::string& file) {
  const ProgramResult result = program.run_program(
      GRASPMAP_PYTHON, {testing::source_dir() + "/tests/support/check_grasps.py", file});
  INFO(result.err);
  if (result.exit_code == 77) {
    WARN("PyYAML is missing: the grasps are not checked");
    return {};
  }
  REQUIRE(result.exit_code == 0);
  std::vector<std::vector<double>> grasps;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    auto& grasp = grasps.emplace_back();
    for (double number = 0; numbers >> number;) grasp.push_back(number);
  }
  REQUIRE(!grasps.empty());
  return grasps;
}

/// "(0, -10.5) mm" of a text.
std::vector<double> planned_place(const std::string& text) {
  const std::size_t end = text.find(") mm");
  std::istringstream numbers(text.substr(text.rfind('(', end) + 1));
  double x = 0;
  double y = 0;
  char comma = ' ';
  numbers >> x >> comma >> y;
  return {x, y};
}

TEST_CASE("grasps for MoveIt are the messages of its definitions, where the plan says") {
  Program program;
  robot_quick_run(program);
  const ProgramResult plan = program.run({"plan", "run", "--no-plots", "--position-sigma-mm", "1"});
  const std::vector<double> at = planned_place(plan.out);
  REQUIRE(program.run(join(kJointsExport, join(kFrame, {"--format", "moveit"}))).exit_code == 0);
  const std::string text = program.text("run/grasps_moveit.yaml");
  CHECK_THAT(text, Catch::StartsWith("# graspmap ") && Contains("frame_id: \"base_link\"") &&
                       Contains("max_contact_force: 10.0"));
  const auto grasps = checked_grasps(program, "run/grasps_moveit.yaml");
  if (grasps.empty()) return;
  // The plane is turned by a quarter: the robot's x is the plane's -y.
  CHECK(grasps[0][1] == Approx((400 - at[1]) / 1000).margin(2e-6));
  CHECK(grasps[0][2] == Approx((-120 + at[0]) / 1000).margin(2e-6));
  CHECK(grasps[0][3] == Approx(0.025));
  // Looking down, its x along the robot's y: half a turn about the axis between x and y.
  CHECK(std::abs(grasps[0][4]) < 1e-5);
  CHECK(grasps[0][5] == Approx(std::sqrt(0.5)).margin(1e-5));
  CHECK(grasps[0][6] == Approx(std::sqrt(0.5)).margin(1e-5));
  SECTION("with the lower end of the interval as their quality") {
    REQUIRE(program
                .run(join(kJointsExport, {"--format", "moveit", "--quality", "lower", "--out",
                                          "lower.yaml", "--grasps", "1"}))
                .exit_code == 0);
    const auto lower = checked_grasps(program, "lower.yaml");
    CHECK(lower.size() == 1);
    CHECK(lower[0][0] < grasps[0][0]);
    CHECK_THAT(program.text("lower.yaml"), Contains("frame_id: \"lock_piece_quick\""));
  }
}

TEST_CASE("grasps for Isaac are of its format, in the part's frame") {
  Program program;
  robot_quick_run(program);
  const ProgramResult plan = program.run({"plan", "run", "--no-plots", "--position-sigma-mm", "1"});
  const std::vector<double> at = planned_place(plan.out);
  REQUIRE(program.run(join(kJointsExport, {"--format", "isaac", "--object", "/World/part"}))
              .exit_code == 0);
  CHECK_THAT(program.text("run/grasps_isaac.yaml"),
             Contains("format: \"isaac_grasp\"\nformat_version: 1.0\n"
                      "object_frame_link: \"/World/part\"\n"));
  const auto grasps = checked_grasps(program, "run/grasps_isaac.yaml");
  if (grasps.empty()) return;
  CHECK(grasps[0][1] == Approx(at[0] / 1000).margin(2e-6));
  CHECK(grasps[0][2] == Approx(at[1] / 1000).margin(2e-6));
  CHECK(grasps[0][3] == Approx(0.01));
  CHECK(grasps[0][5] == Approx(1));  // looking down, half a turn about x
}

TEST_CASE("a program for a robot goes above, down, closes and lifts") {
  Program program;
  robot_quick_run(program);
  const Arguments args = join(kExport, join(kFrame, {"--format", "urscript"}));
  REQUIRE(program.run(args).exit_code == 0);
  const std::string text = program.text("run/grasps.script");
  CHECK_THAT(text, Contains("of the grasps succeed (95 % interval ") &&
                       Contains("\ndef graspmap_pick():\n") && Contains("  halt\n") &&
                       Contains("  part = p[0.400000, -0.120000, 0.015000, 0.000000, 0.000000, "
                                "1.570796]\n") &&
                       Contains(", 0.010000, 3.141593, 0.000000, 0.000000]  # grasp 0: ") &&
                       Contains("  before = pose_trans(grasp, p[0.000000, 0.000000, -0.100000, "));
  std::size_t from = 0;
  for (const char* step :
       {"  graspmap_open()\n", "  movej(before, a=joint_acceleration, v=joint_speed)\n",
        "  movel(grasp, a=acceleration, v=speed)\n", "  graspmap_close()\n",
        "  movel(after, a=acceleration, v=speed)\nend\n"}) {
    from = text.find(step, from);
    CHECK(from != std::string::npos);
  }
  // def, while and their kind have as many ends.
  std::istringstream lines(text);
  int open = 0;
  for (std::string line; std::getline(lines, line);) {
    CHECK(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }));
    const std::string words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    open += words.starts_with("def ") ? 1 : words == "end" ? -1 : 0;
  }
  CHECK(open == 0);
  REQUIRE(
      program.run(join(args, {"--output", "3", "--speed-mm-s", "50", "--out", "-"})).exit_code ==
      0);
  const std::string with_output = program.run(join(args, {"--output", "3", "--out", "-"})).out;
  CHECK_THAT(with_output, Contains("set_standard_digital_out(3, True)\n    sleep(1.000)\n") &&
                              !Contains("popup"));
}

TEST_CASE("several resting faces make one library, as JSON") {
  Program program;
  robot_quick_run(program);
  robot_quick_run(program, "side", {"--set", "name=side", "--set", "robot.position_sigma_mm=1"});
  const ProgramResult result =
      program.run({"export", "run", "side", "--format", "json", "--height-mm", "10", "--out",
                   "library.json", "--position-sigma-mm", "0.5", "--robot-points-mm",
                   "400,-120,15,400,80.5,15,250,-120,15", "--plane-points-mm", "0,0;200,0;0,150"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Contains("differ by up to 0.5 mm") && Contains("of side in library.json"));
  const std::string text = program.text("library.json");
  CHECK_THAT(text, Contains("\"format\": \"graspmap_grasps\"") &&
                       Contains("\"name\": \"lock_piece_quick\"") &&
                       Contains("\"name\": \"side\"") && Contains("\"covariance\": [") &&
                       Contains("\"residual_mm\": 0.5") && Contains("\"part_in_tool\": {"));
  const std::string version = program.run({"--version"}).out;
  const ProgramResult json = program.run_program(
      GRASPMAP_PYTHON, {testing::source_dir() + "/tests/support/check_json.py", ".", version});
  CHECK(json.exit_code == 0);
}

TEST_CASE("the pose in the hand is that of graspmap pose") {
  Program program;
  robot_quick_run(program);
  REQUIRE(program.run(join(kExport, {"--format", "json", "--grasps", "1"})).exit_code == 0);
  const std::vector<double> at =
      planned_place(program.run({"plan", "run", "--no-plots", "--position-sigma-mm", "1"}).out);
  std::ostringstream place;
  place << at[0] << "," << at[1];
  REQUIRE(program
              .run({"pose", "run", "--no-plots", "--placement", place.str(), "--position-sigma-mm",
                    "1"})
              .exit_code == 0);
  // The first mean in each: the same digits.
  const auto mean = [](const std::string& text) {
    const std::size_t begin = text.find("\"x_mm\": ", text.find("\"mean\": {"));
    return text.substr(begin, text.find(',', begin) - begin);
  };
  CHECK(mean(program.text("run/grasps.json")) == mean(program.text("run/pose/pose.json")));
}

TEST_CASE("wrong exports are one line, with nothing written") {
  Program program;
  robot_quick_run(program);
  const auto [more, words] = GENERATE(table<Arguments, std::string>({
      {{"--format", "moveit", "--position-sigma-mm", "1"}, "--height-mm: missing"},
      {{"--format", "moveit", "--position-sigma-mm", "1", "--height-mm", "5"}, "--joints: missing"},
      {{"--format", "json", "--height-mm", "5"}, "give --position-sigma-mm"},
      {{"--format", "urscript", "--position-sigma-mm", "1", "--height-mm", "5"},
       "--frame: missing"},
      {{"--format", "isaac", "--height-mm", "5", "--frame-rpy-rad", "0,0,0"},
       "--frame-rpy-rad: is for --format moveit, urscript, json, not isaac"},
      {{"--format", "ros"}, "must be"},
      {{"--height-mm", "5"}, "--height-mm: is for grasps"},
      {{"run", "--format", "csv"}, "one RUNDIR is enough"},
      {{"run", "--format", "json", "--height-mm", "5"}, "--out: missing"},
      {{"run", "--format", "isaac", "--height-mm", "5", "--joints", "a"}, "with json only"},
      {{"run", "--format", "json", "--height-mm", "5", "--position-sigma-mm", "1", "--out", "a"},
       "are both called"},
      {{"--format", "json", "--height-mm", "5", "--frame", "none.toml"}, "none.toml"},
      {{"--format", "json", "--height-mm", "5", "--position-sigma-mm", "1", "--frame-quaternion",
        "1,1,0,0"},
       "length 1"},
  }));
  CAPTURE(more);
  const Arguments before = program.names("run");
  const ProgramResult result = program.run(join({"export", "run"}, more));
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Contains(words));
  CHECK(program.names("run") == before);
  CHECK(program.names() == Arguments{"run"});
}

TEST_CASE("detections become deviations that plan takes") {
  Program program;
  robot_quick_run(program);
  std::ofstream looks(program.path("looks.csv"));
  looks << "x_mm,y_mm,theta_rad\n";
  for (int k = 0; k < 20; ++k) {
    const double x = 100 + 0.1 * ((7 * k) % 5 - 2);
    const double theta = (k % 4 == 0 ? 3.14159265 : 0.0) + 0.001 * (k % 3);
    looks << (k == 9 ? ",," : std::to_string(x) + ",50," + std::to_string(theta)) << "\n";
  }
  looks.close();
  const ProgramResult result =
      program.run({"detections", "looks.csv", "--period-deg", "180", "--positions-only"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("19 of 20 looks found the part; 1 missed it") &&
                             Contains("5 had another multiple of 180 degrees") &&
                             Contains("--measured outputs/looks_detections/deviations.csv"));
  CHECK(program.names("outputs/looks_detections") ==
        Arguments{"detections.json", "deviations.csv"});
  const ProgramResult plan = program.run(
      {"plan", "run", "--no-plots", "--measured", "outputs/looks_detections/deviations.csv"});
  CHECK(plan.exit_code == 0);
  CHECK_THAT(plan.out, Contains("19 measured deviations"));
  const ProgramResult wrong = program.run({"detections", "looks.csv", "--period-deg", "0"});
  CHECK(wrong.exit_code == 2);
  CHECK(count_lines(wrong.err) == 1);
}

}  // namespace
}  // namespace graspmap::testing
