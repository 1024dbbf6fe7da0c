#include "grasp/scenes/scene_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grasp/figures/script_parts.hpp"
#include "grasp/gnuplot.hpp"
#include "grasp/scenes/scene_motion_figure.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostRows = 1000;     ///< of a body in positions.csv
constexpr double kLeastOverlap_mm = 1e-12;  ///< that shows; less, and nothing, is drawn there

std::string subtitle(const SceneFile& file, const SceneResult& result) {
  std::string text = fmt::format("{}, steps of {:.6g} s", name(file.stepper), file.run.step_s);
  if (result.end() != SceneEnd::kFinished) {
    text += fmt::format("; ended at {:.6g} s", result.recording.samples.back().state.time_s);
  }
  return text;
}

/// How the figures over time begin.
std::string start(const SceneFile& file, const SceneResult& result, const std::string& figure,
                  const std::string& purpose, const Canvas& canvas) {
  return script_start(figure, purpose, gnuplot_string(file.title),
                      gnuplot_string(subtitle(file, result)), canvas) +
         kPictures +
         "\nset border 3\nset xtics out nomirror\nset ytics out nomirror\n"
         "set grid lc rgb '#d8d8d8' lt 1\nset xlabel 'time (s)'\nset key noenhanced\n";
}

Figure energy_figure(const SceneFile& file, const SceneResult& result) {
  const std::string script =
      start(file, result, "energy", "The energies of the scene over time.", {1200, 750}) +
      "set key outside right top\nset ylabel 'energy (J)'\n"
      "set title name.\"\\n\".subtitle noenhanced\ndata = '../energy.csv'\n" +
      for_each_picture(
          "  plot data using 'time_s':'kinetic_j' with lines lw 2.5 lc rgb '#0072b2' title "
          "'kinetic', \\\n"
          "       data using 'time_s':'potential_j' with lines lw 2.5 lc rgb '#009e73' title "
          "'potential', \\\n"
          "       data using 'time_s':'elastic_j' with lines lw 2.5 lc rgb '#cc79a7' title "
          "'elastic', \\\n"
          "       data using 'time_s':'total_j' with lines lw 3.5 lc rgb 'black' title 'total'\n");
  return {"energy", script, std::nullopt};
}

Figure overlap_figure(const SceneFile& file, const SceneResult& result) {
  const std::optional<SampledOverlap> deepest = result.deepest();
  const double most = std::max(
      {result.run.totals.worst_overlap_mm, 1e-9, deepest ? deepest->overlap.depth_mm : 0.0});
  const std::string script =
      start(file, result, "overlap", "The worst overlap of the bodies over time.", {1200, 700}) +
      "set key below\nset ylabel 'overlap (mm)'\nset logscale y\nset format y '%g'\n" +
      fmt::format("least = {}\nset yrange [0.3 * least:{}]\n", kLeastOverlap_mm, 2.0 * most) +
      "set title name.\"\\n\".subtitle noenhanced\ndata = '../steps.csv'\n"
      "shown(overlap) = overlap > least ? overlap : least\n" +
      for_each_picture(
          "  plot data using 'time_s':(shown(column('overlap_found_mm'))) with lines lw 4 lc rgb "
          "'#56b4e9' \\\n           title 'of all pairs of bodies', \\\n"
          "       data using 'time_s':(shown(column('worst_overlap_mm'))) with lines lw 1.5 lc rgb "
          "'#d55e00' \\\n           title 'of the contacts that took part, soft layers "
          "included'\n");
  return {"overlap", script, std::nullopt};
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
  std::string commands =
      "  set multiplot layout 3, 1 margins screen 0.14, 0.80, 0.10, 0.90 \\\n"
      "      spacing screen 0.03 title name.\"\\n\".subtitle noenhanced\n";
  const auto panel = [&](const char* label, const char* column, bool lowest, bool key) {
    commands += fmt::format("  {}\n  set xlabel '{}'\n  set format x '{}'\n  set ylabel '{}'\n",
                            key ? "set key at screen 0.99, 0.90 right top vertical" : "unset key",
                            lowest ? "time (s)" : "", lowest ? "%g" : "", label) +
                position_plot(file, column);
  };
  panel("x (mm)", "x_mm", false, true);
  panel("y (mm)", "y_mm", false, false);
  panel("angle (rad)", "theta_rad", true, false);
  const std::string script =
      start(file, result, "positions",
            "Where the bodies are over time; a line for each, a colour for each [[body]].",
            {1200, 1050}) +
      fmt::format("data = figure.'.csv'\nset xrange [0:{}]\n",
                  std::max(result.recording.samples.back().state.time_s, file.run.step_s)) +
      for_each_picture(commands + "  unset multiplot\n");
  return {"positions", script, positions_csv(file, result)};
}

}  // namespace

std::vector<Figure> scene_figures(const SceneFile& file, const SceneResult& result) {
  return {energy_figure(file, result), positions_figure(file, result), overlap_figure(file, result),
          scene_motion_figure(file, result)};
}

}  // namespace graspmap
