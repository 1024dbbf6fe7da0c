/// The impact law, by hand.

#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/closing/simulate.hpp"
#include "tests/support/scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The first impact of a trial with one contact, if it is one: before, after, and where.
struct Impact {
  State before;
  State after;
  ContactRecord contact;
};

std::optional<Impact> first_impact(const Scenario& scenario, const TrialParameters& trial) {
  std::optional<Impact> impact;
  bool seen = false;
  State before;
  const StepObserver observer = [&](const StepRecord& record) {
    if (record.step_s > 0.0 && !seen) {
      seen = true;
      std::vector<ContactRecord> carrying;
      for (const ContactRecord& contact : *record.contacts) {
        if (contact.normal_impulse_mn_s > 0.0) carrying.push_back(contact);
      }
      if (carrying.size() == 1) impact = {before, *record.state, carrying.front()};
    }
    before = *record.state;
  };
  run(scenario, trial, &observer);
  return impact;
}

struct Collided {
  Vec3 part_velocity;
  bool sticks = false;
};

/// The law by hand (docs/explanation/model.md): one inelastic impulse, friction on the slip after
/// it. The jaw is independent: its mass moves along x.
Collided collide(const Scenario& scenario, double mu, const Impact& impact) {
  const Vec2& n = impact.contact.normal_G;
  const Vec2 t = perp(n);
  const Vec2 r = impact.contact.point_G_mm - impact.after.part_pose.head<2>();
  const bool right = impact.contact.side == JawSide::kRight;
  const double jaw_mm_s = right ? impact.before.jaw_right_mm_s : impact.before.jaw_left_mm_s;
  const Vec3 W_n(n.x(), n.y(), cross(r, n));
  const Vec3 W_t(t.x(), t.y(), cross(r, t));
  const double m = scenario.mass.mass_kg;
  const Vec3 per_mass(1.0 / m, 1.0 / m, 1.0 / scenario.mass.inertia_kg_mm2);
  const double per_jaw = 1.0 / scenario.gripper.jaw_mass_kg;
  const auto both = [&](const Vec3& a, const Vec3& b, const Vec2& u, const Vec2& v) {
    return a.dot(per_mass.cwiseProduct(b)) + u.x() * v.x() * per_jaw;
  };
  const double A_nn = both(W_n, W_n, n, n);
  const double A_nt = both(W_n, W_t, n, t);
  const double A_tt = both(W_t, W_t, t, t);
  const Vec3& v = impact.before.part_velocity;
  const double u_n = W_n.dot(v) - n.x() * jaw_mm_s;
  const double u_t = W_t.dot(v) - t.x() * jaw_mm_s;
  const double det = A_nn * A_tt - A_nt * A_nt;
  double p_n = (-A_tt * u_n + A_nt * u_t) / det;
  double p_t = (A_nt * u_n - A_nn * u_t) / det;
  const bool sticks = std::abs(p_t) <= mu * p_n;
  for (const double sign : {-1.0, 1.0}) {
    if (sticks) break;
    const double slipping = -u_n / (A_nn + sign * mu * A_nt);
    const double slip = u_t + slipping * (A_nt + sign * mu * A_tt);
    if (slipping > 0.0 && sign * slip < 0.0) {
      p_n = slipping;
      p_t = sign * mu * slipping;
    }
  }
  return {v + per_mass.cwiseProduct(W_n * p_n + W_t * p_t), sticks};
}

}  // namespace

TEST_CASE("an impact is one inelastic impulse with friction on the slip after it") {
  Scenario scenario = of_second_order(lopsided_scenario(), 5e-4);
  scenario.gripper.coupling = Coupling::kIndependent;
  Random random(91);
  int sticking = 0;
  int slipping = 0;
  for (int k = 0; k < 80; ++k) {
    TrialParameters trial = lock_piece_trial(random);
    trial.theta_rad = random.uniform(-3.0, 3.0);
    const std::optional<Impact> impact = first_impact(scenario, trial);
    if (!impact) continue;
    const Collided expected = collide(scenario, trial.mu_jaw, *impact);
    INFO(describe(trial) << (expected.sticks ? ": sticks" : ": slips"));
    const Vec3 off = impact->after.part_velocity - expected.part_velocity;
    CHECK(off.head<2>().norm() < 0.1);  // the drive acts in the step, too
    CHECK(std::abs(off[2]) * 20.0 < 0.1);
    (expected.sticks ? sticking : slipping) += 1;
  }
  CHECK(sticking > 5);
  CHECK(slipping > 5);
}
