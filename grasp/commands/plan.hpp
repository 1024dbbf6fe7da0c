#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// `graspmap plan RUNDIR [options]`: where to put the gripper under the robot's positioning error,
/// and how large that error may be. Returns the exit code.
int plan_command(const std::vector<std::string>& args);

}  // namespace graspmap
