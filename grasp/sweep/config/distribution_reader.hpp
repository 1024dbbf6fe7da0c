#pragma once

#include <filesystem>
#include <string_view>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/limits.hpp"

namespace graspmap {

/// Reads the distribution of a quantity that admits `values`: a number (fixed), or a table
/// { distribution = "fixed" | "uniform" | "normal" | ..., ... }. No number may be larger than
/// `most`, on either side. A law without a width becomes the fixed number. Files of measured values
/// are looked for in `folder`. Throws ConfigError.
Distribution read_distribution(const TomlTable& table, std::string_view key,
                               const NumberRange& values, const std::filesystem::path& folder,
                               double most = limits::kMostSpread);

}  // namespace graspmap
