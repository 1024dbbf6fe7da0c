#include "grasp/base/io/printable_text.hpp"

#include <fmt/format.h>

namespace graspmap {
namespace {

/// The bytes of a character of UTF-8 that begins so; 0 for none.
std::size_t bytes_from(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

/// Not longer than need be, no surrogate, not beyond the last code.
bool is_proper(char32_t code, std::size_t bytes) {
  if (bytes == 3) return code >= 0x800 && !(code >= 0xD800 && code <= 0xDFFF);
  if (bytes == 4) return code >= 0x10000 && code <= 0x10FFFF;
  return true;
}

std::string escape_of(const FirstCharacter& character) {
  if (!character.is_valid || character.code < 0x80) {
    switch (character.code) {
      case '\n':
        return "\\n";
      case '\t':
        return "\\t";
      case '\r':
        return "\\r";
      default:
        return fmt::format("\\x{:02x}", static_cast<unsigned>(character.code));
    }
  }
  return fmt::format("\\u{:04x}", static_cast<unsigned>(character.code));
}

std::string escaped_text(std::string_view text, bool keep_line_ends) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const FirstCharacter character = first_character(text);
    const bool keep = character.is_harmless() || (keep_line_ends && character.code == '\n');
    if (keep) {
      result += text.substr(0, character.bytes);
    } else {
      result += escape_of(character);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

bool FirstCharacter::is_harmless() const {
  const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool is_separator = code == 0x2028 || code == 0x2029;
  const bool turns = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                     (code >= 0x2066 && code <= 0x2069);
  return is_valid && !is_control && !is_separator && !turns;
}

FirstCharacter first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t bytes = bytes_from(byte(0));
  const FirstCharacter invalid{1, byte(0), false};
  if (bytes == 1) return {1, byte(0), true};
  if (bytes == 0 || text.size() < bytes) return invalid;
  char32_t code = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return invalid;
    code = (code << 6U) | (byte(k) & 0x3FU);
  }
  return is_proper(code, bytes) ? FirstCharacter{bytes, code, true} : invalid;
}

std::string printable(std::string_view text) { return escaped_text(text, false); }

std::string printable_lines(std::string_view text) { return escaped_text(text, true); }

}  // namespace graspmap
