/// Pushes by a flat finger along an edge of the part: which of them leave it at rest against it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/outline_shapes.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// So slow that what the part does by its inertia, while the finger's motion changes, is over soon.
constexpr double kPush_mm_s = 0.2;

/// A rectangle whose left side lies on the left finger's face. All about the centre of mass.
struct EdgePush {
  Scenario scenario;
  TrialParameters trial;
  double edge_x_mm = 0.0;
  double edge_low_mm = 0.0;
  double edge_high_mm = 0.0;

  /// How far a motion of the part with the finger is from the border of the stable ones, Lynch
  /// 1992: below 1 where the friction cones at both ends of the edge can give the force that the
  /// limit surface asks for. Forces (f_x, f_y) with |f_y| <= mu f_x at both ends have any sum with
  /// that slope, and its line crosses the edge between them.
  [[nodiscard]] double load(const Vec3& motion) const {
    const auto& surface = std::get<EllipsoidSupport>(scenario.support);
    const Vec3 factors(surface.e_t, surface.e_o, surface.e_r_mm);
    const Vec3 force = factors.cwiseAbs2().cwiseProduct(motion);  // the surface's normal is motion
    if (force.x() <= 0.0) return 1e9;
    const double slope = force.y() / force.x();
    const double crossing_mm = edge_x_mm * slope - force.z() / force.x();
    const double cone = std::abs(slope) / trial.mu_jaw;
    return std::max({cone, crossing_mm / edge_high_mm, crossing_mm / edge_low_mm});
  }
};

EdgePush random_edge_push(Random& random) {
  EdgePush push;
  Scenario& scenario = push.scenario;
  const double width = random.uniform(10.0, 40.0);
  const double height = random.uniform(10.0, 40.0);
  const Vec2 center(0.3 * width * random.uniform(-1.0, 1.0),
                    0.4 * height * random.uniform(-1.0, 1.0));
  scenario.part.outlines.push_back({"box", {rectangle_loop(width, height), {}}, {}});
  scenario.mass = {0.05, center, 0.05 * (width * width + height * height) / 12.0};
  scenario.support = EllipsoidSupport{random.uniform(0.7, 1.3), random.uniform(0.7, 1.3),
                                      random.uniform(0.2, 0.5) * std::hypot(width, height)};
  scenario.gripper.opening_mm = width + 40.0;
  scenario.gripper.closing_speed_mm_s = 5.0 * kPush_mm_s;
  push.trial = placed_at(0.0, 0.5 * height + 5.0, random.uniform(0.1, 0.8), 0.4);
  push.edge_x_mm = -0.5 * width - center.x();
  push.edge_low_mm = -0.5 * height - center.y();
  push.edge_high_mm = 0.5 * height - center.y();
  return push;
}

/// What the part does in the gripper, after the finger has met it: in the last of some steps.
struct MotionInGripper {
  double speed_mm_s = 0.0;  ///< at the edge's ends, the larger
  int contacts = 0;         ///< that carry
};

MotionInGripper pushed_with(EdgePush push, const Vec3& motion) {
  Scenario& scenario = push.scenario;
  Phase until_contact = move_held({{kPush_mm_s, 0.0}, 0.0}, 1e4);
  until_contact.until = PhaseGoal::kContact;
  // The motion is about the centre of mass where that is when they meet.
  const double gap_mm =
      0.5 * scenario.gripper.opening_mm + push.edge_x_mm + scenario.mass.center_of_mass_P_mm.x();
  const Vec2 center_G_mm = scenario.mass.center_of_mass_P_mm -
                           Vec2(push.trial.placement_x_mm, push.trial.placement_y_mm) -
                           Vec2(gap_mm, 0.0);
  const GripperTwist twist{motion.head<2>() - motion[2] * perp(center_G_mm), motion[2]};
  scenario.program = {until_contact, move_held(twist, 80.0 * scenario.step_s)};
  MotionInGripper last;
  const StepObserver observer = [&](const StepRecord& record) {
    if (record.phase != 1 || record.step_s == 0.0) return;
    last = {};
    const Vec3& v = record.state->part_velocity;
    for (const double y : {push.edge_low_mm, push.edge_high_mm}) {
      const Vec2 end = v.head<2>() + v[2] * perp(Vec2(push.edge_x_mm, y));
      last.speed_mm_s = std::max(last.speed_mm_s, end.norm());
    }
    for (const ContactRecord& contact : *record.contacts) {
      if (contact.normal_impulse_mn_s > 0.0) ++last.contacts;
    }
  };
  const SimulationResult result = run(scenario, push.trial, &observer);
  REQUIRE(result.end == EndReason::kStopped);
  REQUIRE(result.phase_ends[0].reason == PhaseEndReason::kContact);
  return last;
}

}  // namespace

// Lynch, The mechanics of fine manipulation by pushing, ICRA 1992.
TEST_CASE(
    "a pushed edge stays on the finger for the motions of Lynch's stable set, and no others") {
  Random random(92);
  for (int k = 0; k < 200; ++k) {
    EdgePush push = random_edge_push(random);
    if (k % 2 == 1) push.scenario = of_second_order(push.scenario, 1e-4, push.scenario.step_s);
    // From straight on, which is stable, to where the set ends in a random direction.
    const double reach_mm = std::hypot(push.edge_x_mm, push.edge_high_mm);
    const Vec3 straight(1.0, 0.0, 0.0);
    const Vec3 aside(0.0, random.uniform(-1.0, 1.0), random.uniform(-2.0, 2.0) / reach_mm);
    REQUIRE(push.load(straight) < 1.0);
    double inside = 0.0;
    double outside = 1e3;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (inside + outside);
      (push.load(straight + middle * aside) < 1.0 ? inside : outside) = middle;
    }
    INFO("case " << k << ": border at " << inside << " of (0, " << aside[1] << ", " << aside[2]
                 << "), mu " << push.trial.mu_jaw);
    const auto at = [&](double share) {
      Vec3 motion = straight + share * inside * aside;
      const double speed = motion.head<2>().norm() + reach_mm * std::abs(motion[2]);
      return pushed_with(push, motion * (kPush_mm_s / speed));
    };
    const MotionInGripper stays = at(0.97);
    const MotionInGripper leaves = at(1.03);
    CHECK(stays.speed_mm_s < 1e-5 * kPush_mm_s);
    CHECK(stays.contacts == 2);
    CHECK(leaves.speed_mm_s > 2e-4 * kPush_mm_s);
  }
}
