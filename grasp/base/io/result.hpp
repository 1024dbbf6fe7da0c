#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace graspmap {

/// What a command found, said once: fields with a name, a value and what it means, and tables by
/// their columns. JSON, CSV, the objects of Python and docs/reference/formats.md come from here.
///   Object{{"trials", n}, {"interval", interval, "of the whole map"}, placement_fields(at)}
/// A unit is in the name: x_mm.

class Value;
struct Field;

/// Fields in their order; those of an object without a name stand in its place. One without a value
/// (an empty std::optional) is left out of JSON, and an empty cell of a table.
struct Object {
  Object();
  Object(const Object& other);
  Object(Object&& other) noexcept;
  Object& operator=(const Object& other);
  Object& operator=(Object&& other) noexcept;
  ~Object();
  Object(std::initializer_list<Field> list);
  void add(Field field);

  std::vector<Field> fields;
};

/// The two ends of an interval, which JSON has as a list.
struct Ends {
  double low = 0.0;
  double high = 0.0;
};

template <typename T>
concept HasEnds = requires(const T& ends) {
  { ends.low } -> std::convertible_to<double>;
  { ends.high } -> std::convertible_to<double>;
};

/// A value of a result. Everything that has a meaning as one becomes it by itself.
class Value {
 public:
  using List = std::vector<Value>;

  Value();  ///< no value
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  Value(double number) : content(number) {}
  template <std::same_as<bool> T>
  Value(T truth) : content(truth) {}
  template <std::signed_integral T>
  Value(T number) : content(static_cast<std::int64_t>(number)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Value(T number) : content(std::uint64_t{number}) {}
  Value(std::string text) : content(std::move(text)) {}
  Value(std::string_view text) : content(std::string(text)) {}
  Value(const char* text) : content(std::string(text)) {}
  Value(Object object) : content(std::move(object)) {}
  Value(List list) : content(std::move(list)) {}
  template <HasEnds T>
  Value(const T& ends) : content(Ends{ends.low, ends.high}) {}
  template <typename T>
  Value(const std::optional<T>& maybe) {
    if (maybe) *this = Value(*maybe);
  }
  template <std::ranges::input_range R>
  requires(!std::convertible_to<R, std::string_view>) Value(const R& range) : content(List{}) {
    for (const auto& element : range) std::get<List>(content).emplace_back(element);
  }

  [[nodiscard]] bool is_there() const { return content.index() > 0; }

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Ends, List,
               Object>
      content;
};

struct Field {
  template <typename T>
  Field(std::string field, T&& content, const char* means = "")
      : name(std::move(field)), value(std::forward<T>(content)), meaning(means) {}
  Field(Object object) : value(std::move(object)) {}  ///< its fields stand here

  std::string name;
  Value value;
  const char* meaning = "";
};

/// what(element) of each element.
template <typename Range, typename F>
Value list_of(const Range& range, const F& what) {
  Value::List list;
  for (const auto& element : range) list.emplace_back(what(element));
  return list;
}

/// what(*value), nothing for nothing.
template <typename T, typename F>
Value maybe(const std::optional<T>& value, const F& what) {
  return value ? Value(what(*value)) : Value();
}

/// A number that is there on a condition.
inline Value value_if(bool condition, double number) { return condition ? Value(number) : Value(); }

/// An estimate and its interval: "value" and "interval".
template <typename Number>
Object estimate_fields(const Number& number) {
  return {{"value", number.value}, {"interval", number.interval}};
}

/// JSON with two spaces of indentation. Numbers have the fewest digits that read back the same
/// double; NaN and infinities become null.
std::string json_text(const Value& value);

/// A document: graspmap_version and git_commit of this program, then the fields.
Object document(const Object& result);
/// A document as JSON.
std::string json_document(const Object& result);

/// Rows of cells under named columns.
struct Table {
  struct Heading {
    std::string name;
    const char* meaning;
  };
  std::vector<Heading> columns;
  std::vector<Value::List> rows;
  std::vector<std::string> remarks = {};  ///< lines before the header

  /// The first row names the columns. An interval has two, NAME_low and NAME_high, and an object
  /// those of its fields; where NAME is an estimate_fields, its value has NAME alone.
  void add(const Object& row);
};

/// A row of each element: what(element). Without any, the columns are those of Row{}.
template <typename Row, typename Rows, typename F>
Table table_of(const Rows& rows, const F& what) {
  Table table;
  for (const auto& row : rows) table.add(what(row));
  if (!table.rows.empty()) return table;
  table.add(what(Row{}));
  table.rows.clear();
  return table;
}

/// CSV: the fewest digits, "nan", 1 for true, nothing for no value.
std::string csv_text(const Table& table);

/// The numbers 0, 1, ... of rows. A list: emscripten's library has no views.
inline std::vector<std::size_t> row_numbers(std::size_t rows) {
  std::vector<std::size_t> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// A file that holds what was found: its name in a folder, and what it has.
struct ResultFile {
  std::string name;
  std::variant<Object, Table, std::string> content;

  /// JSON, CSV, or the text itself.
  [[nodiscard]] std::string text() const;
};

}  // namespace graspmap
