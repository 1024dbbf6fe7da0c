#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "python/native.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace {

/// Points as an array of two columns.
py::array_t<double> points_array(const std::vector<Vec2>& points) {
  py::array_t<double> array({std::ssize(points), py::ssize_t{2}});
  double* at = array.mutable_data();
  for (const Vec2& point : points) {
    *at++ = point.x();
    *at++ = point.y();
  }
  return array;
}

}  // namespace

py::tuple drawn_grasp(const SweepConfig& config, const std::array<double, 4>& box_mm,
                      double theta_rad, const std::optional<std::array<double, 2>>& fingers_mm,
                      std::optional<double> opening_mm) {
  Scenario scenario = config.scenario;
  scenario.gripper.opening_mm = opening_mm.value_or(scenario.gripper.opening_mm);
  ShownGrasp grasp{theta_rad};
  if (fingers_mm) grasp.fingers_mm = Vec2((*fingers_mm)[0], (*fingers_mm)[1]);
  HeatPanel panel;
  panel.x_mm = {box_mm[0], box_mm[2], 1};
  panel.y_mm = {box_mm[1], box_mm[3], 1};
  draw_grasp(scenario, grasp, panel);
  py::list lines;
  for (const std::vector<Vec2>& line : panel.drawings.back().lines) {
    lines.append(points_array(line));
  }
  const auto& [least, most] = std::pair(panel.window->min, panel.window->max);
  return py::make_tuple(lines, py::make_tuple(least.x(), least.y(), most.x(), most.y()));
}

}  // namespace graspmap::python
