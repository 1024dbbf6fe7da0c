#pragma once

#include <string_view>

#include "grasp/io/toml_reader.hpp"
#include "grasp/statistics/distribution.hpp"

namespace graspmap {

/// Reads the distribution of a quantity that admits `values`: a number (fixed), or a table
/// { distribution = "fixed" | "uniform" | "normal" | "truncated_normal", ... }. Throws ConfigError.
Distribution read_distribution(const TomlTable& table, std::string_view key,
                               const NumberRange& values);

}  // namespace graspmap
