#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap simulate: a scene simulated, with tables, figures and an animation. Returns the exit
/// code: 0, 1 when a step could not be solved, or 128 plus the signal that interrupted it. Throws
/// UsageError, ConfigError, IoError.
int simulate_command(const std::vector<std::string>& args);

}  // namespace graspmap
