#pragma once

#include <optional>
#include <string_view>

namespace graspmap {

/// The most words of a dotted key, as the three of part.piece.name.
inline constexpr int kMostKeyWords = 20;

/// The line, from 1, of the first key with more words than that; nothing when there is none. toml++
/// makes a table for each word and takes tables apart by recursion, which a key of 100,000 words
/// ends with a stack overflow. (It limits values that hold each other itself.)
std::optional<int> line_of_long_key(std::string_view text);

}  // namespace graspmap
