#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap export: writes the trials of a run as one file, for other programs. Returns the exit
/// code: 0, or 128 plus the signal that interrupted it. Throws UsageError, ConfigError for what is
/// no run, IoError.
int export_command(const std::vector<std::string>& args);

}  // namespace graspmap
