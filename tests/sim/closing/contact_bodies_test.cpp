#include "sim/closing/contact_bodies.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/mass_properties.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/simulate.hpp"
#include "tests/support/outline_shapes.hpp"

namespace graspmap {
namespace {

/// A part of one outline, held by the default jaws.
Scenario held(const OutlineLoop& loop) {
  Scenario scenario;
  scenario.part.outlines.push_back({"part", {loop, {}}, {}});
  scenario.mass = mass_properties(scenario.part, 7.8e-6, 5.0);
  scenario.support = EllipsoidSupport{1.0, 1.0, 5.0};
  scenario.gripper.opening_mm = 60.0;
  return scenario;
}

SimulationResult closed_on(const Scenario& scenario, double theta_rad) {
  Workspace workspace;
  SimulationResult result;
  simulate(scenario,
           {.placement_y_mm = 4.0, .theta_rad = theta_rad, .mu_jaw = 0.3, .mu_support = 0.2},
           workspace, result);
  REQUIRE(result.end == EndReason::kStopped);
  return result;
}

TEST_CASE("each half of a drawn circle is touched by its own name") {
  const Scenario scenario = held(circle_loop({0, 0}, 10.0));
  const double quarter = 0.5 * std::numbers::pi;
  // The arcs begin where the circle meets the part's x axis: turned by a quarter, one faces each
  // jaw.
  for (const double turn : {quarter, -quarter}) {
    const SimulationResult result = closed_on(scenario, turn);
    CHECK(result.right_touches == std::vector<int>{turn > 0 ? 1 : 0});
    CHECK(result.left_touches == std::vector<int>{turn > 0 ? 0 : 1});
  }
}

TEST_CASE("flat sides are touched as edges, a part on its corners by these") {
  // Edges 1 to 4 from the lower left corner; corner k is where edge k begins.
  const Scenario scenario = held(rectangle_loop(20.0, 20.0));
  const SimulationResult flat = closed_on(scenario, 0.0);
  CHECK(flat.right_touches == std::vector<int>{1});
  CHECK(flat.left_touches == std::vector<int>{3});
  const SimulationResult diagonal = closed_on(scenario, 0.25 * std::numbers::pi);
  CHECK(diagonal.right_touches == std::vector<int>{4 + 1});
  CHECK(diagonal.left_touches == std::vector<int>{4 + 3});
}

TEST_CASE("a side lies flush where both of its ends are near, and not where one is") {
  const Part part{{}, {OutlinePiece{"block", {rectangle_loop(20.0, 20.0), {}}, {}}}};
  BroadPhase broad_phase;
  broad_phase.set_part(part, {0.0, 0.0});
  constexpr double kGap_mm = 0.2;
  // The lower corner touches the right jaw; the upper one is 20 mm sin(theta) away from it.
  for (const double theta : {0.0, 0.008, -0.008, 0.012, -0.012, 0.05}) {
    const double touches_mm = 10.0 * (std::cos(theta) + std::abs(std::sin(theta)));
    int flush = 0;
    visit_flush_edges(broad_phase.bodies(), {Vec3(0.0, -20.0, theta), touches_mm, -30.0},
                      JawSide::kRight, kGap_mm, 0.0, [&](const Pair&, const FlushStretch& stretch) {
                        CHECK(stretch.to_mm - stretch.from_mm == Approx(20.0 * std::cos(theta)));
                        ++flush;
                      });
    INFO(theta);
    CHECK(flush == (20.0 * std::abs(std::sin(theta)) < kGap_mm ? 1 : 0));
  }
}

}  // namespace
}  // namespace graspmap
