#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// The text of a configuration's file. Throws ConfigError when it cannot be read, or is no text.
std::string read_config_text(const std::filesystem::path& file);

/// A document as it is written, with overrides (read_sweep_config) applied to it: TOML text without
/// comments. What it says is not checked. Throws ConfigError.
std::string written_toml(std::string_view text, const std::string& source,
                         const std::vector<std::string>& overrides);

}  // namespace graspmap
