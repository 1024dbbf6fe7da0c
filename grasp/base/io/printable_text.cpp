#include "grasp/base/io/printable_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "geometry/assert.hpp"

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
  return rewritten(text, [&](const FirstCharacter& character) {
    const bool keep = character.is_harmless() || (keep_line_ends && character.code == '\n');
    return keep ? std::string(character.text) : escape_of(character);
  });
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
  GRASPMAP_ASSERT(!text.empty());
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t bytes = bytes_from(byte(0));
  const FirstCharacter invalid{text.substr(0, 1), byte(0), false};
  if (bytes == 1) return {text.substr(0, 1), byte(0), true};
  if (bytes == 0 || text.size() < bytes) return invalid;
  char32_t code = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return invalid;
    code = (code << 6U) | (byte(k) & 0x3FU);
  }
  return is_proper(code, bytes) ? FirstCharacter{text.substr(0, bytes), code, true} : invalid;
}

std::string printable(std::string_view text) { return escaped_text(text, false); }

std::string printable_lines(std::string_view text) { return escaped_text(text, true); }

PrintableStream::PrintableStream(std::ostream& stream, bool progress)
    : stream_(stream), progress_(progress), target_(stream.rdbuf(this)) {}

PrintableStream::~PrintableStream() {
  pass_on(waiting_.size());
  stream_.rdbuf(target_);
}

PrintableStream::int_type PrintableStream::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char character = traits_type::to_char_type(c);
  return xsputn(&character, 1) == 1 ? c : traits_type::eof();
}

std::streamsize PrintableStream::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  const std::size_t end = waiting_.rfind('\n');
  if (end != std::string::npos && !pass_on(end + 1)) return 0;
  return size;
}

int PrintableStream::sync() { return pass_on(waiting_.size()) && target_->pubsync() == 0 ? 0 : -1; }

std::string PrintableStream::passed(std::string_view text) const {
  if (!progress_) return printable_lines(text);
  std::string result;
  while (!text.empty()) {
    const std::size_t next = std::min(text.find_first_of("\r\x1b"), text.size());
    result += printable_lines(text.substr(0, next));
    text.remove_prefix(next);
    if (text.empty()) break;
    constexpr std::string_view kEraseLine = "\x1b[K";
    const std::size_t kept = text.starts_with('\r')         ? 1
                             : text.starts_with(kEraseLine) ? kEraseLine.size()
                                                            : 0;
    result += kept > 0 ? std::string(text.substr(0, kept)) : printable(text.substr(0, 1));
    text.remove_prefix(std::max<std::size_t>(kept, 1));
  }
  return result;
}

bool PrintableStream::pass_on(std::size_t size) {
  const std::string text = passed(std::string_view(waiting_).substr(0, size));
  waiting_.erase(0, size);
  const auto length = static_cast<std::streamsize>(text.size());
  return target_->sputn(text.data(), length) == length;
}

std::string shell_word(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

namespace {

using Row = std::vector<std::string>;

/// Characters, not bytes: those that begin a character of UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  return widths;
}

std::string line(const Row& row, const std::vector<std::size_t>& widths) {
  std::string text;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::string blanks(widths[k] - width(row[k]), ' ');
    text += k == 0 ? row[k] + blanks : "  " + blanks + row[k];
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

void TextTable::add(std::vector<std::string> row) {
  if (row.size() != rows_.front().size()) {
    throw std::logic_error(
        fmt::format("a row of {} fields in a table of {}", row.size(), rows_.front().size()));
  }
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  const std::vector<std::size_t> widths = column_widths(rows_);
  Row dashes;
  for (const std::size_t w : widths) dashes.emplace_back(w, '-');
  std::string text = line(rows_.front(), widths) + line(dashes, widths);
  for (std::size_t k = 1; k < rows_.size(); ++k) text += line(rows_[k], widths);
  return text;
}

}  // namespace graspmap
