#include "grasp/sweep/figures/grasp_drawing.hpp"

#include <utility>

#include "grasp/base/pictures/shapes.hpp"

namespace graspmap {
namespace {

/// One finger whose frame is here, within a box: its outline, or the quarter-plane's two sides.
std::vector<Points> finger_lines(const std::optional<Outline>& finger, bool is_right,
                                 const Vec2& at_mm, const Box& within) {
  if (!finger) {
    const double side_mm = is_right ? within.max.x() : within.min.x();
    return {{{at_mm.x(), within.min.y()}, at_mm, {side_mm, at_mm.y()}}};
  }
  std::vector<Points> lines = polygons_within(*finger, at_mm, within);
  for (Points& line : lines) line.push_back(line.front());
  return lines;
}

Box map_box(const HeatPanel& panel) {
  return {{panel.x_mm.min, panel.y_mm.min}, {panel.x_mm.max, panel.y_mm.max}};
}

constexpr std::size_t kMostWidePanels = 6;

}  // namespace

ShownGrasp grasp_at(const SweetSpot& spot, int slice, const Axis& theta_rad) {
  ShownGrasp grasp{theta_rad.cell_center(slice)};
  if (spot.found && spot.cell_theta == slice) grasp.fingers_mm = Vec2(spot.x_mm, spot.y_mm);
  if (spot.half_width_mm == 0) grasp.where = "this placement";
  return grasp;
}

void draw_grasp(const Scenario& scenario, const ShownGrasp& grasp, HeatPanel& panel) {
  Box shown = map_box(panel);
  const Vec2 reach = Vec2::Constant(1.5 * (shown.max - shown.min).maxCoeff());
  const Box most{shown.min - reach, shown.max + reach};
  const auto include = [&](const Vec2& point_mm) {
    shown.min = shown.min.cwiseMin(point_mm.cwiseMax(most.min));
    shown.max = shown.max.cwiseMax(point_mm.cwiseMin(most.max));
  };
  HeatDrawing drawing;
  drawing.legend = "part";
  for (const Points& line : part_shape(scenario.part).boundary) {
    drawing.lines.push_back(transformed({Vec2::Zero(), grasp.theta_rad}, line));
    for (const Vec2& point_mm : drawing.lines.back()) include(point_mm);
  }
  if (grasp.fingers_mm) {
    constexpr double kShownOfFinger = 0.15;  // of the opening
    const double half_mm = scenario.gripper.opening_mm / 2;
    const Vec2 tips(half_mm, 0);
    if (most.contains({*grasp.fingers_mm - tips, *grasp.fingers_mm + tips})) {
      drawing.legend += ", and open fingers at " + grasp.where;
    }
    for (const bool is_right : {false, true}) {
      const Vec2 outward(is_right ? half_mm : -half_mm, 0);
      include(*grasp.fingers_mm + (1 + 2 * kShownOfFinger) * outward);
      const auto& finger = is_right ? scenario.gripper.right_finger : scenario.gripper.left_finger;
      for (Points& line : finger_lines(finger, is_right, *grasp.fingers_mm + outward, most)) {
        drawing.lines.push_back(std::move(line));
      }
    }
  }
  panel.window = shown;
  panel.drawings.push_back(std::move(drawing));
}

void draw_grasp(const Scenario& scenario, const ShownGrasp& grasp, std::vector<HeatPanel>& panels) {
  for (HeatPanel& panel : panels) draw_grasp(scenario, grasp, panel);
  share_window(panels);
}

void share_window(std::vector<HeatPanel>& panels) {
  std::optional<Box> all;
  std::string legend;
  for (HeatPanel& panel : panels) {
    if (!panel.window) continue;
    std::string& own = panel.drawings.back().legend;
    if (own.size() > legend.size()) std::swap(own, legend);
    own.clear();
    if (!all) all = panel.window;
    all->min = all->min.cwiseMin(panel.window->min);
    all->max = all->max.cwiseMax(panel.window->max);
  }
  if (all && panels.size() > kMostWidePanels) {
    const Box map = map_box(panels[0]);
    const Vec2 reach = Vec2::Constant(0.5 * (map.max - map.min).maxCoeff());
    const Box seen{all->min.cwiseMax(map.min - reach), all->max.cwiseMin(map.max + reach)};
    if (seen.min.x() > all->min.x() || seen.max.x() < all->max.x()) legend = "part";
    all = seen;
  }
  for (HeatPanel& panel : panels) panel.window = all;
  if (all) panels[0].drawings.back().legend = legend;
}

}  // namespace graspmap
