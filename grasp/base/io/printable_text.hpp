#pragma once

#include <string>
#include <string_view>

/// Text that others wrote (comments, column names, values, names of files) without anything that a
/// terminal or a reader of files would obey.

namespace graspmap {

/// The first character of a text that is not empty, as UTF-8.
struct FirstCharacter {
  std::size_t bytes = 1;
  char32_t code = 0;
  bool is_valid = true;  ///< false: its one byte is no UTF-8
  /// It says something and does nothing: valid, no control character (C0, DEL, C1), no line or
  /// paragraph separator, and none that turns the direction of writing.
  [[nodiscard]] bool is_harmless() const;
};
FirstCharacter first_character(std::string_view text);

/// The text with all that is not harmless as an escape sequence that says what it was: \n, \t, \r,
/// \x1b for a byte, \u009b for a character beyond. One line.
std::string printable(std::string_view text);

/// The same, but line ends (\n) stay.
std::string printable_lines(std::string_view text);

}  // namespace graspmap
