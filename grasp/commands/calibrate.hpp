#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap calibrate: the laws of friction that explain an experiment. Returns the exit code, 0.
/// Throws UsageError, ConfigError for what a person should change, IoError.
int calibrate_command(const std::vector<std::string>& args);

}  // namespace graspmap
