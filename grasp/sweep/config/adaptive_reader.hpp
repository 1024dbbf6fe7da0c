#pragma once

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Reads `sampling` and the table `adaptive` of the table `sweep` into a configuration. Everything
/// else must have been read. Checks the keys of `sweep`. Throws ConfigError.
void read_sampling(const TomlTable& sweep, SweepConfig& config);

}  // namespace graspmap
