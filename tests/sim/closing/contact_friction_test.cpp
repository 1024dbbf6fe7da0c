/// Friction of each jaw by itself, and of single pieces.

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/drawn_scenes.hpp"
#include "tests/support/mirror_image.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/random_parts.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kSqueezedRadius = 20.75;

void check_same_bits(const SimulationResult& a, const SimulationResult& b) {
  CHECK(a.end == b.end);
  CHECK(a.end_time_s == b.end_time_s);
  CHECK(a.final_state.part_pose == b.final_state.part_pose);
  CHECK(a.final_state.jaw_right_mm == b.final_state.jaw_right_mm);
  CHECK(a.statistics.newton_iterations == b.statistics.newton_iterations);
}

/// A disc whose centre is `depth` above the fingertips.
TrialParameters below_centre(double depth_mm, double mu_jaw) {
  TrialParameters trial;
  trial.placement_y_mm = -depth_mm;
  trial.mu_jaw = mu_jaw;
  trial.mu_support = 1e-6;
  return trial;
}

void set_factors(Part& part, double factor) {
  for (Piece& piece : part.pieces) piece.friction_factor = factor;
  for (OutlinePiece& piece : part.outlines) piece.friction_factor = factor;
}

/// Calls check(contact, piece's factor) for all contacts that slide in a trial.
template <typename Check>
int visit_sliding(const Scenario& scenario, const TrialParameters& trial, const Check& check) {
  int count = 0;
  const StepObserver observer = [&](const StepRecord& record) {
    for (const ContactRecord& contact : *record.contacts) {
      if (!contact.sliding || record.step_s == 0.0) continue;
      check(contact);
      ++count;
    }
  };
  run(scenario, trial, &observer);
  return count;
}

}  // namespace

TEST_CASE("jaws with the same friction of their own are as with the trial's") {
  Random random(2101);
  for (int k = 0; k < 12; ++k) {
    Scenario scenario = k % 2 == 0 ? lock_piece_scenario() : random_scenario(random);
    TrialParameters trial = k % 2 == 0 ? lock_piece_trial(random) : random_trial(random);
    const SimulationResult plain = run(scenario, trial);
    scenario.gripper.mu_right = scenario.gripper.mu_left = trial.mu_jaw;
    trial.mu_jaw = 0.9;
    check_same_bits(run(scenario, trial), plain);
  }
}

TEST_CASE("a disc slides out where the friction of one jaw is too little") {
  Scenario scenario = disc_scenario(kSqueezedRadius);
  for (const double depth : {4.0, 11.0}) {
    const double threshold = std::tan(std::asin(depth / kSqueezedRadius));
    for (double Gripper::*slippery : {&Gripper::mu_right, &Gripper::mu_left}) {
      scenario.gripper.mu_right = scenario.gripper.mu_left = 2.0 * threshold;
      scenario.gripper.*slippery = 0.98 * threshold;
      CHECK(run(scenario, below_centre(depth, 0.0)).end == EndReason::kClosed);
      scenario.gripper.*slippery = 1.02 * threshold;
      CHECK(run(scenario, below_centre(depth, 0.0)).end == EndReason::kStopped);
    }
  }
}

TEST_CASE("the mirror image of a gripper has the friction of its jaws exchanged") {
  Random random(2102);
  int same = 0;
  for (int k = 0; k < 20; ++k) {
    Scenario scenario = lock_piece_scenario();
    scenario.gripper.coupling = k % 2 == 0 ? Coupling::kSymmetric : Coupling::kIndependent;
    scenario.gripper.mu_right = random.uniform(0.0, 0.5);
    scenario.gripper.mu_left = random.uniform(0.0, 0.5);
    scenario.gripper.offset_mm = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
    scenario.part.pieces[1].friction_factor = 0.3;
    const TrialParameters trial = lock_piece_trial(random);
    const SimulationResult a = run(scenario, trial);
    const SimulationResult b = run(mirror_image(scenario), mirror_image(trial));
    CHECK(a.end == b.end);
    const Vec3 apart = a.final_state.part_pose - mirror_image(b.final_state).part_pose;
    same += apart.norm() <= 1e-7 ? 1 : 0;
  }
  CHECK(same >= 18);
}

TEST_CASE("a piece with the friction factor 0 has no friction") {
  Random random(2103);
  for (int k = 0; k < 6; ++k) {
    Scenario scenario = k % 2 == 0 ? lock_piece_scenario() : random_scenario(random);
    if (k >= 4) scenario = drawn_scenario(rectangle_loop(30.0, 12.0, {0.0, 0.0}));
    TrialParameters trial = k % 2 == 0 ? lock_piece_trial(random) : random_trial(random);
    const double mu_jaw = trial.mu_jaw;
    trial.mu_jaw = 0.0;
    const SimulationResult frictionless = run(scenario, trial);
    trial.mu_jaw = mu_jaw;
    set_factors(scenario.part, 0.0);
    check_same_bits(run(scenario, trial), frictionless);
  }
}

TEST_CASE("a contact that slides has the friction of its jaw times the factor of its piece") {
  Scenario scenario = lock_piece_scenario();
  scenario.gripper.mu_right = 0.1;
  scenario.gripper.mu_left = 0.2;
  const std::array factors = {0.5, 0.0, 2.0, 1.0, 1.5, 0.25, 3.0};
  for (std::size_t i = 0; i < factors.size(); ++i) {
    scenario.part.pieces[i].friction_factor = factors[i];
  }
  TrialParameters trial = below_centre(11.0, 0.7);
  trial.placement_x_mm = 3.0;
  trial.theta_rad = 0.2;
  trial.mu_support = 0.3;
  const int sliding = visit_sliding(scenario, trial, [&](const ContactRecord& contact) {
    const double mu = (contact.side == JawSide::kRight ? 0.1 : 0.2) *
                      factors[static_cast<std::size_t>(contact.piece)];
    const double limit = mu * contact.normal_impulse_mn_s;
    CHECK(std::abs(contact.tangential_impulse_mn_s) == Approx(limit).margin(1e-6));
  });
  CHECK(sliding > 20);
}

TEST_CASE("the offset of a gripper is an error of its placement") {
  Random random(2104);
  Scenario scenario = lock_piece_scenario();
  TrialParameters trial = lock_piece_trial(random);
  trial.placement_x_mm = 1.5;
  trial.placement_y_mm = -11.25;
  const SimulationResult there = run(scenario, trial);
  scenario.gripper.offset_mm = {0.5, -0.25};
  trial.placement_x_mm = 1.0;
  trial.placement_y_mm = -11.0;
  check_same_bits(run(scenario, trial), there);
}
