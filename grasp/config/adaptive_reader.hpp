#pragma once

#include "grasp/config/sweep_config.hpp"
#include "grasp/io/toml_reader.hpp"

namespace graspmap {

/// Reads `sampling` and the table `adaptive` of the table `sweep` into a configuration of which
/// all else is read. Throws ConfigError.
void read_sampling(const TomlTable& sweep, SweepConfig& config);

}  // namespace graspmap
