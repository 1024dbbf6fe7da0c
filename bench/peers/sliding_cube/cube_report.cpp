#include "bench/peers/sliding_cube/cube_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "lab/validation/validation_context.hpp"

namespace graspmap::bench {
namespace {

constexpr double kSmallestError_m = 1e-7;  ///< drawn; the axis is logarithmic

using Row = std::vector<std::string>;

std::string number(double value) { return fmt::format("{:.2g}", value); }

Row row(const CubeMeasurement& m, double our_seconds) {
  const std::string step = fmt::format("{:g}", kMillisecondsPerSecond * m.step_s);
  if (!m.possible) return {m.engine, step, "-", "-", "-", "-", "-", "-", "-", "-"};
  return {m.failed_steps == 0 ? m.engine : m.engine + " (failed)",
          step,
          fmt::format("{:.5f}", m.end_m.x()),
          fmt::format("{:.5f}", m.end_m.y()),
          fmt::format("{:.3f}", m.error_percent),
          fmt::format("{:.3f}", m.direction_deg),
          fmt::format("{:.2f}", m.slip_deg),
          number(m.turning_rad),
          number(m.penetration_mm),
          fmt::format("{:.2f}", m.seconds_per_step / our_seconds)};
}

/// A case's table: a header, then its comparisons.
std::vector<Row> rows(const std::vector<CubeComparison>& comparisons, const std::string& id) {
  std::vector<Row> rows{{"engine", "h ms", "x m", "y m", "error %", "direction deg", "slip deg",
                         "turning rad", "penetration mm", "time"}};
  for (const CubeComparison& comparison : comparisons) {
    if (comparison.cube.id != id) continue;
    const double our_seconds = comparison.measurements.front().seconds_per_step;
    for (const CubeMeasurement& m : comparison.measurements) rows.push_back(row(m, our_seconds));
  }
  return rows;
}

std::string heading(const CubeComparison& comparison) {
  const Slide& end = comparison.exact.back();
  return fmt::format("{}, {}: exact end ({:.5f}, {:.5f}) m after {:.5f} m", comparison.cube.id,
                     comparison.cube.title, end.position_m.x(), end.position_m.y(), end.distance_m);
}

/// The first comparison of each case: the largest step.
std::vector<const CubeComparison*> firsts(const std::vector<CubeComparison>& comparisons) {
  std::vector<const CubeComparison*> found;
  for (const CubeComparison& comparison : comparisons) {
    if (found.empty() || found.back()->cube.id != comparison.cube.id) found.push_back(&comparison);
  }
  return found;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string style(const CubeMeasurement& m) {
  if (m.engine.starts_with("graspmap")) return "lw 4";
  return m.engine.starts_with("Bullet") ? "lw 2 dt 2" : "lw 3 dt 3";
}

/// "d1a_paths_10ms".
std::string figure_name(const CubeComparison& comparison, const char* what) {
  return fmt::format("{}_{}_{:g}ms", lower(comparison.cube.id), what,
                     kMillisecondsPerSecond * comparison.step_s);
}

std::string subtitle(const CubeComparison& comparison) {
  return fmt::format("{}, {}; h = {:g} ms", comparison.cube.id, comparison.cube.title,
                     kMillisecondsPerSecond * comparison.step_s);
}

Figure path_figure(const CubeComparison& comparison) {
  CurvesFigure figure;
  figure.name = figure_name(comparison, "paths");
  figure.title = "Paths of the sliding cube";
  figure.subtitle = subtitle(comparison);
  figure.x_label = "x (m)";
  figure.y_label = "y (m)";
  Curve exact{"continuous motion", {}, {}, "lw 6"};
  for (const Slide& slide : comparison.exact) {
    exact.x.push_back(slide.position_m.x());
    exact.y.push_back(slide.position_m.y());
  }
  figure.curves.push_back(exact);
  for (const CubeMeasurement& m : comparison.measurements) {
    if (!m.possible) continue;
    Curve path{m.engine, {}, {}, style(m)};
    for (const Vec2& position : m.path_m) {
      path.x.push_back(position.x());
      path.y.push_back(position.y());
    }
    figure.curves.push_back(path);
  }
  return curves_figure(figure);
}

Figure error_figure(const CubeComparison& comparison) {
  CurvesFigure figure;
  figure.name = figure_name(comparison, "error");
  figure.title = "Error of the sliding cube's position against the continuous motion";
  figure.subtitle = subtitle(comparison);
  figure.x_label = "time (s)";
  figure.y_label = "error (m)";
  figure.log_y = true;
  figure.curves.push_back({"", {}, {}, {}});  // colours as in the figure of the paths
  for (const CubeMeasurement& m : comparison.measurements) {
    if (!m.possible) continue;
    Curve error{m.engine, {}, {}, style(m)};
    for (std::size_t i = 1; i < m.error_m.size(); ++i) {
      error.x.push_back(static_cast<double>(i) * m.step_s);
      error.y.push_back(std::max(m.error_m[i], kSmallestError_m));
    }
    figure.curves.push_back(error);
  }
  return curves_figure(figure);
}

}  // namespace

std::string cube_text(const std::vector<CubeComparison>& comparisons) {
  std::string text;
  for (const CubeComparison* first : firsts(comparisons)) {
    const std::vector<Row> all = rows(comparisons, first->cube.id);
    TextTable table(all.front());
    for (std::size_t k = 1; k < all.size(); ++k) table.add(all[k]);
    text += heading(*first) + "\n\n" + table.text() + "\n";
  }
  return text;
}

std::string cube_markdown(const std::vector<CubeComparison>& comparisons) {
  std::string text;
  for (const CubeComparison* first : firsts(comparisons)) {
    text += heading(*first) + "\n\n";
    const std::vector<Row> all = rows(comparisons, first->cube.id);
    for (std::size_t k = 0; k < all.size(); ++k) {
      text += fmt::format("| {} |\n", fmt::join(all[k], " | "));
      if (k > 0) continue;
      text += fmt::format("| {} |\n", fmt::join(Row(all[k].size(), "---"), " | "));
    }
    text += "\n";
  }
  return text;
}

std::string cube_csv(const std::vector<CubeComparison>& comparisons) {
  std::string text =
      "case,engine,step_s,failed_steps,end_x_m,end_y_m,end_z_m,error_percent,direction_deg,"
      "slip_deg,turning_rad,penetration_mm,seconds_per_step\n";
  for (const CubeComparison& comparison : comparisons) {
    for (const CubeMeasurement& m : comparison.measurements) {
      if (!m.possible) continue;
      text += fmt::format("{},\"{}\",{},{},{},{},{},{},{},{},{},{},{}\n", comparison.cube.id,
                          m.engine, m.step_s, m.failed_steps, m.end_m.x(), m.end_m.y(), m.end_m.z(),
                          m.error_percent, m.direction_deg, m.slip_deg, m.turning_rad,
                          m.penetration_mm, m.seconds_per_step);
    }
  }
  return text;
}

std::vector<Figure> cube_figures(const std::vector<CubeComparison>& comparisons) {
  std::vector<Figure> figures;
  for (const CubeComparison& comparison : comparisons) {
    figures.push_back(path_figure(comparison));
    figures.push_back(error_figure(comparison));
  }
  return figures;
}

}  // namespace graspmap::bench
