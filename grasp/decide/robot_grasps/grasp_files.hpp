#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/decide/robot_grasps/grasps_request.hpp"

namespace graspmap {

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
