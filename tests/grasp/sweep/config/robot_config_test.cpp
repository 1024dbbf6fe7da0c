#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <numbers>

#include "grasp/base/io/csv.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/config/robot_error.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The short configuration with [robot].
std::string robot_text(const std::string& keys) {
  return std::string(kConfigText) + "\n[robot]\n" + keys + "\n";
}

RobotError robot_of(const std::string& keys) { return *sweep_of(robot_text(keys)).robot; }

/// A map over angles in place of one angle.
std::string over_angles(const std::string& text) {
  return replaced(text, "[placement]",
                  "[placement]\ntheta_min_rad = -0.2\ntheta_max_rad = 0.2\ntheta_cells = 4");
}

}  // namespace

TEST_CASE("each way to say the robot's error is read, and written to the last bit") {
  for (const char* keys :
       {"repeatability_mm = 0.05", "position_range_mm = 0.3", "position_sigma_mm = 0.1",
        "position_sigma_mm = [0.1, 0.2]\nrepeats = 8", "position_covariance_mm2 = [0.1, 0.02, 0.3]",
        "deviations = [[0.1, 0], [0, 0.1], [-0.1, 0], [0, -0.1], [0.3, 0.7]]",
        "position_sigma_mm = 0\n[robot.camera]\nposition_range_mm = 0.25\noffset_sigma_mm = 0.5"}) {
    CAPTURE(keys);
    const SweepConfig config = sweep_of(robot_text(keys));
    REQUIRE(config.robot);
    check_equal(sweep_of(to_toml(config)), config);
    CHECK(to_toml(sweep_of(to_toml(config))) == to_toml(config));
  }
  CHECK_FALSE(sweep_of(std::string(kConfigText)).robot);
  CHECK(to_toml(sweep_of(std::string(kConfigText))).find("robot") == std::string::npos);
}

TEST_CASE("angles of the robot's error may be in degrees") {
  const SweepConfig config = sweep_of(over_angles(
      robot_text("position_sigma_mm = 1\nangle_sigma_deg = 2\noffset_angle_sigma_deg = 1")));
  CHECK(*config.robot->angle_sigma_rad == Approx(2 * std::numbers::pi / 180));
  CHECK(*config.robot->offset_angle_sigma_rad == Approx(std::numbers::pi / 180));
}

TEST_CASE("a column of angles in degrees is not passed over") {
  const auto angles = [](const std::string& header) {
    const CsvTable table = parse_csv("x_mm," + header + "\n", "t.csv");
    return find_angle_column(table);
  };
  CHECK_THROWS_WITH(angles("theta_deg"),
                    "t.csv:1: theta_deg: unknown column; must be theta_rad, in radians");
  CHECK(angles("theta_deg,theta_rad") == 2);
  CHECK_FALSE(angles("y_mm"));
}

TEST_CASE("a repeatability is 3.616 sigma of the distance in space") {
  // The distance r of three independent standard normals has the density sqrt(2/pi) r^2 e^(-r^2/2);
  // its moments here by the trapezoidal rule.
  double mean = 0;
  double square = 0;
  constexpr double kStep = 1e-4;
  for (double r = kStep; r < 12; r += kStep) {
    const double density = std::sqrt(2 / std::numbers::pi) * r * r * std::exp(-r * r / 2);
    mean += r * density * kStep;
    square += r * r * density * kStep;
  }
  CHECK(repeatability_in_sigmas() ==
        Approx(mean + 3 * std::sqrt(square - mean * mean)).epsilon(1e-7));
  CHECK(repeatability_in_sigmas() == Approx(3.616).margin(0.0005));
  const auto [x, y, theta] = robot_of("repeatability_mm = 3.616").standard_deviations();
  CHECK(x == Approx(1).epsilon(1e-4));
  CHECK(y == x);
  CHECK(theta == 0);
}

TEST_CASE("standard deviations of robot and camera add as independent ones do") {
  const auto [x, y, theta] =
      robot_of("position_sigma_mm = [3, 1]\n[robot.camera]\nposition_range_mm = 4")
          .standard_deviations();
  CHECK(x == Approx(std::sqrt(9 + 16.0 / 3)));
  CHECK(y == Approx(std::sqrt(1 + 16.0 / 3)));
  CHECK(theta == 0);
}

TEST_CASE("an offset has standard deviations of its own") {
  const RobotError error = robot_of(
      "position_sigma_mm = 0.5\n[robot.camera]\nposition_range_mm = 1\n"
      "offset_sigma_mm = [0.1, 0.2]");
  CHECK(error.offset_standard_deviations() == std::array{0.0, 0.0, 0.0});
  CHECK(error.camera->offset_standard_deviations() == std::array{0.1, 0.2, 0.0});
  const auto turned = sweep_of(over_angles(
      robot_text("position_sigma_mm = 0.5\nangle_sigma_rad = 0.1\noffset_angle_sigma_rad = 0.3")));
  CHECK(turned.robot->offset_standard_deviations() == std::array{0.0, 0.0, 0.3});
}

TEST_CASE("an offset is named beside the random error") {
  CHECK(error_words(robot_of("position_sigma_mm = 0.5\noffset_sigma_mm = 0.8\n[robot.camera]\n"
                             "position_range_mm = 1\noffset_sigma_mm = [0.1, 0]")) ==
        "0.5 mm in x and 0.5 mm in y (standard deviations),\n"
        "an offset that is unknown but the same in each grasp, of 0.8 mm in x and 0.8 mm in y,\n"
        "and the camera's of ±1 mm in x and in y,\n"
        "an offset that is unknown but the same in each grasp, of 0.1 mm in x and 0 mm in y");
}

TEST_CASE("measured deviations come from a file, and stay in the resolved configuration") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "moves.csv")
      << "x_mm,y_mm,note\n1,0,a\n0,1,b\n-1,0,c\n0,-1,d\n0.5,2,e\n";
  const auto read = [&](const std::string& text) {
    return parse_sweep_config(text, (folder.path() / "sweep.toml").string());
  };
  const SweepConfig config = read(robot_text("measured = \"moves.csv\""));
  REQUIRE(config.robot->deviations.size() == 5);
  CHECK(config.robot->deviations[4] == std::array{0.5, 2.0, 0.0});
  check_equal(sweep_of(to_toml(config)), config);
  const auto [x, y, theta] = config.robot->standard_deviations();
  CHECK(x == Approx(std::sqrt(2.25 / 5 - 0.01)));
  CHECK(y == Approx(std::sqrt(6.0 / 5 - 0.16)));
  CHECK_THAT(error_words(*config.robot), Catch::StartsWith("5 measured deviations"));

  // With angles they need a map of them.
  std::ofstream(folder.path() / "moves.csv")
      << "x_mm,y_mm,theta_rad\n1,0,0.1\n0,1,0\n-1,0,0\n0,-1,0\n0.5,2,-0.1\n";
  CHECK_THROWS_WITH(read(robot_text("measured = \"moves.csv\"")),
                    Catch::Contains("robot.measured: the sweep has one angle only"));
  CHECK_THROWS_WITH(read(robot_text("measured = \"none.csv\"")),
                    Catch::Contains("none.csv: cannot be read: No such file or directory (named by "
                                    "robot.measured, "));
  const SweepConfig turned = read(over_angles(robot_text("measured = \"moves.csv\"")));
  CHECK(turned.robot->deviations[0] == std::array{1.0, 0.0, 0.1});
  check_equal(sweep_of(to_toml(turned)), turned);
}

TEST_CASE("errors of a robot that cannot be give one line with file, line and key") {
  const auto mistake = [](const std::string& key, const std::string& keys,
                          const std::string& says) {
    return Mistake{"position_sigma_mm = 1", keys, key + " =", "robot." + key, says};
  };
  check_mistakes(
      robot_text("position_sigma_mm = 1"), "sweep.toml", sweep_error,
      {mistake("position_sigma_mm", "position_sigma_mm = -1", "must be a finite number >= 0"),
       mistake("position_sigma_mm", "position_sigma_mm = [1, -2]",
               "is -2; must be a finite number >= 0"),
       mistake("position_sigma_mm", "position_sigma_mm = [1, 2, 3]", "must be a list of 2"),
       mistake("position_sigma_mm", "position_sigma_mm = 1\nposition_range_mm = 1",
               "several errors of the position; must be one of repeatability_mm, "),
       mistake("repeatability_mm", "repeatability_mm = 0", "must be a finite number > 0"),
       mistake("position_covariance_mm2", "position_covariance_mm2 = [1, 2, 1]",
               "is [1, 2, 1]; must be [xx, xy, yy] with"),
       mistake("repeats", "repeatability_mm = 1\nrepeats = 9", "must go with position_sigma_mm"),
       mistake("repeats", "position_sigma_mm = 1\nrepeats = 3", "must be an integer from 4"),
       mistake("angle_sigma_rad", "position_sigma_mm = 1\nangle_sigma_rad = 0.1",
               "the sweep has one angle only"),
       mistake("deviations", "deviations = [[1, 2], [3, 4]]",
               "has 2 deviations; must have 5 to 1000"),
       mistake("deviations", "deviations = [[1, 2], [3, 4, 5], [1, 2], [1, 2], [1, 2]]",
               "must be all with theta, or none"),
       mistake("deviations", "deviations = [[400, 1], [401, 2], [400, 3], [400, 1], [399, 1]]",
               "more than half of the map"),
       mistake("deviations", "deviations = [[1e200, 0], [-1e200, 0], [0, 1], [1, 0], [0, 0]]",
               "must be lengths and angles of a robot"),
       mistake("position_sigm_mm", "position_sigm_mm = 1", "did you mean position_sigma_mm")});
  CHECK_THROWS_WITH(sweep_of(robot_text("offset_sigma_mm = 1")),
                    Catch::Contains("robot.position_sigma_mm: missing; must be one of "
                                    "repeatability_mm, position_range_mm"));
  CHECK_THROWS_WITH(
      sweep_of(over_angles(robot_text(
          "position_sigma_mm = 1\nangle_sigma_rad = 0.1\nangle_covariance_mm_rad = [1, 0]"))),
      Catch::Contains("robot.angle_covariance_mm_rad: must be [xt, yt] (mm rad)"));
  CHECK_THROWS_WITH(sweep_of(over_angles(robot_text(
                        "position_sigma_mm = 1\nangle_sigma_rad = 0.1\nangle_range_rad = 0.1"))),
                    Catch::Contains("robot.angle_range_rad: does not go with angle_sigma_rad"));
}

TEST_CASE("configurations that differ in [robot] alone are those of one sweep") {
  const SweepConfig a = sweep_of(robot_text("position_sigma_mm = 1"));
  const SweepConfig b = sweep_of(std::string(kConfigText));
  CHECK(to_toml(a) != to_toml(b));
  CHECK(config_differences(a, b).empty());
  CHECK(sweep_differences_text(a, b).empty());
}
