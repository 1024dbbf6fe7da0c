#include "lab/scenes/time_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap {
namespace {

constexpr double kLeastOverlap_mm = 1e-12;  ///< smaller overlaps are drawn as this one

}  // namespace

TimeFigureHead time_figure_head(const SceneReport& report) {
  const SceneFacts& scene = report.scene;
  std::string text = fmt::format("{}, steps of {:.6g} s", scene.solver, scene.run.step_s);
  if (report.outcome.end() != SceneEnd::kFinished) {
    text += fmt::format("; ended at {:.6g} s", report.end_s);
  }
  return {scene.title, text};
}

std::string time_figure_start(const TimeFigureHead& head, const std::string& figure,
                              const std::string& purpose, const Canvas& canvas) {
  return script_start(figure, purpose, gnuplot_string(head.title), gnuplot_string(head.subtitle),
                      canvas) +
         kPictures +
         "\nset border 3\nset xtics out nomirror\nset ytics out nomirror\n"
         "set grid lc rgb '#d8d8d8' lt 1\nset xlabel 'time (s)'\nset key noenhanced\n";
}

Figure energy_figure(const SceneReport& report) {
  const std::string elastic = report.end_energy.elastic_j
                                  ? "       data using 'time_s':'elastic_j' with lines lw 2.5 lc "
                                    "rgb '#cc79a7' title 'elastic', \\\n"
                                  : "";
  const std::string script =
      time_figure_start(time_figure_head(report), "energy", "The energies of the scene over time.",
                        {1200, 750}) +
      "set key outside right top\nset ylabel 'energy (J)'\n"
      "set title name.\"\\n\".subtitle noenhanced\ndata = '../energy.csv'\n" +
      for_each_picture(
          "  plot data using 'time_s':'kinetic_j' with lines lw 2.5 lc rgb '#0072b2' title "
          "'kinetic', \\\n"
          "       data using 'time_s':'potential_j' with lines lw 2.5 lc rgb '#009e73' title "
          "'potential', \\\n" +
          elastic +
          "       data using 'time_s':'total_j' with lines lw 3.5 lc rgb 'black' title 'total'\n");
  return {"energy", script, std::nullopt};
}

Figure overlap_figure(const SceneReport& report, const std::string& of_contacts) {
  const double most_mm = std::max(report.most_overlap_mm(), 1e-9);
  const std::string script =
      time_figure_start(time_figure_head(report), "overlap",
                        "The worst overlap of the bodies over time.", {1200, 700}) +
      "set key below\nset ylabel 'overlap (mm)'\nset logscale y\nset format y '%g'\n" +
      fmt::format("least = {}\nset yrange [0.3 * least:{}]\n", kLeastOverlap_mm, 2.0 * most_mm) +
      "set title name.\"\\n\".subtitle noenhanced\ndata = '../steps.csv'\n"
      "shown(overlap) = overlap > least ? overlap : least\n" +
      for_each_picture(
          "  plot data using 'time_s':(shown(column('overlap_found_mm'))) with lines lw 4 lc rgb "
          "'#56b4e9' \\\n           title 'of all pairs of bodies', \\\n"
          "       data using 'time_s':(shown(column('worst_overlap_mm'))) with lines lw 1.5 lc rgb "
          "'#d55e00' \\\n           title " +
          gnuplot_string(of_contacts) + "\n");
  return {"overlap", script, std::nullopt};
}

TimePanels::TimePanels(int count, double end_s, const Canvas& canvas,
                       const std::vector<CurveLegendEntry>& legend)
    : count_(count), end_s_(end_s) {
  if (!legend.empty()) write_legend(canvas, legend);
}

/// A coloured square and a name in each line, as many as there is room for.
void TimePanels::write_legend(const Canvas& canvas, const std::vector<CurveLegendEntry>& legend) {
  constexpr double kSquare_px = 30.0;
  constexpr double kMargin_px = 20.0;
  constexpr double kTop = 0.89;
  const auto most = static_cast<std::size_t>((kTop - 0.08) * canvas.height / kLinePx);
  double widest_px = 0.0;
  for (const CurveLegendEntry& entry : legend) {
    widest_px = std::max(widest_px, text_width_px(entry.title, kFontPx));
  }
  right_ = std::clamp(1.0 - (widest_px + kSquare_px + 2.0 * kMargin_px) / canvas.width, 0.55, 0.80);
  const auto put = [&](const std::string& text, double row, double px, const std::string& color) {
    legend_ +=
        fmt::format("  set label {} at screen {:.4f}, {:.4f} textcolor rgb '{}' noenhanced\n",
                    gnuplot_string(text), right_ + (kMargin_px + px) / canvas.width,
                    kTop - row * kLinePx / canvas.height, color);
  };
  for (std::size_t k = 0; k < legend.size(); ++k) {
    const auto row = static_cast<double>(k);
    if (k + 1 == most && legend.size() > most) {
      put(fmt::format("and {} more", legend.size() - k), row, 0.0, "black");
      break;
    }
    put("■", row, 0.0, legend[k].color);
    put(legend[k].title, row, kSquare_px, "black");
  }
}

void TimePanels::add(const std::string& label, const std::string& plot,
                     const std::string& settings) {
  const bool is_lowest = ++added_ == count_;
  const bool has_key = added_ == 1 && legend_.empty();
  panels_ += (added_ == 1 ? legend_ : "") +
             fmt::format("  {}\n  set xlabel '{}'\n  set format x '{}'\n  set ylabel '{}'\n",
                         has_key ? "set key at screen 0.99, 0.90 right top vertical" : "unset key",
                         is_lowest ? "time (s)" : "", is_lowest ? "%g" : "", label) +
             settings + plot + (added_ == 1 && !has_key ? "  unset label\n" : "");
}

std::string TimePanels::commands() const {
  return fmt::format("set xrange [0:{}]\n", end_s_) +
         for_each_picture(
             fmt::format("  set multiplot layout {}, 1 margins screen 0.14, {:.2f}, 0.10, 0.90 \\\n"
                         "      spacing screen 0.03 title name.\"\\n\".subtitle noenhanced\n",
                         count_, right_) +
             panels_ + "  unset multiplot\n");
}

namespace {

std::string position_lines(const PositionsPicture& picture, const char* column) {
  std::string layers;
  for (const auto& group : picture.groups) {
    layers +=
        fmt::format("{}data using (column('{}') == {} ? column('time_s') : NaN):'{}' with lines {}",
                    layers.empty() ? "  plot " : ", \\\n       ", picture.key, group.number, column,
                    group.look);
  }
  return layers + "\n";
}

}  // namespace

std::string positions_script(const PositionsPicture& picture, const SceneReport& report) {
  const int count = static_cast<int>(picture.panels.size());
  const Canvas canvas{1200, 450 + 200 * count};
  TimePanels panels(count, std::max(report.end_s, report.scene.run.step_s), canvas, picture.legend);
  for (const auto& panel : picture.panels) {
    panels.add(panel.label, position_lines(picture, panel.column));
  }
  return time_figure_start(time_figure_head(report), "positions", picture.purpose, canvas) +
         "data = figure.'.csv'\n" + panels.commands();
}

}  // namespace graspmap
