#include "grasp/decide/robot_grasps/grasps_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace {

constexpr int kMostGrasps = 5;  // best_placements finds no more
constexpr int kMostOutputs = 7;

/// The fields of a plan that say how exact the robot is.
constexpr std::array<std::string_view, 9> kOfPlan = {
    "position-sigma-mm", "repeatability-mm",       "position-range-mm",
    "measured",          "angle-sigma-rad",        "angle-range-rad",
    "offset-sigma-mm",   "offset-angle-sigma-rad", "confidence"};

/// The fields that some formats have no use for, and the formats that have.
constexpr std::array<std::array<std::string_view, 2>, 18> kOfFormats = {{
    {"approach-mm", "moveit, urscript, json"},
    {"retreat-mm", "moveit, urscript, json"},
    {"part-pose", "moveit, urscript, json"},
    {"frame", "moveit, urscript, json"},
    {"frame-position-mm", "moveit, urscript, json"},
    {"frame-rpy-rad", "moveit, urscript, json"},
    {"frame-quaternion", "moveit, urscript, json"},
    {"robot-points-mm", "moveit, urscript, json"},
    {"plane-points-mm", "moveit, urscript, json"},
    {"quality", "moveit, isaac, json"},
    {"joints", "moveit, isaac"},
    {"joint-map", "moveit, isaac"},
    {"tool-frame", "isaac"},
    {"frame-id", "moveit"},
    {"speed-mm-s", "urscript"},
    {"joint-speed-rad-s", "urscript"},
    {"output", "urscript"},
    {"wait-s", "urscript"},
}};

}  // namespace

std::string_view formats_with(std::string_view field) {
  const auto* found = std::find_if(kOfFormats.begin(), kOfFormats.end(),
                                   [&](const auto& row) { return row[0] == field; });
  return found == kOfFormats.end() ? std::string_view() : (*found)[1];
}

RequestFields GraspsRequest::fields() {
  RequestFields fields;
  const auto add = [&](RequestField field) {
    if (const auto formats = formats_with(field.name()); !formats.empty()) {
      field.meaning = fmt::format("{}: {}", formats, field.meaning);
    }
    fields.push_back(std::move(field));
  };
  add(count_field("grasps N", grasps, 1, kMostGrasps,
                  "the best placement and others well apart from it, 1 to 5 (default: 5)"));
  add(number_field("height-mm H", height_mm, {.what = "a number"},
                   "of the tool's frame above the table while it grasps; needed"));
  add(number_field("approach-mm D", approach_mm, kAboveZero,
                   "from how far above the tool comes straight down (default: 100)"));
  add(number_field("retreat-mm D", retreat_mm, kAboveZero,
                   "how far it lifts the part straight up (default: 100)"));
  add(number_field("jaw-angle-rad A", jaw_angle_rad, {.what = "a number"},
                   "along which axis of the tool the jaws close, about its z, which looks down: 0 "
                   "along its x (default), 1.5708 along its y"));
  add(numbers_field("part-pose X,Y,THETA", part_pose, "X,Y,THETA (mm, mm, rad)", so_many(3, 3),
                    "where the part lies in the plane (default: 0,0,0, its frame is the plane's)"));
  for (RequestField& field : plane.fields()) add(std::move(field));
  add(word_field("quality WORD", quality, {"estimate", "lower"},
                 "grasp_quality and confidence: the success probability (estimate, the default), "
                 "or the lower end of its interval"));
  add(words_field("joints NAME,...", joints, "the gripper's joints"));
  add(numbers_field("joint-map A,B", joint_map, "A,B", so_many(2, 2),
                    "the joints' position at an opening is A + B opening_mm (default: the opening "
                    "in m, shared by the joints)"));
  add(text_field("object NAME", object, "the part's name (default: the sweep's)"));
  add(text_field("tool-frame NAME", tool_frame, "the tool's frame (default: gripper)"));
  add(text_field("frame-id NAME", frame_id, "the robot's frame (default: base_link)"));
  add(number_field("speed-mm-s V", speed_mm_s, kAboveZero, "down and up (default: 100)"));
  add(number_field("joint-speed-rad-s W", joint_speed_rad_s, kAboveZero,
                   "on the way there (default: 0.5)"));
  add(count_field("output N", output, 0, kMostOutputs,
                  "the digital output that closes the gripper, 0 to 7 (default: the "
                  "functions graspmap_open and graspmap_close are left to be filled)"));
  add(number_field("wait-s T", wait_s, kAtLeastZero,
                   "after the gripper was told to open or close (default: 1)"));
  for (RequestField& field : plan.fields()) {
    if (std::find(kOfPlan.begin(), kOfPlan.end(), field.name()) != kOfPlan.end()) {
      add(std::move(field));
    }
  }
  return fields;
}

void check_grasps_request(const GraspsRequest& request, GraspFormat format, std::size_t runs) {
  if (!request.height_mm) {
    throw RequestError("height-mm", "missing",
                       "the height of the tool's frame above the table while it grasps");
  }
  const bool has_joints = format == GraspFormat::kMoveit || format == GraspFormat::kIsaac;
  if (has_joints && request.joints.empty()) {
    throw RequestError("joints", "missing", "the names of the gripper's joints");
  }
  const bool has_plane = plane_frame(request.plane).has_value();
  if (format == GraspFormat::kUrscript && !has_plane) {
    throw RequestError("frame",
                       "missing; a program needs to know where the plane is in the robot's frame");
  }
  if (runs > 1 && format != GraspFormat::kJson) {
    throw RequestError("format", "several runs make one library with json only");
  }
}

RobotGrasps robot_grasps(const RunStore& run, const GraspsRequest& request) {
  const SweepConfig& config = run.config();
  const PlanRequest& asked = request.plan;
  if (asked.error == DeviceError{} && asked.measured.empty() && !config.robot) {
    throw RequestError(
        "give --position-sigma-mm SX,SY (how far the robot is off; 0: exact), or put [robot] into "
        "the configuration");
  }
  const auto [plan, field] = plan_run(run, asked);
  if (!plan.for_error || plan.for_error->placements.empty()) {
    throw config_error({run.file().string()}, "",
                       "has no placement at which a grasp succeeds; there is nothing to export");
  }
  RobotGrasps result;
  result.name = config.name;
  result.run = run_of(run.file());
  result.trials = field.trials();
  result.error_words = error_words(*plan.request.error);
  result.opening_mm = config.scenario.gripper.opening_mm;
  result.closing_force_n = config.scenario.gripper.closing_force_n;
  result.has_program = !config.scenario.program.empty();
  result.request = request;
  result.plane = plane_frame(request.plane);
  // Without a plane, the table's own frame stands for the robot's.
  const auto [x, y, angle] = request.part_pose.value_or(std::array{0.0, 0.0, 0.0});
  result.part_in_robot = in_space({{x, y}, angle});
  if (result.plane) result.part_in_robot = compose(result.plane->pose, result.part_in_robot);

  const Eigen::MatrixXd poses = read_poses(run, field.trials());
  for (const PlannedPlacement& planned : plan.for_error->placements) {
    if (std::ssize(result.grasps) == request.grasps) break;
    RobotGrasp grasp;
    grasp.placement = planned.at;
    grasp.probability = planned.success.probability;
    grasp.interval = planned.success.interval;
    PoseQuestion question;
    question.placement = planned.at;
    question.error = plan.for_error->error;
    if (auto delivered = delivered_poses(field, poses, question)) {
      grasp.in_hand = std::move(delivered->moments);
    }
    grasp.tool_in_part = tool_in_part(planned.at, *request.height_mm, request.jaw_angle_rad);
    grasp.tool_in_robot = compose(result.part_in_robot, grasp.tool_in_part);
    result.grasps.push_back(std::move(grasp));
  }
  return result;
}

}  // namespace graspmap
