#include "grasp/base/io/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

/// What stands in JSON for a character that cannot stand there by itself: a byte that is no UTF-8
/// becomes the character that says so, U+FFFD.
std::string escaped(const FirstCharacter& character) {
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
      return fmt::format("\\u{:04x}",
                         character.is_valid ? static_cast<unsigned>(character.code) : 0xFFFDU);
  }
}

bool needs_escape(const FirstCharacter& character) {
  return character.code == '"' || character.code == '\\' || !character.is_harmless();
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  begin_value();
  append_quoted(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::value(double number) {
  begin_value();
  text_ += std::isfinite(number) ? fmt::format("{}", number) : "null";
}

void JsonWriter::value(std::int64_t number) {
  begin_value();
  text_ += std::to_string(number);
}

void JsonWriter::value(std::uint64_t number) {
  begin_value();
  text_ += std::to_string(number);
}

void JsonWriter::value(bool truth) {
  begin_value();
  text_ += truth ? "true" : "false";
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
  text_ += '"';
  while (!text.empty()) {
    const FirstCharacter character = first_character(text);
    if (needs_escape(character)) {
      text_ += escaped(character);
    } else {
      text_ += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  text_ += '"';
}

void write_head(JsonWriter& json) {
  json.field("graspmap_version", version());
  json.field("git_commit", git_commit());
}

}  // namespace graspmap
