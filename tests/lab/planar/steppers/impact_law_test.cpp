#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <optional>

#include "lab/planar/steppers/make_stepper.hpp"
#include "tests/support/planar_scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

/// One impact of a rod's end on a table, by two laws that know no stepper: Moreau's with e = 0
/// (friction opposes the slip after the impact) and Routh's (friction opposes the slip at each
/// moment of it).
namespace {

/// What an impulse (p_t, p_n) at the end changes of its velocity: (u, w) += K (p_t, p_n).
struct RodEnd {
  double tt = 0.0;
  double tn = 0.0;
  double nn = 0.0;
  Vec2 arm_mm{0.0, 0.0};
};

constexpr double kMassKg = 1.0;
constexpr double kHalf_mm = 250.0;
constexpr double kRadius_mm = 50.0;

/// The rod of Stewart and Trinkle 2000, section 4.1, at an angle from the table of 0 to 90 degrees.
RodEnd rod_end(double angle_rad, double inertia_kg_mm2) {
  RodEnd end;
  end.arm_mm = Vec2(-kHalf_mm * std::cos(angle_rad), -kHalf_mm * std::sin(angle_rad) - kRadius_mm);
  const Vec2& r = end.arm_mm;
  end.tt = 1.0 / kMassKg + r.y() * r.y() / inertia_kg_mm2;
  end.tn = -r.x() * r.y() / inertia_kg_mm2;
  end.nn = 1.0 / kMassKg + r.x() * r.x() / inertia_kg_mm2;
  return end;
}

/// Impulses of an impact with the slip u and the approach w < 0.
struct Impact {
  Vec2 p{0.0, 0.0};  ///< (p_t, p_n)
  bool reverses = false;
};

/// Routh: p_n grows until the end's approach has stopped; dp_t = -mu sign(u) dp_n while it slips;
/// when the slip has stopped it sticks, if friction can hold it, or slips the other way.
Impact routh(const RodEnd& k, double mu, double u, double w) {
  Impact impact;
  double direction = u > 0.0 ? 1.0 : (u < 0.0 ? -1.0 : 0.0);
  for (int phase = 0; phase < 2; ++phase) {
    double slope = -mu * direction;  // dp_t / dp_n
    bool slips = direction != 0.0;
    if (!slips) {
      slips = std::abs(k.tn) > mu * k.tt;
      slope = slips ? -mu * std::copysign(1.0, k.tn) : -k.tn / k.tt;
      impact.reverses = slips && u != 0.0;
    }
    const double du = k.tt * slope + k.tn;
    const double dw = k.tn * slope + k.nn;
    const double before = impact.p.y();
    const double slip = u + k.tt * impact.p.x() + k.tn * before;
    const double to_end = -(w + k.tn * impact.p.x() + k.nn * before) / dw;
    const double to_stop = direction * du < 0.0 ? -slip / du : 2.0 * to_end;
    const double grown = dw > 0.0 ? std::min(to_end, to_stop) : to_stop;
    impact.p += grown * Vec2(slope, 1.0);
    if (dw > 0.0 && to_end <= to_stop) break;
    direction = 0.0;
  }
  return impact;
}

/// Moreau with e = 0: sticking if friction can hold it, else slipping after the impact. Nothing
/// where there is no solution.
std::optional<Impact> moreau(const RodEnd& k, double mu, double u, double w) {
  const double det = k.tt * k.nn - k.tn * k.tn;
  const Vec2 sticking(-(u * k.nn - w * k.tn) / det, -(w * k.tt - u * k.tn) / det);
  if (sticking.y() >= 0.0 && std::abs(sticking.x()) <= mu * sticking.y()) return Impact{sticking};
  for (const double direction : {1.0, -1.0}) {
    const double dw = k.nn - mu * direction * k.tn;
    const Vec2 p(mu * direction * w / dw, -w / dw);
    if (dw > 0.0 && direction * (u + k.tt * p.x() + k.tn * p.y()) > 0.0) return Impact{p};
  }
  return std::nullopt;
}

/// By how much the centre's velocity and the ends' velocity about it differ, over the approach.
double difference(const RodEnd& k, double inertia_kg_mm2, const Vec2& p, const Vec2& q, double w) {
  const Vec2 d = p - q;
  const double spin = (k.arm_mm.x() * d.y() - k.arm_mm.y() * d.x()) / inertia_kg_mm2;
  return std::max(d.norm() / kMassKg, kHalf_mm * std::abs(spin)) / std::abs(w);
}

/// The impulse at the end in one step of 0.1 us, with `implicit`.
Vec2 stepped(double angle_rad, double inertia_kg_mm2, double mu, double u, double w) {
  PlanarScene scene;
  scene.mu = mu;
  scene.bodies.push_back(table_body());
  const double height_mm = kHalf_mm * std::sin(angle_rad) + kRadius_mm;
  add_free_body(scene, rod(2.0 * kHalf_mm, kRadius_mm), kMassKg, inertia_kg_mm2,
                {0.0, height_mm, angle_rad}, {u, w, 0.0});
  const auto stepper = make_stepper(StepperKind::kImplicit, {});
  PlanarStep step;
  stepper->step(scene, start_state(scene), 1e-7, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  return kMassKg * (step.end.nu.head<2>() - Vec2(u, w));
}

constexpr double kUniform = kMassKg * 4.0 * kHalf_mm * kHalf_mm / 12.0;
constexpr double kPaper = 2000.0;  // Stewart and Trinkle 2000: a tenth of a uniform rod's

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

}  // namespace

TEST_CASE("the impact law is Moreau's, and Routh's where the slip does not reverse") {
  constexpr double kApproach = -1000.0;
  int reversed = 0;
  for (const double inertia : {kUniform, kPaper}) {
    for (const double degrees : {20.0, 45.0, 62.0, 71.0, 85.0}) {
      for (const double mu : {0.1, 0.3, 0.6}) {
        for (const double u : {-700.0, -200.0, 0.0, 200.0, 450.0, 1500.0}) {
          const RodEnd k = rod_end(radians(degrees), inertia);
          const auto expected = moreau(k, mu, u, kApproach);
          const Impact other = routh(k, mu, u, kApproach);
          REQUIRE(expected);
          const Vec2 found = stepped(radians(degrees), inertia, mu, u, kApproach);
          CAPTURE(inertia, degrees, mu, u);
          CHECK(difference(k, inertia, found, expected->p, kApproach) <= 2e-4);
          const double apart = difference(k, inertia, expected->p, other.p, kApproach);
          if (!other.reverses) CHECK(apart <= 1e-12);
          if (other.reverses) CHECK(apart > 1e-4);
          reversed += other.reverses ? 1 : 0;
        }
      }
    }
  }
  CHECK(reversed >= 5);
}

TEST_CASE("Moreau's impact law beside Routh's over angles, slips and friction", "[.long]") {
  for (const double inertia : {kUniform, kPaper}) {
    for (const double mu : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8}) {
      int impacts = 0;
      int reversed = 0;
      double largest = 0.0;
      double at_degrees = 0.0;
      double at_slip = 0.0;
      for (int degrees = 1; degrees < 90; ++degrees) {
        for (int slip = -80; slip <= 80; ++slip) {
          const RodEnd k = rod_end(radians(degrees), inertia);
          const auto ours = moreau(k, mu, 0.05 * slip, -1.0);
          const Impact other = routh(k, mu, 0.05 * slip, -1.0);
          REQUIRE(ours);
          ++impacts;
          reversed += other.reverses ? 1 : 0;
          const double apart = difference(k, inertia, ours->p, other.p, -1.0);
          if (apart <= largest) continue;
          largest = apart;
          at_degrees = degrees;
          at_slip = 0.05 * slip;
        }
      }
      WARN("inertia " << inertia << ", mu " << mu << ": " << 100.0 * reversed / impacts
                      << " % reverse; largest difference " << largest << " of the approach, at "
                      << at_degrees << " degrees and a slip of " << at_slip);
      CHECK(largest < 1.0);
    }
  }
  // The paper's rod meets the table at 118 degrees, with 4 rad/s.
  const double lean = radians(180.0 - 118.0);
  const double fall = -std::sqrt(2.0 * 9810.0 * (1000.0 - kHalf_mm * std::sin(lean) - kRadius_mm));
  const RodEnd k = rod_end(lean, kPaper);
  const double spin = -4.0;  // mirrored
  const double u = -spin * k.arm_mm.y();
  const double w = fall + spin * k.arm_mm.x();
  const auto ours = moreau(k, 0.6, u, w);
  const Impact other = routh(k, 0.6, u, w);
  REQUIRE(ours);
  WARN("the paper's rod: slip " << u << ", approach " << w << ", reverses " << other.reverses
                                << ", difference " << difference(k, kPaper, ours->p, other.p, w));
}
