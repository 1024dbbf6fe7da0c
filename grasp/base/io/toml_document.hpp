#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/errors.hpp"

namespace graspmap {

/// Where a node was read; the source of a node of an override is "--set a.b=value".
InputPlace location(const toml::node& node);

/// Parses TOML text, and applies overrides to it in their order; `source` is what `location` calls
/// it. Throws ConfigError.
toml::table parse_toml(std::string_view text, const std::string& source,
                       const std::vector<std::string>& overrides = {});

/// The text of a TOML file. Throws ConfigError when it cannot be read.
std::string read_toml_text(const std::filesystem::path& file);

/// Reads a TOML file and applies overrides to it, in order. Throws ConfigError.
toml::table load_toml(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// The dotted key of what is called `name` at a path, which is "" for a document.
std::string below(std::string_view path, std::string_view name);

/// The most words of a dotted key, as the three of part.piece.name.
inline constexpr int kMostKeyWords = 20;

/// The line, from 1, of the first key with more words than that, if any. toml++
/// makes a table for each word and takes tables apart by recursion, which a key of 100,000 words
/// ends with a stack overflow. (It limits values that hold each other itself.)
std::optional<int> line_of_long_key(std::string_view text);

/// True when a node's source is an override and not a file.
bool is_override(std::string_view source);

/// Puts the value of "a.b=value" into a document, in place of what was there or as a new key;
/// an angle in rad takes the place of one in degrees (a_rad, a_deg), and the other way round;
/// "a.b=" takes the key away, which must be there. The value is TOML; a bare word is a string. A
/// number in the path is an index into an array; a key of the document with dots in it is written
/// without quotes. The new nodes' source is "--set a.b=value". Throws ConfigError.
void apply_override(toml::table& document, const std::string& assignment);

}  // namespace graspmap
