#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/probability/proportions.hpp"

namespace graspmap {

/// What a camera's repeated detections of a part that does not move show of its error: what
/// `graspmap detections` is asked. fields() says what each means.
struct DetectionsRequest {
  double period_deg = 360.0;
  std::optional<std::array<double, 3>> truth;
  double placement_theta_rad = 0.0;
  bool positions_only = false;
  double confidence = 0.95;

  RequestFields fields();
};

/// A detection: x (mm), y (mm), theta (rad) of the part in the table's plane, with the variances
/// and the covariance that the detector claims.
struct Detection {
  std::array<double, 3> pose{};
  std::size_t row = 0;                 ///< its place among all rows, misses too
  std::array<double, 4> covariance{};  ///< xx, xy, yy (mm2), theta theta (rad2)
};

/// A file of detections.
struct DetectionFile {
  std::vector<Detection> detections;
  std::size_t misses = 0;
  bool has_angles = false;
  bool has_covariances = false;
};

/// Whether the detections wander as time goes by.
struct DriftTest {
  /// The p-value of no drift, for all coordinates together: the share of kDriftOrders random orders
  /// of the detections in which the largest |correlation| of a coordinate with its place in the
  /// order is at least that of the file's order (Pitman 1937, "Significance tests which may be
  /// applied to samples from any populations"). Exact for any distribution; sees trends, not waves.
  double p_value = 1.0;
  std::array<double, 3> from_first_to_last{};  ///< by the straight line of least squares
};
inline constexpr int kDriftOrders = 9999;

/// What was found.
struct DetectedErrors {
  std::string file;
  DetectionsRequest request;
  DetectionFile read;
  std::size_t flips = 0;  ///< detections whose angle was another multiple of the period away
  std::array<double, 3> center{};
  /// What the gripper's placement is off, by each detection.
  std::vector<std::array<double, 3>> deviations;
  std::array<std::array<double, 3>, 3> covariance{};  ///< of the deviations, about their mean
  Interval miss_interval;                             ///< of the share of misses
  DriftTest drift;
  /// The root of the mean squared deviation from the center in units of what the detector claims;
  /// 1: the claims are right.
  std::optional<double> claimed_ratio;

  [[nodiscard]] bool drifts() const { return drift.p_value < 1 - request.confidence; }
};

/// Columns x_mm, y_mm, maybe theta_rad; maybe cov_xx_mm2, cov_yy_mm2, and with them cov_xy_mm2 and
/// cov_tt_rad2. A row whose pose is empty is a miss. Throws ConfigError.
DetectionFile read_detections(const std::filesystem::path& file);

/// How far the gripper's placement is off when the part lies at X_WP in the plane, was detected at
/// `detected`, and is grasped with the angle theta: the gripper goes where the part seems to be, so
/// that X_GP = X_GP(intended) X_DP. With the detection's error d along the plane's axes, delta in
/// its angle, the placement is off by R(theta - delta - angle of P) d, and its angle by -delta.
std::array<double, 3> placement_deviation(const std::array<double, 3>& part,
                                          const std::array<double, 3>& detected, double theta_rad);

/// The error as a distribution: deviations for `plan --measured` or [robot.camera].
/// 1. Angles are folded to the multiple of the period closest to their circular mean.
/// 2. The center is the request's truth, or the mean. Claimed covariances weigh the mean (by their
///    inverses); they are not added to the scatter, which holds the same error already.
/// 3. Without a truth deviations are larger by sqrt(n / (n - 1)), as the mean follows them.
/// Throws RequestError, ConfigError.
DetectedErrors detected_errors(const std::filesystem::path& file, const DetectionsRequest& request);

/// For a person. `csv` is where the deviations will be.
std::string detections_text(const DetectedErrors& errors, const std::filesystem::path& csv);
/// A line of warning where they drift.
std::string detections_notes(const DetectedErrors& errors);
/// detections.json.
Object detections_fields(const DetectedErrors& errors);
/// deviations.csv: x_mm, y_mm, theta_rad.
Table deviations_table(const DetectedErrors& errors);

}  // namespace graspmap
