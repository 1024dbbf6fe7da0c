#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "grasp/base/io/number.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/yaml.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/decide/robot_grasps/grasps_request.hpp"

namespace graspmap {
namespace {

const std::string& object_name(const RobotGrasps& grasps) {
  return grasps.request.object.empty() ? grasps.name : grasps.request.object;
}

Value list_of_vector(const Eigen::Vector3d& vector) {
  return Value(std::array{vector.x() + 0.0, vector.y() + 0.0, vector.z() + 0.0});  // no -0
}

Eigen::Vector3d metres(const Eigen::Vector3d& vector_mm) {
  return vector_mm * kMetresPerMillimetre;
}

Object xyz(const Eigen::Vector3d& vector) {
  return {{"x", vector.x() + 0.0}, {"y", vector.y() + 0.0}, {"z", vector.z() + 0.0}};
}

/// Straight above a grasp, in the frame of the tool, whose z axis points at the part.
SpatialPose above(double distance_mm) {
  return {Eigen::Matrix3d::Identity(), {0, 0, -distance_mm}};
}

/// "99.5 % of the grasps succeed (95 % interval 99.4 to 99.6 %)".
std::string success_words(const RobotGrasps& grasps, const RobotGrasp& grasp) {
  return fmt::format(
      "{} of the grasps succeed ({} interval {})", fine_percent(grasp.probability, grasp.interval),
      given_percent(grasps.request.plan.confidence), fine_percent_range(grasp.interval));
}

/// A text in one line of a comment, in ASCII: a robot's program may have no more.
std::string in_one_comment(const std::string& text) {
  constexpr std::string_view kPlusMinus = "±";
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::string_view(text).substr(at).starts_with(kPlusMinus)) {
      line += "+-";
      at += kPlusMinus.size() - 1;
    } else {
      const auto byte = static_cast<unsigned char>(text[at]);
      line += byte < ' ' ? ' ' : byte > '~' ? '?' : text[at];
    }
  }
  return line;
}

std::string comment_head(const RobotGrasps& grasps) {
  std::string text =
      fmt::format("# graspmap {}: {}, run {}, {} trials\n", version(), in_one_comment(grasps.name),
                  in_one_comment(grasps.run.string()), grasps.trials);
  text += fmt::format("# Positioning error: {}\n", in_one_comment(grasps.error_words));
  for (std::size_t k = 0; k < grasps.grasps.size(); ++k) {
    const RobotGrasp& grasp = grasps.grasps[k];
    text += fmt::format("# Grasp {}: placement {}: {}\n", k, placement_text(grasp.placement, true),
                        success_words(grasps, grasp));
  }
  return text;
}

double joint_position(const RobotGrasps& grasps, double opening_mm) {
  const GraspsRequest& request = grasps.request;
  const double share = kMetresPerMillimetre / static_cast<double>(request.joints.size());
  const auto [at_0, per_mm] = request.joint_map.value_or(std::array{0.0, share});
  return at_0 + per_mm * opening_mm;
}

/// A trajectory_msgs/JointTrajectory of one point.
Object posture(const RobotGrasps& grasps, double opening_mm, bool with_effort) {
  const std::vector<std::string>& joints = grasps.request.joints;
  Object point{
      {"positions", std::vector<double>(joints.size(), joint_position(grasps, opening_mm))}};
  if (with_effort) {
    point.add({"effort", std::vector<double>(joints.size(), grasps.closing_force_n)});
  }
  return {{"joint_names", joints}, {"points", Value::List{point}}};
}

/// Joint positions by name.
Object joint_positions(const RobotGrasps& grasps, double opening_mm) {
  Object positions;
  for (const std::string& joint : grasps.request.joints) {
    positions.add({joint, joint_position(grasps, opening_mm)});
  }
  return positions;
}

}  // namespace

std::string moveit_text(const RobotGrasps& grasps) {
  const GraspsRequest& request = grasps.request;
  const Object header{
      {"frame_id", grasps.plane ? Value(request.frame_id) : Value(object_name(grasps))}};
  const SpatialPose plane = grasps.plane ? grasps.plane->pose : SpatialPose{};
  const Eigen::Vector3d up = plane.rotation.col(2);
  const auto translation = [&](const Eigen::Vector3d& direction, double distance_mm) {
    const double distance_m = distance_mm * kMetresPerMillimetre;
    return Object{{"direction", Object{{"header", header}, {"vector", xyz(direction)}}},
                  {"desired_distance", distance_m},
                  {"min_distance", distance_m}};
  };
  Value::List list;
  for (const RobotGrasp& grasp : grasps.grasps) {
    const auto [w, x, y, z] = quaternion_wxyz(grasp.tool_in_robot.rotation);
    const Object pose{{"position", xyz(metres(grasp.tool_in_robot.position_mm))},
                      {"orientation", Object{{"x", x}, {"y", y}, {"z", z}, {"w", w}}}};
    list.emplace_back(
        Object{{"id", fmt::format("{}_{}", object_name(grasps), list.size())},
               {"pre_grasp_posture", posture(grasps, grasps.opening_mm, false)},
               {"grasp_posture", posture(grasps, grasps.final_opening_mm(grasp), true)},
               {"grasp_pose", Object{{"header", header}, {"pose", pose}}},
               {"grasp_quality", grasp.quality(request.quality)},
               {"pre_grasp_approach", translation(-up, request.approach_mm)},
               {"post_grasp_retreat", translation(up, request.retreat_mm)},
               {"post_place_retreat", translation(up, request.retreat_mm)},
               {"max_contact_force", grasps.closing_force_n},
               {"allowed_touch_objects", std::vector<std::string>{object_name(grasps)}}});
  }
  return comment_head(grasps) + yaml_text(list);
}

std::string isaac_text(const RobotGrasps& grasps) {
  Object by_name;
  for (std::size_t k = 0; k < grasps.grasps.size(); ++k) {
    const RobotGrasp& grasp = grasps.grasps[k];
    const auto [w, x, y, z] = quaternion_wxyz(grasp.tool_in_part.rotation);
    by_name.add(
        {fmt::format("grasp_{}", k),
         Object{{"confidence", grasp.quality(grasps.request.quality)},
                {"position", list_of_vector(metres(grasp.tool_in_part.position_mm))},
                {"orientation", Object{{"w", w}, {"xyz", std::array{x, y, z}}}},
                {"cspace_position", joint_positions(grasps, grasps.final_opening_mm(grasp))},
                {"pregrasp_cspace_position", joint_positions(grasps, grasps.opening_mm)}}});
  }
  const Object file{{"format", "isaac_grasp"},
                    {"format_version", 1.0},
                    {"object_frame_link", object_name(grasps)},
                    {"gripper_frame_link", grasps.request.tool_frame},
                    {"object_frame", object_name(grasps)},
                    {"gripper_frame", grasps.request.tool_frame},
                    {"grasps", by_name}};
  return comment_head(grasps) + yaml_text(file);
}

// ---- URScript --------------------------------------------------------------------------------

namespace {

/// p[x, y, z, rx, ry, rz], m and rad.
std::string urscript_pose(const SpatialPose& pose) {
  constexpr double kMillionth = 1e6;
  const Eigen::Vector3d at = metres(pose.position_mm);
  const Eigen::Vector3d turn = rotation_vector(pose.rotation);
  std::string text = "p[";
  for (const double number : {at.x(), at.y(), at.z(), turn.x(), turn.y(), turn.z()}) {
    text += fmt::format("{}{:.6f}", text.size() > 2 ? ", " : "",
                        std::round(number * kMillionth) / kMillionth + 0.0);  // no -0
  }
  return text + "]";
}

std::string urscript_hand(const RobotGrasps& grasps, const char* what, bool closes) {
  const GraspsRequest& request = grasps.request;
  if (!request.output) {
    return fmt::format(
        "  def graspmap_{0}():\n"
        "    # Fill in how the gripper is told to {0}, and take these two lines away.\n"
        "    popup(\"graspmap_{0} is not filled in\", title=\"graspmap\", error=True, "
        "blocking=True)\n"
        "    halt\n"
        "  end\n",
        what);
  }
  return fmt::format(
      "  def graspmap_{}():\n"
      "    set_standard_digital_out({}, {})\n"
      "    sleep({:.3f})\n"
      "  end\n",
      what, *request.output, closes ? "True" : "False", request.wait_s);
}

}  // namespace

std::string urscript_text(const RobotGrasps& grasps) {
  const GraspsRequest& request = grasps.request;
  std::string text = comment_head(grasps);
  text += fmt::format(
      "# The tool centre point: its z axis points out of the tool, and the jaws close along the\n"
      "# direction at {:.4g} rad from its x axis, about its z. Opening before {:.2f} mm, after "
      "the\n"
      "# grasp about {:.2f} mm; force {:g} N.\n",
      request.jaw_angle_rad, grasps.opening_mm, grasps.final_opening_mm(grasps.grasps.front()),
      grasps.closing_force_n);
  text += "def graspmap_pick():\n";
  text += urscript_hand(grasps, "open", false) + urscript_hand(grasps, "close", true);
  text += fmt::format(
      "  joint_speed = {:.4f}  # rad/s\n"
      "  joint_acceleration = 1.0  # rad/s^2\n"
      "  speed = {:.4f}  # m/s\n"
      "  acceleration = 0.5  # m/s^2\n",
      request.joint_speed_rad_s, request.speed_mm_s * kMetresPerMillimetre);
  text += "  # Where the part is in the robot's frame: what a camera finds goes here.\n";
  text += fmt::format("  part = {}\n", urscript_pose(grasps.part_in_robot));
  text += "  # The tool in the part's frame while it grasps.\n";
  for (std::size_t k = 0; k < grasps.grasps.size(); ++k) {
    const RobotGrasp& grasp = grasps.grasps[k];
    // The others are comments: to take one, move the #.
    text += fmt::format("  {}tool = {}  # grasp {}: {}\n", k == 0 ? "" : "# ",
                        urscript_pose(grasp.tool_in_part), k, success_words(grasps, grasp));
  }
  text += "  grasp = pose_trans(part, tool)\n";
  text +=
      fmt::format("  before = pose_trans(grasp, {})\n", urscript_pose(above(request.approach_mm)));
  text +=
      fmt::format("  after = pose_trans(grasp, {})\n", urscript_pose(above(request.retreat_mm)));
  text +=
      "  graspmap_open()\n"
      "  movej(before, a=joint_acceleration, v=joint_speed)\n"
      "  movel(grasp, a=acceleration, v=speed)\n"
      "  graspmap_close()\n"
      "  movel(after, a=acceleration, v=speed)\n"
      "end\n";
  return text;
}

// ---- The library -----------------------------------------------------------------------------

namespace {

Object pose_object(const SpatialPose& pose) {
  return {{"position_mm", list_of_vector(pose.position_mm)},
          {"quaternion_wxyz", quaternion_wxyz(pose.rotation)}};
}

Object in_hand_fields(const Moments& moments, const GraspsRequest& request) {
  Object mean;
  for (std::size_t k = 0; k < kPoseNames.size(); ++k) {
    mean.add({kPoseNames[k], moments.mean[static_cast<Eigen::Index>(k)]});
  }
  const Pose2 X_GP{{moments.mean[0], moments.mean[1]}, moments.mean[2]};
  return {
      {"mean", mean, "of the part in the gripper's frame, and of the opening, after success"},
      {"covariance", moments.covariance.rowwise(), "of the same four"},
      {"part_in_tool", pose_object(part_in_tool(X_GP, *request.height_mm, request.jaw_angle_rad)),
       "the mean, in the tool's frame"}};
}

Object grasp_object(const RobotGrasp& grasp, const RobotGrasps& of) {
  const auto away = [&](double distance_mm) {
    return pose_object(compose(grasp.tool_in_robot, above(distance_mm)));
  };
  return {{"x_mm", grasp.placement[0], "the placement: the gripper seen from the part"},
          {"y_mm", grasp.placement[1]},
          {"theta_rad", grasp.placement[2], "the part's angle in the gripper"},
          {"success_probability", grasp.probability, "under the robot's error"},
          {"interval", grasp.interval, "of it"},
          {"quality", grasp.quality(of.request.quality), "as --quality says"},
          {"opening_mm", of.final_opening_mm(grasp), "the mean after the grasp"},
          {"tool_in_part", pose_object(grasp.tool_in_part), "while it grasps"},
          {"tool_in_robot", pose_object(grasp.tool_in_robot),
           "the same in the robot's frame; without one, in the plane's"},
          {"before_in_robot", away(of.request.approach_mm), "where the tool begins to come down"},
          {"after_in_robot", away(of.request.retreat_mm), "where it has lifted the part to"},
          {"in_hand",
           maybe(grasp.in_hand,
                 [&](const Moments& moments) { return in_hand_fields(moments, of.request); }),
           "left out where no trial succeeds"}};
}

}  // namespace

Object grasp_library(const std::vector<RobotGrasps>& runs) {
  const GraspsRequest& request = runs.front().request;
  return {{"format", "graspmap_grasps"},
          {"format_version", 1},
          {"height_mm", *request.height_mm, "of the tool's frame above the table"},
          {"approach_mm", request.approach_mm},
          {"retreat_mm", request.retreat_mm},
          {"jaw_angle_rad", request.jaw_angle_rad, "of the jaws' axis in the tool, about its z"},
          {"confidence", request.plan.confidence, "of the intervals"},
          {"plane_in_robot",
           maybe(runs.front().plane,
                 [](const PlaneFrame& plane) {
                   Object fields = pose_object(plane.pose);
                   fields.add({"residual_mm", plane.residual_mm,
                               "the most that a measured point is missed by"});
                   return fields;
                 }),
           "the table's plane in the robot's frame"},
          {"runs", list_of(runs, [](const RobotGrasps& run) {
             return Object{
                 {"name", run.name, "of the sweep: the part on a resting face"},
                 {"run", run.run.string(), "its folder"},
                 {"object", object_name(run)},
                 {"trials", run.trials},
                 {"robot_error", run.error_words, "in words"},
                 {"opening_before_mm", run.opening_mm},
                 {"closing_force_n", run.closing_force_n},
                 {"part_in_robot", pose_object(run.part_in_robot)},
                 {"grasps",
                  list_of(run.grasps,
                          [&](const RobotGrasp& grasp) { return grasp_object(grasp, run); }),
                  "the best first"}};
           })}};
}

}  // namespace graspmap
