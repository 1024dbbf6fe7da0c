#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace graspmap {

/// What a file is by how it begins, as messages say it: "an SQLite database", "a PNG image", "an
/// empty file", "a CSV table". "" for what may be TOML.
std::string_view file_kind(std::string_view text);

/// The same where any text will do: "" for all texts in UTF-8 and ASCII.
std::string_view binary_kind(std::string_view text);

/// Whether the first line that is no comment begins a table of TOML or sets a key.
bool may_be_toml(std::string_view text);

/// `file_kind` of a file that need not be readable: "a folder", "a device", or by its first bytes.
std::string_view file_kind_of(const std::filesystem::path& file);

}  // namespace graspmap
