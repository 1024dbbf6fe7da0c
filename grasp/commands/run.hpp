#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap run: a sweep from a configuration to a run folder. Returns the exit code: 0, or 128
/// plus the signal that interrupted it. Throws UsageError, ConfigError, IoError.
int run_command(const std::vector<std::string>& args);

}  // namespace graspmap
