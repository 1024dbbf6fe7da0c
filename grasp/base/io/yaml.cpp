#include "grasp/base/io/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <variant>

#include "grasp/base/io/errors.hpp"

namespace graspmap {
namespace {

/// "1e-05" is a text in YAML 1.1, "1.0e-05" a number.
std::string yaml_number(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  std::string text = fmt::format("{}", number);
  const std::size_t mantissa_end = std::min(text.find('e'), text.size());
  if (text.find('.') == std::string::npos) text.insert(mantissa_end, ".0");
  return text;
}

/// Texts, whole numbers, truths, null and {} are alike in JSON and YAML.
std::string as_json(const Value& value) {
  std::string text = json_text(value);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// A key that no reader takes for anything but a text stands without quotes.
std::string yaml_key(const std::string& key) {
  constexpr std::array<std::string_view, 7> kOtherKinds = {"yes",   "no",   "on",  "off",
                                                           "false", "true", "null"};
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const bool is_plain =
      !key.empty() && is_letter(key.front()) &&
      std::all_of(key.begin(), key.end(), [&](char c) { return is_letter(c) || is_digit(c); });
  const std::string lower = lower_case(key);
  const bool is_other =
      std::find(kOtherKinds.begin(), kOtherKinds.end(), lower) != kOtherKinds.end();
  return is_plain && !is_other ? key : as_json(key);
}

/// Whether a value stands in one line: anything but objects, and lists that have some.
bool in_one_line(const Value& value) {
  if (const auto* list = std::get_if<Value::List>(&value.content)) {
    return std::all_of(list->begin(), list->end(), in_one_line);
  }
  const auto* object = std::get_if<Object>(&value.content);
  return object == nullptr || object->fields.empty();
}

class YamlText {
 public:
  void write(const Value& value, std::size_t indent) {
    if (const auto* object = std::get_if<Object>(&value.content); object && !in_one_line(value)) {
      fields(*object, indent, false);
    } else if (const auto* list = std::get_if<Value::List>(&value.content);
               list && !in_one_line(value)) {
      for (const Value& element : *list) {
        text_ += std::string(indent, ' ') + "- ";
        if (in_one_line(element)) {
          text_ += line(element) + "\n";
        } else if (const auto* inner = std::get_if<Object>(&element.content)) {
          fields(*inner, indent + 2, true);
        } else {
          text_ += "\n";
          write(element, indent + 2);
        }
      }
    } else {
      text_ += std::string(indent, ' ') + line(value) + "\n";
    }
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  /// `goes_on`: the first field stands in a line that has begun.
  void fields(const Object& object, std::size_t indent, bool goes_on) {
    for (const Field& field : object.fields) {
      if (!field.value.is_there()) continue;
      if (!goes_on) text_ += std::string(indent, ' ');
      goes_on = false;
      text_ += yaml_key(field.name) + ":";
      if (in_one_line(field.value)) {
        text_ += " " + line(field.value) + "\n";
      } else {
        text_ += "\n";
        write(field.value, indent + 2);
      }
    }
  }

  /// A value in one line.
  static std::string line(const Value& value) {
    if (const auto* number = std::get_if<double>(&value.content)) return yaml_number(*number);
    if (const auto* ends = std::get_if<Ends>(&value.content)) {
      return line(Value::List{ends->low, ends->high});
    }
    if (const auto* list = std::get_if<Value::List>(&value.content)) {
      std::string text = "[";
      for (const Value& element : *list) text += (text.size() > 1 ? ", " : "") + line(element);
      return text + "]";
    }
    return as_json(value);
  }

  std::string text_;
};

}  // namespace

std::string yaml_text(const Value& value) {
  YamlText yaml;
  yaml.write(value, 0);
  return yaml.text();
}

}  // namespace graspmap
