#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/errors.hpp"

namespace graspmap {

/// The message "LOCATION: KEY: TEXT" (without KEY when it is empty) on one line, whatever
/// characters a person has put into a key or a value.
ConfigError config_error(std::string_view location, std::string_view key, std::string_view text);

/// Where a node was read: "FILE:LINE", or "--set a.b=value" for a node of an override.
std::string location(const toml::node& node);

/// Parses TOML text; `source` is what `location` calls it. Throws ConfigError on a syntax error.
toml::table parse_toml(std::string_view text, const std::string& source);

/// The text of a TOML file. Throws ConfigError when it cannot be read.
std::string read_toml_text(const std::filesystem::path& file);

/// Reads a TOML file and applies overrides to it, in order. Throws ConfigError.
toml::table load_toml(const std::filesystem::path& file, const std::vector<std::string>& overrides);

}  // namespace graspmap
