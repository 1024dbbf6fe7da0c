#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Numbers that a configuration may have, and that are most likely a slip: of a unit, or of what
/// the number means. Each is told as if it were a fault of the file `source`.
std::vector<ConfigFault> doubts(const SweepConfig& config, const std::string& source);

}  // namespace graspmap
