/// A finger that is held and moves hits a part: plastic impacts in closed form, and what the drive
/// that keeps it on its course gives for them.

#include <Eigen/LU>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/programs.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kFinger_mm_s = 10.0;
constexpr double kHitRadius = 20.0;

/// Sums over a trial.
struct Momenta {
  Vec3 from_finger = Vec3::Zero();  ///< impulses on the part, and their moment about its centre
  Vec3 from_table = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();  ///< of the part at the end, against the table
  double finger_work = 0.0;      ///< mN mm: on the part, by the finger's motion
  double most_give_mm_s = 0.0;   ///< of the finger
};

/// The left finger moves until it touches the part, and some steps more, which end the impact.
Momenta hit(Scenario scenario, const TrialParameters& trial, int steps) {
  const GripperTwist twist{{kFinger_mm_s, 0.0}, 0.0};
  Phase until_contact = move_held(twist, 10.0);
  until_contact.until = PhaseGoal::kContact;
  scenario.program = {until_contact, move_held(twist, steps * scenario.step_s)};
  Momenta sum;
  const StepObserver observer = [&](const StepRecord& record) {
    const State& state = *record.state;
    sum.velocity = over_table(twist, state);
    sum.from_table += record.support_impulse;
    sum.most_give_mm_s = std::max(sum.most_give_mm_s, std::abs(state.jaw_left_mm_s));
    for (const ContactRecord& contact : *record.contacts) {
      const Vec2 p = contact.normal_impulse_mn_s * contact.normal_G +
                     contact.tangential_impulse_mn_s * perp(contact.normal_G);
      const double moment = cross(contact.point_G_mm - state.part_pose.head<2>(), p);
      sum.from_finger += Vec3(p.x(), p.y(), moment);
      sum.finger_work += p.dot(twist.at(contact.point_G_mm).head<2>());
    }
  };
  const SimulationResult result = run(scenario, trial, &observer);
  REQUIRE(result.end == EndReason::kStopped);
  return sum;
}

/// A disc with any centre of mass, and steps so short that nothing turns within the impact.
Scenario lopsided_disc(const Vec2& center_mm, int order) {
  Scenario scenario = disc_scenario(kHitRadius);
  scenario.mass.center_of_mass_P_mm = center_mm;
  scenario.mass.inertia_kg_mm2 = 6.0;
  scenario.step_s = 2e-5;
  if (order == 2) scenario = of_second_order(scenario, 1e-5, scenario.step_s);
  return scenario;
}

/// The impulse of a finger that goes on with (V, 0) on a body at rest at a point: it sticks where
/// the friction cone allows that, else it slides with its whole friction.
Vec2 plastic_impulse(const MassProperties& mass, const Vec2& arm, double mu) {
  const Vec2 turned = perp(arm);
  const Eigen::Matrix2d inverse_mass = Eigen::Matrix2d::Identity() / mass.mass_kg +
                                       turned * turned.transpose() / mass.inertia_kg_mm2;
  const Vec2 stuck = inverse_mass.inverse() * Vec2(kFinger_mm_s, 0.0);
  if (std::abs(stuck.y()) <= mu * stuck.x()) return stuck;
  const Vec2 direction(1.0, std::copysign(mu, stuck.y()));
  return direction * (kFinger_mm_s / (inverse_mass * direction).x());
}

}  // namespace

TEST_CASE("a finger that hits a free part centrally gives it its speed, for twice its energy") {
  for (const int order : {1, 2}) {
    const Scenario scenario = lopsided_disc({3.0, 0.0}, order);
    const Momenta sum = hit(scenario, placed_at(0.0, 30.0, 0.3, 0.0), 3);
    const double momentum = scenario.mass.mass_kg * kFinger_mm_s;
    INFO("order " << order);
    CHECK((sum.velocity - Vec3(kFinger_mm_s, 0.0, 0.0)).norm() < 1e-5 * kFinger_mm_s);
    CHECK((sum.from_finger - Vec3(momentum, 0.0, 0.0)).norm() < 1e-5 * momentum);
    CHECK(sum.finger_work == within(momentum * kFinger_mm_s, 1e-5 * momentum * kFinger_mm_s));
    CHECK(sum.most_give_mm_s < 1e-4 * kFinger_mm_s);
  }
}

TEST_CASE("a finger that hits a free part off its centre turns it as a plastic impact does") {
  Random random(93);
  int sticking = 0;
  int sliding = 0;
  for (int k = 0; k < 200; ++k) {
    const Vec2 center(random.uniform(-8.0, 8.0), random.uniform(-15.0, 15.0));
    const double mu = k % 10 == 0 ? 0.0 : random.uniform(0.0, 0.8);
    const int order = 1 + k % 2;
    const Scenario scenario = lopsided_disc(center, order);
    const MassProperties& mass = scenario.mass;
    const Vec2 arm = Vec2(-kHitRadius, 0.0) - center;
    const Vec2 p = plastic_impulse(mass, arm, mu);
    const double moment = cross(arm, p);
    const Momenta sum = hit(scenario, placed_at(0.0, 40.0, mu, 0.0), 3);
    INFO("case " << k << ": centre " << center.transpose() << ", mu " << mu);
    (std::abs(p.y()) < mu * p.x() ? sticking : sliding) += 1;
    const double most = 1e-3 * p.norm();
    CHECK((sum.from_finger.head<2>() - p).norm() < most);
    CHECK(std::abs(sum.from_finger[2] - moment) < most * kHitRadius);
    CHECK((sum.velocity.head<2>() - p / mass.mass_kg).norm() < most / mass.mass_kg);
    CHECK(std::abs(sum.velocity[2] - moment / mass.inertia_kg_mm2) <
          most * kHitRadius / mass.inertia_kg_mm2);
    CHECK(sum.from_table == Vec3::Zero());
  }
  CHECK(sticking >= 30);
  CHECK(sliding >= 30);
}

TEST_CASE(
    "what a moving finger and the table give a part is its momentum, however long it pushes") {
  Random random(94);
  for (int k = 0; k < 60; ++k) {
    const Vec2 center(random.uniform(-8.0, 8.0), random.uniform(-15.0, 15.0));
    Scenario scenario = lopsided_disc(center, 1);
    scenario.step_s = 1e-4;
    const double mu = random.uniform(0.0, 0.8);
    const Momenta sum = hit(scenario, placed_at(0.0, 40.0, mu, random.uniform(0.05, 0.5)), 200);
    const MassProperties& mass = scenario.mass;
    const Vec3 momentum(mass.mass_kg * sum.velocity[0], mass.mass_kg * sum.velocity[1],
                        mass.inertia_kg_mm2 * sum.velocity[2]);
    const Vec3 given = sum.from_finger + sum.from_table;
    INFO("case " << k);
    CHECK((given - momentum).head<2>().norm() < 1e-6 * sum.from_finger.head<2>().norm());
    CHECK(std::abs(given[2] - momentum[2]) < 1e-6 * kHitRadius * sum.from_finger.head<2>().norm());
    // The finger's drive works for the part's energy and for what friction takes.
    const double kinetic = 0.5 * sum.velocity.dot(momentum);
    CHECK(sum.finger_work > kinetic);
  }
}
