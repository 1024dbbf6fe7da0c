/// Grasps of drawn parts whose end statics by hand tells, on both sides of its threshold. The
/// support carries less than a thousandth of the closing force, just enough that parts do not fly
/// freely: two contacts hold a part where the line through them lies in both friction cones, and
/// else the jaws turn or push it.

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "geometry/outline.hpp"
#include "tests/support/drawn_scenes.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kDeg = std::numbers::pi / 180.0;
constexpr double kMuSupport = 0.1;
/// How far from a threshold the two sides are.
constexpr double kBelow = 0.99;
constexpr double kAbove = 1.01;

Eigen::AlignedBox2d box_of_loop(const OutlineLoop& loop) {
  Eigen::AlignedBox2d box;
  for (const OutlineCurve& curve : outline_curves(loop)) box.extend(box_of(curve));
  return box;
}

/// A part at an angle, midway between the jaws so that both meet it at once, its origin at height
/// y.
TrialParameters midway(const OutlineLoop& loop, double theta_rad, double y_mm, double mu_jaw) {
  const Eigen::AlignedBox2d box = box_of_loop(placed({loop, {}}, {{0, 0}, theta_rad}).outer);
  TrialParameters trial;
  trial.placement_x_mm = box.center().x();
  trial.placement_y_mm = -y_mm;
  trial.theta_rad = theta_rad;
  trial.mu_jaw = mu_jaw;
  trial.mu_support = kMuSupport;
  return trial;
}

/// Between the inside edges of quarter-planes, slowly: a long step may end on the other side of a
/// shallow wedge.
SimulationResult squeeze(const OutlineLoop& loop, double theta_rad, double mu_jaw) {
  Scenario scenario = drawn_scenario(loop);
  scenario.gripper.closing_speed_mm_s = 5.0;
  scenario.stop.timeout_s = 10.0;
  scenario.stop.stopped_speed_mm_s = 0.01;
  return run(scenario, midway(loop, theta_rad, -50.0, mu_jaw));
}

double opening_mm(const SimulationResult& result) {
  return result.final_state.jaw_right_mm - result.final_state.jaw_left_mm;
}

Pose2 end_pose(const Scenario& scenario, const SimulationResult& result) {
  return part_pose_in_gripper(scenario, result.final_state);
}

/// A right finger whose inside edge leans back below the fingertip.
Outline undercut_finger(double angle_rad) {
  return {polygon_loop({{50.0 * std::tan(angle_rad), -50}, {100, -50}, {100, 0}, {0, 0}}), {}};
}

/// A right finger with a hollow of a radius about (-depth, -20): 20 mm below its tip.
Outline hollow_finger(double depth_mm, double radius_mm) {
  const double half_mm = std::sqrt(radius_mm * radius_mm - depth_mm * depth_mm);
  const double bulge = -std::tan(0.5 * std::asin(half_mm / radius_mm));  // clockwise
  return {{{{0, -60}, 0.0, ""},
           {{100, -60}, 0.0, ""},
           {{100, 0}, 0.0, ""},
           {{0, 0}, 0.0, ""},
           {{0, -20.0 + half_mm}, bulge, ""},
           {{0, -20.0 - half_mm}, 0.0, ""}},
          {}};
}

/// Below the threshold the part turns to `end_rad` to the rounding error, above it stays.
void check_turns(const OutlineLoop& loop, double theta_rad, double threshold, double end_rad,
                 double end_opening_mm) {
  const SimulationResult turned = squeeze(loop, theta_rad, kBelow * threshold);
  CHECK(turned.end == EndReason::kStopped);
  CHECK(turned.final_state.part_pose[2] == within(end_rad, 1e-9));
  CHECK(opening_mm(turned) == within(end_opening_mm, 1e-8));
  const SimulationResult held = squeeze(loop, theta_rad, kAbove * threshold);
  CHECK(held.end == EndReason::kStopped);
  CHECK(held.final_state.part_pose[2] == within(theta_rad, 1e-6));
}

}  // namespace

// W x H between the jaws at angle theta touches with opposite corners. Their diagonal has the angle
// beta - theta with the jaws' direction, tan beta = H / W: it wedges where mu > tan(beta - theta).
// As it turns flat that angle grows, so that it does not stop on the way.
TEST_CASE("a drawn rectangle turns flat or wedges on its diagonal") {
  const OutlineLoop rectangle = rectangle_loop(16.0, 20.0);
  const double beta = std::atan2(20.0, 16.0);
  for (const double degrees : {1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0}) {
    for (const double sign : {-1.0, 1.0}) {
      INFO(sign * degrees << " degrees");
      const double theta = degrees * kDeg;
      check_turns(rectangle, sign * theta, std::tan(beta - theta), 0.0, 16.0);
    }
  }
}

// Beyond its diagonal it turns the other way, to a quarter turn: mu < tan(theta - beta).
TEST_CASE("a drawn rectangle beyond its diagonal turns flat on its other side") {
  const OutlineLoop rectangle = rectangle_loop(16.0, 20.0);
  const double beta = std::atan2(20.0, 16.0);
  for (const double degrees : {5.0, 15.0, 30.0}) {
    INFO(degrees << " degrees beyond");
    check_turns(rectangle, beta + degrees * kDeg, std::tan(degrees * kDeg), 90.0 * kDeg, 20.0);
  }
}

// Base on one jaw, apex on the other: at angle theta a side of the triangle joins the contacts.
// With half of the apex angle alpha it wedges where mu > tan(alpha - theta), or turns onto its
// base.
TEST_CASE("a drawn triangle turns onto its base or wedges on a side") {
  const OutlineLoop triangle = polygon_loop({{-4, -7}, {8, 0}, {-4, 7}});
  const double alpha = std::atan2(7.0, 12.0);
  for (const double degrees : {-20.0, -8.0, 3.0, 10.0, 25.0}) {
    INFO(degrees << " degrees");
    const double theta = degrees * kDeg;
    check_turns(triangle, theta, std::tan(alpha - std::abs(theta)), 0.0, 12.0);
  }
}

// Opposite corners of a hexagon near its flats: 30 degrees from the flats' normal, less theta.
TEST_CASE("a drawn hexagon turns to its flats or wedges across its corners") {
  const OutlineLoop hexagon = regular_polygon_loop(6, 24.0);
  for (const double degrees : {4.0, 12.0, 20.0, 27.0}) {
    INFO(degrees << " degrees");
    const double threshold = std::tan((30.0 - degrees) * kDeg);
    check_turns(hexagon, degrees * kDeg, threshold, 0.0, 24.0);
    check_turns(hexagon, (degrees - 60.0) * kDeg, threshold, -60.0 * kDeg, 24.0);
  }
}

// An L with its back on a jaw. Turned counter-clockwise its contacts are the back's upper corner
// and the foot's lower one, on a line at atan(b / a) - theta. The angles are such that friction
// there is less than what would hold it where it swings beyond: tan gamma of the next test.
TEST_CASE("a drawn L turns onto its back or wedges") {
  const OutlineLoop bracket = polygon_loop({{0, 0}, {14, 0}, {14, 4}, {4, 4}, {4, 16}, {0, 16}});
  for (const double degrees : {35.0, 39.0, 42.0}) {
    INFO(degrees << " degrees");
    const double threshold = std::tan(std::atan2(16.0, 14.0) - degrees * kDeg);
    check_turns(bracket, degrees * kDeg, threshold, 0.0, 14.0);
  }
}

// Turned clockwise by less than gamma = atan(s / a) it turns back onto its back, by more it goes on
// until the ends of both arms lie on the jaw: the line through them has the angle
// atan((a - t) / (b - s)) with the back.
TEST_CASE("a drawn L turns onto its back or onto the ends of both arms") {
  const OutlineLoop bracket = polygon_loop({{0, 0}, {14, 0}, {14, 4}, {4, 4}, {4, 16}, {0, 16}});
  const double gamma = std::atan2(4.0, 14.0);
  const SimulationResult back = squeeze(bracket, -0.97 * gamma, 1e-3);
  CHECK(back.final_state.part_pose[2] == within(0.0, 1e-9));
  CHECK(back.left_touches == std::vector<int>{5});
  CHECK(back.right_touches == std::vector<int>{1});
  const SimulationResult ends = squeeze(bracket, -1.03 * gamma, 1e-3);
  const double delta = std::atan2(10.0, 12.0);
  CHECK(ends.final_state.part_pose[2] == within(-delta, 1e-9));
  CHECK(opening_mm(ends) == within(14.0 * std::cos(delta) + 4.0 * std::sin(delta), 1e-8));
  CHECK(ends.left_touches == std::vector<int>{6});       // the corner at (0, 0)
  CHECK(ends.right_touches == std::vector<int>{8, 10});  // those at (14, 4) and (4, 16)
  const SimulationResult held = squeeze(bracket, -0.97 * gamma, 0.05);
  CHECK(held.final_state.part_pose[2] == within(-0.97 * gamma, 1e-6));
}

// Half a disc at angle theta touches with an end of its chord, (-R sin, R cos) from the centre, and
// at (R, 0): tan of the line's angle is cos theta / (1 + sin theta) = tan(45 degrees - theta / 2).
TEST_CASE("half a disc turns onto its chord or wedges") {
  const OutlineLoop half{{{0, -8}, 1.0, ""}, {{0, 8}, 0.0, ""}};
  for (const double degrees : {5.0, 20.0, 40.0, 60.0}) {
    INFO(degrees << " degrees");
    check_turns(half, degrees * kDeg, std::tan((45.0 - 0.5 * degrees) * kDeg), 0.0, 8.0);
  }
}

// A slot of length L + 2 R at angle theta to the jaws' direction: the contacts are at
// +-(L/2 cos + R, L/2 sin). It wedges on its ends, or turns a quarter.
TEST_CASE("a slot wedges on its round ends or turns onto its sides") {
  const OutlineLoop slot{
      {{-6, -3}, 0.0, ""}, {{6, -3}, 1.0, ""}, {{6, 3}, 0.0, ""}, {{-6, 3}, 1.0, ""}};
  for (const double degrees : {5.0, 15.0, 30.0, 50.0}) {
    INFO(degrees << " degrees");
    const double theta = degrees * kDeg;
    const double threshold = 6.0 * std::sin(theta) / (6.0 * std::cos(theta) + 3.0);
    check_turns(slot, theta, threshold, 90.0 * kDeg, 6.0);
  }
}

// Flush edges touch over their length, although single corners carry the force.
TEST_CASE("edges that lie on a jaw touch it") {
  const SimulationResult result = squeeze(rectangle_loop(16.0, 20.0), 0.0, 0.3);
  CHECK(result.right_touches == std::vector<int>{1});
  CHECK(result.left_touches == std::vector<int>{3});
}

// The tips press against sides that lean by psi: a part that widens upwards is pushed up and out
// where mu < tan psi, and the jaws close below it.
TEST_CASE("a wedge between two fingertips slides out or is held") {
  for (const double degrees : {5.0, 12.0, 25.0}) {
    INFO(degrees << " degrees");
    const double lean = 12.0 * std::tan(degrees * kDeg);
    const OutlineLoop wedge = polygon_loop({{-6 + lean, -12}, {6 - lean, -12}, {6, 0}, {-6, 0}});
    const Scenario scenario = drawn_scenario(wedge);
    const double threshold = std::tan(degrees * kDeg);
    const SimulationResult out = run(scenario, midway(wedge, 0.0, 6.0, kBelow * threshold));
    CHECK(out.end == EndReason::kClosed);
    const SimulationResult held = run(scenario, midway(wedge, 0.0, 6.0, kAbove * threshold));
    CHECK(held.end == EndReason::kStopped);
    CHECK(end_pose(scenario, held).position_mm.y() == within(6.0, 1e-2));
    CHECK(opening_mm(held) == within(12.0 - lean, 1e-2));
  }
}

// A peg whose stem widens downwards by psi is pulled down where mu < tan psi, until its head lies
// on the top edges: there it stops, with the tips in the corners between head and stem.
TEST_CASE("a peg comes down onto the fingers' top edges and does not fall in") {
  for (const double degrees : {8.0, 20.0}) {
    INFO(degrees << " degrees");
    const double lean = 10.0 * std::tan(degrees * kDeg);
    const OutlineLoop peg = polygon_loop(
        {{-4 - lean, -10}, {4 + lean, -10}, {4, 0}, {10, 0}, {10, 4}, {-10, 4}, {-10, 0}, {-4, 0}});
    Scenario scenario = drawn_scenario(peg);
    set_fingers(scenario.gripper, undercut_finger(30.0 * kDeg));
    const double threshold = std::tan(degrees * kDeg);
    const SimulationResult down = run(scenario, midway(peg, 0.0, 3.0, kBelow * threshold));
    CHECK(down.end == EndReason::kStopped);
    CHECK(end_pose(scenario, down).position_mm.y() == within(0.0, 1e-8));
    CHECK(opening_mm(down) == within(8.0, 1e-8));
    CHECK(down.right_touches == std::vector<int>{1, 2});
    CHECK(down.left_touches == std::vector<int>{6, 7});
    const SimulationResult held = run(scenario, midway(peg, 0.0, 3.0, kAbove * threshold));
    CHECK(end_pose(scenario, held).position_mm.y() == within(3.0, 1e-2));
  }
}

// Both fingers' lower walls, at the angle alpha with the jaws' direction, meet the disc first.
// Their contacts are level, and the walls' normals at 90 degrees - alpha with that line: the disc
// slides to the middle where mu < cot alpha, and then the grooves' bottoms are R / sin alpha from
// it.
TEST_CASE("a disc centres in V-grooves, or sticks at the friction angle") {
  constexpr double kRadius = 6.0;
  const OutlineLoop disc = circle_loop({0, 0}, kRadius);
  for (const double degrees : {50.0, 60.0, 70.0}) {
    for (const double off_mm : {-1.0, 1.0}) {
      INFO(degrees << " degrees, off by " << off_mm << " mm");
      const double alpha = degrees * kDeg;
      const double depth = 5.0;
      const double groove_y = -20.0;
      Scenario scenario = drawn_scenario(disc);
      set_fingers(scenario.gripper, v_finger(alpha, depth, groove_y));
      const double threshold = 1.0 / std::tan(alpha);
      const SimulationResult centred =
          run(scenario, midway(disc, 0.0, groove_y + off_mm, kBelow * threshold));
      CHECK(centred.end == EndReason::kStopped);
      CHECK(centred.final_state.part_pose[0] == within(0.0, 1e-9));
      CHECK(centred.final_state.part_pose[1] == within(groove_y, 1e-9));
      CHECK(opening_mm(centred) == within(2.0 * (kRadius / std::sin(alpha) - depth), 1e-8));
      const SimulationResult stuck =
          run(scenario, midway(disc, 0.0, groove_y + off_mm, kAbove * threshold));
      CHECK(stuck.end == EndReason::kStopped);
      CHECK(stuck.final_state.part_pose[1] == within(groove_y + off_mm, 1e-2));
    }
  }
}

// A hexagon's corner has the angle of a V of 120 degrees: all four sides lie flat in the grooves.
TEST_CASE("a hexagon between V-grooves ends square and centred") {
  const OutlineLoop hexagon =
      placed({regular_polygon_loop(6, 12.0), {}}, {{0, 0}, 30.0 * kDeg}).outer;
  Scenario scenario = drawn_scenario(hexagon);
  set_fingers(scenario.gripper, v_finger(60.0 * kDeg, 3.0, -20.0));
  for (const double degrees : {-12.0, 6.0}) {
    INFO(degrees << " degrees");
    const SimulationResult result = run(scenario, midway(hexagon, degrees * kDeg, -19.5, 0.05));
    CHECK(result.end == EndReason::kStopped);
    CHECK(result.final_state.part_pose[0] == within(0.0, 1e-9));
    CHECK(result.final_state.part_pose[1] == within(-20.0, 1e-9));
    CHECK(result.final_state.part_pose[2] == within(0.0, 1e-9));
    CHECK(opening_mm(result) == within(2.0 * (12.0 / std::sqrt(3.0) - 3.0), 1e-8));
    CHECK(result.right_touches.size() == 2);
    CHECK(result.left_touches.size() == 2);
  }
}

// A disc whose centre is d above the fingertips. The centre of a tip of radius r is r below: the
// contact's normal rises by beta, sin beta = (d + r) / (R + r). It slides out where mu < tan beta.
TEST_CASE("a tip radius moves the friction at which a disc is held") {
  constexpr double kRadius = 12.0;
  const OutlineLoop disc = circle_loop({0, 0}, kRadius);
  for (const double tip_mm : {0.0, 0.5, 2.0, 5.0}) {
    for (const double d_mm : {1.0, 4.0}) {
      INFO("tip radius " << tip_mm << " mm, centre " << d_mm << " mm above");
      Scenario scenario = drawn_scenario(disc);
      set_fingers(scenario.gripper, round_tip_finger(tip_mm));
      const double threshold = std::tan(std::asin((d_mm + tip_mm) / (kRadius + tip_mm)));
      const SimulationResult out = run(scenario, midway(disc, 0.0, d_mm, kBelow * threshold));
      CHECK(out.end == EndReason::kClosed);
      const SimulationResult held = run(scenario, midway(disc, 0.0, d_mm, kAbove * threshold));
      CHECK(held.end == EndReason::kStopped);
      CHECK(end_pose(scenario, held).position_mm.y() == within(d_mm, 1e-2));
    }
  }
}

// On a tip's chamfer, p along the top and q along the inside, a disc is pushed out where mu < p /
// q.
TEST_CASE("a chamfer pushes a disc out or holds it") {
  constexpr double kRadius = 12.0;
  const OutlineLoop disc = circle_loop({0, 0}, kRadius);
  for (const double p_mm : {2.0, 5.0}) {
    INFO("chamfer " << p_mm << " by 10 mm");
    Scenario scenario = drawn_scenario(disc);
    set_fingers(scenario.gripper,
                {polygon_loop({{0, -100}, {100, -100}, {100, 0}, {p_mm, 0}, {0, -10}}), {}});
    const double threshold = p_mm / 10.0;
    // The contact is R sin beta below the centre: in the middle of the chamfer.
    const double y = -5.0 + kRadius * std::sin(std::atan(threshold));
    const SimulationResult out = run(scenario, midway(disc, 0.0, y, kBelow * threshold));
    CHECK(out.end == EndReason::kClosed);
    const SimulationResult held = run(scenario, midway(disc, 0.0, y, kAbove * threshold));
    CHECK(held.end == EndReason::kStopped);
    CHECK(end_pose(scenario, held).position_mm.y() == within(y, 1e-2));
  }
}

// Fingers whose inside edges are undercut by psi push a disc down where mu < tan psi, onto the
// palm.
TEST_CASE("undercut fingers press a disc onto the palm or hold it above") {
  constexpr double kRadius = 12.0;
  const OutlineLoop disc = circle_loop({0, 0}, kRadius);
  for (const double degrees : {6.0, 15.0}) {
    INFO(degrees << " degrees");
    Scenario scenario = drawn_scenario(disc);
    const double psi = degrees * kDeg;
    set_fingers(scenario.gripper, undercut_finger(psi));
    scenario.gripper.palm = Outline{rectangle_loop(100.0, 20.0, {0.0, -50.0}), {}};
    scenario.gripper.opening_mm = 40.0;
    const double threshold = std::tan(psi);
    const SimulationResult down = run(scenario, midway(disc, 0.0, -25.0, kBelow * threshold));
    CHECK(down.end == EndReason::kStopped);
    CHECK(down.final_state.part_pose[1] == within(-40.0 + kRadius, 1e-8));
    CHECK(down.palm_touches.size() == 1);
    const double edge_mm = kRadius / std::cos(psi) - (40.0 - kRadius) * std::tan(psi);
    CHECK(opening_mm(down) == within(2.0 * edge_mm, 1e-8));
    const SimulationResult held = run(scenario, midway(disc, 0.0, -25.0, kAbove * threshold));
    CHECK(held.end == EndReason::kStopped);
    CHECK(held.final_state.part_pose[1] == within(-25.0, 1e-2));
    CHECK(held.palm_touches.empty());
  }
}

// Hollows of radius rho about points at one height: off that by e, the normal at a disc rises by
// beta, sin beta = e / (rho - R), and the disc sticks where mu > tan beta. It slides inwards until
// friction holds it, at most to where it would have stuck.
TEST_CASE("a disc in hollow fingers slides inwards or sticks") {
  constexpr double kRadius = 6.0;
  constexpr double kHollow = 10.0;
  constexpr double kMu = 0.3;
  const OutlineLoop disc = circle_loop({0, 0}, kRadius);
  Scenario scenario = drawn_scenario(disc);
  set_fingers(scenario.gripper, hollow_finger(6.0, kHollow));
  const double threshold_mm = (kHollow - kRadius) * std::sin(std::atan(kMu));
  for (const double sign : {-1.0, 1.0}) {
    const double stuck_mm = sign * 0.97 * threshold_mm;
    const SimulationResult stuck = run(scenario, midway(disc, 0.0, -20.0 + stuck_mm, kMu));
    CHECK(stuck.end == EndReason::kStopped);
    CHECK(stuck.final_state.part_pose[1] == within(-20.0 + stuck_mm, 1e-6));
    const SimulationResult moved =
        run(scenario, midway(disc, 0.0, -20.0 + sign * 1.5 * threshold_mm, kMu));
    CHECK(moved.end == EndReason::kStopped);
    CHECK(std::abs(moved.final_state.part_pose[1] + 20.0) <= threshold_mm + 1e-6);
  }
}

// A circle of radius rho about an ellipse with semi-axes a > b touches it at two places beside the
// end of b, with its centre s from the ellipse's: s^2 = (rho^2 - a^2) (a^2 - b^2) / a^2. A side of
// exponent 6 is flatter.
TEST_CASE("an ellipse and a rounded rectangle lie in hollow fingers with both ends of a side") {
  constexpr double kDepth = 8.0;
  constexpr double kHollow = 10.0;
  constexpr double a = 7.0;
  constexpr double b = 4.6;
  for (const double exponent : {2.0, 6.0}) {
    CAPTURE(exponent);
    const bool is_ellipse = exponent == 2.0;
    Scenario scenario = bar_scenario(is_ellipse ? b : 4.0, is_ellipse ? a : 5.0, exponent);
    set_fingers(scenario.gripper, hollow_finger(kDepth, kHollow));
    TrialParameters trial;
    trial.placement_y_mm = 21.0;
    trial.theta_rad = 0.1;
    trial.mu_support = kMuSupport;
    const SimulationResult result = run(scenario, trial);
    CHECK(result.end == EndReason::kStopped);
    CHECK(result.final_state.part_pose[1] == within(-20.0, 1e-7));
    CHECK(result.final_state.part_pose[2] == within(0.0, 1e-7));
    if (!is_ellipse) continue;
    const double s = std::sqrt((kHollow * kHollow - a * a) * (a * a - b * b)) / a;
    CHECK(opening_mm(result) == within(2.0 * (kDepth - s), 1e-7));
  }
}
