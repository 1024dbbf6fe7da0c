#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/text_table.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"

namespace graspmap {
namespace {

constexpr std::array<const char*, 4> kLabels = {"x mm", "y mm", "theta rad", "opening mm"};

/// Four digits of what is more than rounding.
std::string number(double value) {
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
  const PoseRequest& request = poses.request;
  if (!request.placement) {
    return fmt::format("on the plateau ({} cells with success probability >= {:.4g})", poses.cells,
                       request.plateau_probability);
  }
  const auto& [x, y, theta] = *request.placement;
  std::string place = fmt::format("the placement ({:.6g}, {:.6g}) mm", x, y);
  if (theta != 0 || request.error[2].size > 0) place += fmt::format(", {:.4g} rad", theta);
  const bool exact = std::all_of(request.error.begin(), request.error.end(),
                                 [](const AxisError& error) { return error.size == 0; });
  if (exact) return "in the cell of " + place;
  const std::string angle =
      request.error[2].size > 0 ? fmt::format(", {:.6g} rad", request.error[2].size) : "";
  return fmt::format(
      "at {} with a positioning error of {:.6g} mm in x and {:.6g} mm in y{} (standard deviations)",
      place, request.error[0].size, request.error[1].size, angle);
}

std::string answer(const DeliveredPoses& poses) {
  const Eigen::VectorXd& mean = poses.moments.mean;
  const Eigen::VectorXd sd = poses.moments.standard_deviations();
  const Eigen::VectorXd error = poses.moments.standard_errors();
  return fmt::format(
      "In the hand the part lies at ({}, {}) mm, turned by {} rad: standard deviations\n"
      "{} mm, {} mm and {} rad, after the grasps with outcome {}\n{}.\n"
      "{:.1f} % of the grasps there end so: {} trials, worth {:.0f} of equal weight.\n",
      position(mean[0], error[0]), position(mean[1], error[1]), position(mean[2], error[2]),
      number(sd[0]), number(sd[1]), number(sd[2]), name(poses.request.outcome), grasps_text(poses),
      100 * poses.outcome_share, poses.sample.size(), poses.moments.effective_number);
}

std::string modes_answer(const DeliveredPoses& poses) {
  if (poses.modes.size() == 1) return "The poses form one group.\n";
  return fmt::format("The poses form {} groups (modes), listed below.\n", poses.modes.size());
}

std::string coordinates_table(const DeliveredPoses& poses) {
  const double z = two_sided_z(poses.request.confidence);
  std::vector<std::string> header{"coordinate", "mean", "standard error",
                                  fmt::format("{:.6g} % ±", 100 * poses.request.confidence),
                                  "standard deviation"};
  for (const double q : kPoseQuantiles) header.push_back(fmt::format("{:.4g} %", 100 * q));
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
    for (Eigen::Index j = 0; j < 3; ++j) row.push_back(fmt::format("{:.3g}", covariance(i, j)));
    row.emplace_back("");
    for (Eigen::Index j = 0; j < 3; ++j) {
      row.push_back(fmt::format("{:.3f}", std::round(1000 * correlation(i, j)) / 1000 + 0.0));
    }
    table.add(row);
  }
  return fmt::format("\n{}", table.text());
}

/// "left jaw1 and jaw2": the features that a side touches.
std::string side_text(const DeliveredPoses& poses, const char* side,
                      const std::vector<int>& features) {
  std::vector<std::string> names;
  for (const int feature : features) {
    names.push_back(poses.features[static_cast<std::size_t>(feature)]);
  }
  if (names.empty()) return fmt::format("{}: nothing", side);
  return fmt::format("{}: {}", side, fmt::join(names, ", "));
}

/// What the part touches with in each mode.
std::string touches_text(const DeliveredPoses& poses) {
  std::string text;
  int rank = 1;
  for (const PoseMode& mode : poses.modes) {
    if (mode.touches) {
      text +=
          fmt::format("mode {} touches {}; {}", rank, side_text(poses, "left", mode.touches->left),
                      side_text(poses, "right", mode.touches->right));
      if (!mode.touches->palm.empty()) text += "; " + side_text(poses, "palm", mode.touches->palm);
      text += "\n";
    }
    ++rank;
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
    table.add({fmt::format("{}", rank++), fmt::format("{:.1f} %", 100 * mode.share),
               fmt::format("{}", mode.trials), position(mean[0], sd[0] / 10),
               position(mean[1], sd[1] / 10), position(mean[2], sd[2] / 10), number(sd[0]),
               number(sd[1]), number(sd[2])});
  }
  return fmt::format("\n{}", table.text()) + touches_text(poses);
}

}  // namespace

std::string pose_text(const DeliveredPoses& poses) {
  return answer(poses) + modes_answer(poses) + coordinates_table(poses) + covariance_table(poses) +
         modes_table(poses);
}

}  // namespace graspmap
