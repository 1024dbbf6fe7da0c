#include "grasp/base/io/result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <variant>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {

// Here, where a Field is complete.
Object::Object() = default;
Object::Object(const Object& other) = default;
Object::Object(Object&& other) noexcept = default;
Object& Object::operator=(const Object& other) = default;
Object& Object::operator=(Object&& other) noexcept = default;
Object::~Object() = default;

// Here, and so once: a variant of many is much code.
Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Object::Object(std::initializer_list<Field> list) {
  for (const Field& field : list) add(field);
}

void Object::add(Field field) {
  if (!field.name.empty()) {
    fields.push_back(std::move(field));
  } else if (field.value.is_there()) {
    for (Field& inner : std::get<Object>(field.value.content).fields) add(std::move(inner));
  }
}

void Table::add(const Object& row) {
  Value::List& cells = rows.emplace_back();
  const bool is_first = rows.size() == 1;
  const auto add_cell = [&](const std::string& name, const char* meaning, const Value& value) {
    if (is_first) columns.push_back({name, meaning});
    cells.push_back(value);
  };
  for (const Field& field : row.fields) {
    const auto* ends = std::get_if<Ends>(&field.value.content);
    const auto* estimate = std::get_if<Object>(&field.value.content);
    if (estimate != nullptr) {
      add_cell(field.name, field.meaning, estimate->fields.at(0).value);
      ends = &std::get<Ends>(estimate->fields.at(1).value.content);
    }
    if (ends != nullptr) {
      add_cell(field.name + "_low", estimate == nullptr ? field.meaning : "", ends->low);
      add_cell(field.name + "_high", "", ends->high);
    } else {
      add_cell(field.name, field.meaning, field.value);
    }
  }
}

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

/// Appends values as JSON.
class JsonText {
 public:
  void operator()(std::monostate) { text_ += "null"; }
  void operator()(bool truth) { text_ += truth ? "true" : "false"; }
  void operator()(std::int64_t number) { text_ += std::to_string(number); }
  void operator()(std::uint64_t number) { text_ += std::to_string(number); }
  void operator()(double number) {
    text_ += std::isfinite(number) ? fmt::format("{}", number) : "null";
  }
  void operator()(const std::string& text) { text_ += '"' + rewritten(text, quoted) + '"'; }
  void operator()(const Ends& ends) { (*this)(Value::List{ends.low, ends.high}); }
  void operator()(const Value::List& list) {
    inside("[]", list, [&](const Value& value) { std::visit(*this, value.content); });
  }
  void operator()(const Object& object) {
    std::vector<const Field*> there;
    for (const Field& field : object.fields) {
      if (field.value.is_there()) there.push_back(&field);
    }
    inside("{}", there, [&](const Field* field) {
      (*this)(field->name);
      text_ += ": ";
      std::visit(*this, field->value.content);
    });
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <typename List, typename F>
  void inside(const char* brackets, const List& list, const F& write) {
    text_ += brackets[0];
    ++depth_;
    const char* separator = "";
    for (const auto& element : list) {
      text_ += separator;
      new_line();
      write(element);
      separator = ",";
    }
    --depth_;
    if (*separator != '\0') new_line();
    text_ += brackets[1];
  }

  void new_line() { text_ += '\n' + std::string(2 * depth_, ' '); }

  std::string text_;
  std::size_t depth_ = 0;
};

/// A cell of CSV.
struct CsvCell {
  void operator()(std::monostate) const {}
  void operator()(bool truth) const { line += truth ? '1' : '0'; }
  void operator()(const std::string& word) const { append_csv_field(line, word); }
  void operator()(const Ends&) const { throw std::logic_error("an interval has two columns"); }
  void operator()(const Value::List&) const { throw std::logic_error("a list is no cell"); }
  void operator()(const Object&) const { throw std::logic_error("an object is no cell"); }
  template <typename Number>
  void operator()(Number number) const {
    line += fmt::format("{}", number);
  }

  std::string& line;
};

}  // namespace

std::string json_text(const Value& value) {
  JsonText json;
  std::visit(json, value.content);
  return json.text() + "\n";
}

Object document(const Object& result) {
  return {{"graspmap_version", version()}, {"git_commit", git_commit()}, result};
}

std::string json_document(const Object& result) { return json_text(document(result)); }

std::string csv_text(const Table& table) {
  std::string text;
  for (const std::string& remark : table.remarks) text += "# " + remark + "\n";
  const auto line = [&](const auto& cells, const auto& append) {
    const char* separator = "";
    for (const auto& cell : cells) {
      text += separator;
      append(cell);
      separator = ",";
    }
    text += '\n';
  };
  line(table.columns, [&](const Table::Heading& heading) { append_csv_field(text, heading.name); });
  for (const Value::List& row : table.rows) {
    line(row, [&](const Value& cell) { std::visit(CsvCell{text}, cell.content); });
  }
  return text;
}

std::string ResultFile::text() const {
  if (const auto* object = std::get_if<Object>(&content)) return json_document(*object);
  if (const auto* table = std::get_if<Table>(&content)) return csv_text(*table);
  return std::get<std::string>(content);
}

}  // namespace graspmap
