#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/decide/support_fit/support_fit_report.hpp"

namespace graspmap {
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

/// The models that are drawn: the best three, and the fourth order and ellipsoid in any case.
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
    const double angle = 2.0 * std::numbers::pi * k / kSectionPoints;
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
  for (const MeasuredPush& row : fit.scaled) {
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
  for (const MeasuredPush& row : fit.scaled) largest = std::max(largest, row.wrench.norm());
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
                   gnuplot_string(fmt::format("{}, {}; moments over {:.4g} mm", fit.file,
                                              fit.origin, fit.length_mm)),
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
      script_start(
          "support_errors", "How well each model of the support predicts held-out pushes.",
          "'Which model explains the pushes'",
          gnuplot_string(fmt::format("{}, {}: {} pushes", fit.file, fit.origin, fit.groups)),
          Canvas{1200, 340 + 80 * rows}) +
      kPictures +
      fmt::format("interval = '{:.6g} % interval'\nset ytics ({})\nrows = {}\n",
                  100.0 * fit.options.confidence, names, rows) +
      kErrorBars + for_each_picture(kErrorPlot);
  return {"support_errors", script, csv};
}

}  // namespace

std::vector<Figure> support_fit_figures(const SupportFit& fit) {
  return {errors_figure(fit), sections_figure(fit)};
}

}  // namespace graspmap
