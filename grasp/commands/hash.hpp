#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// graspmap hash: prints the digest of a run's trials. Returns the exit code, 0. Throws UsageError,
/// ConfigError for what is no run, IoError.
int hash_command(const std::vector<std::string>& args);

}  // namespace graspmap
