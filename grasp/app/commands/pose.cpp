#include <fmt/format.h>

#include <algorithm>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/analysis_options.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/decide/pose/pose_figure.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kPoseFolder = "pose";

CommandSyntax pose_syntax() {
  CommandSyntax syntax{
      "pose", "RUNDIR",
      "Tells how the part lies in the hand after the grasp, for the next assembly step. Reports\n"
      "the distribution of its final pose in the gripper's frame (x and y in mm, theta in rad)\n"
      "and of the opening of the jaws: means with standard errors, standard deviations,\n"
      "covariance, quantiles, and the groups (modes) that the poses form. The grasps are those\n"
      "on the plateau, or those at one placement, exact or with a positioning error.\n",
      "  graspmap pose outputs/lock_piece\n"
      "  graspmap pose outputs/lock_piece --placement 0,-11 --position-sigma-mm 2,2\n"
      "  graspmap pose outputs/lock_piece --placement 0,-3 --outcome wedged\n"};
  auto add = syntax.options.add_options();
  add("placement", po::value<std::string>()->value_name("X,Y[,THETA]"),
      "the nominal placement in mm and rad, THETA for a sweep over angles; without an error: the "
      "trials of its cell");
  add("position-sigma-mm", po::value<std::string>()->value_name("SX,SY"),
      "standard deviations of the positioning error in x and y (one number for both)");
  add("angle-sigma-rad", po::value<std::string>()->value_name("S"),
      "standard deviation of the angle's error, for a sweep of angles");
  add("plateau",
      "take the cells whose success probability is at least summary.plateau_probability (the "
      "default)");
  add("outcome", po::value<std::string>()->value_name("WORD"),
      "take the trials with this outcome (default: success)");
  add_analysis_options(syntax.options, kPoseFolder);
  return syntax;
}

PlacementError read_error(const Arguments& arguments, const std::array<Axis, 3>& axes) {
  PlacementError error{};
  for (const char* option : {"position-sigma-mm", "angle-sigma-rad"}) {
    if (arguments.has(option) && !arguments.has("placement")) {
      arguments.fail(
          fmt::format("--{}: needs a placement that the error is of, --placement X,Y", option));
    }
  }
  if (arguments.has("position-sigma-mm")) {
    const auto [x, y] = read_position_sigma(arguments);
    error[0] = normal_error(x);
    error[1] = normal_error(y);
  }
  error[2] = normal_error(read_angle_sigma(arguments, !axes[2].is_fixed()));
  return error;
}

PoseRequest read_request(const Arguments& arguments, const SweepConfig& config) {
  const std::array<Axis, 3> axes = config.placement.axes();
  PoseRequest request;
  if (arguments.has("placement") && arguments.has("plateau")) {
    arguments.fail("--plateau and --placement: must be one of them");
  }
  if (arguments.has("placement")) request.placement = read_placement(arguments, "placement", axes);
  request.error = read_error(arguments, axes);
  request.plateau_probability = config.plateau_probability;
  request.outcome = read_outcome(arguments).value_or(Outcome::kSuccess);
  request.confidence = read_confidence(arguments);
  return request;
}

Analysis analyse_pose(const Arguments& arguments, const AnalysisWatch& /*watch*/) {
  const fs::path store_path = store_file(arguments.operand());
  const RunStore store = RunStore::open(store_path, RunStore::Access::kRead);
  const SweepConfig& config = store.config();
  const PoseRequest request = read_request(arguments, config);
  const SuccessField field(config.placement.axes(), read_trial_samples(store));
  const Eigen::MatrixXd all = read_poses(store, field.trials());
  const std::vector<Touches> touches = read_touches(store, field.trials(), request.outcome);
  std::optional<DeliveredPoses> poses = delivered_poses(field, all, request, touches);
  if (!poses) {
    throw ConfigError(fmt::format(
        "{}: has no trial with outcome {} {}", store_path.string(), name(request.outcome),
        request.placement ? "where the placement may end up" : "on the plateau"));
  }
  poses->name = config.name;
  poses->features = feature_names(config);
  return {pose_text(*poses),
          missing_trials_note(store, field.trials()),
          analysis_folder(arguments, store_path.parent_path(), kPoseFolder),
          {{"pose.json", pose_json(*poses)}, {"pose.csv", pose_csv(*poses)}},
          {pose_figure(*poses)}};
}

}  // namespace

AnalysisCommand pose_analysis() { return {pose_syntax(), analyse_pose}; }

}  // namespace graspmap
