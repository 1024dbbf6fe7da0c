#include <catch2/catch.hpp>
#include <numbers>
#include <vector>

#include "geometry/mass_properties.hpp"
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

}  // namespace
}  // namespace graspmap
