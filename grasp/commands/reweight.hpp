#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap reweight: the map of a run under other laws of its random inputs, from the stored
/// trials. Returns the exit code, 0. Throws UsageError, ConfigError for laws that the run does not
/// cover, IoError.
int reweight_command(const std::vector<std::string>& args);

}  // namespace graspmap
