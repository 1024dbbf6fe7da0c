#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// `graspmap difference RUN_A RUN_B`: two designs against each other.
int difference_command(const std::vector<std::string>& args);

}  // namespace graspmap
