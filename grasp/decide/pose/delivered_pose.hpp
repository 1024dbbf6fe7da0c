#pragma once

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/plan/asked_placement.hpp"
#include "grasp/decide/plan/expected_success.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// The features of the part (Part) that the fingers and the palm touch at the end of a trial,
/// ascending.
struct Touches {
  std::vector<int> left;
  std::vector<int> right;
  std::vector<int> palm;

  friend bool operator==(const Touches&, const Touches&) = default;
  friend bool operator<(const Touches& a, const Touches& b) {
    return std::tie(a.left, a.right, a.palm) < std::tie(b.left, b.right, b.palm);
  }
};

/// What is touched at the end of each stored trial that has an outcome, in the order of the index;
/// nothing for the others. Found anew from the stored pose of the part and the fingers.
std::vector<Touches> read_touches(const RunStore& store, std::size_t trials, Outcome outcome);

/// The coordinates of a delivered pose: of the part's frame P in the gripper's frame at the end of
/// a trial, and the jaws' opening.
inline constexpr std::array<const char*, 4> kPoseNames = {"x_mm", "y_mm", "theta_rad",
                                                          "opening_mm"};
inline constexpr std::array<double, 5> kPoseQuantiles = {0.025, 0.25, 0.5, 0.75, 0.975};

/// Standard deviations up to these are rounding: the coordinate has no spread.
inline constexpr std::array<double, 4> kPoseResolution = {1e-6, 1e-6, 1e-7, 1e-6};

/// Which grasps a delivered pose is asked of.
struct PoseQuestion {
  /// The nominal placement, with an error; without it the plateau: the cells with at least this
  /// success probability, each with the same weight.
  std::optional<PlacementVector> placement;
  ErrorMixture error;
  std::string error_words;  ///< "": exact
  double plateau_probability = 0.95;
  Outcome outcome = Outcome::kSuccess;
  double confidence = 0.95;
};

/// A group of poses that lie together.
struct PoseMode {
  double share = 0.0;  ///< of the weight of all poses
  std::size_t trials = 0;
  Moments moments;                 ///< of the four coordinates
  std::optional<Touches> touches;  ///< of most of its weight; nothing where they were not asked
};

/// How the part lies in the hand after the grasps that were asked for.
struct DeliveredPoses {
  std::string name;                   ///< of the sweep
  std::string title;                  ///< of the run
  std::vector<std::string> features;  ///< of the part, their names
  PoseQuestion request;
  std::size_t trials = 0;      ///< of the run, with any outcome
  std::size_t cells = 0;       ///< of the plateau; 0 for a placement
  double outcome_share = 0.0;  ///< of the grasps that end with the outcome asked for
  double unknown_share = 0.0;  ///< of the error: beyond the map, or where there are no trials
  WeightedSample sample;       ///< the poses: a trial in each row, four coordinates
  std::vector<int> mode;       ///< of each row
  Moments moments;
  std::array<std::vector<double>, 4> quantiles;  ///< kPoseQuantiles of each coordinate
  std::array<bool, 4> spread{};                  ///< whether a coordinate has any
  std::vector<PoseMode> modes;                   ///< that of the largest share first
};

/// The final poses of all stored trials, in the order of the index: a row each, four coordinates.
Eigen::MatrixXd read_poses(const RunStore& store, std::size_t trials);

/// The distribution of the delivered pose. Trials weigh as in expected_success: the error's mass in
/// their cell, divided among the cell's trials (other than failed ones) by the error's density;
/// then those with the outcome asked for are taken. Cells may have any number of trials.
/// `poses` has a row for each source of the field's trials, and so has `touches` (or nothing):
/// poses that touch different features are in different modes. Nothing when no trial has the
/// outcome.
std::optional<DeliveredPoses> delivered_poses(const SuccessField& field,
                                              const Eigen::MatrixXd& poses,
                                              const PoseQuestion& request,
                                              const std::vector<Touches>& touches = {});

/// Where the commanded placement puts the part in the gripper's frame when nothing moves it.
inline PlacementVector intended_pose(const PlacementVector& placement) {
  return {-placement[0], -placement[1], placement[2]};
}

/// For a person: the answer in words, then tables.
std::string pose_text(const DeliveredPoses& poses);
/// pose.json.
Object pose_fields(const DeliveredPoses& poses);
/// pose.csv: a row for all poses, then one for each mode.
Table pose_table(const DeliveredPoses& poses);
/// Both.
std::vector<ResultFile> pose_files(const DeliveredPoses& poses);

/// How the part lies in the hand: a scatter of its positions (up to 3,000 trials, taken evenly by
/// weight), and histograms of x, y and theta with the mean and the means of the modes.
/// pose_plot.gp draws pose_plot.png and pose_plot.svg from pose_plot.csv, the trials of the
/// scatter: x_mm, y_mm, theta_rad, mode (from 1).
Figure pose_figure(const DeliveredPoses& poses);

/// How the part lies in the hand: what `graspmap pose` and Run.pose are asked. fields() says what
/// each means.
struct PoseRequest {
  PlacementOptions at;
  bool plateau = false;
  Outcome outcome = Outcome::kSuccess;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Throws RequestError; ConfigError when no trial is like that.
DeliveredPoses pose_run(const RunStore& run, const PoseRequest& request);

}  // namespace graspmap
