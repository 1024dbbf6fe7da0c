#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace graspmap {

/// Writes JSON text with two spaces of indentation, in the order of the calls. Numbers have the
/// fewest digits that read back the same double; NaN and infinities become null.
class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void value(double number);
  void value(std::int64_t number);
  void value(std::uint64_t number);
  void value(int number) { value(static_cast<std::int64_t>(number)); }
  void value(bool truth);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }

  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  /// The finished text, with a line end.
  [[nodiscard]] std::string text() const { return text_ + "\n"; }

 private:
  void open(char bracket);
  void close(char bracket);
  void begin_value();
  void new_line();
  void append_quoted(std::string_view text);

  std::string text_;
  int depth_ = 0;
  bool first_ = true;       ///< nothing yet at this depth
  bool after_key_ = false;  ///< the next value belongs to a key
};

}  // namespace graspmap
