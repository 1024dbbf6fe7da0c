#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// `graspmap reweight RUNDIR --set KEY=LAW`: the map of a run under other laws of its random
/// inputs, from the stored trials. Returns the exit code.
int reweight_command(const std::vector<std::string>& args);

}  // namespace graspmap
