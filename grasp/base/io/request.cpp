#include "grasp/base/io/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "grasp/base/io/number.hpp"

namespace graspmap {
namespace {

std::string sentence_of(const std::string& option, const std::string& problem,
                        const std::string& allowed) {
  return fmt::format("--{}: {}{}{}", option, problem,
                     problem.empty() || allowed.empty() ? "" : "; ",
                     allowed.empty() ? "" : "must be " + allowed);
}

}  // namespace

RequestError::RequestError(const std::string& what_is_wrong)
    : std::runtime_error(what_is_wrong), problem(what_is_wrong) {}

RequestError::RequestError(const std::string& field, const std::string& what_is_wrong,
                           const std::string& must_be)
    : std::runtime_error(sentence_of(field, what_is_wrong, must_be)),
      option(field),
      problem(what_is_wrong),
      allowed(must_be) {}

std::string option_of_key(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

const RequestValues::Given& RequestValues::given(const char* option) const {
  asked_.insert(option);
  const auto found = given_.find(option);
  if (found == given_.end()) throw std::logic_error(fmt::format("--{} is not given", option));
  return found->second;
}

const std::string& RequestValues::text(const char* option) const {
  const auto* value = std::get_if<std::string>(&given(option).value.content);
  if (value == nullptr) refuse(option, "a text");
  if (value->empty()) fail(fmt::format("--{} is empty", option));
  return *value;
}

std::vector<std::string> RequestValues::texts(const char* option) const {
  std::vector<std::string> texts;
  if (!has(option)) return texts;
  const auto* list = std::get_if<Value::List>(&given(option).value.content);
  if (list == nullptr) return {text(option)};
  for (const Value& element : *list) {
    const auto* text = std::get_if<std::string>(&element.content);
    if (text == nullptr) refuse(option, "a list of texts");
    texts.push_back(*text);
  }
  return texts;
}

std::vector<std::string> RequestValues::words(const char* option) const {
  if (std::holds_alternative<Value::List>(given(option).value.content)) return texts(option);
  return split_at(text(option), ',');
}

std::optional<double> RequestValues::number_in(const char* option, const Value& value) const {
  std::optional<double> number;
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    if (typed_) number = parse_number(*text);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value.content)) {
    number = static_cast<double>(*whole);
  } else if (const auto* real = std::get_if<double>(&value.content)) {
    number = *real;
  }
  if (!number || !std::isfinite(*number)) return std::nullopt;
  const double size = std::abs(*number);
  if (size != 0 && !(size >= kLeastSize && size <= kMostSize)) {
    refuse(option, fmt::format("0, or from {} to {:g} in size", kLeastSize, kMostSize));
  }
  return number;
}

std::vector<double> RequestValues::numbers(const char* option) const {
  const Value& value = given(option).value;
  Value::List list{value};
  if (typed_) {
    list = std::get<Value::List>(Value(split_at(text(option), ',')).content);
  } else if (const auto* several = std::get_if<Value::List>(&value.content)) {
    list = *several;
  }
  std::vector<double> numbers;
  for (const Value& element : list) {
    const std::optional<double> number = number_in(option, element);
    if (!number) refuse(option, "finite numbers separated by commas");
    numbers.push_back(*number);
  }
  if (numbers.empty()) refuse(option, "a number, or several");
  return numbers;
}

std::vector<std::array<double, 2>> RequestValues::points(const char* option) const {
  std::vector<Value::List> pairs;
  if (typed_) {
    for (const std::string& pair : split_at(text(option), ';')) {
      pairs.push_back(std::get<Value::List>(Value(split_at(pair, ',')).content));
    }
  } else if (const auto* list = std::get_if<Value::List>(&given(option).value.content)) {
    for (const Value& element : *list) {
      const auto* pair = std::get_if<Value::List>(&element.content);
      pairs.push_back(pair == nullptr ? *list : *pair);
      if (pair == nullptr) break;  // X,Y itself
    }
  }
  std::vector<std::array<double, 2>> points;
  for (const Value::List& pair : pairs) {
    const auto x = pair.size() == 2 ? number_in(option, pair[0]) : std::nullopt;
    const auto y = pair.size() == 2 ? number_in(option, pair[1]) : std::nullopt;
    if (!x || !y) refuse(option, "points X,Y in mm, separated by semicolons");
    points.push_back({*x, *y});
  }
  if (points.empty()) refuse(option, "points X,Y in mm");
  return points;
}

std::optional<std::pair<std::string, double>> RequestValues::named_number(
    const char* option) const {
  const auto* object = std::get_if<Object>(&given(option).value.content);
  if (object == nullptr) return std::nullopt;
  const bool is_one = object->fields.size() == 1;
  const auto number = is_one ? number_in(option, object->fields.front().value) : std::nullopt;
  if (!number) refuse(option, "one name with its number");
  return std::pair(object->fields.front().name, *number);
}

double RequestValues::number(const char* option) const {
  return number(option, "a number", [](double /*value*/) { return true; });
}

double RequestValues::number_at_least(const char* option, double least) const {
  return number(option, fmt::format("a number >= {}", least),
                [&](double value) { return value >= least; });
}

double RequestValues::positive_number(const char* option) const {
  return number(option, "a number > 0", [](double value) { return value > 0.0; });
}

std::size_t RequestValues::word(const char* option, const std::vector<std::string>& words) const {
  if (!has(option)) return 0;
  const auto found = std::find(words.begin(), words.end(), text(option));
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  refuse(option, words.size() == 2 ? fmt::format("{}", fmt::join(words, " or "))
                                   : fmt::format("one of {}", fmt::join(words, ", ")));
}

int RequestValues::count(const char* option, int fallback, int least, int most) const {
  if (!has(option)) return fallback;
  const Value& value = given(option).value;
  std::optional<std::int64_t> whole;
  if (const auto* number = std::get_if<std::int64_t>(&value.content)) whole = *number;
  if (typed_) whole = parse_integer(text(option));
  if (!whole || *whole < least || *whole > most) {
    refuse(option, fmt::format("a whole number from {} to {}", least, most));
  }
  return static_cast<int>(*whole);
}

void RequestValues::fail(const std::string& problem) const {
  raise(RequestError(problem));
  std::abort();  // GCC 12 does not see that the other does not return
}

void RequestValues::refuse(const char* option, const std::string& what) const {
  raise(RequestError(option, shown(option), what));
  std::abort();
}

void read_request(const RequestValues& values, const RequestFields& fields) {
  for (const RequestField& field : fields) {
    const std::string option = field.name();
    if (values.has(option.c_str())) field.read(values, option.c_str());
  }
}

RequestField pair_field(std::string form, std::optional<std::array<double, 2>>& member,
                        std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member](const RequestValues& values, const char* option) {
            const std::vector<double> numbers = values.numbers(option);
            if (numbers.size() > 2 || numbers.front() < 0 || numbers.back() < 0) {
              values.refuse(option, "one or two numbers >= 0: SX,SY (mm)");
            }
            member = {numbers.front(), numbers.back()};
          }};
}

namespace {

/// A field that is set to what `read` finds.
template <typename Member, typename Read>
RequestField read_field(std::string form, Member& member, Read read, std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member, read](const RequestValues& values, const char* option) {
            member = (values.*read)(option);
          }};
}

}  // namespace

RequestField text_field(std::string form, std::string& member, std::string meaning) {
  return read_field(std::move(form), member, &RequestValues::text, std::move(meaning));
}

RequestField texts_field(std::string form, std::vector<std::string>& member, std::string meaning) {
  return read_field(std::move(form), member, &RequestValues::texts, std::move(meaning));
}

RequestField words_field(std::string form, std::vector<std::string>& member, std::string meaning) {
  return read_field(std::move(form), member, &RequestValues::words, std::move(meaning));
}

RequestField points_field(std::string form, std::vector<std::array<double, 2>>& member,
                          std::string meaning) {
  return read_field(std::move(form), member, &RequestValues::points, std::move(meaning));
}

RequestField flag_field(std::string form, bool& member, std::string meaning) {
  return read_field(std::move(form), member, &RequestValues::has, std::move(meaning));
}

}  // namespace graspmap
