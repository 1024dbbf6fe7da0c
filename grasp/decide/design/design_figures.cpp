#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/decide/design/design_search.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {
namespace {

/// Part and fingers in G.
struct HeldPart {
  std::vector<Points> part;
  std::vector<Points> fingers;
};

/// A grasp at the placement with median friction, at its end.
HeldPart held_part(const SweepConfig& config, const PlacementVector& at) {
  TrialParameters trial;
  trial.placement_x_mm = at[0];
  trial.placement_y_mm = at[1];
  trial.theta_rad = at[2];
  trial.mu_jaw = config.mu_jaw.quantile(0.5);
  trial.mu_support = config.mu_support.quantile(0.5);
  Workspace workspace;
  SimulationResult result;
  const TrialRow row = run_trial(config, trial, workspace, result);
  HeldPart held;
  Box within{Vec2::Constant(std::numeric_limits<double>::infinity()),
             Vec2::Constant(-std::numeric_limits<double>::infinity())};
  for (const Points& line : part_shape(config.scenario.part).boundary) {
    held.part.push_back(transformed(row.final_pose, line));
    for (const Vec2& point : held.part.back()) {
      within.min = within.min.cwiseMin(point);
      within.max = within.max.cwiseMax(point);
    }
  }
  const Vec2 margin = Vec2::Constant(0.35 * (within.max - within.min).maxCoeff());
  within.min -= margin;
  within.max += margin;
  const Gripper& gripper = config.scenario.gripper;
  for (const bool is_right : {false, true}) {
    const auto& finger = is_right ? gripper.right_finger : gripper.left_finger;
    const Vec2 origin(is_right ? row.jaw_right_mm : row.jaw_left_mm, 0.0);
    if (finger) {
      for (Points& line : polygons_within(*finger, origin, within)) {
        held.fingers.push_back(std::move(line));
      }
      continue;
    }
    const double side = is_right ? within.max.x() : within.min.x();
    held.fingers.push_back(clipped(
        Points{origin, {side, 0.0}, {side, within.min.y()}, {origin.x(), within.min.y()}}, within));
  }
  return held;
}

Figure grasp_figure(const DesignAnswer& answer) {
  const RatedDesign& best = answer.best.front();
  const SweepConfig& config = answer.configs.front();
  PlacementVector at{};
  if (best.aims.empty()) {
    const std::array<Axis, 3> axes = config.placement.axes();
    for (std::size_t k = 0; k < 3; ++k) at[k] = 0.5 * (axes[k].min + axes[k].max);
  } else {
    at = best.aims.front();
  }
  HeldPart held = held_part(config, at);
  for (auto* lines : {&held.part, &held.fingers}) {
    for (Points& line : *lines) {
      if (!line.empty()) line.push_back(line.front());
    }
  }
  const std::string script =
      script_start("design_grasp", "Part and fingers of the best design at the end of a grasp.",
                   gnuplot_string(answer.question.name + ": the best design at the end of a grasp"),
                   lines_expression(wrapped(best.words, kFontPx, 1100, 2)), Canvas{1200, 1100}) +
      kPictures + lines_block("$fingers", held.fingers) + lines_block("$part", held.part) +
      "set label 1 name.\"\\n\".subtitle at screen 0.5, screen 1 - 40. / canvas_height center "
      "noenhanced\nset tmargin at screen 1 - 130. / canvas_height\n"
      "set bmargin at screen 110. / canvas_height\n"
      "set size ratio -1\nset xlabel 'x in the gripper, mm'\nset ylabel 'y, mm'\nset key "
      "bottom right opaque\n" +
      for_each_picture(
          "  plot $fingers with filledcurves closed fc rgb '#b0b8c4' title 'fingers', \\\n"
          "    $part with filledcurves closed fc rgb '#fdd0a2' title 'part', \\\n"
          "    $part with lines lw 2 lc rgb '#a63603' notitle, \\\n"
          "    $fingers with lines lw 2 lc rgb '#404854' notitle\n");
  return {"design_grasp", script, std::nullopt};
}

/// "groove angle, degrees".
std::string axis_name(const std::string& key) {
  const std::string unit = unit_of_key(key);
  return variable_name(key) + (unit.empty() ? "" : ", " + unit);
}

/// A panel for each variable with numbers: the objective over its range.
Figure profiles_figure(const DesignAnswer& answer) {
  const DesignObjective first = answer.question.rule.objectives()[0];
  const bool share = is_share(first);
  std::string csv = "variable,level,value\n";
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  std::vector<const VariableProfile*> shown;
  for (const VariableProfile& profile : answer.profiles) {
    if (profile.numbers.empty()) continue;
    for (std::size_t k = 0; k < profile.numbers.size(); ++k) {
      const double value = (share ? 100.0 : 1.0) * profile.values[k];
      if (!std::isfinite(value)) continue;
      csv += fmt::format("{},{:.8g},{:.8g}\n", shown.size(), profile.numbers[k], value);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    shown.push_back(&profile);
  }
  // One y axis for all panels shows which variable matters more.
  const double margin = std::max(0.08 * (high - low), share ? 1.0 : 0.02 * std::abs(high));
  const auto panels = static_cast<int>(shown.size());
  const int columns = std::min(panels, 3);
  const int rows = (panels + columns - 1) / columns;
  // In pixels: 100 below the panels, 130 above them and between rows.
  std::string plots = fmt::format(
      "  set multiplot layout {},{} margins screen 0.09,0.97,{:.4f},"
      "{:.4f} spacing screen 0.07,{:.4f}\n",
      rows, columns, 100.0 / (130 + 420 * rows), 1 - 130.0 / (130 + 420 * rows),
      130.0 / (130 + 420 * rows));
  plots +=
      "  set label 1 name.\"\\n\".subtitle at screen 0.5, screen 1 - 40. / canvas_height "
      "center noenhanced\n";
  for (int k = 0; k < panels; ++k) {
    const VariableProfile& profile = *shown[static_cast<std::size_t>(k)];
    const DesignVariable& variable = answer.space.rule().variables[profile.variable];
    const double best = answer.best.front().design.values[profile.variable];
    const double from = variable.is_range() ? *variable.min : profile.numbers.front();
    const double to = variable.is_range() ? *variable.max : profile.numbers.back();
    plots += fmt::format(
        "  set xlabel {}\n  set xrange [{:.8g}:{:.8g}]\n  set yrange [{:.6g}:{:.6g}]\n"
        "  set xtics {:.6g}\n  set arrow 1 from {:.8g}, graph 0 to {:.8g}, graph 1 nohead "
        "dt 2 lc rgb '#606060'\n"
        "  plot figure.'.csv' using ($1 == {} ? $2 : NaN):3 with linespoints pt 7 lw 2 "
        "ps point_size(picture, 1) lc rgb '#08519c' notitle\n  unset label 1\n",
        gnuplot_string(axis_name(profile.key)), std::min(from, to), std::max(from, to),
        low - margin, share ? std::min(high + margin, 101.0) : high + margin,
        tick_step(std::abs(to - from), 4.0), best, best, k);
  }
  plots += "  unset multiplot\n  unset arrow 1\n";
  const std::string script =
      script_start(
          "design_variables", "The objective over each variable of the best design.",
          gnuplot_string(answer.question.name + ": each variable alone, all others at their best"),
          gnuplot_string(share
                             ? "success, %; dashed: the best design; no point: it cannot be built"
                             : "objective; dashed: the best design; no point: it cannot be built"),
          Canvas{420 * columns + 120, 130 + 420 * rows}) +
      kPictures + "set grid lc rgb '#d0d0d0' lt 1\nset datafile separator ','\n" +
      for_each_picture(plots);
  return {"design_variables", script, csv};
}

Figure front_figure(const DesignAnswer& answer) {
  const std::vector<DesignObjective> objectives = answer.question.rule.objectives();
  std::string csv = "first,second,on_front\n";
  const auto add = [&](const RatedDesign& design, int kind) {
    const auto scaled = [&](std::size_t k) {
      return (is_share(objectives[k]) ? 100.0 : 1.0) * design.values[k];
    };
    if (std::isfinite(design.values[0]) && std::isfinite(design.values[1])) {
      csv += fmt::format("{:.8g},{:.8g},{}\n", scaled(0), scaled(1), kind);
    }
  };
  for (const RatedDesign& design : answer.all) add(design, 0);
  for (const RatedDesign& design : answer.best) add(design, design.on_front ? 2 : 1);
  add(answer.today, 3);
  const auto label = [&](std::size_t k) {
    const std::string words = kDesignObjectiveWords[static_cast<std::size_t>(objectives[k])];
    return gnuplot_string(is_share(objectives[k]) ? words + ", %" : words);
  };
  const std::string script =
      script_start("design_front", "All designs in both objectives.",
                   gnuplot_string(answer.question.name + ": designs in both objectives"), "''",
                   Canvas{1100, 900}) +
      kPictures +
      fmt::format(
          "set label 1 name at screen 0.5, screen 1 - 40. / canvas_height center "
          "noenhanced\nset tmargin at screen 1 - 100. / canvas_height\n"
          "set xlabel {}\nset ylabel {}\nset grid lc rgb '#d0d0d0' lt 1\n"
          "set datafile separator ','\nset key top left opaque\n",
          label(0), label(1)) +
      for_each_picture(
          "  plot figure.'.csv' using ($3 == 0 ? $1 : NaN):2 with points pt 7 "
          "ps point_size(picture, 0.5) lc rgb '#bdbdbd' title 'tried', \\\n"
          "    '' using ($3 == 2 ? $1 : NaN):2 with points pt 7 ps point_size(picture, 1) "
          "lc rgb '#08519c' title 'front', \\\n"
          "    '' using ($3 == 3 ? $1 : NaN):2 with points pt 9 ps point_size(picture, 1.3) "
          "lc rgb '#a63603' title 'as it is'\n");
  return {"design_front", script, csv};
}

}  // namespace

std::vector<Figure> design_figures(const DesignAnswer& answer) {
  std::vector<Figure> figures = {grasp_figure(answer)};
  const bool any = std::any_of(answer.profiles.begin(), answer.profiles.end(),
                               [](const VariableProfile& p) { return !p.numbers.empty(); });
  if (any) figures.push_back(profiles_figure(answer));
  if (answer.question.rule.second != 0) figures.push_back(front_figure(answer));
  return figures;
}

}  // namespace graspmap
