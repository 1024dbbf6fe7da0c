/// Slow pushes by a finger: where the part turns about, whatever carries it.
///
/// With speeds of kPush the part's inertia is below kPush^2 / (mu g * 1 mm) = 2e-5 of the table's
/// friction, so that the motions are quasi-static to about that.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/programs.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kPush = 0.2;          // mm/s
constexpr double kQuasiStatic = 2e-5;  // relative

/// What is pushed, and with which motion.
struct PushCase {
  Scenario scenario;
  TrialParameters trial;
  Vec2 push_mm_s{kPush, 0.0};
};

/// The end of a short push: all in G's axes, about the centre of mass.
struct PushedPart {
  Vec2 velocity_mm_s{0, 0};  ///< of the centre of mass against the table
  double turn_rad_s = 0.0;
  Vec2 contact_mm{0, 0};
  Vec2 normal{0, 0};
  double finger_mm_s = 0.0;     ///< its face's speed towards the part
  double walked_mm = 0.0;       ///< by the contact point around the part in the last step
  double slip_mm_s = 0.0;       ///< of the part along the finger
  double measured_slope = 0.0;  ///< tangential over normal force
  int contacts = 0;

  /// Where the part turns about.
  [[nodiscard]] Vec2 center_of_rotation() const { return perp(velocity_mm_s) / turn_rad_s; }
  [[nodiscard]] bool slides() const { return std::abs(slip_mm_s) > 1e-5 * kPush; }
  /// The force's slope by Coulomb's law where the contact slides, else the measured one.
  [[nodiscard]] double slope(double mu) const {
    return slides() ? -std::copysign(mu, slip_mm_s) : measured_slope;
  }
  /// The lever of the finger's force about the centre of mass: > 0 turns counter-clockwise.
  [[nodiscard]] double lever_mm(double mu) const {
    return cross(contact_mm, (normal + slope(mu) * perp(normal)).normalized());
  }
};

/// The left finger moves until it touches, and then for 16 steps, some micrometres.
PushedPart pushed(PushCase push) {
  Scenario& scenario = push.scenario;
  Phase until_contact = move_held({push.push_mm_s, 0.0}, 1e4);
  until_contact.until = PhaseGoal::kContact;
  const GripperTwist twist{push.push_mm_s, 0.0};
  scenario.program = {until_contact, move_held(twist, 16.0 * scenario.step_s)};
  PushedPart part;
  const StepObserver observer = [&](const StepRecord& record) {
    if (record.step_s == 0.0) return;
    const Vec3 velocity = over_table(twist, *record.state);
    part.velocity_mm_s = velocity.head<2>();
    part.turn_rad_s = velocity[2];
    part.finger_mm_s = push.push_mm_s.x() + record.state->jaw_left_mm_s;
    part.contacts = 0;
    for (const ContactRecord& contact : *record.contacts) {
      if (contact.normal_impulse_mn_s <= 0.0) continue;
      ++part.contacts;
      const Vec2 before_mm = part.contact_mm;
      part.contact_mm = contact.point_G_mm - record.state->part_pose.head<2>();
      part.walked_mm = (part.contact_mm - before_mm).norm();
      part.normal = contact.normal_G;
      part.slip_mm_s = contact.slip_mm_s;
      part.measured_slope = contact.tangential_impulse_mn_s / contact.normal_impulse_mn_s;
    }
  };
  const SimulationResult result = run(scenario, push.trial, &observer);
  REQUIRE(result.end == EndReason::kStopped);
  REQUIRE(result.phase_ends[0].reason == PhaseEndReason::kContact);
  return part;
}

/// A gripper whose speeds are of the size of a slow push, so that steps are solved as exactly.
void make_slow(Scenario& scenario) { scenario.gripper.closing_speed_mm_s = 5.0 * kPush; }

/// Any loads on 2 to 16 points within a disc about the centre of mass, which is their centroid.
PointsSupport points_within(Random& random, const Vec2& center_P_mm, double radius_mm) {
  const int count = 2 + random.index(kMaxSupportPoints - 1);
  std::vector<Vec2> points;
  std::vector<double> loads;
  double load = 0.0;
  Vec2 centroid = Vec2::Zero();
  const bool on_rim = random.index(2) == 0;
  for (int k = 0; k < count; ++k) {
    const double r = on_rim ? 1.0 : std::sqrt(random.uniform(0.0, 1.0));
    points.push_back(r * unit_vector(random.uniform(0.0, 2.0 * std::numbers::pi)));
    loads.push_back(std::pow(random.uniform(0.0, 1.0), 3.0) + 1e-3);
    centroid += loads.back() * points.back();
    load += loads.back();
  }
  centroid /= load;
  double furthest = 0.0;
  for (Vec2& point : points) {
    point -= centroid;
    furthest = std::max(furthest, point.norm());
  }
  PointsSupport support;
  for (int k = 0; k < count; ++k) {
    const Vec2 point = (radius_mm / furthest) * points[index(k)];
    support.points.push_back({center_P_mm + point, loads[index(k)] / load, 1.0});
  }
  return support;
}

/// A rounded part at any angle, whose centre of mass lies anywhere near its middle, and the radius
/// of the disc about the centre of mass in which it lies.
PushCase random_push(Random& random, double& radius_mm) {
  PushCase push;
  Scenario& scenario = push.scenario;
  const Superellipse shape{random.uniform(8.0, 20.0), random.uniform(8.0, 20.0),
                           random.uniform(2.0, 8.0)};
  scenario.part = Part{{{"part", shape, {}}}};
  const Vec2 center(random.uniform(-6.0, 6.0), random.uniform(-6.0, 6.0));
  scenario.mass = {0.05, center, 0.05 * 100.0};
  radius_mm = bounding_radius_mm(scenario.part, center);
  scenario.support = points_within(random, center, radius_mm);
  scenario.gripper.opening_mm = 80.0;
  make_slow(scenario);
  // The finger's face is x = x_l, below y = 0: the part is below it.
  push.trial = placed_at(0.0, 60.0, random.uniform(0.0, 0.8), random.uniform(0.2, 0.8));
  push.trial.theta_rad = random.uniform(-3.0, 3.0);
  push.push_mm_s = {kPush, kPush * random.uniform(-1.0, 1.0)};
  return push;
}

}  // namespace

// The locus of centres of rotation over all pressure distributions in a disc of radius a about the
// centre of mass, for a force with the lever L: Peshkin and Sanderson, The motion of a pushed,
// sliding workpiece, IEEE J. Robotics and Automation 4(6), 1988. Its furthest point is the tip, at
// a^2 / L ("tip line"; there L is alpha . c, of a frictionless edge; with friction the edge is
// turned by the friction angle where the contact slides). It is on the other side of the centre of
// mass than the force, or nearer to the centre of mass than to the foot of the force's line (the
// bisector bound of Mason and Brost, 1986), and abreast of the disc along the force.
TEST_CASE("the centre of rotation of a pushed part lies within Peshkin and Sanderson's bounds") {
  Random random(91);
  int sliding = 0;
  int sticking = 0;
  double furthest = 0.0;
  double nearest = -1.0;
  for (int k = 0; k < 1000; ++k) {
    double a = 0.0;
    PushCase push = random_push(random, a);
    if (k % 2 == 1) push.scenario = of_second_order(push.scenario, 1e-4, push.scenario.step_s);
    const double mu = push.trial.mu_jaw;
    const PushedPart part = pushed(push);
    INFO("case " << k << ", " << describe(push.trial));
    REQUIRE(part.contacts == 1);
    REQUIRE(part.normal.x() == within(1.0, 1e-9));
    (part.slides() ? sliding : sticking) += 1;
    CHECK(std::abs(part.measured_slope) <= mu + 1e-6);
    if (part.slides()) CHECK(part.measured_slope == within(part.slope(mu), 1e-6));
    // What sticks moves with the finger, what slides keeps up with it.
    const Vec2 there = part.velocity_mm_s + part.turn_rad_s * perp(part.contact_mm);
    const double rolls_mm_s = std::abs(part.turn_rad_s) * part.walked_mm;
    CHECK(there.x() == within(part.finger_mm_s, kQuasiStatic * kPush + rolls_mm_s));
    if (!part.slides()) CHECK(there.y() == within(push.push_mm_s.y(), kQuasiStatic * kPush));

    const Vec2 force = Vec2(1.0, part.slope(mu)).normalized();
    const double lever = part.lever_mm(mu);
    if (std::abs(lever) < 1e-3 * a) continue;  // it goes about straight on
    CHECK(part.turn_rad_s * lever > 0.0);      // Mason's rule
    const Vec2 center = part.center_of_rotation();
    const double behind = center.dot(perp(force)) * (lever > 0.0 ? 1.0 : -1.0);
    const double tip = a * a / std::abs(lever);
    CHECK(center.norm() <= (1.0 + kQuasiStatic) * tip);
    CHECK(behind >= -0.5 * std::abs(lever) - kQuasiStatic * a);
    CHECK(std::abs(center.dot(force)) <= (1.0 + kQuasiStatic) * a);
    furthest = std::max(furthest, center.norm() / tip);
    nearest = std::max(nearest, -behind / std::abs(lever));
  }
  INFO(sliding << " slide, " << sticking << " stick, up to " << furthest << " of the tip, "
               << nearest << " of the lever towards the force");
  CHECK(sliding >= 200);
  CHECK(sticking >= 200);
  // Not far from the bounds, so that they could be missed.
  CHECK(furthest > 0.7);
}

TEST_CASE("a part on two points in line with the push turns about Peshkin and Sanderson's tip") {
  // The distribution that turns slowest: half of the weight at either end of the disc, along the
  // force.
  for (const int order : {1, 2}) {
    for (const double lever : {-15.0, -4.0, 1.0, 9.0}) {
      constexpr double kRadius = 20.0;
      PushCase push;
      push.scenario = disc_scenario(kRadius);
      const Vec2 center(2.0, lever);
      push.scenario.mass.center_of_mass_P_mm = center;
      const double a = bounding_radius_mm(push.scenario.part, center);
      push.scenario.support =
          PointsSupport{{{center + Vec2(a, 0.0), 0.5, 1.0}, {center - Vec2(a, 0.0), 0.5, 1.0}}};
      make_slow(push.scenario);
      if (order == 2) push.scenario = of_second_order(push.scenario, 1e-4, 0.002);
      push.trial = placed_at(0.0, 60.0, 0.0, 0.4);
      const PushedPart part = pushed(push);
      INFO("order " << order << ", lever " << lever);
      REQUIRE(part.contacts == 1);
      CHECK(part.lever_mm(0.0) == within(lever, 1e-3));
      const Vec2 tip(0.0, a * a / part.lever_mm(0.0));
      CHECK((part.center_of_rotation() - tip).norm() <= 1e-4 * tip.norm());
    }
  }
}
