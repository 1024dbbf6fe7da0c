#include <catch2/catch.hpp>
#include <cmath>

#include "sim/closing/broad_phase.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

struct Motion {
  double speed_mm_s = 0.0;
  double travel_mm = 0.0;
};

/// m dv/dt = F - c v from rest, by Heun's method.
Motion integrate_closing_law(const Gripper& gripper, double time_s, int steps) {
  const double F = 1000.0 * gripper.closing_force_n;
  const double c = F / gripper.closing_speed_mm_s;
  const auto acceleration = [&](double v) { return (F - c * v) / gripper.jaw_mass_kg; };
  const double dt = time_s / steps;
  Motion motion;
  for (int k = 0; k < steps; ++k) {
    const double v = motion.speed_mm_s;
    const double predicted = v + dt * acceleration(v);
    motion.speed_mm_s += 0.5 * dt * (acceleration(v) + acceleration(predicted));
    motion.travel_mm += 0.5 * dt * (v + motion.speed_mm_s);
  }
  return motion;
}

BroadPhase part_of(const Scenario& scenario) {
  BroadPhase part;
  part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  return part;
}

constexpr double kGap = 1e-6;

}  // namespace

TEST_CASE("free travel solves the closing law") {
  Gripper heavy;
  heavy.jaw_mass_kg = 3.0;
  heavy.closing_force_n = 2.0;
  for (const Gripper& gripper : {Gripper{}, heavy}) {
    const FreeTravel free(gripper);
    for (const double tau_count : {0.01, 0.5, 3.0, 30.0}) {
      const double time = tau_count * free.tau_s;
      const Motion expected = integrate_closing_law(gripper, time, 200000);
      CHECK(free.speed_at(time) == Approx(expected.speed_mm_s).epsilon(1e-8));
      CHECK(free.travel_at(time) == Approx(expected.travel_mm).epsilon(1e-8));
    }
  }
}

TEST_CASE("the time of a travel inverts the travel") {
  const FreeTravel free(Gripper{});
  CHECK(free.time_of(0.0) == 0.0);
  for (const double travel : {1e-9, 1e-4, 0.03, 1.0, 11.25, 150.0}) {
    CHECK(free.travel_at(free.time_of(travel)) == Approx(travel).epsilon(1e-9));
  }
}

TEST_CASE("a disc between the inside edges is reached after exactly its distance") {
  const Scenario scenario = disc_scenario(20.75);
  TrialParameters trial;
  trial.placement_x_mm = -1.5;  // the disc is 1.5 mm to the right
  trial.placement_y_mm = 30.0;  // ... and well below the fingertips
  const State start = initial_state(scenario, trial);
  const double distance = start.jaw_right_mm - 1.5 - 20.75;
  const double travel = travel_to_contact_mm(part_of(scenario), start, 100.0, kGap);
  CHECK(travel <= distance);
  CHECK(travel >= distance - kGap);
}

TEST_CASE("a disc above the fingertips is reached at the chord") {
  const double radius = 20.75;
  const double depth = 12.0;
  const Scenario scenario = disc_scenario(radius);
  TrialParameters trial;
  trial.placement_y_mm = -depth;
  const State start = initial_state(scenario, trial);
  const double distance = start.jaw_right_mm - std::sqrt(radius * radius - depth * depth);
  const double travel = travel_to_contact_mm(part_of(scenario), start, 100.0, kGap);
  CHECK(travel <= distance);
  CHECK(travel == within(distance, 2.0 * kGap));  // the gap closes slower than the jaw there
}

TEST_CASE("travel ends at the limit when nothing is in the way") {
  const Scenario scenario = disc_scenario(20.0);
  TrialParameters trial;
  trial.placement_y_mm = -25.0;
  CHECK(travel_to_contact_mm(part_of(scenario), initial_state(scenario, trial), 17.0, kGap) ==
        17.0);
}

TEST_CASE("travel ends where the smallest gap is as asked for") {
  constexpr double kRounding = 1e-12;  // mm
  const Scenario scenario = lock_piece_scenario();
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    TrialParameters trial = lock_piece_trial(random);
    trial.theta_rad = random.uniform(-3.0, 3.0);
    State state = initial_state(scenario, trial);
    if (smallest_gap_mm(scenario, state) < kGap) continue;
    const double travel = travel_to_contact_mm(part_of(scenario), state, 31.0, kGap);
    state.jaw_right_mm -= travel;
    state.jaw_left_mm += travel;
    const double gap = smallest_gap_mm(scenario, state);
    CHECK(gap >= kGap - kRounding);
    CHECK((gap <= kGap + kRounding || travel == 31.0));
  }
}
