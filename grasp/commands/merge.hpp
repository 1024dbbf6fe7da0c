#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap merge: joins the stores of shards into one run. Returns the exit code: 0, or 128 plus
/// the signal that interrupted it. Throws UsageError, ConfigError for shards that do not belong
/// together, IoError.
int merge_command(const std::vector<std::string>& args);

}  // namespace graspmap
