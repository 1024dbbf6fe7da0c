#pragma once

#include "grasp/config/sweep_config.hpp"
#include "grasp/io/toml_reader.hpp"

namespace graspmap {

/// Reads `sampling` and the table `adaptive` of the table `sweep` into a configuration. Everything
/// else must have been read. Checks the keys of `sweep`. Throws ConfigError.
void read_sampling(const TomlTable& sweep, SweepConfig& config);

}  // namespace graspmap
