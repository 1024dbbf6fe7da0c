#include "grasp/base/io/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

/// A character in JSON; a byte that is no UTF-8 becomes the character that says so, U+FFFD.
std::string quoted(const FirstCharacter& character) {
  switch (character.code) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    default:
      if (character.is_harmless()) return std::string(character.text);
      return fmt::format("\\u{:04x}",
                         character.is_valid ? static_cast<unsigned>(character.code) : 0xFFFDU);
  }
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  begin_value();
  append_quoted(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::plain(std::string_view text) {
  begin_value();
  text_ += text;
}

void JsonWriter::value(double number) {
  plain(std::isfinite(number) ? fmt::format("{}", number) : "null");
}

void JsonWriter::value(std::string_view text) {
  begin_value();
  append_quoted(text);
}

void JsonWriter::open(char bracket) {
  begin_value();
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) new_line();
  text_ += bracket;
  first_ = false;
}

/// Separates a value from what stands before it.
void JsonWriter::begin_value() {
  if (!after_key_ && depth_ > 0) {
    if (!first_) text_ += ',';
    new_line();
  }
  after_key_ = false;
  first_ = false;
}

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(static_cast<std::size_t>(2 * depth_), ' ');
}

void JsonWriter::append_quoted(std::string_view text) {
  text_ += '"' + rewritten(text, quoted) + '"';
}

void write_head(JsonWriter& json) {
  json.field("graspmap_version", version());
  json.field("git_commit", git_commit());
}

}  // namespace graspmap
