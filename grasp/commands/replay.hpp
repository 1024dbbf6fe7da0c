#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// A trial that is run again came out with other bits than those that are stored.
inline constexpr int kExitNotReproduced = 3;

/// graspmap replay: runs one trial of a run again, checks it, explains and draws it; or lists the
/// trials with the worst residuals. Returns the exit code: 0 or kExitNotReproduced. Throws
/// UsageError, ConfigError, IoError.
int replay_command(const std::vector<std::string>& args);

}  // namespace graspmap
