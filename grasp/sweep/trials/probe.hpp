#pragma once

#include <string>

#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// The digest of a sweep's first few trials as they come out here. It tells programs and machines
/// apart that compute other bits: another compiler, or a C library that has other code for another
/// processor.
std::string probe_digest(const SweepConfig& config);

}  // namespace graspmap
