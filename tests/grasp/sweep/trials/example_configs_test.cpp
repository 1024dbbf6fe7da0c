#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "tests/support/source_dir.hpp"

// The examples of drawn parts and fingers in configs/ end as statics says.

namespace graspmap {
namespace {

const std::filesystem::path kExamples = std::filesystem::path(testing::source_dir()) / "configs";

struct Grasp {
  double x_mm = 0;
  double y_mm = 0;
  double theta_rad = 0;
  double mu_jaw = 0.2;
};

TrialRow example_grasp(const SweepConfig& config, const Grasp& grasp) {
  Workspace workspace;
  SimulationResult result;
  return run_trial(config, {grasp.x_mm, grasp.y_mm, grasp.theta_rad, grasp.mu_jaw, 0.25}, workspace,
                   result);
}

double opening_mm(const TrialRow& row) { return row.jaw_right_mm - row.jaw_left_mm; }

TEST_CASE("the nut turns flat when the line of its corners leaves the friction cone") {
  const SweepConfig config = read_sweep_config(kExamples / "hex_nut.toml", {});
  for (const double mu : {0.1, 0.15, 0.25}) {
    // theta of the corners is 30 degrees; so is that of 90, 150, ... degrees.
    const double threshold = std::numbers::pi / 6 - std::atan(mu);
    for (const double turn : {0.0, std::numbers::pi / 3, -2 * std::numbers::pi / 3}) {
      CAPTURE(mu, turn);
      const TrialRow flat = example_grasp(config, {0, 6, turn + threshold - 0.01, mu});
      CHECK(flat.outcome == Outcome::kSuccess);
      CHECK(opening_mm(flat) == Approx(24).margin(1e-6));
      CHECK(flat.final_pose.angle_rad == Approx(turn).margin(1e-6));
      const TrialRow wedged = example_grasp(config, {0, 6, turn + threshold + 0.01, mu});
      CHECK(wedged.outcome == Outcome::kWedged);
      const double corners_mm = 24 / std::cos(std::numbers::pi / 6);
      CHECK(opening_mm(wedged) == Approx(corners_mm * std::cos(std::atan(mu) - 0.01)).margin(1e-4));
    }
  }
}

TEST_CASE("the bracket turns square between the fingers, unless a fingertip meets its fillet") {
  const SweepConfig config = read_sweep_config(kExamples / "l_bracket.toml", {});
  for (const double mu : {0.1, 0.3}) {
    for (const double theta : {-0.15, 0.15}) {
      CAPTURE(mu, theta);
      const TrialRow square = example_grasp(config, {6, -25, theta, mu});
      CHECK(square.outcome == Outcome::kSuccess);
      CHECK(square.final_pose.angle_rad == Approx(0).margin(1e-6));
      CHECK(opening_mm(square) == Approx(12).margin(1e-6));
    }
  }
  // The tip of 2 mm fits into the fillet of 5 mm up to y = -15 + 2. Above, it pushes the bracket up
  // as long as the fillet is steeper than friction.
  const TrialRow below = example_grasp(config, {6, -13.1, 0, 0.3});
  CHECK(below.outcome == Outcome::kSuccess);
  CHECK(below.final_pose.position_mm.y() == Approx(13.1).margin(1e-6));
  CHECK(example_grasp(config, {6, -11.8, 0, 0.3}).outcome == Outcome::kWedged);
  const TrialRow pushed = example_grasp(config, {6, -11.8, 0, 0.1});
  CHECK(pushed.outcome == Outcome::kSuccess);
  CHECK(pushed.final_pose.position_mm.y() > 12.5);
}

TEST_CASE("the rod is turned by its shank, within its taper, and not by its big eye") {
  const SweepConfig config = read_sweep_config(kExamples / "connecting_rod.toml", {});
  const double taper = std::atan(0.03);
  for (const double theta : {-0.2, 0.1, 0.2}) {
    CAPTURE(theta);
    const TrialRow shank = example_grasp(config, {0, 50, theta});
    CHECK(shank.outcome == Outcome::kSuccess);
    CHECK(std::abs(shank.final_pose.angle_rad) < taper + 1e-6);
    const TrialRow eye = example_grasp(config, {0, 0, theta});
    CHECK(eye.outcome == Outcome::kWedged);
    CHECK(eye.final_pose.angle_rad == Approx(theta).margin(1e-3));
    CHECK(opening_mm(eye) == Approx(44).margin(1e-6));
  }
}

// The drawing has nine digits, so its joints are tangent to 1e-8 rad. The fillet must not reach
// beyond its joint with the small eye, where the eye curves away.
TEST_CASE("a pad slides from the rod's small eye into the fillet beside it") {
  const SweepConfig config = read_sweep_config(kExamples / "connecting_rod.toml", {});
  for (const double y_mm : {85.0, 85.7358, 86.5}) {
    CAPTURE(y_mm);
    const TrialRow row = example_grasp(config, {5.12361, y_mm, 0.0270103, 0.297786});
    CHECK(row.outcome == Outcome::kSuccess);
  }
}

TEST_CASE("V-grooves take the shaft to their middle, flat fingers leave it where it is") {
  const std::filesystem::path file = kExamples / "v_fingers.toml";
  const SweepConfig grooves = read_sweep_config(file, {});
  const SweepConfig flat = read_sweep_config(file, {"gripper.finger={ tip_radius_mm = 1 }"});
  for (const double y_mm : {8.0, 11.0, 16.0}) {
    CAPTURE(y_mm);
    const TrialRow held = example_grasp(grooves, {1, y_mm});
    CHECK(held.outcome == Outcome::kSuccess);
    CHECK(held.final_pose.position_mm.y() == Approx(-12).margin(1e-6));
    // 12 mm / sin(60 degrees) from the bottom of each groove, which is 5 mm deep.
    CHECK(opening_mm(held) == Approx(2 * (12 / std::sin(std::numbers::pi / 3) - 5)).margin(1e-6));
    const TrialRow anywhere = example_grasp(flat, {1, y_mm});
    CHECK(anywhere.outcome == Outcome::kWedged);
    CHECK(anywhere.final_pose.position_mm.y() == Approx(-y_mm).margin(1e-6));
  }
  // The groove's edge is 8.66 mm from its middle; the shaft leaves it where the slope exceeds mu.
  const double capture = 5 * std::numbers::sqrt3 - 12 * std::sin(std::atan(0.2));
  CHECK(example_grasp(grooves, {0, 12 + capture - 0.2}).outcome == Outcome::kSuccess);
  CHECK(example_grasp(grooves, {0, 12 + capture + 0.2}).outcome == Outcome::kWedged);
}

}  // namespace
}  // namespace graspmap
