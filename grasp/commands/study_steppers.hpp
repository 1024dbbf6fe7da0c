#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// `graspmap study-steppers CONFIG`. Returns the exit code.
int study_steppers_command(const std::vector<std::string>& args);

}  // namespace graspmap
