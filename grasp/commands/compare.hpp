#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// `graspmap compare`: how a run differs from an experiment, or whether published facts hold in it.
/// Returns the exit code.
int compare_command(const std::vector<std::string>& args);

}  // namespace graspmap
