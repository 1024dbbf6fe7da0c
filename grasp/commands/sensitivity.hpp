#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap sensitivity: which uncertainty matters for success. Returns the exit code. Throws
/// UsageError, ConfigError, IoError.
int sensitivity_command(const std::vector<std::string>& args);

}  // namespace graspmap
