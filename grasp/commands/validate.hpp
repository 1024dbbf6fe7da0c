#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// `graspmap validate [ID...]`. Returns the exit code: 3 when an example falls short.
int validate_command(const std::vector<std::string>& args);

}  // namespace graspmap
