#include "grasp/decide/pose/pose_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"

namespace graspmap {
namespace {

constexpr int kMostPoints = 3000;
constexpr int kBins = 51;  // odd: a peak in the middle is not split
constexpr std::array<const char*, 3> kAxisLabels = {"x (mm)", "y (mm)", "theta (rad)"};
/// Okabe and Ito's colours for colour-blind eyes.
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9"};

/// What is drawn of a coordinate: from its smallest to its largest value, and a little more.
struct Range {
  double low = 0.0;
  double high = 0.0;
};

Range range(const DeliveredPoses& poses, std::size_t coordinate) {
  constexpr double kLeastRange = 1e-3;  // around a coordinate without spread
  const auto values = poses.sample.values.col(static_cast<Eigen::Index>(coordinate));
  const double middle = (values.minCoeff() + values.maxCoeff()) / 2;
  const double half = 0.52 * std::max(values.maxCoeff() - values.minCoeff(), kLeastRange);
  return {middle - half, middle + half};
}

const char* colour(std::size_t mode) { return kColours[mode % kColours.size()]; }

/// The trials where the weight, added up, passes equal steps.
std::string points_csv(const DeliveredPoses& poses) {
  const WeightedSample& sample = poses.sample;
  const double step = sample.weights.sum() / kMostPoints;
  std::string csv = "x_mm,y_mm,theta_rad,mode\n";
  double sum = 0;
  double next = 0;
  for (Eigen::Index k = 0; k < sample.size(); ++k) {
    sum += sample.weights[k];
    if (sum <= next) continue;
    while (next < sum) next += step;
    csv += fmt::format("{},{},{},{}\n", sample.values(k, 0), sample.values(k, 1),
                       sample.values(k, 2), poses.mode[static_cast<std::size_t>(k)] + 1);
  }
  return csv;
}

/// Bars: the share of the weight in each of equal bins.
std::string histogram_block(const DeliveredPoses& poses, std::size_t coordinate) {
  const Range r = range(poses, coordinate);
  const double width = (r.high - r.low) / kBins;
  std::array<double, kBins> bins{};
  const auto values = poses.sample.values.col(static_cast<Eigen::Index>(coordinate));
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double bin = std::clamp(std::floor((values[k] - r.low) / width), 0.0, kBins - 1.0);
    bins[static_cast<std::size_t>(bin)] += poses.sample.weights[k] / poses.sample.weights.sum();
  }
  std::string block = fmt::format("$histogram_{} << EOD\nvalue,share\n", coordinate);
  for (std::size_t k = 0; k < bins.size(); ++k) {
    block += fmt::format("{},{}\n", r.low + (static_cast<double>(k) + 0.5) * width, bins[k]);
  }
  return block + "EOD\n";
}

/// Vertical lines in a histogram: at the mean, dashed; at the modes' means in their colours.
std::string lines(const DeliveredPoses& poses, std::size_t coordinate) {
  const auto k = static_cast<Eigen::Index>(coordinate);
  std::string text;
  if (poses.modes.size() > 1) {
    for (std::size_t m = 0; m < poses.modes.size(); ++m) {
      text += fmt::format(
          "  set arrow from {0},graph 0 to {0},graph 1 nohead lw 2.5 lc rgb '{1}' front\n",
          poses.modes[m].moments.mean[k], colour(m));
    }
  }
  return text + fmt::format(
                    "  set arrow from {0},graph 0 to {0},graph 1 nohead lw 2 dt 2 lc rgb 'black' "
                    "front\n",
                    poses.moments.mean[k]);
}

/// Tick marks that a range has room for: numbers with many digits need much.
std::string ticks(const Range& r) { return fmt::format("{}", tick_step(r.high - r.low, 4.0)); }

std::string histogram_panel(const DeliveredPoses& poses, std::size_t coordinate) {
  const Range r = range(poses, coordinate);
  return fmt::format(
      "  unset arrow\n{}  set xlabel '{}'\n  set ylabel 'share of the grasps'\n"
      "  set xrange [{}:{}]\n  set yrange [0:*]\n  set xtics {} out nomirror\n  set ytics auto\n"
      "  set title {}\n"
      "  plot $histogram_{} using 1:2 with boxes lc rgb '#b0b0b0' fs solid 1.0 noborder\n",
      lines(poses, coordinate), kAxisLabels[coordinate], r.low, r.high, ticks(r),
      gnuplot_string(fmt::format(
          "mean {}, standard deviation {}",
          short_mm(poses.moments.mean[static_cast<Eigen::Index>(coordinate)]),
          short_mm(poses.moments.standard_deviations()[static_cast<Eigen::Index>(coordinate)]))),
      coordinate);
}

std::string scatter_panel(const DeliveredPoses& poses) {
  const Range x = range(poses, 0);
  const Range y = range(poses, 1);
  std::string layers;
  for (std::size_t m = 0; m < poses.modes.size(); ++m) {
    layers += fmt::format(
        "{}figure.'.csv' using (column('mode') == {} ? column('x_mm') : NaN):'y_mm' with points "
        "pt 7 ps 0.4 lc rgb '{}'",
        m > 0 ? ", \\\n       " : "", m + 1, colour(m));
  }
  return fmt::format(
      "  unset arrow\n  set xlabel 'x (mm)'\n  set ylabel 'y (mm)'\n"
      "  set xrange [{}:{}]\n  set yrange [{}:{}]\n  set xtics {} out nomirror\n"
      "  set ytics {} out nomirror\n  set title {}\n"
      "  plot {}, \\\n       $mean using 1:2 with points pt 2 ps 2 lw 3 lc rgb 'black'\n",
      x.low, x.high, y.low, y.high, ticks(x), ticks(y),
      gnuplot_string(poses.modes.size() == 1
                         ? "where P lies; cross: mean"
                         : fmt::format("where P lies, {} modes; cross: mean", poses.modes.size())),
      layers);
}

std::string subtitle(const DeliveredPoses& poses) {
  const std::string what = fmt::format("{} trials with outcome {}",
                                       grouped(static_cast<std::int64_t>(poses.sample.size())),
                                       name(poses.request.outcome));
  if (!poses.request.placement) {
    return what + fmt::format(" on the plateau (p ≥ {:.4g})", poses.request.plateau_probability);
  }
  const auto& [x, y, theta] = *poses.request.placement;
  return what + fmt::format(" around the placement ({:.6g}, {:.6g}) mm", x, y);
}

}  // namespace

Figure pose_figure(const DeliveredPoses& poses) {
  std::string script = script_start(
      "pose_plot", "How the part lies in the hand: its position, and histograms of x, y and theta.",
      gnuplot_string(poses.name + ": the part's pose in the hand"), gnuplot_string(subtitle(poses)),
      {1300, 1050});
  script += std::string("font_size = 16\n") + kPictures + "unset key\n\n";
  script += fmt::format("$mean << EOD\nx_mm,y_mm\n{},{}\nEOD\n", poses.moments.mean[0],
                        poses.moments.mean[1]);
  for (std::size_t k = 0; k < 3; ++k) script += histogram_block(poses, k);
  std::string commands =
      "  set multiplot layout 2, 2 margins screen 0.10, 0.97, 0.08, 0.86 \\\n"
      "      spacing screen 0.12, 0.16 title name.\"\\n\".subtitle noenhanced\n";
  commands += scatter_panel(poses);
  for (std::size_t k = 0; k < 3; ++k) commands += histogram_panel(poses, k);
  script += for_each_picture(commands + "  unset multiplot\n");
  return {"pose_plot", script, points_csv(poses)};
}

}  // namespace graspmap
