#include <fmt/format.h>

#include "grasp/base/io/json_document.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"

namespace graspmap {
namespace {

void write_matrix(JsonWriter& json, const char* key, const Eigen::MatrixXd& matrix) {
  json.array(key, matrix.rowwise(), [&](const auto& row) { json.values(row); });
}

void write_vector(JsonWriter& json, const char* key, const Eigen::VectorXd& vector) {
  json.object(key, [&] {
    for (std::size_t k = 0; k < kPoseNames.size(); ++k) {
      json.field(kPoseNames[k], vector[static_cast<Eigen::Index>(k)]);
    }
  });
}

void write_moments(JsonWriter& json, const Moments& moments) {
  json.field("effective_number", moments.effective_number);
  write_vector(json, "mean", moments.mean);
  write_vector(json, "standard_deviation", moments.standard_deviations());
  write_vector(json, "standard_error", moments.standard_errors());
  write_matrix(json, "covariance", moments.covariance.topLeftCorner(3, 3));
}

/// Half the width of the intervals of the means.
Eigen::VectorXd half_widths(const DeliveredPoses& poses) {
  return two_sided_z(poses.request.confidence) * poses.moments.standard_errors();
}

void write_quantiles(JsonWriter& json, const DeliveredPoses& poses) {
  json.object("quantiles", [&] {
    for (std::size_t k = 0; k < kPoseNames.size(); ++k) {
      json.object(kPoseNames[k], [&] {
        for (std::size_t q = 0; q < kPoseQuantiles.size(); ++q) {
          json.field(fmt::format("{}", kPoseQuantiles[q]), poses.quantiles[k][q]);
        }
      });
    }
  });
}

/// The placement, or the plateau.
void write_grasps(JsonWriter& json, const DeliveredPoses& poses) {
  const PoseRequest& request = poses.request;
  if (!request.placement) {
    json.object("plateau", [&] {
      json.field("probability_at_least", request.plateau_probability);
      json.field("cells", poses.cells);
    });
    return;
  }
  json.object("placement", [&] {
    json.field("x_mm", (*request.placement)[0]);
    json.field("y_mm", (*request.placement)[1]);
    json.field("theta_rad", (*request.placement)[2]);
    json.field("sigma_x_mm", request.error[0].size);
    json.field("sigma_y_mm", request.error[1].size);
    json.field("sigma_theta_rad", request.error[2].size);
  });
}

void write_touches(JsonWriter& json, const DeliveredPoses& poses, const PoseMode& mode) {
  if (!mode.touches) return;
  const auto side = [&](const char* key, const std::vector<int>& features) {
    json.array(key, features,
               [&](int feature) { json.value(poses.features[static_cast<std::size_t>(feature)]); });
  };
  side("left_touches", mode.touches->left);
  side("right_touches", mode.touches->right);
  if (!mode.touches->palm.empty()) side("palm_touches", mode.touches->palm);
}

std::string csv_row(const std::string& what, double share, std::size_t trials,
                    const Moments& moments) {
  std::string row = fmt::format("{},{},{},{}", what, share, trials, moments.effective_number);
  const Eigen::VectorXd deviations = moments.standard_deviations();
  for (Eigen::Index k = 0; k < 4; ++k) row += fmt::format(",{}", moments.mean[k]);
  for (Eigen::Index k = 0; k < 4; ++k) row += fmt::format(",{}", deviations[k]);
  for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}}) {
    row += fmt::format(",{}", moments.covariance(i, j));
  }
  return row + "\n";
}

}  // namespace

std::string pose_json(const DeliveredPoses& poses) {
  return json_document([&](JsonWriter& json) {
    json.field("name", poses.name);
    json.field("outcome", name(poses.request.outcome));
    write_grasps(json, poses);
    json.field("outcome_share", poses.outcome_share);
    json.field("trials", poses.sample.size());
    write_moments(json, poses.moments);
    json.field("confidence", poses.request.confidence);
    write_vector(json, "mean_half_width", half_widths(poses));
    const std::vector<bool> spread(poses.spread.begin(), poses.spread.begin() + 3);
    write_matrix(json, "correlation",
                 correlations(poses.moments.covariance.topLeftCorner(3, 3), spread));
    write_quantiles(json, poses);
    json.objects("modes", poses.modes, [&](const PoseMode& mode) {
      json.field("share", mode.share);
      json.field("trials", mode.trials);
      write_moments(json, mode.moments);
      write_touches(json, poses, mode);
    });
  });
}

std::string pose_csv(const DeliveredPoses& poses) {
  std::string csv = "what,share,trials,effective_number";
  for (const char* prefix : {"mean", "sd"}) {
    for (const char* coordinate : kPoseNames) csv += fmt::format(",{}_{}", prefix, coordinate);
  }
  csv += ",var_x_mm2,cov_xy_mm2,var_y_mm2,cov_xtheta_mm_rad,cov_ytheta_mm_rad,var_theta_rad2\n";
  csv += csv_row("all", 1.0, static_cast<std::size_t>(poses.sample.size()), poses.moments);
  int number = 1;
  for (const PoseMode& mode : poses.modes) {
    csv += csv_row(fmt::format("mode_{}", number++), mode.share, mode.trials, mode.moments);
  }
  return csv;
}

}  // namespace graspmap
