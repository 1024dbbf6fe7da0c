#include "grasp/io/json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace graspmap {
namespace {

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
}

bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

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
  for (const char c : text) {
    if (needs_escape(c)) {
      text_ += escaped(c);
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

}  // namespace graspmap
