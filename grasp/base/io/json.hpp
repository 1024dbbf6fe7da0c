#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace graspmap {

/// Writes JSON text with two spaces of indentation, in the order of the calls. Numbers have the
/// fewest digits that read back the same double; NaN and infinities become null.
///   json.object("run", [&] {
///     json.field("trials", 12);
///     json.array("cells", cells, [&](const Cell& cell) { json.value(cell.name); });
///   });
class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void value(double number);
  template <typename T>
  requires std::is_integral_v<T>
  void value(T number) { plain(std::to_string(number)); }
  void value(bool truth) { plain(truth ? "true" : "false"); }
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }

  /// An array of values.
  template <typename List>
  void values(const List& list) {
    begin_array();
    for (const auto& element : list) value(element);
    end_array();
  }

  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  /// A field that is left out when there is nothing in it.
  template <typename T>
  void field(std::string_view name, const std::optional<T>& content) {
    if (content) field(name, *content);
  }

  /// An object, whose fields `write_fields()` writes.
  template <typename F>
  void object(const F& write_fields) {
    begin_object();
    write_fields();
    end_object();
  }

  template <typename F>
  void object(std::string_view name, const F& write_fields) {
    key(name);
    object(write_fields);
  }

  /// The field `name`: an array, each of whose values `write_value(element)` writes.
  template <typename List, typename F>
  void array(std::string_view name, const List& list, const F& write_value) {
    key(name);
    begin_array();
    for (const auto& element : list) write_value(element);
    end_array();
  }

  /// The field `name`: an array of values.
  template <typename List>
  void array(std::string_view name, const List& list) {
    key(name);
    values(list);
  }

  /// An array of objects: `write_fields(element)` writes the fields of each.
  template <typename List, typename F>
  void objects(std::string_view name, const List& list, const F& write_fields) {
    array(name, list, [&](const auto& element) { object([&] { write_fields(element); }); });
  }

  /// The two ends of an interval, as an array.
  void interval(std::string_view name, double low, double high) {
    array(name, std::initializer_list<double>{low, high});
  }

  template <typename Interval>
  void interval(std::string_view name, const Interval& ends) {
    interval(name, ends.low, ends.high);
  }

  /// The finished text, with a line end.
  [[nodiscard]] std::string text() const { return text_ + "\n"; }

 private:
  void open(char bracket);
  void close(char bracket);
  void begin_value();
  /// A value that is written as it is.
  void plain(std::string_view text);
  void new_line();
  void append_quoted(std::string_view text);

  std::string text_;
  int depth_ = 0;
  bool first_ = true;       ///< nothing yet at this depth
  bool after_key_ = false;  ///< the next value belongs to a key
};

/// Writes the fields with which each JSON document of the programs begins: graspmap_version and
/// git_commit, of the program that writes it.
void write_head(JsonWriter& json);

/// A JSON document: an object with the head, and then the fields that `write_fields(json)` writes.
template <typename F>
std::string json_document(const F& write_fields) {
  JsonWriter json;
  json.object([&] {
    write_head(json);
    write_fields(json);
  });
  return json.text();
}

}  // namespace graspmap
