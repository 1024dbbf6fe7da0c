/// Whole grasps whose end is known without simulating.

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random_parts.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kDiscRadius = 20.75;

/// The contacts of the last step.
std::vector<ContactRecord> last_contacts(const Scenario& scenario, const TrialParameters& trial,
                                         double& step_s) {
  std::vector<ContactRecord> contacts;
  const StepObserver observer = [&](const StepRecord& record) {
    contacts = *record.contacts;
    step_s = record.step_s;
  };
  run(scenario, trial, &observer);
  return contacts;
}

double opening(const State& state) { return state.jaw_right_mm - state.jaw_left_mm; }

}  // namespace

TEST_CASE("a disc squeezed below its centre slides out where mu < tan(beta), else it wedges") {
  const Scenario scenario = disc_scenario(kDiscRadius);
  for (const double depth : {2.0, 4.0, 7.0, 11.0, 15.0}) {
    const double threshold = std::tan(std::asin(depth / kDiscRadius));
    INFO("depth " << depth << " mm");
    const SimulationResult out = run(scenario, placed_at(0.0, -depth, 0.98 * threshold, 1e-6));
    CHECK(out.end == EndReason::kClosed);
    CHECK(out.final_state.part_pose[1] > kDiscRadius);

    const SimulationResult held = run(scenario, placed_at(0.0, -depth, 1.02 * threshold, 1e-6));
    CHECK(held.end == EndReason::kStopped);
    CHECK(held.final_state.part_pose[1] == within(depth, 0.01));
    CHECK(held.left_touches == std::vector<int>{0});
    CHECK(held.right_touches == std::vector<int>{0});
  }
}

TEST_CASE("a disc gripped at its diameter stops the jaws two radii apart") {
  for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kIndependent}) {
    Scenario scenario = disc_scenario(kDiscRadius);
    scenario.gripper.coupling = coupling;
    const TrialParameters trial = placed_at(2.0, 30.0, 0.2, 0.3);
    const SimulationResult result = run(scenario, trial);
    CHECK(result.end == EndReason::kStopped);
    CHECK(opening(result.final_state) == within(2.0 * kDiscRadius, 1e-8));
    if (coupling == Coupling::kSymmetric) {
      CHECK(result.final_state.part_pose[0] == within(0.0, 1e-8));
    }

    double h = 0.0;
    const std::vector<ContactRecord> contacts = last_contacts(scenario, trial, h);
    REQUIRE(contacts.size() == 2);
    double sum = 0.0;
    for (const ContactRecord& contact : contacts) {
      CHECK(contact.feature == JawFeature::kInsideEdge);
      sum += contact.normal_impulse_mn_s;
      // Coupled jaws can press differently by what the support resists.
      const double slack = coupling == Coupling::kSymmetric ? h * 0.5 * 0.3 * 0.05 * 9810.0 : 0.0;
      CHECK(contact.normal_impulse_mn_s == within(h * 10000.0, slack + 1e-3));
    }
    CHECK(sum == within(2.0 * h * 10000.0, 1e-3));
  }
}

TEST_CASE("a rounded bar between the inside edges ends flat") {
  constexpr double kA = 6.0;
  constexpr double kB = 15.0;
  constexpr double kMu = 0.05;
  for (const double exponent : {4.0, 8.0, 12.0, 20.0}) {
    for (const double theta : {-0.6, 0.05, 0.4}) {
      TrialParameters trial = placed_at(1.0, 40.0, kMu, 0.3);
      trial.theta_rad = theta;
      INFO("exponent " << exponent << ", angle " << theta);
      const SimulationResult result = run(bar_scenario(kA, kB, exponent), trial);
      CHECK(result.end == EndReason::kStopped);
      // Jaw friction holds it once both contacts are within a mu of the centre line, where the
      // boundary's slope is (a / b)(a mu / b)^(e - 1).
      const double held = kA / kB * std::pow(kA * kMu / kB, exponent - 1.0);
      CHECK(result.final_state.part_pose[2] == within(0.0, held + 1e-9));
      CHECK(opening(result.final_state) == within(2.0 * kA, 1e-4));
    }
  }
}

TEST_CASE("no bar that turns flat fails, whatever its exponent") {
  Random random(51);
  for (const double exponent : {2.5, 4.0, 8.0, 12.0, 16.0, 20.0}) {
    for (int k = 0; k < 30; ++k) {
      const Scenario scenario =
          bar_scenario(random.uniform(3.0, 12.0), random.uniform(8.0, 25.0), exponent);
      TrialParameters trial = placed_at(k % 2 * random.uniform(-3.0, 3.0), 40.0,
                                        random.uniform(0.0, 0.35), random.uniform(0.1, 0.5));
      trial.theta_rad = random.uniform(-1.0, 1.0);
      INFO("exponent " << exponent << ", trial " << k << ": " << describe(trial));
      CHECK(run(scenario, trial).end == EndReason::kStopped);
    }
  }
}

TEST_CASE("a rounded square turns flat on its nearest side") {
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  const Scenario scenario = bar_scenario(10.0, 10.0, 20.0);
  for (const double theta : {0.2, kQuarter - 0.2, kQuarter + 0.3, -kQuarter + 0.2}) {
    TrialParameters trial = placed_at(0.0, 40.0, 0.05, 0.2);
    trial.theta_rad = theta;
    INFO("angle " << theta);
    const SimulationResult result = run(scenario, trial);
    CHECK(result.end == EndReason::kStopped);
    const double nearest = kQuarter * std::round(theta / kQuarter);
    CHECK(result.final_state.part_pose[2] == within(nearest, 1e-6));
    CHECK(opening(result.final_state) == within(20.0, 1e-4));
  }
}

TEST_CASE("of independent jaws the first to arrive pushes the part to the other") {
  Scenario scenario = disc_scenario(kDiscRadius);
  scenario.gripper.coupling = Coupling::kIndependent;
  const TrialParameters trial = placed_at(-6.0, 30.0, 0.2, 0.5);  // 6 mm nearer the right jaw
  bool left_touched = false;
  bool pushed = false;
  const StepObserver observer = [&](const StepRecord& record) {
    bool right = false;
    for (const ContactRecord& contact : *record.contacts) {
      const bool presses = contact.normal_impulse_mn_s > 0.0;
      (contact.side == JawSide::kRight ? right : left_touched) |= presses;
    }
    if (right && !left_touched) {
      pushed = true;
      CHECK(record.state->part_velocity[0] < 0.0);
    }
  };
  const SimulationResult result = run(scenario, trial, &observer);
  CHECK(pushed);
  CHECK(left_touched);
  CHECK(result.end == EndReason::kStopped);
  CHECK(opening(result.final_state) == within(2.0 * kDiscRadius, 1e-8));
  CHECK(result.final_state.part_pose[0] < 5.0);
}

TEST_CASE("a jaw that is weaker than the support's friction stops at the part") {
  Scenario scenario = disc_scenario(kDiscRadius);
  scenario.gripper.coupling = Coupling::kIndependent;
  scenario.gripper.closing_force_n = 0.2;
  const TrialParameters trial = placed_at(-6.0, 30.0, 0.2, 0.5);  // friction 0.245 N
  const SimulationResult result = run(scenario, trial);
  CHECK(result.end == EndReason::kStopped);
  // The impact of 0.2 kg at up to 50 mm/s moves it a little.
  CHECK(result.final_state.part_pose[0] < 6.0);
  CHECK(result.final_state.part_pose[0] > 4.0);
  CHECK(opening(result.final_state) == within(2.0 * kDiscRadius, 1e-8));
}

TEST_CASE("the lock piece gripped at the published sweet spot ends on its outermost teeth") {
  const Scenario scenario = lock_piece_scenario();
  for (const double mu_jaw : {0.06, 0.2, 0.34}) {
    const SimulationResult result = run(scenario, placed_at(0.0, -11.0, mu_jaw, 0.3));
    CHECK(result.end == EndReason::kStopped);
    CHECK(std::count(result.left_touches.begin(), result.left_touches.end(), 1) == 1);
    CHECK(std::count(result.right_touches.begin(), result.right_touches.end(), 6) == 1);
  }
}

TEST_CASE("a part that is held does not creep") {
  for (const bool on_tripod : {false, true}) {
    Scenario scenario = on_tripod ? lock_piece_on_tripod() : lock_piece_scenario();
    Random random(52);
    for (int k = 0; k < 20; ++k) {
      const TrialParameters trial = lock_piece_trial(random);
      scenario.stop.stopped_time_s = 0.02;
      const SimulationResult stopped = run(scenario, trial);
      if (stopped.end != EndReason::kStopped) continue;
      scenario.stop.stopped_time_s = 1.0;  // five hundred steps
      const SimulationResult held = run(scenario, trial);
      INFO(describe(trial));
      CHECK(held.end == EndReason::kStopped);
      const Vec3 moved = held.final_state.part_pose - stopped.final_state.part_pose;
      CHECK(moved.lpNorm<Eigen::Infinity>() <= 1e-7);
    }
  }
}
