#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// `graspmap pose RUNDIR [options]`: how the part lies in the hand after the grasp. Returns the
/// exit code.
int pose_command(const std::vector<std::string>& args);

}  // namespace graspmap
