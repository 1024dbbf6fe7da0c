#include "lab/scenes/scene_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grasp/io/gnuplot.hpp"
#include "lab/scenes/scene_motion_figure.hpp"
#include "lab/scenes/time_figures.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostRows = 1000;  ///< of a body in positions.csv

TimeFigureHead head_of(const SceneFile& file, const SceneResult& result) {
  return time_figure_head(file.title, name(file.stepper), file.run, result.end(),
                          result.recording.samples.back().state.time_s);
}

double most_overlap_mm(const SceneResult& result) {
  const std::optional<SampledOverlap> deepest = result.deepest();
  return std::max(
      {result.run.totals.worst_overlap_mm, 1e-9, deepest ? deepest->overlap.depth_mm : 0.0});
}

/// Every n-th sample of each body that moves, bodies separated by a blank line.
std::string positions_csv(const SceneFile& file, const SceneResult& result) {
  const auto& samples = result.recording.samples;
  const std::size_t every = (samples.size() + kMostRows - 1) / kMostRows;
  std::string csv = "block,time_s,x_mm,y_mm,theta_rad\n";
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    for (const int body : file.blocks[block].bodies) {
      const auto k = static_cast<std::size_t>(body);
      if (!file.scene.bodies[k].moves_freely()) continue;
      for (std::size_t i = 0; i < samples.size(); i += every) {
        const Vec3& q = samples[i].state.poses[k];
        fmt::format_to(std::back_inserter(csv), "{},{},{:.9g},{:.9g},{:.9g}\n", block,
                       samples[i].state.time_s, q[0], q[1], q[2]);
      }
      csv += '\n';
    }
  }
  return csv;
}

/// One line for the bodies of each block that moves.
std::string position_plot(const SceneFile& file, const std::string& column) {
  std::string layers;
  for (std::size_t block = 0; block < file.blocks.size(); ++block) {
    const auto first = static_cast<std::size_t>(file.blocks[block].bodies.front());
    if (!file.scene.bodies[first].moves_freely()) continue;
    layers += fmt::format(
        "{}data using (column('block') == {} ? column('time_s') : NaN):'{}' with lines lw {} lc "
        "rgb '{}' title {}",
        layers.empty() ? "  plot " : ", \\\n       ", block, column,
        file.blocks[block].bodies.size() > 12 ? 0.7 : 2.5, block_color(file, block),
        gnuplot_string(file.blocks[block].name));
  }
  return layers + "\n";
}

Figure positions_figure(const SceneFile& file, const SceneResult& result) {
  const Canvas canvas{1200, 1050};
  TimePanels panels(3, std::max(result.recording.samples.back().state.time_s, file.run.step_s),
                    canvas);
  panels.add("x (mm)", position_plot(file, "x_mm"));
  panels.add("y (mm)", position_plot(file, "y_mm"));
  panels.add("angle (rad)", position_plot(file, "theta_rad"));
  const std::string script =
      time_figure_start(
          head_of(file, result), "positions",
          "Where the bodies are over time; a line for each, a colour for each [[body]].", canvas) +
      "data = figure.'.csv'\n" + panels.commands();
  return {"positions", script, positions_csv(file, result)};
}

}  // namespace

std::vector<Figure> scene_figures(const SceneFile& file, const SceneResult& result) {
  const TimeFigureHead head = head_of(file, result);
  return {energy_figure(head, true), positions_figure(file, result),
          overlap_figure(head, most_overlap_mm(result),
                         "of the contacts that took part, soft layers included"),
          scene_motion_figure(file, result)};
}

}  // namespace graspmap
