/// Trials whose numbers are drawn anew, against closed forms and against the same drawn otherwise.

#include <catch2/catch.hpp>
#include <cmath>

#include "geometry/outline_shapes.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/outlines.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sweep_text.hpp"
#include "tests/support/uncertain_grasps.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

TrialRow run_one(const SweepConfig& config, const TrialParameters& parameters) {
  Workspace workspace;
  SimulationResult result;
  return run_trial(config, parameters, workspace, result);
}

/// The rounded plate with a hole and a disc beside it, each `larger` than nominal.
Part plate_drawn_larger(double larger_mm) {
  const double x = 12.0 + larger_mm;
  const double y = 7.0 + larger_mm;
  Outline plate{rounded_chain({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, 2.0 + larger_mm), {}};
  OutlineLoop hole = circle_loop({3, 0}, 2.0 - larger_mm);
  for (OutlineElement& element : hole) element.bulge = -element.bulge;
  plate.holes.push_back(hole);
  return Part{{Piece{"disc", {5.0 + larger_mm, 5.0 + larger_mm, 2.0}, {{4, 9}, 0.0}}},
              {OutlinePiece{"plate", {plate.outer, {}}, {{1, -1}, 0.3}}}};
}

}  // namespace

TEST_CASE("a disc between fingertips is held where its radius is large enough") {
  // Between the fingertips' corners a disc slides out where mu < tan(beta), sin(beta) = depth / R.
  const double depth = 6.0;
  const double mu = 0.3;
  const double least_radius = depth / std::sin(std::atan(mu));  // 20.88 mm
  const SweepConfig config = disc_of_uncertain_size(depth, mu);
  Workspace workspace;
  SimulationResult result;
  int held = 0;
  int near = 0;
  for (std::int64_t i = 0; i < config.trials(); ++i) {
    const double radius = 20.75 + sample_trial(config, i).uncertain.at(0);
    const bool success = run_trial(config, i, workspace, result).outcome == Outcome::kSuccess;
    held += success ? 1 : 0;
    if (std::abs(radius / least_radius - 1.0) < 2e-3) {
      ++near;
      continue;
    }
    INFO("radius " << radius << " mm, needs " << least_radius);
    CHECK(success == (radius > least_radius));
  }
  CHECK(near < 10);
  CHECK(held > 10);
  CHECK(held < 50);
}

TEST_CASE("a rectangle turns flat between the jaws where its angle error is small enough") {
  // The line through the corners that the jaws meet must lie outside of the friction cones.
  const double mu = 0.3;
  const double largest_rad = std::atan(8.0 / 10.0) - std::atan(mu);  // 0.383
  const SweepConfig config = sweep_of(grasp_text(
      "outline_mm = [[-10, -8], [10, -8], [10, 8], [-10, 8]]", 40.0, mu,
      "opening_mm = [19.9, 20.1]",
      "\"part.piece.piece.angle_rad\" = { distribution = \"uniform\", min = -0.6, max = 0.6 }"));
  Workspace workspace;
  SimulationResult result;
  int flat = 0;
  for (std::int64_t i = 0; i < config.trials(); ++i) {
    const double angle_rad = sample_trial(config, i).uncertain.at(0);
    const bool success = run_trial(config, i, workspace, result).outcome == Outcome::kSuccess;
    flat += success ? 1 : 0;
    if (std::abs(std::abs(angle_rad) - largest_rad) < 0.01) continue;
    INFO("angle " << angle_rad << " rad, at most " << largest_rad);
    CHECK(success == (std::abs(angle_rad) < largest_rad));
  }
  CHECK(flat > 20);
  CHECK(flat < 55);
}

TEST_CASE("the offset of an outline gives the trials of the same outline redrawn") {
  const SweepConfig nominal = sweep_of(
      grasp_text("semi_axes_mm = [5, 5]", -3.0, 0.2, "left = [\"piece\"]",
                 "\"part.offset_mm\" = { distribution = \"uniform\", min = -0.5, max = 0.5 }"));
  Random random(2111);
  for (int k = 0; k < 30; ++k) {
    const double larger_mm = random.uniform(-0.5, 0.5);
    SweepConfig offset = nominal;
    offset.success[0].left.clear();
    offset.scenario.part = plate_drawn_larger(0.0);
    offset.scenario.part_as_drawn.reset();
    SweepConfig redrawn = offset;
    redrawn.scenario.part = plate_drawn_larger(larger_mm);
    offset.uncertain[0].number.set(offset.scenario, larger_mm);
    TrialParameters trial;
    trial.placement_x_mm = random.uniform(-3.0, 3.0);
    trial.placement_y_mm = random.uniform(-6.0, 6.0);
    trial.theta_rad = random.uniform(-3.0, 3.0);
    trial.mu_jaw = 0.2;
    trial.mu_support = 0.3;
    const TrialRow a = run_one(offset, trial);
    const TrialRow b = run_one(redrawn, trial);
    CHECK(a.outcome == b.outcome);
    CHECK((a.final_pose.position_mm - b.final_pose.position_mm).norm() < 1e-9);
    CHECK(std::abs(a.final_pose.angle_rad - b.final_pose.angle_rad) < 1e-10);
    CHECK(a.statistics.steps == b.statistics.steps);
  }
}

TEST_CASE("a trial's own scenario is that of a configuration with its numbers") {
  const std::string text =
      std::string(kConfigText) +
      "[uncertain]\n\"part.offset_mm\" = { distribution = \"uniform\", min = -0.5, max = 0.5 }\n"
      "\"part.piece.knob.friction_factor\" = { distribution = \"uniform\", min = 0.5, max = 1.5 }\n"
      "\"friction.left_jaw\" = { distribution = \"uniform\", min = 0.1, max = 0.3 }\n"
      "\"gripper.offset_mm.1\" = { distribution = \"uniform\", min = -0.5, max = 0.5 }\n";
  const SweepConfig config = sweep_of(text);
  REQUIRE(config.uncertain.size() == 4);
  Workspace workspace;
  Workspace other;
  SimulationResult result;
  for (std::int64_t i = 0; i < 24; ++i) {
    const SampledTrial trial = sample_trial(config, i);
    SweepConfig fixed = config;
    for (std::size_t k = 0; k < trial.uncertain.size(); ++k) {
      fixed.uncertain[k].number.set(fixed.scenario, trial.uncertain[k]);
    }
    const TrialRow a = run_trial(config, i, workspace, result);
    const TrialRow b = run_trial(fixed, trial.parameters, other, result);
    CHECK(a.outcome == b.outcome);
    CHECK(a.final_pose.position_mm == b.final_pose.position_mm);
    CHECK(a.statistics.newton_iterations == b.statistics.newton_iterations);
  }
}
