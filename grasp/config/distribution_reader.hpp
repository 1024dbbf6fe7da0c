#pragma once

#include <string_view>

#include "grasp/config/limits.hpp"
#include "grasp/io/toml_reader.hpp"
#include "grasp/statistics/distribution.hpp"

namespace graspmap {

/// Reads the distribution of a quantity that admits `values`: a number (fixed), or a table
/// { distribution = "fixed" | "uniform" | "normal" | "truncated_normal", ... }. No number may
/// be larger than `most`, on either side. Throws ConfigError.
Distribution read_distribution(const TomlTable& table, std::string_view key,
                               const NumberRange& values, double most = limits::kMostSpread);

}  // namespace graspmap
