#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap plot: draws the figures of a run folder (again). Returns the exit code, 0. Throws
/// UsageError, ConfigError for a folder without a run, IoError when gnuplot is missing or fails.
int plot_command(const std::vector<std::string>& args);

}  // namespace graspmap
