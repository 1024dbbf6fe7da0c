#include "grasp/base/drawings/source_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace graspmap {
namespace {

constexpr std::size_t kLongestWord = 40;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void check_encoding(const SourceFile& source) {
  const std::string_view text = source.text;
  if (text.starts_with("AutoCAD Binary DXF")) {
    source.fail(0, "is a binary DXF file; save it as an ASCII DXF file");
  }
  if (text.starts_with("AC10")) source.fail(0, "is a DWG file; save it as an ASCII DXF file");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    source.fail(0, "is in UTF-16; save it in UTF-8");
  }
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    source.fail(
        0, fmt::format("is no text: byte {} is zero; give an ASCII DXF file or an SVG file", zero));
  }
}

/// The bytes of the UTF-8 character that a text begins with; 0 when it is broken.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if ((byte & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte & 0x3FU);
  }
  // Longer than need be, or half of a UTF-16 pair, or too large.
  const bool is_wrong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
                        (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
  return is_wrong ? 0 : length;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

void SourceFile::fail(int line, std::string_view message) const {
  const std::string place = line > 0 ? fmt::format("{}:{}", name, line) : name;
  throw ConfigError(fmt::format("{}: {}", place, message));
}

std::string read_bytes(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw ConfigError(file.string() + ": is a folder; give a DXF or SVG file");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    throw ConfigError(fmt::format("{}: cannot be read: {}; give a DXF or SVG file", file.string(),
                                  std::strerror(errno)));
  }
  return text.str();
}

SourceFile source_of(std::string bytes, const std::filesystem::path& file) {
  SourceFile source{file.string(), std::move(bytes)};
  if (source.text.starts_with(kByteOrderMark)) source.text.erase(0, kByteOrderMark.size());
  if (source.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    source.fail(0, "is empty; give a DXF or SVG file");
  }
  check_encoding(source);
  return source;
}

std::string cleaned(std::string_view text) {
  const bool is_utf8 = is_valid_utf8(text);
  std::string clean;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_printed = byte >= 0x20 && byte != 0x7F && (is_utf8 || byte < 0x80);
    if (is_printed) {
      clean += c;
    } else if (!is_utf8 && byte >= 0xA0) {
      clean += static_cast<char>(0xC0U | byte >> 6U);  // Latin-1, as older files have it
      clean += static_cast<char>(0x80U | (byte & 0x3FU));
    } else {
      clean += '?';
    }
  }
  return clean;
}

std::string in_quotes(std::string_view word) {
  const bool is_long = word.size() > kLongestWord;
  return fmt::format("'{}{}'", cleaned(word.substr(0, kLongestWord)), is_long ? "..." : "");
}

}  // namespace graspmap
