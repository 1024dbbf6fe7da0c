#include "lab/stepper_study/stepper_study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

std::string number(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string table(const StepperStudy& study) {
  TextTable table({"stepper", "step ms", "ms/trial", "solves", "us/solve", "same outcome", "wrong",
                   "failed", "median mm", "95 % mm", "worst mm", "median deg", "worst deg",
                   "overlap mm"});
  const int robust = study.robust();
  for (const StepperScore& score : study.scores) {
    int failed_robust = 0;
    for (std::size_t k = 0; k < score.trials.size(); ++k) {
      failed_robust += study.reference[k].robust && score.trials[k].outcome == Outcome::kFailed;
    }
    table.add({family_name(score.setting),
               fmt::format("{:g}", kMillisecondsPerSecond * score.setting.step_s),
               fmt::format("{:.3g}", kMillisecondsPerSecond * score.seconds_per_trial),
               fmt::format("{:.0f}", score.iterations_per_trial),
               fmt::format("{:.3g}", 1e6 * score.seconds_per_iteration()),
               fmt::format("{:.1f} %", 100.0 * score.agreeing / std::max(robust, 1)),
               fmt::format("{}", robust - score.agreeing - failed_robust),
               fmt::format("{}", score.failed), number(score.median_error_mm, "{:.2g}"),
               number(score.p95_error_mm, "{:.2g}"), number(score.worst_error_mm, "{:.2g}"),
               number(kDegrees * score.median_error_rad, "{:.2g}"),
               number(kDegrees * score.worst_error_rad, "{:.2g}"),
               fmt::format("{:.2g}", -score.worst_gap_mm)});
  }
  return table.text();
}

/// The wrong outcomes of a setting, the most frequent first: "wedged in place of success 12".
std::string confusions(const StepperStudy& study, const StepperScore& score) {
  std::map<std::pair<Outcome, Outcome>, int> counts;
  for (std::size_t k = 0; k < score.trials.size(); ++k) {
    const Outcome right = study.reference[k].result.outcome;
    const Outcome found = score.trials[k].outcome;
    if (study.reference[k].robust && found != right) ++counts[{found, right}];
  }
  std::vector<std::pair<int, std::pair<Outcome, Outcome>>> sorted;
  for (const auto& [outcomes, count] : counts) sorted.emplace_back(-count, outcomes);
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const auto& [count, outcomes] : sorted) {
    text += fmt::format("{}{} {} in place of {}", text.empty() ? "" : ", ", -count,
                        name(outcomes.first), name(outcomes.second));
  }
  return text;
}

std::string wrong_grasps(const StepperStudy& study) {
  std::string text;
  for (const StepperScore& score : study.scores) {
    if (score.setting.step_s != study.request.config.scenario.step_s) continue;
    const std::string found = confusions(study, score);
    if (found.empty()) continue;
    text += fmt::format("  {}: {}\n", family_name(score.setting), found);
  }
  const double step_ms = kMillisecondsPerSecond * study.request.config.scenario.step_s;
  if (text.empty()) return "";
  return fmt::format("\nWrong grasps at the configuration's step of {:g} ms:\n{}", step_ms, text);
}

}  // namespace

std::string family_name(const StepperSetting& setting) {
  if (setting.polygon_vertices == 0) return name(setting.stepper);
  return fmt::format("{}, {}-gons", name(setting.stepper), setting.polygon_vertices);
}

std::string stepper_study_text(const StepperStudy& study) {
  return fmt::format(
             "{} trials of {}; {} are robust: the implicit stepper finds the same outcome at {:g}, "
             "{:g} and\n{:g} ms. Errors are distances of the part's final pose from that at {:g} "
             "ms, over robust trials\nwith the same outcome; times are of one core. Solves are "
             "linear problems in a trial: "
             "Newton's systems,\nLCPs or QPs; implicit has code of its own for grasps, the others "
             "are "
             "the steppers of scenes.\n\n",
             study.request.trials, study.request.config.name, study.robust(),
             0.5 * kMillisecondsPerSecond * study.request.reference_step_s,
             kMillisecondsPerSecond * study.request.reference_step_s,
             2.0 * kMillisecondsPerSecond * study.request.reference_step_s,
             kMillisecondsPerSecond * study.request.reference_step_s) +
         table(study) + wrong_grasps(study);
}

namespace {

std::string vertices(const StepperSetting& setting) {
  return setting.polygon_vertices == 0 ? "" : fmt::format("{}", setting.polygon_vertices);
}

Object score_fields(const StepperScore& score) {
  return {{"stepper", name(score.setting.stepper)},
          {"polygon_vertices", score.setting.polygon_vertices},
          {"step_s", score.setting.step_s},
          {"seconds_per_trial", score.seconds_per_trial},
          {"same_outcome", score.agreeing},
          {"failed", score.failed},
          {"median_error_mm", score.median_error_mm},
          {"p95_error_mm", score.p95_error_mm},
          {"median_error_rad", score.median_error_rad},
          {"worst_gap_mm", score.worst_gap_mm},
          {"worst_error_mm", score.worst_error_mm},
          {"worst_error_rad", score.worst_error_rad},
          {"steps_per_trial", score.steps_per_trial},
          {"iterations_per_trial", score.iterations_per_trial},
          {"seconds_per_iteration", score.seconds_per_iteration()}};
}

}  // namespace

std::string stepper_study_csv(const StepperStudy& study) {
  std::string csv =
      "stepper,polygon_vertices,step_s,seconds_per_trial,robust,same_outcome,failed,"
      "median_error_mm,p95_error_mm,median_error_rad,worst_gap_mm,worst_error_mm,worst_error_rad,"
      "steps_per_trial,iterations_per_trial,seconds_per_iteration\n";
  for (const StepperScore& score : study.scores) {
    csv += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name(score.setting.stepper),
        vertices(score.setting), score.setting.step_s, score.seconds_per_trial, study.robust(),
        score.agreeing, score.failed, score.median_error_mm, score.p95_error_mm,
        score.median_error_rad, score.worst_gap_mm, score.worst_error_mm, score.worst_error_rad,
        score.steps_per_trial, score.iterations_per_trial, score.seconds_per_iteration());
  }
  return csv;
}

std::string wrong_grasps_csv(const StepperStudy& study) {
  std::string csv =
      "stepper,polygon_vertices,step_s,trial,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,"
      "reference_outcome\n";
  for (const StepperScore& score : study.scores) {
    for (std::size_t k = 0; k < score.trials.size(); ++k) {
      const ReferenceTrial& reference = study.reference[k];
      const Outcome found = score.trials[k].outcome;
      if (!reference.robust || found == reference.result.outcome) continue;
      const TrialParameters& p = reference.parameters;
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", name(score.setting.stepper),
                         vertices(score.setting), score.setting.step_s, reference.index,
                         p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support,
                         name(found), name(reference.result.outcome));
    }
  }
  return csv;
}

std::string stepper_study_json(const StepperStudy& study) {
  return json_document({{"name", study.request.config.name},
                        {"trials", study.request.trials},
                        {"robust", study.robust()},
                        {"reference_step_s", study.request.reference_step_s},
                        {"settings", list_of(study.scores, score_fields)}});
}

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
        "{}data using (column('family') == {} ? column('{}') : NaN):'{}' with linespoints {} {}",
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
