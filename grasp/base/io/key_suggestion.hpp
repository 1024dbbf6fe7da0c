#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// What a person probably meant by a key that does not exist.
struct KeySuggestion {
  std::string key;
  bool other_unit = false;  ///< the keys differ only in the unit at their end
};

/// The key without the unit at its end: "closing_speed_mm_s" -> "closing_speed".
std::string without_unit(std::string_view key);

/// The allowed key that differs from `key` only in its unit ("opening" or "opening_cm" for
/// "opening_mm"), else the one that is closest in spelling, if any is close.
std::optional<KeySuggestion> suggest_key(std::string_view key,
                                         const std::vector<std::string_view>& allowed);

}  // namespace graspmap
