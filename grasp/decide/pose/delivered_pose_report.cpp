#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"

namespace graspmap {
namespace {

constexpr std::array<const char*, 4> kLabels = {"x mm", "y mm", "theta rad", "opening mm"};

/// Less than this share is not worth a word.
constexpr double kWorthTelling = 5e-4;

/// Four digits of what is more than rounding; "-" for what one trial does not show.
std::string number(double value) {
  if (std::isnan(value)) return "-";
  constexpr double kRounding = 1e7;
  return fmt::format("{:.4g}", std::round(value * kRounding) / kRounding + 0.0);
}

/// A position with the digits that a scale of it leaves a meaning.
std::string position(double value, double scale) {
  const double digits = scale > 0 ? std::ceil(-std::log10(scale)) : 3.0;
  const int places = static_cast<int>(std::clamp(digits, 2.0, 6.0));
  const double tenth = std::pow(10.0, places);
  return fmt::format("{:.{}f}", std::round(value * tenth) / tenth + 0.0, places);
}

/// Which grasps they are.
std::string grasps_text(const DeliveredPoses& poses) {
  const PoseQuestion& request = poses.request;
  if (!request.placement) {
    return fmt::format("on the plateau ({} cells with success probability >= {:.4g})", poses.cells,
                       request.plateau_probability);
  }
  const PlacementVector& at = *request.placement;
  const bool with_angle = at[2] != 0 || !request.error.overall[2].is_fixed();
  const std::string place = "the placement " + placement_text(at, with_angle);
  if (request.error_words.empty()) return "in the cell of " + place;
  return fmt::format("at {} with a positioning error of {}", place, request.error_words);
}

bool has_spread(const DeliveredPoses& poses) { return !poses.moments.covariance.hasNaN(); }

/// " standard deviations 0.4 mm, 0.4 mm and 0.02 rad".
std::string deviations_text(const DeliveredPoses& poses) {
  if (!has_spread(poses)) return "\none trial shows no spread";
  const Eigen::VectorXd sd = poses.moments.standard_deviations();
  return fmt::format(" standard deviations\n{} mm, {} mm and {} rad", number(sd[0]), number(sd[1]),
                     number(sd[2]));
}

/// The share of the error without trials.
std::string unknown_text(const DeliveredPoses& poses) {
  if (poses.unknown_share < kWorthTelling) return "";
  return fmt::format(
      "{} of the error lies beyond the map or where there are no trials: how those grasps end is\n"
      "unknown; the poses are those of the others.\n",
      percent(poses.unknown_share));
}

/// How far from where the commanded placement would put it.
std::string deviation_text(const DeliveredPoses& poses) {
  if (!poses.request.placement) return "";
  const PlacementVector intended = intended_pose(*poses.request.placement);
  const Eigen::VectorXd& mean = poses.moments.mean;
  const Eigen::VectorXd error = poses.moments.standard_errors();
  const auto off = [&](Eigen::Index k) {
    return position(mean[k] - intended[static_cast<std::size_t>(k)], error[k]);
  };
  return fmt::format(
      "The placement alone would leave it at ({:.6g}, {:.6g}) mm, turned by {:.4g} rad: on average "
      "it is\n({}, {}) mm and {} rad off that{}.\n",
      intended[0] + 0.0, intended[1] + 0.0, intended[2], off(0), off(1), off(2),
      has_spread(poses) ? ", with the standard deviations above" : "");
}

std::string answer(const DeliveredPoses& poses) {
  const Eigen::VectorXd& mean = poses.moments.mean;
  const Eigen::VectorXd error = poses.moments.standard_errors();
  return fmt::format(
      "In the hand the part lies at ({}, {}) mm, turned by {} rad:{}, after the grasps with "
      "outcome {}\n{}.\n"
      "{}{} of the grasps there end this way: {} trial{}, worth {:.0f} of equal weight.\n{}{}",
      position(mean[0], error[0]), position(mean[1], error[1]), position(mean[2], error[2]),
      deviations_text(poses), name(poses.request.outcome), grasps_text(poses),
      deviation_text(poses), percent(poses.outcome_share), poses.sample.size(),
      poses.sample.size() == 1 ? "" : "s", poses.moments.effective_number, unknown_text(poses),
      poses.modes.size() == 1
          ? "The poses form one group.\n"
          : fmt::format("The poses form {} groups (modes), listed below.\n", poses.modes.size()));
}

std::string coordinates_table(const DeliveredPoses& poses) {
  const double z = two_sided_z(poses.request.confidence);
  std::vector<std::string> header{"coordinate", "mean", "standard error",
                                  given_percent(poses.request.confidence) + " ±",
                                  "standard deviation"};
  for (const double q : kPoseQuantiles) header.push_back(given_percent(q));
  TextTable table(header);
  const Eigen::VectorXd sd = poses.moments.standard_deviations();
  const Eigen::VectorXd error = poses.moments.standard_errors();
  for (std::size_t k = 0; k < 4; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    std::vector<std::string> row{kLabels[k], position(poses.moments.mean[i], error[i]),
                                 number(error[i]), number(z * error[i]),
                                 poses.spread[k] ? number(sd[i]) : "no spread"};
    for (const double value : poses.quantiles[k]) row.push_back(position(value, sd[i] / 10));
    table.add(row);
  }
  return fmt::format("\n{}", table.text());
}

std::string covariance_table(const DeliveredPoses& poses) {
  TextTable table({"covariance", "x", "y", "theta", "correlation", "x", "y", "theta"});
  const std::vector<bool> spread(poses.spread.begin(), poses.spread.begin() + 3);
  const Eigen::MatrixXd covariance = poses.moments.covariance.topLeftCorner(3, 3);
  const Eigen::MatrixXd correlation = correlations(covariance, spread);
  constexpr std::array<const char*, 3> kRows = {"x (mm2, mm2, mm rad)", "y (mm2, mm2, mm rad)",
                                                "theta (mm rad, mm rad, rad2)"};
  for (Eigen::Index i = 0; i < 3; ++i) {
    std::vector<std::string> row{kRows[static_cast<std::size_t>(i)]};
    for (Eigen::Index j = 0; j < 3; ++j)
      row.push_back(std::isnan(covariance(i, j)) ? "-" : fmt::format("{:.3g}", covariance(i, j)));
    row.emplace_back("");
    for (Eigen::Index j = 0; j < 3; ++j) {
      row.push_back(fmt::format("{:.3f}", std::round(1000 * correlation(i, j)) / 1000 + 0.0));
    }
    table.add(row);
  }
  return fmt::format("\n{}", table.text());
}

/// What the part touches with in each mode.
std::string touches_text(const DeliveredPoses& poses) {
  const auto side = [&](const char* name, const std::vector<int>& features) {
    std::vector<std::string> names;
    for (const int f : features) names.push_back(poses.features[static_cast<std::size_t>(f)]);
    return fmt::format("{}: {}", name,
                       names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")));
  };
  std::string text;
  for (std::size_t m = 0; m < poses.modes.size(); ++m) {
    const std::optional<Touches>& touches = poses.modes[m].touches;
    if (!touches) continue;
    text += fmt::format("mode {} touches {}; {}{}\n", m + 1, side("left", touches->left),
                        side("right", touches->right),
                        touches->palm.empty() ? "" : "; " + side("palm", touches->palm));
  }
  return text;
}

std::string modes_table(const DeliveredPoses& poses) {
  if (poses.modes.size() < 2) return "";
  TextTable table({"mode", "share", "trials", "x mm", "y mm", "theta rad", "sd x mm", "sd y mm",
                   "sd theta rad"});
  int rank = 1;
  for (const PoseMode& mode : poses.modes) {
    const Eigen::VectorXd& mean = mode.moments.mean;
    const Eigen::VectorXd sd = mode.moments.standard_deviations();
    table.add({fmt::format("{}", rank++), percent(mode.share), fmt::format("{}", mode.trials),
               position(mean[0], sd[0] / 10), position(mean[1], sd[1] / 10),
               position(mean[2], sd[2] / 10), number(sd[0]), number(sd[1]), number(sd[2])});
  }
  return fmt::format("\n{}", table.text()) + touches_text(poses);
}

}  // namespace

std::string pose_text(const DeliveredPoses& poses) {
  return answer(poses) + coordinates_table(poses) + covariance_table(poses) + modes_table(poses);
}

namespace {

/// A number of each of x, y, theta and the opening.
Object coordinate_fields(const Eigen::VectorXd& vector, const std::string& prefix = "") {
  Object fields;
  for (std::size_t k = 0; k < kPoseNames.size(); ++k) {
    fields.add({prefix + kPoseNames[k], vector[static_cast<Eigen::Index>(k)]});
  }
  return fields;
}

Object moment_fields(const Moments& moments) {
  return {{"effective_number", moments.effective_number, "Kish's"},
          {"mean", coordinate_fields(moments.mean)},
          {"standard_deviation", coordinate_fields(moments.standard_deviations())},
          {"standard_error", coordinate_fields(moments.standard_errors())},
          {"covariance", moments.covariance.topLeftCorner(3, 3).rowwise(),
           "of x, y, theta: mm2, mm rad, rad2"}};
}

/// The placement, or the plateau.
Field grasps_field(const DeliveredPoses& poses) {
  const PoseQuestion& request = poses.request;
  if (!request.placement) {
    return {"plateau",
            Object{{"probability_at_least", request.plateau_probability}, {"cells", poses.cells}}};
  }
  const auto sigma = [&](std::size_t k) { return std::sqrt(request.error.overall[k].variance()); };
  return {"placement", Object{{"x_mm", (*request.placement)[0]},
                              {"y_mm", (*request.placement)[1]},
                              {"theta_rad", (*request.placement)[2]},
                              {"error", request.error_words, "in words; empty: exact, the cell"},
                              {"sigma_x_mm", sigma(0), "standard deviations of the error"},
                              {"sigma_y_mm", sigma(1)},
                              {"sigma_theta_rad", sigma(2)}}};
}

/// Nothing on the plateau.
Value deviation_fields(const DeliveredPoses& poses) {
  if (!poses.request.placement) return {};
  const PlacementVector intended = intended_pose(*poses.request.placement);
  Object fields;
  for (std::size_t k = 0; k < 3; ++k) {
    fields.add({kPoseNames[k], poses.moments.mean[static_cast<Eigen::Index>(k)] - intended[k]});
  }
  return fields;
}

Object touch_fields(const DeliveredPoses& poses, const Touches& touches) {
  const auto names = [&](const std::vector<int>& features) {
    return list_of(features, [&](int f) { return poses.features[static_cast<std::size_t>(f)]; });
  };
  return {{"left_touches", names(touches.left)},
          {"right_touches", names(touches.right)},
          {"palm_touches", touches.palm.empty() ? Value() : names(touches.palm)}};
}

Object quantile_fields(const DeliveredPoses& poses) {
  Object fields;
  for (std::size_t k = 0; k < kPoseNames.size(); ++k) {
    Object of_coordinate;
    for (std::size_t q = 0; q < kPoseQuantiles.size(); ++q) {
      of_coordinate.add({fmt::format("{}", kPoseQuantiles[q]), poses.quantiles[k][q]});
    }
    fields.add({kPoseNames[k], of_coordinate});
  }
  return fields;
}

Object pose_row(const std::string& what, double share, std::size_t trials, const Moments& moments) {
  const auto covariance = [&](int i, int j) { return moments.covariance(i, j); };
  return {{"what", what},
          {"share", share},
          {"trials", trials},
          {"effective_number", moments.effective_number},
          coordinate_fields(moments.mean, "mean_"),
          coordinate_fields(moments.standard_deviations(), "sd_"),
          {"var_x_mm2", covariance(0, 0)},
          {"cov_xy_mm2", covariance(0, 1)},
          {"var_y_mm2", covariance(1, 1)},
          {"cov_xtheta_mm_rad", covariance(0, 2)},
          {"cov_ytheta_mm_rad", covariance(1, 2)},
          {"var_theta_rad2", covariance(2, 2)}};
}

}  // namespace

Object pose_fields(const DeliveredPoses& poses) {
  const std::vector<bool> spread(poses.spread.begin(), poses.spread.begin() + 3);
  const Eigen::MatrixXd correlation =
      correlations(poses.moments.covariance.topLeftCorner(3, 3), spread);
  const Eigen::VectorXd half_width =
      two_sided_z(poses.request.confidence) * poses.moments.standard_errors();
  const auto mode_fields = [&](const PoseMode& mode) {
    return Object{{"share", mode.share},
                  {"trials", mode.trials},
                  moment_fields(mode.moments),
                  {"", maybe(mode.touches, [&](const Touches& touches) {
                     return touch_fields(poses, touches);
                   })}};
  };
  return {{"name", poses.name},
          {"outcome", name(poses.request.outcome)},
          grasps_field(poses),
          {"outcome_share", poses.outcome_share, "of the grasps there"},
          {"unknown_share", poses.unknown_share,
           "of the error: beyond the map, or where there are no trials"},
          {"trials", poses.sample.size()},
          moment_fields(poses.moments),
          {"mean_deviation", deviation_fields(poses),
           "of the mean, from where the placement alone would leave the part"},
          {"confidence", poses.request.confidence},
          {"mean_half_width", coordinate_fields(half_width), "of the mean's interval"},
          {"correlation", correlation.rowwise(), "0 where nothing varies"},
          {"quantiles", quantile_fields(poses)},
          {"modes", list_of(poses.modes, mode_fields), "the largest first"}};
}

Table pose_table(const DeliveredPoses& poses) {
  Table table;
  table.add(pose_row("all", 1.0, static_cast<std::size_t>(poses.sample.size()), poses.moments));
  for (const PoseMode& mode : poses.modes) {
    table.add(
        pose_row(fmt::format("mode_{}", table.rows.size()), mode.share, mode.trials, mode.moments));
  }
  return table;
}

std::vector<ResultFile> pose_files(const DeliveredPoses& poses) {
  return {{"pose.json", pose_fields(poses)}, {"pose.csv", pose_table(poses)}};
}

namespace {

constexpr int kMostPoints = 3000;
constexpr int kBins = 51;  // odd: a peak in the middle is not split
constexpr std::array<const char*, 3> kAxisLabels = {"x (mm)", "y (mm)", "theta (rad)"};
constexpr std::array<const char*, 3> kUnits = {"mm", "mm", "rad"};
constexpr double kPanelPx = 480.0;  ///< the width of a panel
/// Okabe and Ito's colours for colour-blind eyes.
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9"};

/// What is drawn of a coordinate.
struct Range {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] bool holds(double value) const { return value >= low && value <= high; }
};

/// From the smallest to the largest value and a little more, unless few trials far from all others
/// would take a quarter of it: then without them.
Range range(const DeliveredPoses& poses, std::size_t coordinate) {
  constexpr std::array kMost{0.005, 0.995};
  constexpr double kLeastRange = 1e-3;  // around a coordinate without spread
  const auto values = poses.sample.values.col(static_cast<Eigen::Index>(coordinate));
  const std::vector<double> most = weighted_quantiles(values, poses.sample.weights, kMost);
  const bool has_outliers = values.maxCoeff() - values.minCoeff() > 1.3 * (most[1] - most[0]);
  const double low = has_outliers ? most[0] : values.minCoeff();
  const double high = has_outliers ? most[1] : values.maxCoeff();
  const double half = 0.52 * std::max(high - low, kLeastRange);
  return {(low + high) / 2 - half, (low + high) / 2 + half};
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
  const double all = poses.sample.weights.sum();
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!r.holds(values[k])) continue;
    const double bin = std::clamp(std::floor((values[k] - r.low) / width), 0.0, kBins - 1.0);
    bins[static_cast<std::size_t>(bin)] += poses.sample.weights[k] / all;
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
  const Range shown = range(poses, coordinate);
  std::string text;
  if (poses.modes.size() > 1) {
    for (std::size_t m = 0; m < poses.modes.size(); ++m) {
      if (!shown.holds(poses.modes[m].moments.mean[k])) continue;
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

/// Tick marks that a range has room for.
std::string ticks(const Range& r) {
  return fmt::format("{}", axis_tick_step({r.low, r.high, 1}, kPanelPx));
}

/// "mean 15.7 mm, σ = 0.36 mm", and how much lies beyond the axis, where that is worth telling.
std::vector<std::string> histogram_title(const DeliveredPoses& poses, std::size_t coordinate) {
  const auto at = static_cast<Eigen::Index>(coordinate);
  const Range shown = range(poses, coordinate);
  const WeightedSample& sample = poses.sample;
  double beyond = 0;
  for (Eigen::Index k = 0; k < sample.size(); ++k) {
    if (!shown.holds(sample.values(k, at))) beyond += sample.weights[k];
  }
  beyond /= sample.weights.sum();
  const char* unit = kUnits[coordinate];
  std::vector<std::string> lines{fmt::format("mean {} {}", short_mm(poses.moments.mean[at]), unit)};
  if (has_spread(poses)) {
    lines.back() +=
        fmt::format(", σ = {} {}", short_mm(poses.moments.standard_deviations()[at]), unit);
  }
  if (beyond >= kWorthTelling) {
    lines.push_back(percent(beyond) + " of the grasps lie beyond");
  }
  return lines;
}

std::string histogram_panel(const DeliveredPoses& poses, std::size_t coordinate) {
  const Range r = range(poses, coordinate);
  return fmt::format(
      "  unset arrow\n{}  set xlabel '{}'\n  set ylabel 'share of the grasps'\n"
      "  set xrange [{}:{}]\n  set yrange [0:*]\n  set xtics {} out nomirror\n  set ytics auto\n"
      "  set title {}\n"
      "  plot $histogram_{} using 1:2 with boxes lc rgb '#b0b0b0' fs solid 1.0 noborder\n",
      lines(poses, coordinate), kAxisLabels[coordinate], r.low, r.high, ticks(r),
      lines_expression(histogram_title(poses, coordinate)), coordinate);
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

}  // namespace

Figure pose_figure(const DeliveredPoses& poses) {
  const PoseQuestion& request = poses.request;
  const std::string subtitle = fmt::format(
      "{} trials with outcome {} {}", grouped(static_cast<std::int64_t>(poses.sample.size())),
      name(request.outcome),
      request.placement ? "around the placement " + placement_text(*request.placement, false)
                        : fmt::format("on the plateau (p ≥ {:.4g})", request.plateau_probability));
  std::string script = script_start(
      "pose_plot", "How the part lies in the hand: its position, and histograms of x, y and theta.",
      gnuplot_string(poses.title + ": the part's pose in the hand"), gnuplot_string(subtitle),
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
