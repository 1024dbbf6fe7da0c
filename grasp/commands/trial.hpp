#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap trial: one trial explained, or a file of trials. Returns the exit code: 0, or 128 plus
/// the signal that interrupted it. Throws UsageError, ConfigError, IoError.
int trial_command(const std::vector<std::string>& args);

}  // namespace graspmap
