#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// Text for people and other programs: text that others wrote (comments, column names, values,
/// names of files) without anything that a terminal or a reader of files would obey; words for a
/// shell; tables.

/// The first character of a text that is not empty, as UTF-8.
struct FirstCharacter {
  std::string_view text;  ///< its bytes
  char32_t code = 0;
  bool is_valid = true;  ///< false: its one byte is no UTF-8
  /// It says something and does nothing: valid, no control character (C0, DEL, C1), no line or
  /// paragraph separator, and none that turns the direction of writing.
  [[nodiscard]] bool is_harmless() const;
};
FirstCharacter first_character(std::string_view text);

/// A text with each character replaced by what `replacement(character)` says.
template <typename F>
std::string rewritten(std::string_view text, const F& replacement) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const FirstCharacter character = first_character(text);
    result += replacement(character);
    text.remove_prefix(character.text.size());
  }
  return result;
}

/// The text with all that is not harmless as an escape sequence that says what it was: \n, \t, \r,
/// \x1b for a byte, \u009b for a character beyond. One line.
std::string printable(std::string_view text);

/// The same, but line ends (\n) stay.
std::string printable_lines(std::string_view text);

/// While it lives, all that is written to a stream goes through printable_lines: nothing that
/// others wrote reaches a terminal as more than text. A line is passed on when it ends or the
/// stream is flushed. With `progress`, what a progress bar needs stays too: a carriage return, and
/// "erase to the end of the line".
class PrintableStream : private std::streambuf {
 public:
  explicit PrintableStream(std::ostream& stream, bool progress = false);
  ~PrintableStream() override;
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  /// False when it cannot be written.
  bool pass_on(std::size_t size);

  [[nodiscard]] std::string passed(std::string_view text) const;

  std::ostream& stream_;
  bool progress_;
  std::streambuf* target_;
  std::string waiting_;
};

/// A text as one word of a shell command, quoted where it must be.
std::string shell_word(const std::string& text);

/// A table for people: columns wide enough for what they hold, two blanks in between; the first
/// column to the left, the others to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);

  /// A row with as many fields as the header.
  void add(std::vector<std::string> row);

  /// The header, a line of dashes, the rows; each line ends with a line break and without blanks.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< the header first
};

}  // namespace graspmap
