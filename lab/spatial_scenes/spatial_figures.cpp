#include "lab/spatial_scenes/spatial_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lab/scenes/scene_colors.hpp"
#include "lab/scenes/time_figures.hpp"
#include "lab/spatial_scenes/contacts_figure.hpp"
#include "lab/spatial_scenes/spatial_motion_figure.hpp"
#include "lab/spatial_scenes/spatial_summary.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostPositionRows = 1000;  ///< of a body

/// Every n-th sample of each body that moves, bodies separated by a blank line.
std::string spatial_positions_csv(const SpatialSceneFile& file, const SpatialResult& result) {
  const auto& samples = result.recording.samples;
  const std::size_t every = (samples.size() + kMostPositionRows - 1) / kMostPositionRows;
  std::string csv = "body,time_s,x_mm,y_mm,z_mm,spin_rad_s\n";
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (file.bodies[k].is_fixed) continue;
    for (std::size_t i = 0; i < samples.size(); i += every) {
      const SpatialSnapshot& at = samples[i].shown;
      const Vec3& p = at.poses[k].position_mm;
      fmt::format_to(std::back_inserter(csv), "{},{},{:.9g},{:.9g},{:.9g},{:.9g}\n", k, at.time_s,
                     p.x(), p.y(), p.z(), at.velocities[k].tail<3>().norm());
    }
    csv += '\n';
  }
  return csv;
}

std::vector<LegendEntry> moving_bodies(const SpatialSceneFile& file) {
  std::vector<LegendEntry> legend;
  for (const SceneSolid& body : file.bodies) {
    if (!body.is_fixed) legend.push_back({body.name, moving_color(legend.size())});
  }
  return legend;
}

/// One line for each body that moves.
std::string body_lines(const SpatialSceneFile& file, const std::string& column) {
  std::string layers;
  std::size_t moving = 0;
  for (std::size_t k = 0; k < file.bodies.size(); ++k) {
    if (file.bodies[k].is_fixed) continue;
    layers += fmt::format(
        "{}data using (column('body') == {} ? column('time_s') : NaN):'{}' with lines lw 2.5 lc "
        "rgb '{}'",
        layers.empty() ? "  plot " : ", \\\n       ", k, column, moving_color(moving++));
  }
  return layers + "\n";
}

Figure spatial_positions_figure(const SpatialSceneFile& file, const SpatialResult& result,
                                const TimeFigureHead& head) {
  const Canvas canvas{1200, 1250};
  TimePanels panels(4, std::max(result.recording.samples.back().shown.time_s, file.run.step_s),
                    canvas, moving_bodies(file));
  panels.add("x (mm)", body_lines(file, "x_mm"));
  panels.add("y (mm)", body_lines(file, "y_mm"));
  panels.add("z (mm)", body_lines(file, "z_mm"));
  panels.add("spin (rad/s)", body_lines(file, "spin_rad_s"));
  const std::string script =
      time_figure_start(head, "positions",
                        "Where the bodies are and how fast they turn over time; a line for each.",
                        canvas) +
      "data = figure.'.csv'\n" + panels.commands();
  return {"positions", script, spatial_positions_csv(file, result)};
}

double worst_overlap_mm(const SpatialResult& result) {
  const std::optional<SampledOverlap> deepest = result.deepest();
  return std::max(
      {result.run.totals.worst_overlap_mm, 1e-9, deepest ? deepest->overlap.depth_mm : 0.0});
}

}  // namespace

std::vector<Figure> scene_figures(const SpatialSceneFile& file, const SpatialResult& result) {
  const TimeFigureHead head =
      time_figure_head(file.title, solver_name(file), file.run, result.end(),
                       result.recording.samples.back().shown.time_s);
  std::vector<Figure> figures = {energy_figure(head, false),
                                 spatial_positions_figure(file, result, head)};
  if (auto contacts = contacts_figure(file, result, head)) figures.push_back(*contacts);
  figures.push_back(
      overlap_figure(head, worst_overlap_mm(result), "of the contacts that took part"));
  figures.push_back(spatial_motion_figure(file, result));
  return figures;
}

}  // namespace graspmap
