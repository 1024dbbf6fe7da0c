/// What one squeeze does to a part, against the diameter function.

#include "grasp/decide/sequence/squeeze_map.hpp"

#include <catch2/catch.hpp>

#include "grasp/sweep/config/scenario_reader.hpp"
#include "tests/support/squeezed_parts.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

double modulo(double angle, double period) { return angle - period * std::floor(angle / period); }
double apart(double a, double b, double period) { return std::abs(std::remainder(a - b, period)); }

/// A start that is centred between the jaws, as far as the polygon reaches.
LyingPose centred(const Polygon& polygon, const Vec2& center_of_mass, double angle) {
  const Vec2 turned = Rotation2(angle) * center_of_mass;
  return {{turned.x() - extent_of(polygon, angle).middle(), 0.0}, angle};
}

}  // namespace

TEST_CASE("the squeeze point is at the pads' middle, or below the tips by twice the reach") {
  SweepConfig config = parse_sweep_config(squeezed_plate(rectangle_polygon(20, 30)), "plate.toml");
  const double reach = bounding_radius_mm(config.scenario.part, {0, 0});
  CHECK(squeeze_point_mm(config.scenario) == Vec2(0.0, -2.0 * reach));
  Outline finger;
  for (const Vec2& corner : {Vec2(0, -3), Vec2(5, -3), Vec2(5, 9), Vec2(0, 9)}) {
    finger.outer.emplace_back().begin_mm = corner;
  }
  config.scenario.gripper.right_finger = finger;
  config.scenario.gripper.left_finger = mirrored(finger);
  CHECK(squeeze_point_mm(config.scenario) == Vec2(0.0, 3.0));
}

TEST_CASE("without friction a squeeze ends at the diameter function's minimum downhill") {
  // Jaws that touch on both sides turn the part with the moment F |w'|: the forces F are on an arm
  // w', the derivative of the width by the angle. The table holds the part where that is at most
  // mu m g e_r, here less than 0.02 mm/rad. Jaws of 2 mm/s leave a part that turns faster than they
  // follow no momentum to coast over a minimum.
  constexpr double kNearMaximum_rad = 0.02;
  int tried = 0;
  double worst = 0.0;
  Workspace workspace;
  SimulationResult result;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Polygon polygon = random_convex_polygon(random, false);
    const SqueezeSteps steps = squeeze_steps(polygon);
    SweepConfig config = parse_sweep_config(squeezed_plate(polygon), "plate.toml");
    config.scenario.program = program_of(squeeze_phases(config.scenario));
    config.scenario.gripper.closing_speed_mm_s = 2.0;
    const Vec2 point = squeeze_point_mm(config.scenario);
    TrialParameters friction;
    friction.mu_support = 0.3;
    const double held_mm = friction.mu_support * config.scenario.mass.mass_kg * 9.81 *
                           std::get<EllipsoidSupport>(config.scenario.support).e_r_mm / 40.0;
    CHECK(held_mm < 0.02);
    for (int k = 0; k < 3; ++k) {
      const double angle = random.uniform(0.0, 2.0 * kHalfTurn_rad);
      const double place = modulo(angle - steps.low[0], kHalfTurn_rad) + steps.low[0];
      std::size_t step = 0;
      while (place > steps.high[step]) ++step;
      if (place - steps.low[step] < kNearMaximum_rad ||
          steps.high[step] - place < kNearMaximum_rad) {
        continue;
      }
      constexpr double kBeside = 1e-5;
      const double slope = (extent_of(polygon, angle + kBeside).width() -
                            extent_of(polygon, angle - kBeside).width()) /
                           (2.0 * kBeside);
      if (std::abs(slope) <= held_mm) continue;
      ++tried;
      const LyingPose start = centred(polygon, config.scenario.mass.center_of_mass_P_mm, angle);
      const ProgramTrial trial =
          simulated_program(config, {friction, {}}, point, start, workspace, result);
      INFO("seed " << seed << ", angle " << angle << ", to " << steps.minimum[step]);
      CHECK(trial.end == EndReason::kStopped);
      const double error = apart(trial.poses.back().angle_rad, steps.minimum[step], kHalfTurn_rad);
      CHECK(error < 1e-3);
      worst = std::max(worst, error);
    }
  }
  INFO("worst " << worst);
  CHECK(tried > 500);
  CHECK(worst < 1e-3);
}

TEST_CASE("the map is a squeeze, between its angles too, and turns are the gripper's") {
  const Polygon polygon = rectangle_polygon(16, 30);
  const SweepConfig config = parse_sweep_config(squeezed_plate(polygon), "plate.toml");
  const KeptTrials unkept;
  SqueezeMap map(config, {}, {}, 4, 1, 1, unkept);
  CHECK(map.draws() == 1);  // nothing differs from trial to trial
  const WeightedPose start{{{0.3, 2.0}, 0.2345}};
  map.ask(start, {});
  map.simulate_asked();
  const WeightedPose end = map.squeezed(start, {});
  CHECK_FALSE(end.lost);
  CHECK(end.pose.angle_rad == within(0.0, 1e-3));
  CHECK(end.pose.center_mm.x() == within(0.0, 1e-2));
  CHECK(end.pose.center_mm.y() == within(2.0, 0.05));
  // Its breakpoints are where a diagonal is across: two in each half turn.
  const std::vector<double> points = map.breakpoints({});
  REQUIRE(points.size() == 4);
  const double diagonal = std::atan2(30.0, 16.0);
  CHECK(points[0] == within(diagonal, 2.0 * kHalfTurn_rad / SqueezeMap::kAngles));
  CHECK(points[1] == within(kHalfTurn_rad - diagonal, 2.0 * kHalfTurn_rad / SqueezeMap::kAngles));

  const LyingPose turned = before_jaws({{1.0, 0.0}, 0.5}, {0.5 * kHalfTurn_rad, 3.0});
  CHECK(turned.center_mm.x() == within(-3.0, 1e-15));
  CHECK(turned.center_mm.y() == within(-1.0, 1e-15));
  CHECK(turned.angle_rad == within(0.5 - 0.5 * kHalfTurn_rad, 1e-15));
}

TEST_CASE("a part that the open jaws overlap is lost in the map") {
  const SweepConfig config =
      parse_sweep_config(squeezed_plate(rectangle_polygon(16, 120)), "plate.toml");
  const KeptTrials unkept;
  SqueezeMap map(config, {}, {}, 1, 1, 1, unkept);
  const WeightedPose across{{{0.0, 0.0}, 0.5 * kHalfTurn_rad}};
  map.ask(across, {});
  map.simulate_asked();
  CHECK(map.squeezed(across, {}).lost);
}

TEST_CASE("the map tells the smallest turn of the part that squeezes cannot see") {
  const KeptTrials unkept;
  const auto symmetry_rad = [&](const Polygon& polygon) {
    SqueezeMap map(parse_sweep_config(squeezed_plate(polygon), "plate.toml"), {}, {}, 1, 1, 2,
                   unkept);
    return map.symmetry_rad();
  };
  CHECK(symmetry_rad(rectangle_polygon(20, 20)) == within(kHalfTurn_rad / 2.0, 1e-12));
  CHECK(symmetry_rad(rectangle_polygon(20, 21)) == within(kHalfTurn_rad, 1e-12));
  CHECK(symmetry_rad(regular_polygon(6, 15.0)) == within(kHalfTurn_rad / 3.0, 1e-12));
  // Jaws touch a corner on one side and a side on the other: a sixth of a turn looks the same.
  CHECK(symmetry_rad(regular_polygon(3, 15.0)) == within(kHalfTurn_rad / 3.0, 1e-12));
}

namespace {

/// How far the polygon reaches to the left of its centre of mass.
double radius_of(const Polygon& polygon, const Vec2& center_of_mass, double angle) {
  double radius = 0.0;
  for (const Vec2& corner : polygon) {
    radius = std::max(radius, -(Rotation2(angle) * Vec2(corner - center_of_mass)).x());
  }
  return radius;
}

/// Downhill to the next minimum of the radius; how far uphill it is the other way, to `most`.
struct Downhill {
  double minimum = 0.0;
  double to_maximum = 0.0;
};
Downhill downhill(const Polygon& polygon, const Vec2& center_of_mass, double angle, double most) {
  constexpr double kStep = 1e-4;
  const auto radius = [&](double at) { return radius_of(polygon, center_of_mass, at); };
  const double way = radius(angle + kStep) < radius(angle - kStep) ? kStep : -kStep;
  Downhill found{angle, 0.0};
  while (radius(found.minimum + way) < radius(found.minimum)) found.minimum += way;
  while (found.to_maximum < most && radius(angle - way * (found.to_maximum / kStep + 1.0)) >
                                        radius(angle - way * found.to_maximum / kStep)) {
    found.to_maximum += kStep;
  }
  return found;
}

}  // namespace

TEST_CASE("without friction a push ends at the radius function's minimum downhill", "[slow]") {
  // Goldberg 1993; Mason 1986. A long push by a slow jaw: the part does not coast.
  constexpr double kNearMaximum_rad = 0.1;
  int tried = 0;
  Workspace workspace;
  SimulationResult result;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const Polygon polygon = random_convex_polygon(random, false);
    SweepConfig config = parse_sweep_config(squeezed_plate(polygon), "plate.toml");
    const Vec2& center = config.scenario.mass.center_of_mass_P_mm;
    const double reach = bounding_radius_mm(config.scenario.part, center);
    std::vector<DrawnPhase> phases = squeeze_phases(config.scenario, {.push_mm = 8.0 * reach});
    REQUIRE(phases.size() == 2);
    for (DrawnPhase& phase : phases) phase.speed_mm_s = 5.0;
    config.scenario.program = program_of(phases);
    const double angle = random.uniform(0.0, 2.0 * kHalfTurn_rad);
    const Downhill expected = downhill(polygon, center, angle, kNearMaximum_rad);
    if (expected.to_maximum < kNearMaximum_rad) continue;
    ++tried;
    TrialParameters friction;
    friction.mu_support = 0.5;
    const ProgramTrial trial =
        simulated_program(config, {friction, {}}, squeeze_point_mm(config.scenario),
                          {{0, 0}, angle}, workspace, result);
    INFO("seed " << seed << ", angle " << angle << ", to " << expected.minimum);
    CHECK(trial.end == EndReason::kStopped);
    const LyingPose& end = trial.poses.back();
    CHECK(apart(end.angle_rad, expected.minimum, 2.0 * kHalfTurn_rad) < 2e-3);
    // It has gone back: the part is about in the middle, clear of the jaw that pushed it.
    CHECK(std::abs(end.center_mm.x()) < reach);
  }
  CHECK(tried > 100);
}

TEST_CASE("a push goes back by as much as the part leaves room") {
  SweepConfig config = parse_sweep_config(squeezed_plate(rectangle_polygon(16, 30)), "plate.toml");
  const double reach = std::hypot(8.0, 15.0);
  std::vector<DrawnPhase> phases =
      squeeze_phases(config.scenario, {0.5, 0.0, -20.0}, {1.0, 50.0}, 60.0);
  REQUIRE(phases.size() == 3);
  CHECK(phases[0].by_rad == 0.5);
  CHECK(phases[1].by_mm == Vec2(-50.0, 0.0));
  CHECK(phases[2].by_mm.x() == within(0.5 * (60.0 - reach), 1e-6));
  phases = squeeze_phases(config.scenario, {0.0, 0.0, 20.0}, {}, 0.5 * reach);
  REQUIRE(phases.size() == 1);  // a part that hardly fits between the jaws
  // At the start of a program the jaws are open as the gripper's are, whatever comes later.
  phases = squeeze_phases(config.scenario, {0.0, 0.0, 20.0}, {1.0, 50.0});
  CHECK(phases[0].by_mm == Vec2(20.0 + 0.5 * config.scenario.gripper.opening_mm, 0.0));
}

TEST_CASE("a push by the right jaw is one by the left jaw of the part turned by half a turn") {
  const SweepConfig config = parse_sweep_config(
      squeezed_plate(Polygon{{-12, -8}, {12, -8}, {10, 9}, {-14, 7}}), "plate.toml");
  const KeptTrials unkept;
  SqueezeMap map(config, {}, {20.0, -20.0}, 1, 1, 2, unkept);
  for (const double angle : {0.3, 1.1, 2.7, 4.4}) {
    const Squeeze left{.push_mm = 20.0};
    const Squeeze right{.push_mm = -20.0};
    const WeightedPose one{{{1.0, 2.0}, angle}};
    const WeightedPose turned{{{-1.0, 2.0}, angle + kHalfTurn_rad}};
    map.ask(one, left);
    map.ask(turned, right);
    map.simulate_asked();
    const LyingPose a = map.squeezed(one, left).pose;
    const LyingPose b = map.squeezed(turned, right).pose;
    CHECK(b.angle_rad == within(a.angle_rad + kHalfTurn_rad, 1e-6));
    CHECK(b.center_mm.x() == within(-a.center_mm.x(), 1e-6));
    CHECK(b.center_mm.y() - 2.0 == within(2.0 - a.center_mm.y(), 1e-6));
  }
}

TEST_CASE("where a squeeze on a mount leaves a part is told before the arm, which stays") {
  // Jaws that find the part 5 mm beside them push it until the mount bears the table's friction.
  constexpr double kMu = 0.5;
  constexpr double kStiffness = 0.02;  // N/mm
  SweepConfig config =
      parse_sweep_config(squeezed_plate("[-8, -15], [8, -15], [8, 15], [-8, 15]"), "plate.toml");
  config.scenario.gripper.mount = Mount{.sideways_n_per_mm = kStiffness, .damping_s = 0.02};
  config.scenario.program = program_of(squeeze_phases(config.scenario));
  Workspace workspace;
  SimulationResult result;
  TrialParameters friction;
  friction.mu_support = kMu;
  const ProgramTrial trial =
      simulated_program(config, {friction, {}}, squeeze_point_mm(config.scenario),
                        {{5.0, 0.0}, 0.0}, workspace, result);
  REQUIRE(trial.poses.size() == 3);
  const double force_n = kMu * config.scenario.mass.mass_kg * 9.81;
  const double held_mm = trial.poses[1].center_mm.x();
  CHECK(held_mm > 1.0);
  CHECK(held_mm < force_n / kStiffness);
  CHECK(trial.poses[2].center_mm.x() == within(held_mm, 0.01));
  CHECK(std::abs(result.phase_ends[0].state.mount[0]) > 1.0);
}
