#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geometry/types.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// A TOML float: the shortest digits that read back as the same double.
std::string toml_value(double value);
std::string toml_value(const Vec2& v);
/// A TOML text; `text` has no quotes and no control characters.
std::string toml_value(std::string_view text);

/// A key and its value as TOML.
using TomlLine = std::pair<std::string, std::string>;

/// "KEY = VALUE" for each key, in lines of their own.
std::string toml_lines(const std::vector<TomlLine>& keys);

/// A table after an empty line; `header` is "[name]".
std::string toml_table(std::string_view header, const std::vector<TomlLine>& keys);

/// The table [support] with every key present.
std::string support_table(const SupportModel& support);

}  // namespace graspmap
