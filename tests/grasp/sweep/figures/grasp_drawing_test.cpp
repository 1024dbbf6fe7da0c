#include "grasp/sweep/figures/grasp_drawing.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

namespace graspmap {
namespace {

/// An ellipse of 20 x 5 mm about P, between fingers that are quarter-planes.
Scenario ellipse_between_fingers() {
  Scenario scenario;
  scenario.part.pieces.push_back({"ellipse", {20, 5, 2}, {}});
  scenario.gripper.opening_mm = 60;
  return scenario;
}

HeatPanel panel_of(const Axis& x_mm, const Axis& y_mm) {
  HeatPanel panel;
  panel.x_mm = x_mm;
  panel.y_mm = y_mm;
  return panel;
}

TEST_CASE("a map shows the part, turned, and the open fingers where the gripper is put") {
  HeatPanel panel = panel_of({-20, 20, 4}, {-20, 20, 4});
  draw_grasp(ellipse_between_fingers(), {std::numbers::pi / 2, Vec2(1, -4)}, panel);
  REQUIRE(panel.drawings.size() == 1);
  const auto& [lines, legend] = panel.drawings[0];
  CHECK(legend == "part, and open fingers at the sweet spot");
  REQUIRE(lines.size() == 3);
  double most_y = 0;
  for (const Vec2& point : lines[0]) {  // on the ellipse, which stands upright
    CHECK(std::pow(point.x() / 5, 2) + std::pow(point.y() / 20, 2) == Approx(1));
    most_y = std::max(most_y, point.y());
  }
  CHECK(most_y == Approx(20));
  // Each finger has its corner at half the opening from the placement.
  CHECK(lines[1][1] == Vec2(1 - 30, -4));
  CHECK(lines[2][1] == Vec2(1 + 30, -4));
  // The axes show the map, the part and the fingers' corners.
  REQUIRE(panel.window);
  CHECK(panel.window->contains({Vec2(-30, -20), Vec2(32, 20)}));
}

TEST_CASE("a map stays at least a quarter of what its axes show, half in figures of many maps") {
  Scenario large = ellipse_between_fingers();
  large.part.pieces[0].shape = {500, 500, 2};
  std::vector<HeatPanel> panels(2, panel_of({0, 10, 2}, {-5, 5, 2}));
  draw_grasp(large, {0.0, Vec2(5, 0)}, panels);
  for (const HeatPanel& panel : panels) {
    CHECK(panel.window->min == Vec2(-15, -20));
    CHECK(panel.window->max == Vec2(25, 20));
  }
  std::vector<HeatPanel> many(7, panels[0]);
  draw_grasp(large, {0.0, Vec2(5, 0)}, many);
  CHECK(many[0].drawings.back().legend == "part");
  CHECK(many[6].window->min == Vec2(-5, -10));
  CHECK(many[6].window->max == Vec2(15, 10));
}

TEST_CASE("fingers that lie beyond what a map shows are not told") {
  Scenario wide = ellipse_between_fingers();
  wide.gripper.opening_mm = 200;
  HeatPanel panel = panel_of({-10, 10, 2}, {-10, 10, 2});
  draw_grasp(wide, {0.0, Vec2(0, 0)}, panel);
  CHECK(panel.drawings[0].legend == "part");
  CHECK(panel.window->max.x() == 40);
}

TEST_CASE("panels of one figure show the same, and its legend says it once") {
  std::vector<HeatPanel> panels(3, panel_of({-10, 10, 2}, {-10, 10, 2}));
  const Scenario scenario = ellipse_between_fingers();
  draw_grasp(scenario, {0.0}, panels[0]);
  draw_grasp(scenario, {0.7}, panels[1]);
  draw_grasp(scenario, {0.0, Vec2(0, 0)}, panels[2]);
  share_window(panels);
  CHECK(panels[0].window->min == panels[2].window->min);
  CHECK(panels[0].drawings[0].legend == "part, and open fingers at the sweet spot");
  CHECK(panels[1].drawings[0].legend.empty());
  CHECK(panels[2].drawings[0].legend.empty());
}

TEST_CASE("only the sweet spot's slice has the fingers") {
  SweetSpot spot;
  spot.found = true;
  spot.cell_theta = 1;
  spot.x_mm = 3;
  const Axis angles{0, 0.4, 2};
  CHECK_FALSE(grasp_at(spot, 0, angles).fingers_mm);
  CHECK(grasp_at(spot, 1, angles).fingers_mm == Vec2(3, 0));
  CHECK(grasp_at(spot, 1, angles).theta_rad == Approx(0.3));
}

}  // namespace
}  // namespace graspmap
