#include "grasp/scenes/time_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/figures/text_layout.hpp"
#include "grasp/gnuplot.hpp"

namespace graspmap {
namespace {

constexpr double kLeastOverlap_mm = 1e-12;  ///< that shows; less, and nothing, is drawn there

}  // namespace

TimeFigureHead time_figure_head(const std::string& title, const std::string& solver,
                                const SceneRunSettings& settings, SceneEnd end, double end_s) {
  std::string text = fmt::format("{}, steps of {:.6g} s", solver, settings.step_s);
  if (end != SceneEnd::kFinished) text += fmt::format("; ended at {:.6g} s", end_s);
  return {title, text};
}

std::string time_figure_start(const TimeFigureHead& head, const std::string& figure,
                              const std::string& purpose, const Canvas& canvas) {
  return script_start(figure, purpose, gnuplot_string(head.title), gnuplot_string(head.subtitle),
                      canvas) +
         kPictures +
         "\nset border 3\nset xtics out nomirror\nset ytics out nomirror\n"
         "set grid lc rgb '#d8d8d8' lt 1\nset xlabel 'time (s)'\nset key noenhanced\n";
}

Figure energy_figure(const TimeFigureHead& head, bool is_elastic) {
  const std::string elastic = is_elastic
                                  ? "       data using 'time_s':'elastic_j' with lines lw 2.5 lc "
                                    "rgb '#cc79a7' title 'elastic', \\\n"
                                  : "";
  const std::string script =
      time_figure_start(head, "energy", "The energies of the scene over time.", {1200, 750}) +
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

Figure overlap_figure(const TimeFigureHead& head, double most_mm, const std::string& of_contacts) {
  const std::string script =
      time_figure_start(head, "overlap", "The worst overlap of the bodies over time.",
                        {1200, 700}) +
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

TimePanels::TimePanels(int count, double end_s, const std::string& longest_title)
    : count_(count), end_s_(end_s) {
  constexpr double kCanvas_px = 1200.0;
  constexpr double kLine_px = 120.0;  ///< beside the title, with room
  const double title_px = text_width_px(longest_title, kFontPx);
  right_ = std::clamp(1.0 - (title_px + kLine_px) / kCanvas_px, 0.55, 0.80);
}

void TimePanels::add(const std::string& label, const std::string& plot,
                     const std::string& settings) {
  const bool is_lowest = ++added_ == count_;
  panels_ +=
      fmt::format("  {}\n  set xlabel '{}'\n  set format x '{}'\n  set ylabel '{}'\n",
                  added_ == 1 ? "set key at screen 0.99, 0.90 right top vertical maxrows 30" : "unset key",
                  is_lowest ? "time (s)" : "", is_lowest ? "%g" : "", label) +
      settings + plot;
}

std::string TimePanels::commands() const {
  return fmt::format("set xrange [0:{}]\n", end_s_) +
         for_each_picture(
             fmt::format("  set multiplot layout {}, 1 margins screen 0.14, {:.2f}, 0.10, 0.90 \\\n"
                         "      spacing screen 0.03 title name.\"\\n\".subtitle noenhanced\n",
                         count_, right_) +
             panels_ + "  unset multiplot\n");
}

}  // namespace graspmap
