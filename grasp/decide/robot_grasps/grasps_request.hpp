#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/robot_grasps/robot_frames.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// What a robot is told of a grasp's success.
enum class GraspQuality { kEstimate, kLower };

/// The formats of grasps for a robot, in the order of kGraspFormats.
enum class GraspFormat { kMoveit, kIsaac, kUrscript, kJson };
inline constexpr std::array<const char*, 4> kGraspFormats = {"moveit", "isaac", "urscript", "json"};

/// The best placements of a run as grasps for a robot: what `graspmap export --format moveit` and
/// its kind are asked. fields() says what each means.
struct GraspsRequest {
  PlanRequest plan;  ///< the robot's error, and the confidence
  int grasps = 5;
  std::optional<double> height_mm;
  double approach_mm = 100.0;
  double retreat_mm = 100.0;
  double jaw_angle_rad = 0.0;
  std::optional<std::array<double, 3>> part_pose;  ///< x, y (mm), angle (rad) of P in the plane
  PlaneCalibration plane;
  GraspQuality quality = GraspQuality::kEstimate;
  std::vector<std::string> joints;
  std::optional<std::array<double, 2>> joint_map;
  std::string object;
  std::string tool_frame = "gripper";
  std::string frame_id = "base_link";
  double speed_mm_s = 100.0;
  double joint_speed_rad_s = 0.5;
  std::optional<int> output;
  double wait_s = 1.0;

  RequestFields fields();
};

/// One placement as a grasp.
struct RobotGrasp {
  std::array<double, 3> placement{};  ///< x mm, y mm, theta rad
  double probability = 0.0;
  Interval interval;
  /// Of x_mm, y_mm, theta_rad of the part in the gripper and of the opening, after the grasps that
  /// succeed; nothing when no trial there did.
  std::optional<Moments> in_hand;
  SpatialPose tool_in_part;   ///< while it grasps
  SpatialPose tool_in_robot;  ///< the same in the robot's frame, or else in the plane's

  /// What a robot is told of its success.
  [[nodiscard]] double quality(GraspQuality which) const {
    return which == GraspQuality::kLower ? interval.low : probability;
  }
};

/// The grasps of a run: of a part on one of its resting faces.
struct RobotGrasps {
  std::string name;           ///< of the sweep
  std::filesystem::path run;  ///< its folder
  std::size_t trials = 0;
  std::string error_words;  ///< of the robot's error
  double opening_mm = 0.0;  ///< before the jaws close
  double closing_force_n = 0.0;
  bool has_program = false;  ///< the gripper does more than to close once
  GraspsRequest request;
  std::optional<PlaneFrame> plane;
  SpatialPose part_in_robot;
  std::vector<RobotGrasp> grasps;  ///< the best first

  /// The jaws' opening after a grasp; that before it when none succeeds.
  [[nodiscard]] double final_opening_mm(const RobotGrasp& grasp) const {
    return grasp.in_hand ? grasp.in_hand->mean[3] : opening_mm;
  }
};

/// The formats that a field is for, "moveit, isaac"; "" for one that all have.
std::string_view formats_with(std::string_view field);

/// Throws RequestError where options are missing for a format, or do not go with it.
void check_grasps_request(const GraspsRequest& request, GraspFormat format, std::size_t runs);

/// The best placements of a stored run, as plan_run finds them, with the pose in the hand that each
/// leaves. Throws RequestError, ConfigError.
RobotGrasps robot_grasps(const RunStore& run, const GraspsRequest& request);

/// A list of moveit_msgs/Grasp in YAML: moveit_msgs 2.6.0 (msg/Grasp.msg, GripperTranslation.msg),
/// common_interfaces 5.4.2. What a message has besides stays at its default, so that ROS 1 reads
/// it too: headers have no stamp. Lengths in m, angles in rad, forces in N.
/// - grasp_pose: the tool in the frame --frame-id with a calibration, else in the plane, whose
///   frame is called as the object.
/// - pre_grasp_approach: straight down; post_grasp_retreat, post_place_retreat: straight up.
/// - pre_grasp_posture: opening before the grasp; grasp_posture: the mean opening after it, with
///   the closing force as effort. max_contact_force: the closing force.
std::string moveit_text(const RobotGrasps& grasps);

/// isaac_grasp 1.0 in YAML (Isaac Sim, "Grasp Editor"; Isaac ROS, "Isaac Grasp File"): the tool in
/// the part's frame. The two documents name the frames object_frame_link, gripper_frame_link and
/// object_frame, gripper_frame: the file has both. Readers ignore them.
std::string isaac_text(const RobotGrasps& grasps);

/// A program in URScript (PolyScope 5 script manual): above the part by movej, down, close and up
/// by movel. Poses are relative to the part's, which stands in one line, to be replaced by what a
/// camera finds. The gripper closes by a digital output, or by functions that end the program until
/// they are filled.
std::string urscript_text(const RobotGrasps& grasps);

/// A library: the grasps of several runs, each of a part on one resting face.
Object grasp_library(const std::vector<RobotGrasps>& runs);

}  // namespace graspmap
