#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "lab/stepper_study/stepper_study_report.hpp"

namespace graspmap {
namespace {

/// Okabe and Ito's colours for colour-blind eyes; ours first.
constexpr std::array<const char*, 8> kColours = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9", "#999999"};
constexpr std::array<int, 5> kMarks = {7, 5, 9, 13, 11};

std::vector<std::string> families(const StepperStudy& study) {
  std::vector<std::string> names;
  for (const StepperScore& score : study.scores) {
    const std::string name = family_name(score.setting);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Steppers by colour, polygons by mark.
std::string style(const StepperStudy& study, const std::string& family) {
  std::vector<int> vertices;
  for (const StepperScore& score : study.scores) {
    const int count = score.setting.polygon_vertices;
    if (std::find(vertices.begin(), vertices.end(), count) == vertices.end()) {
      vertices.push_back(count);
    }
  }
  for (const StepperScore& score : study.scores) {
    if (family_name(score.setting) != family) continue;
    const auto found = std::find(vertices.begin(), vertices.end(), score.setting.polygon_vertices);
    const auto mark = static_cast<std::size_t>(found - vertices.begin());
    return fmt::format("lc rgb '{}' pt {} ps 1.6 lw 2{}",
                       kColours[static_cast<std::size_t>(score.setting.stepper)],
                       kMarks[mark % kMarks.size()], mark > 0 ? " dt 2" : "");
  }
  return "";
}

/// The share of wrong or failed outcomes as it is drawn: none at half of one trial.
double drawn_share(const StepperStudy& study, const StepperScore& score) {
  const int robust = std::max(study.robust(), 1);
  return std::max(static_cast<double>(study.robust() - score.agreeing), 0.5) / robust;
}

std::string work_csv(const StepperStudy& study) {
  const std::vector<std::string> names = families(study);
  std::string csv = "family,step_ms,ms_per_trial,solves_per_trial,wrong_percent,median_error_mm\n";
  for (const StepperScore& score : study.scores) {
    const auto family = std::find(names.begin(), names.end(), family_name(score.setting));
    csv += fmt::format("{},{},{},{},{},{}\n", family - names.begin(), 1e3 * score.setting.step_s,
                       1e3 * score.seconds_per_trial, score.iterations_per_trial,
                       100.0 * drawn_share(study, score), score.median_error_mm);
  }
  return csv;
}

std::string curves(const StepperStudy& study, const char* x_column, const char* column,
                   bool titles) {
  const std::vector<std::string> names = families(study);
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += fmt::format(
        "{}data using (column('family') == {} ? column('{}') : NaN):'{}' "
        "with linespoints {} {}",
        k == 0 ? "" : ", \\\n       ", k, x_column, column, style(study, names[k]),
        titles ? fmt::format("title '{}'", names[k]) : "notitle");
  }
  return text;
}

Figure work_precision_figure(const StepperStudy& study) {
  const Canvas canvas{2500, 950};
  std::string script = script_start(
      "work_precision",
      "Time and solves per trial against precision, one curve a stepper over its steps.",
      gnuplot_string("Work against precision: " + study.request.config.name),
      gnuplot_string(fmt::format("{} robust trials; each point is a step size, left is faster; "
                                 "at the lower edge: none wrong",
                                 study.robust())),
      canvas);
  script += kPictures;
  script += "\ndata = figure.'.csv'\nset datafile separator ','\nset datafile missing NaN\n";
  script += "set logscale xy\nset grid lc rgb '#d0d0d0' lt 1\nset format xy '%g'\n";
  script += for_each_picture(
      fmt::format("  set multiplot layout 1,3 title name.\"\\n\".subtitle noenhanced margins "
                  "0.05,0.8,0.11,0.86 spacing 0.07\n"
                  "  set xlabel 'processor time per trial (ms)'\n"
                  "  set ylabel 'robust trials with a wrong outcome, or failed (%)'\n"
                  "  unset key\n  plot {}\n"
                  "  set ylabel 'median error of the final pose (mm)'\n"
                  "  plot {}\n"
                  "  set xlabel 'linear problems solved per trial'\n"
                  "  set key at screen 0.99,0.86 right top noenhanced font font.',12'\n  plot {}\n"
                  "  unset multiplot\n",
                  curves(study, "ms_per_trial", "wrong_percent", false),
                  curves(study, "ms_per_trial", "median_error_mm", false),
                  curves(study, "solves_per_trial", "median_error_mm", true)));
  return {"work_precision", script, work_csv(study)};
}

/// The settings whose wrong grasps are drawn: those with the configuration's step.
Figure wrong_grasps_figure(const StepperStudy& study) {
  std::vector<const StepperScore*> drawn;
  for (const StepperScore& score : study.scores) {
    if (score.setting.step_s == study.request.config.scenario.step_s) drawn.push_back(&score);
  }
  std::string csv = "setting,x_mm,y_mm,wrong\n";
  for (std::size_t s = 0; s < drawn.size(); ++s) {
    for (std::size_t k = 0; k < drawn[s]->trials.size(); ++k) {
      const ReferenceTrial& reference = study.reference[k];
      if (!reference.robust) continue;
      csv += fmt::format("{},{},{},{}\n", s, reference.parameters.placement_x_mm,
                         reference.parameters.placement_y_mm,
                         drawn[s]->trials[k].outcome == reference.result.outcome ? 0 : 1);
    }
  }
  const int columns = std::min<int>(4, static_cast<int>(drawn.size()));
  const int rows = (static_cast<int>(drawn.size()) + columns - 1) / std::max(columns, 1);
  const Canvas canvas{480 * columns + 60, 480 * rows + 140};
  std::string panels;
  for (std::size_t s = 0; s < drawn.size(); ++s) {
    panels += fmt::format(
        "  set title '{0}' noenhanced\n"
        "  plot data using (column('setting') == {1} && column('wrong') == 0 ? column('x_mm') : "
        "NaN):'y_mm' with points pt 7 ps 0.4 lc rgb '#bdbdbd' notitle, \\\n"
        "       data using (column('setting') == {1} && column('wrong') == 1 ? column('x_mm') : "
        "NaN):'y_mm' with points pt 7 ps 1.1 lc rgb '#d55e00' notitle\n",
        family_name(drawn[s]->setting), s);
  }
  std::string script = script_start(
      "wrong_grasps", "Placements whose grasp comes out wrong (orange), a panel each stepper.",
      gnuplot_string("Where the grasp comes out wrong: " + study.request.config.name),
      gnuplot_string(fmt::format("step {:g} ms; grey: as the converged reference; orange: another "
                                 "outcome, or failed",
                                 1e3 * study.request.config.scenario.step_s)),
      canvas);
  script += kPictures;
  script += "\ndata = figure.'.csv'\nset datafile separator ','\n";
  const PlacementSweep& grid = study.request.config.placement;
  script += fmt::format(
      "set xrange [{}:{}]\nset yrange [{}:{}]\nset size ratio -1\nset xlabel 'placement x (mm)'\n"
      "set ylabel 'placement y (mm)'\n",
      grid.x_mm.min, grid.x_mm.max, grid.y_mm.min, grid.y_mm.max);
  script += for_each_picture(
      fmt::format("  set multiplot layout {},{} title name.\"\\n\".subtitle noenhanced\n{}  unset "
                  "multiplot\n",
                  rows, columns, panels));
  return {"wrong_grasps", script, csv};
}

}  // namespace

std::vector<Figure> stepper_study_figures(const StepperStudy& study) {
  std::vector<Figure> figures{work_precision_figure(study)};
  const bool any =
      std::any_of(study.scores.begin(), study.scores.end(), [&](const StepperScore& score) {
        return score.setting.step_s == study.request.config.scenario.step_s;
      });
  if (any) figures.push_back(wrong_grasps_figure(study));
  return figures;
}

}  // namespace graspmap
