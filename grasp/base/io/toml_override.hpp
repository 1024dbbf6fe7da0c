#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace graspmap {

/// True when a node's source is an override and not a file.
bool is_override(std::string_view source);

/// Puts the value of "a.b=value" into a document, in place of what was there or as a new key;
/// "a.b=" takes the key away, which must be there. The value is TOML; a bare word is a string. A
/// number in the path is an index into an array; a key of the document with dots in it is written
/// without quotes. The new nodes' source is "--set a.b=value". Throws ConfigError.
void apply_override(toml::table& document, const std::string& assignment);

}  // namespace graspmap
