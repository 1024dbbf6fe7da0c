#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/support_fit/support_fit.hpp"
#include "grasp/sweep/config/config_write.hpp"

namespace graspmap {
namespace {

std::string error_cell(const AngleErrors& errors) {
  return fmt::format("{:5.2f} ({:.2f} to {:.2f})", errors.mean, errors.interval.low,
                     errors.interval.high);
}

/// "friction.support" from the force of friction, or what it takes to know it.
std::string friction_text(const SupportFit& fit, const FittedSliding& model) {
  const Interval& force = model.force_interval;
  std::string text = fmt::format("friction force {:.4g} N ({:.4g} to {:.4g})", model.force_n,
                                 force.low, force.high);
  if (const auto& weight = fit.options.weight_n) {
    text += fmt::format("; friction.support = {:.4g} ({:.4g} to {:.4g})", model.force_n / *weight,
                        force.low / *weight, force.high / *weight);
  } else {
    text += "; over the part's weight it is friction.support: give --weight-n";
  }
  return text;
}

/// The models that are not behind the best by more than chance explains.
std::vector<const FittedSliding*> tied_models(const SupportFit& fit) {
  std::vector<const FittedSliding*> tied;
  for (std::size_t k = 1; k < fit.models.size(); ++k) {
    if (fit.models[k].behind_interval.low <= 0.0) tied.push_back(&fit.models[k]);
  }
  return tied;
}

/// The simplest of the best model and those that are tied with it.
const FittedSliding& chosen_model(const SupportFit& fit) {
  const FittedSliding* chosen = &fit.models.front();
  for (const FittedSliding* model : tied_models(fit)) {
    if (model->kind < chosen->kind) chosen = model;
  }
  return *chosen;
}

std::string verdict_text(const SupportFit& fit) {
  const FittedSliding& best = fit.models.front();
  std::string text = fmt::format(
      "{} explains the pushes best. Behind it, in degrees of the twist:\n", name(best.kind));
  for (std::size_t k = 1; k < fit.models.size(); ++k) {
    const FittedSliding& other = fit.models[k];
    text += fmt::format("  {:18} {:5.2f} ({:.2f} to {:.2f}){}\n", name(other.kind), other.behind,
                        other.behind_interval.low, other.behind_interval.high,
                        other.behind_interval.low > 0.0 ? ": more than chance explains"
                                                        : ": chance may explain it");
  }
  const auto tied = tied_models(fit);
  if (!tied.empty()) {
    text += "These pushes do not tell it apart from";
    for (std::size_t k = 0; k < tied.size(); ++k) {
      text += fmt::format("{} {}", k == 0 ? "" : ",", name(tied[k]->kind));
    }
    text += fmt::format(".\nThe simplest of them is {}.\n", name(chosen_model(fit).kind));
  }
  return text;
}

std::string parameters_text(const SupportFit& fit, const FittedSliding& model) {
  std::string text = fmt::format("Parameters of {}, with {} intervals:\n", name(model.kind),
                                 given_percent(fit.options.confidence));
  for (const FittedNumber& number : model.parameters) {
    if (model.kind == SlidingKind::kGrid && number.value <= 1e-6) continue;
    text += model.kind == SlidingKind::kPointsByStatics
                ? fmt::format("  {:14} {:8.4f} (by statics)\n", number.name, number.value)
                : fmt::format("  {:14} {:8.4f} ({:.4f} to {:.4f})\n", number.name, number.value,
                              number.interval.low, number.interval.high);
  }
  return text;
}

}  // namespace

std::string support_fit_text(const SupportFit& fit) {
  std::string text = fmt::format("{}: {} rows of {} pushes, {}\n", fit.pushes.file,
                                 fit.pushes.rows.size(), fit.pushes.groups, fit.pushes.origin);
  text += fmt::format("Angles: moments are divided, and rates of turn multiplied, by {:.4g} mm.\n",
                      fit.length_mm);
  if (fit.against_force > 0) {
    text += fmt::format(
        "Note: in {} rows the part moves against the force (wrench . twist <= 0); check signs and\n"
        "frames if these are many.\n",
        fit.against_force);
  }
  text += fmt::format(
      "\nErrors on pushes that a fit has not seen ({} folds): mean angle, degrees, with {} "
      "intervals.\n  {:18} {:24} {}\n",
      fit.options.folds, given_percent(fit.options.confidence), "model", "twist from wrench",
      "wrench from twist");
  for (const FittedSliding& model : fit.models) {
    text += fmt::format("  {:18} {:24} {}\n", name(model.kind), error_cell(model.twist),
                        error_cell(model.wrench));
  }
  const FittedSliding& best = chosen_model(fit);
  return fmt::format("{}\n{}\n{}\nFor a configuration:\n\n{}", text, verdict_text(fit),
                     parameters_text(fit, best), support_fit_toml(fit));
}

std::string support_fit_toml(const SupportFit& fit) {
  const FittedSliding& best = chosen_model(fit);
  std::string text =
      fmt::format("# {} from {} ({})\n# {}\n", name(best.kind), printable(fit.pushes.file),
                  fit.pushes.origin, friction_text(fit, best));
  if (best.points_left_out > 0) {
    text += fmt::format("# the {} smallest loads of the grid are left out\n", best.points_left_out);
  }
  return text + support_table(best.support);
}

namespace {

Object model_fields(const FittedSliding& model) {
  const auto number_fields = [](const FittedNumber& number) {
    return Object{{"name", number.name}, {"value", number.value}, {"interval", number.interval}};
  };
  return {{"model", name(model.kind)},
          {"twist_error_deg", model.twist.mean, "held-out pushes: twist from wrench"},
          {"twist_error_deg_interval", model.twist.interval},
          {"wrench_error_deg", model.wrench.mean},
          {"wrench_error_deg_interval", model.wrench.interval},
          {"behind_best_deg", model.behind, "of the twist"},
          {"behind_best_deg_interval", model.behind_interval},
          {"friction_force_n", model.force_n},
          {"friction_force_n_interval", model.force_interval},
          {"parameters", list_of(model.parameters, number_fields)},
          {"support_toml", support_table(model.support), "the [support] table"}};
}

}  // namespace

Object support_fit_fields(const SupportFit& fit) {
  return {{"file", fit.pushes.file},
          {"origin", fit.pushes.origin},
          {"source", fit.pushes.source},
          {"rows", fit.pushes.rows.size()},
          {"pushes", fit.pushes.groups},
          {"rows_against_force", fit.against_force, "wrench . twist <= 0"},
          {"length_mm", fit.length_mm, "that moments are divided by"},
          {"folds", fit.options.folds},
          {"resamples", fit.options.resamples},
          {"confidence", fit.options.confidence},
          {"weight_n", fit.options.weight_n},
          {"best", name(fit.models.front().kind)},
          {"simplest_not_told_apart", name(chosen_model(fit).kind)},
          {"models", list_of(fit.models, model_fields), "the best first"}};
}

Table support_fit_table(const SupportFit& fit) {
  Table table;
  for (const FittedSliding& model : fit.models) {
    for (std::size_t i = 0; i < fit.pushes.rows.size(); ++i) {
      table.add({{"row", i + 1},
                 {"push", fit.pushes.rows[i].group + 1},
                 {"model", name(model.kind)},
                 {"twist_error_deg", model.twist.of_row[i]},
                 {"wrench_error_deg", model.wrench.of_row[i]}});
    }
  }
  return table;
}

namespace {

constexpr int kSectionPoints = 360;
constexpr double kNearSectionDeg = 20.0;

/// A plane of wrenches: two of (f_x, f_y, m).
struct WrenchPlane {
  const char* name;
  int across;
  int up;
  const char* x_label;
  const char* y_label;
};

constexpr WrenchPlane kPlanes[] = {
    {"fx_fy", 0, 1, "f_x (N)", "f_y (N)"},
    {"fx_m", 0, 2, "f_x (N)", "moment / length (N)"},
    {"fy_m", 1, 2, "f_y (N)", "moment / length (N)"},
};

/// The models that are drawn: the best one, and the fourth order and ellipsoid in any case.
std::vector<const FittedSliding*> drawn_models(const SupportFit& fit) {
  std::vector<const FittedSliding*> models;
  for (std::size_t k = 0; k < fit.models.size(); ++k) {
    const FittedSliding& model = fit.models[k];
    const bool usual =
        model.kind == SlidingKind::kEllipsoid || model.kind == SlidingKind::kFourthOrder;
    if (k == 0 || usual) models.push_back(&model);
  }
  return models;
}

std::string section_rows(const SlidingModel& model, const WrenchPlane& plane) {
  std::string rows = "x,y\n";
  for (int k = 0; k <= kSectionPoints; ++k) {
    const double angle = kWholeTurn_rad * k / kSectionPoints;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
    direction[plane.across] = std::cos(angle);
    direction[plane.up] = std::sin(angle);
    const Eigen::Vector3d y = model.radius(direction) * direction;
    rows += fmt::format("{:.6g},{:.6g}\n", y[plane.across], y[plane.up]);
  }
  return rows;
}

/// The measured wrenches that lie near the plane, each with the one against it: a limit surface is
/// symmetric about 0.
std::string near_rows(const SupportFit& fit, const WrenchPlane& plane) {
  const int out = 3 - plane.across - plane.up;
  std::string rows = "x,y\n";
  for (const MeasuredPush& row : fit.pushes.rows) {
    const double tilt = std::asin(std::abs(row.wrench[out]) / row.wrench.norm());
    if (tilt * 180.0 / std::numbers::pi > kNearSectionDeg) continue;
    const double size =
        row.wrench.norm() / std::hypot(row.wrench[plane.across], row.wrench[plane.up]);
    for (const double sign : {1.0, -1.0}) {
      rows += fmt::format("{:.6g},{:.6g}\n", sign * size * row.wrench[plane.across],
                          sign * size * row.wrench[plane.up]);
    }
  }
  return rows + "nan,nan\n";
}

constexpr const char* kSectionsLayout = R"gp(
set datafile separator ','
set key noenhanced
colours = '#d62728 #1f77b4 #2ca02c #9467bd'
)gp";

/// The same axes for all planes, with room for the largest wrench.
std::string axes_text(const SupportFit& fit) {
  double largest = 0.0;
  for (const MeasuredPush& row : fit.pushes.rows) largest = std::max(largest, row.wrench.norm());
  for (const FittedSliding* model : drawn_models(fit)) {
    largest = std::max(largest, model->model->radius(Eigen::Vector3d::UnitZ()));
  }
  const double range = 1.1 * largest;
  const double step = tick_step(2.0 * range, 6.0);
  return fmt::format(
      "set xrange [{0:.4g}:{1:.4g}]\nset yrange [{0:.4g}:{1:.4g}]\n"
      "set xtics {2:.4g}\nset ytics {2:.4g}\n",
      -range, range, step);
}

Figure sections_figure(const SupportFit& fit) {
  const auto models = drawn_models(fit);
  std::string data;
  std::string plots;
  int block = 0;
  for (const WrenchPlane& plane : kPlanes) {
    data += fmt::format("# {}: measured\n", plane.name) + near_rows(fit, plane) + "\n\n";
    std::string curves = fmt::format(
        "data index {} using 1:2 with points pt 7 ps 0.5 lc rgb '#909090' title 'measured "
        "(< {:g} deg)'",
        block++, kNearSectionDeg);
    for (std::size_t k = 0; k < models.size(); ++k) {
      data += fmt::format("# {}: {}\n", plane.name, name(models[k]->kind)) +
              section_rows(*models[k]->model, plane) + "\n\n";
      curves += fmt::format(
          ", \\\n    data index {} using 1:2 with lines lw 3 lc rgb word(colours, {}) title '{}'",
          block++, k + 1, name(models[k]->kind));
    }
    plots += fmt::format("  set xlabel '{}'\n  set ylabel '{}'\n  plot {}\n  unset key\n",
                         plane.x_label, plane.y_label, curves);
  }
  const std::string script =
      script_start("support_sections",
                   "Sections of the limit surfaces, with the measured wrenches near them.",
                   "'Limit surfaces of the support'",
                   gnuplot_string(fmt::format("{}, {}; moments over {:.4g} mm", fit.pushes.file,
                                              fit.pushes.origin, fit.length_mm)),
                   Canvas{1800, 640}) +
      kPictures + "data = figure.'.csv'\n" + kSectionsLayout + axes_text(fit) +
      for_each_picture(
          "  set multiplot layout 1,3 title name.\"\\n\".subtitle noenhanced margins "
          "0.05,0.77,0.16,0.84 spacing 0.06,0\n"
          "  set size ratio -1\n  set grid lc rgb '#d0d0d0' lt 1\n  unset colorbox\n"
          "  set key at screen 0.99, screen 0.6 right top vertical\n" +
          plots + "  unset multiplot\n");
  return {"support_sections", script, data};
}

constexpr const char* kErrorBars = R"gp(
data = figure.'.csv'
set lmargin at screen 330. / canvas_width
set rmargin at screen 1 - 60. / canvas_width
set tmargin at screen 1 - 110. / canvas_height
set bmargin at screen 230. / canvas_height
set xrange [0:*]
set yrange [-rows + 0.5:0.5]
set xtics out nomirror
set ytics out nomirror scale 0 noenhanced
set grid xtics lc rgb '#d0d0d0' lt 1
set border 3
set key at screen 0.98, screen 75. / canvas_height right center vertical noenhanced spacing 1.1
set label 1 name."\n".subtitle at screen 0.5, screen 1 - 35. / canvas_height center noenhanced
set xlabel 'mean angle to what was measured, held-out pushes (degrees)'
y(offset) = 1 - column('row') + offset
)gp";

constexpr const char* kErrorPlot = R"gp(
  plot data using (0):(y(0.18)):(0):'twist':(y(0.03)):(y(0.33)) \
           with boxxyerror lc rgb '#08519c' fs solid noborder title 'twist from wrench', \
       data using (0):(y(-0.18)):(0):'wrench':(y(-0.33)):(y(-0.03)) \
           with boxxyerror lc rgb '#9ecae1' fs solid noborder title 'wrench from twist', \
       data using 'twist':(y(0.18)):'twist_low':'twist_high' \
           with xerrorbars pt 0 lw 2 lc rgb '#f16913' title interval, \
       data using 'wrench':(y(-0.18)):'wrench_low':'wrench_high' \
           with xerrorbars pt 0 lw 2 lc rgb '#f16913' notitle
)gp";

Figure errors_figure(const SupportFit& fit) {
  std::string csv = "row,model,twist,twist_low,twist_high,wrench,wrench_low,wrench_high\n";
  std::string names;
  for (std::size_t k = 0; k < fit.models.size(); ++k) {
    const FittedSliding& model = fit.models[k];
    csv += fmt::format("{},{},{},{},{},{},{},{}\n", k + 1, name(model.kind), model.twist.mean,
                       model.twist.interval.low, model.twist.interval.high, model.wrench.mean,
                       model.wrench.interval.low, model.wrench.interval.high);
    names += fmt::format("{}'{}' {}", k > 0 ? ", " : "", name(model.kind), -static_cast<int>(k));
  }
  const int rows = static_cast<int>(fit.models.size());
  const std::string script =
      script_start("support_errors", "How well each model of the support predicts held-out pushes.",
                   "'Which model explains the pushes'",
                   gnuplot_string(fmt::format("{}, {}: {} pushes", fit.pushes.file,
                                              fit.pushes.origin, fit.pushes.groups)),
                   Canvas{1200, 340 + 80 * rows}) +
      kPictures +
      fmt::format("interval = '{} interval'\nset ytics ({})\nrows = {}\n",
                  given_percent(fit.options.confidence), names, rows) +
      kErrorBars + for_each_picture(kErrorPlot);
  return {"support_errors", script, csv};
}

}  // namespace

std::vector<Figure> support_fit_figures(const SupportFit& fit) {
  return {errors_figure(fit), sections_figure(fit)};
}

}  // namespace graspmap
