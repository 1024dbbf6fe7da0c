#include <catch2/catch.hpp>
#include <numbers>

#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/sweep_text.hpp"

namespace graspmap {
namespace {

using testing::replaced;
using testing::sweep_of;

/// A hexagon of 24 mm across its flats, in place of the bar with a knob.
SweepConfig hexagon(const std::string& tables) {
  std::string text = testing::kConfigText;
  const std::size_t part = text.find("[part]");
  text.replace(part, text.find("[gripper]") - part,
               "[part]\ndensity_kg_mm3 = 7.85e-6\nthickness_mm = 10\n"
               "[[part.piece]]\nname = \"nut\"\n"
               "outline_mm = [[12, -6.928203230275509], [12, 6.928203230275509], "
               "[0, 13.856406460551018], [-12, 6.928203230275509], [-12, -6.928203230275509], "
               "[0, -13.856406460551018]]\n"
               "holes_mm = [[[-6, 0, 1], [6, 0, 1]]]\n");
  text = replaced(text, "left = [\"knob\"]\nright = [\"knob\"]",
                  "theta_rad = [-1e-8, 1e-8]\ntheta_period_rad = 1.0471975511965976\n"
                  "opening_mm = [23.9999, 24.0001]\nat_rest = true");
  text = replaced(text, "y_min_mm = -8\ny_max_mm = -2", "y_min_mm = -2\ny_max_mm = 12");
  return sweep_of(replaced(text, "[support]", tables + "\n[support]"));
}

TrialRow trial_at(const SweepConfig& config, double y_mm, double theta_rad) {
  Workspace workspace;
  SimulationResult result;
  return run_trial(config, {0.5, y_mm, theta_rad, 0.1, 0.3}, workspace, result);
}

TEST_CASE("a hexagon succeeds across its flats, in any of six angles") {
  const SweepConfig config = hexagon("");
  for (const double sixth : {0.0, 1.0, 3.0, -5.0}) {
    const TrialRow row = trial_at(config, 8, sixth * std::numbers::pi / 3 + 0.15);
    CHECK(row.outcome == Outcome::kSuccess);
    CHECK(row.final_pose.angle_rad == Approx(sixth * std::numbers::pi / 3).margin(1e-9));
    CHECK(row.jaw_right_mm - row.jaw_left_mm == Approx(24).epsilon(1e-9));
  }
  CHECK(trial_at(config, 8, std::numbers::pi / 6).outcome == Outcome::kWedged);
  CHECK(trial_at(config, -16, 0).outcome == Outcome::kMissed);
}

TEST_CASE("a stored configuration of outlines and fingers gives the same trials to the last bit") {
  const std::string groove =
      "[gripper.finger]\ntip_radius_mm = 1\ngroove_angle_rad = 2.0943951023931953\n"
      "groove_depth_mm = 3\ngroove_position_mm = -10\n";
  const std::string palm =
      "[gripper.palm]\noutline_mm = [[-50, -40], [50, -40], [50, -25], [-50, -25]]\n";
  const std::string pad =
      "[gripper.finger]\npad_width_mm = 20\npad_depth_mm = 8\ngroove_radius_mm = 15\n"
      "groove_depth_mm = 3\n";
  for (const std::string& tables : {std::string(), groove, groove + palm, pad}) {
    const SweepConfig config = hexagon(tables);
    const SweepConfig stored = sweep_of(to_toml(config));
    Workspace workspace;
    SimulationResult result;
    for (std::int64_t index = 0; index < 12; ++index) {
      const TrialRow row = run_trial(config, index, workspace, result);
      CHECK(identical(row, run_trial(stored, index, workspace, result)));
      CHECK(row.outcome != Outcome::kFailed);
    }
  }
}

}  // namespace
}  // namespace graspmap
