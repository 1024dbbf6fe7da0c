#include "grasp/app/commands/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cctype>
#include <cmath>
#include <iostream>
#include <iterator>
#include <sstream>

namespace graspmap {
namespace po = boost::program_options;
namespace {

constexpr const char* kOperand = "operand";

// No short options: "-3,-11" is a value.
constexpr int kStyle = po::command_line_style::allow_long |
                       po::command_line_style::long_allow_next |
                       po::command_line_style::long_allow_adjacent;

void print_help(const CommandSyntax& syntax) {
  std::cout << "Usage: " << syntax.program << syntax.name << " " << syntax.operands
            << " [options]\n\n"
            << syntax.summary << "\n";
  if (!syntax.options.options().empty()) std::cout << syntax.options << "\n";
  std::cout << "Examples:\n" << syntax.examples;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool is_optional(const std::string& operand_name) { return operand_name.starts_with('['); }

/// "TRIAL" for "[TRIAL]".
std::string without_brackets(const std::string& name) {
  return is_optional(name) ? name.substr(1, name.size() - 2) : name;
}

}  // namespace

Options::Options(std::initializer_list<std::pair<const char*, std::string>> list)
    : options_description("Options", kHelpColumns) {
  for (const auto& [form, meaning] : list) add_option(form, meaning);
}

void Options::add_option(const std::string& form, const std::string& meaning) {
  const std::vector<std::string> parts = parts_of(form);
  const std::string& name = parts.front();
  if (parts.size() == 1) {
    add_options()(name.c_str(), meaning.c_str());
  } else if (parts.size() == 2) {
    add_options()(name.c_str(), po::value<std::string>()->value_name(parts[1]), meaning.c_str());
  } else {
    add_options()(name.c_str(), po::value<std::vector<std::string>>()->value_name(parts[1]),
                  meaning.c_str());
  }
}

bool asks_for_help(const std::vector<std::string>& args) {
  return std::any_of(args.begin(), args.end(), [](const std::string& argument) {
    return argument == "--help" || argument == "-h";
  });
}

namespace {

/// The word that asks a command for its syntax. Nobody can type it: it is a NUL.
const std::string kAskForSyntax(1, '\0');

/// What Arguments throws as the answer.
struct SyntaxAnswer {
  CommandSyntax syntax;
};

}  // namespace

CommandSyntax syntax_of(int (*run)(const std::vector<std::string>& args)) {
  try {
    run({kAskForSyntax});
  } catch (const SyntaxAnswer& answer) {
    return answer.syntax;
  }
  throw std::logic_error("a command did not say its syntax");
}

Arguments::Arguments(const CommandSyntax& syntax, const std::vector<std::string>& args)
    : program_(syntax.program), command_(syntax.name) {
  if (!args.empty() && args.front() == kAskForSyntax) throw SyntaxAnswer{syntax};
  if (asks_for_help(args)) {
    print_help(syntax);
    help_printed_ = true;
    return;
  }
  try {
    parse(syntax, args);
  } catch (const po::error& error) {
    fail(error.what());
  }
}

Arguments::Arguments(const CommandSyntax& syntax, std::vector<std::string> operands,
                     const std::vector<Keyword>& keywords)
    : program_(syntax.program), command_(syntax.name), operands_(std::move(operands)) {
  for (const auto& option : syntax.options.options()) {
    std::string& name = keywords_[option->long_name()];
    name = option->long_name();
    std::replace(name.begin(), name.end(), '-', '_');
  }
  for (const Keyword& keyword : keywords) {
    if (!keyword.name.empty()) keywords_[keyword.option] = keyword.name;
    if (keyword.value.is_there()) given_[keyword.option] = {keyword.value, keyword.shown};
  }
}

void Arguments::parse(const CommandSyntax& syntax, const std::vector<std::string>& args) {
  po::options_description all(syntax.options);
  all.add_options()(kOperand, po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add(kOperand, -1);
  po::variables_map values;
  po::store(po::command_line_parser(args).options(all).positional(positional).style(kStyle).run(),
            values);
  for (const auto& [name, value] : values) {
    if (const auto* text = boost::any_cast<std::string>(&value.value())) {
      given_[name] = {*text, fmt::format("'{}'", *text)};
    } else if (const auto* list = boost::any_cast<std::vector<std::string>>(&value.value())) {
      given_[name] = {*list, fmt::format("'{}'", fmt::join(*list, " "))};
    } else {
      given_[name] = {true, ""};
    }
  }
  operands_ = texts(kOperand);
  check_operands(parts_of(syntax.operands));
}

void Arguments::check_operands(const std::vector<std::string>& names) const {
  for (const std::string& operand : operands_) {
    if (operand.starts_with('-')) fail(fmt::format("unknown option '{}'", operand));
  }
  if (operands_.size() < names.size() && !is_optional(names[operands_.size()])) {
    fail(fmt::format("{} is missing", names[operands_.size()]));
  }
  if (names.empty()) {
    if (!operands_.empty())
      fail(fmt::format("takes options only, but there is also '{}'", operand()));
    return;
  }
  const bool any_number = names.back().ends_with("...") || names.back().ends_with("...]");
  if (operands_.size() > names.size() && !any_number) {
    fail(fmt::format("one {} is enough, but there is also '{}'", without_brackets(names.back()),
                     operands_[names.size()]));
  }
}

const Arguments::Given& Arguments::given(const char* option) const {
  const auto found = given_.find(option);
  if (found == given_.end()) throw std::logic_error(fmt::format("--{} is not given", option));
  return found->second;
}

const std::string& Arguments::text(const char* option) const {
  const auto* value = std::get_if<std::string>(&given(option).value.content);
  if (value == nullptr) refuse(option, "a text");
  if (value->empty()) fail(fmt::format("--{} is empty", option));
  return *value;
}

std::vector<std::string> Arguments::texts(const char* option) const {
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

namespace {

/// The parts of a text between separators: one of an empty text.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

}  // namespace

std::vector<std::string> Arguments::words(const char* option) const {
  if (std::holds_alternative<Value::List>(given(option).value.content)) return texts(option);
  return split(text(option), ',');
}

std::optional<double> Arguments::number_in(const Value& value) const {
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    return keywords_.empty() ? parse_number(*text) : std::nullopt;
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value.content)) {
    return static_cast<double>(*whole);
  }
  const auto* number = std::get_if<double>(&value.content);
  return number != nullptr && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

std::vector<double> Arguments::numbers(const char* option) const {
  const Value& value = given(option).value;
  Value::List list{value};
  if (keywords_.empty()) {
    list = std::get<Value::List>(Value(split(text(option), ',')).content);
  } else if (const auto* several = std::get_if<Value::List>(&value.content)) {
    list = *several;
  }
  std::vector<double> numbers;
  for (const Value& element : list) {
    const std::optional<double> number = number_in(element);
    if (!number) refuse(option, "finite numbers separated by commas");
    numbers.push_back(*number);
  }
  if (numbers.empty()) refuse(option, "a number, or several");
  return numbers;
}

std::vector<std::array<double, 2>> Arguments::points(const char* option) const {
  std::vector<Value::List> pairs;
  if (keywords_.empty()) {
    for (const std::string& pair : split(text(option), ';')) {
      pairs.push_back(std::get<Value::List>(Value(split(pair, ',')).content));
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
    const auto x = pair.size() == 2 ? number_in(pair[0]) : std::nullopt;
    const auto y = pair.size() == 2 ? number_in(pair[1]) : std::nullopt;
    if (!x || !y) refuse(option, "points X,Y in mm, separated by semicolons");
    points.push_back({*x, *y});
  }
  if (points.empty()) refuse(option, "points X,Y in mm");
  return points;
}

std::optional<std::pair<std::string, double>> Arguments::named_number(const char* option) const {
  const auto* object = std::get_if<Object>(&given(option).value.content);
  if (object == nullptr) return std::nullopt;
  const bool is_one = object->fields.size() == 1;
  const auto number = is_one ? number_in(object->fields.front().value) : std::nullopt;
  if (!number) refuse(option, "one name with its number");
  return std::pair(object->fields.front().name, *number);
}

double Arguments::number(const char* option) const {
  return number(option, "a number", [](double /*value*/) { return true; });
}

double Arguments::number_at_least(const char* option, double least) const {
  return number(option, fmt::format("a number >= {}", least),
                [&](double value) { return value >= least; });
}

double Arguments::positive_number(const char* option) const {
  return number(option, "a number > 0", [](double value) { return value > 0.0; });
}

std::size_t Arguments::word(const char* option, const std::vector<std::string>& words) const {
  if (!has(option)) return 0;
  const auto found = std::find(words.begin(), words.end(), text(option));
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  refuse(option, words.size() == 2 ? fmt::format("{}", fmt::join(words, " or "))
                                   : fmt::format("one of {}", fmt::join(words, ", ")));
}

int Arguments::count(const char* option, int fallback, int least, int most) const {
  if (!has(option)) return fallback;
  const Value& value = given(option).value;
  std::optional<std::int64_t> whole;
  if (const auto* number = std::get_if<std::int64_t>(&value.content)) whole = *number;
  if (keywords_.empty()) whole = parse_integer(text(option));
  if (!whole || *whole < least || *whole > most) {
    refuse(option, fmt::format("a whole number from {} to {}", least, most));
  }
  return static_cast<int>(*whole);
}

int Arguments::threads() const { return count("threads", 0, 1, 1024); }

std::string Arguments::spelled(const std::string& message) const {
  std::string text = message;
  for (const auto& [option, keyword] : keywords_) {
    const std::string typed = "--" + option;
    for (std::size_t at = 0; (at = text.find(typed, at)) != std::string::npos;) {
      const std::size_t end = at + typed.size();
      const bool is_longer =
          end < text.size() &&
          (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-');
      const std::string_view before = std::string_view(text).substr(0, at);
      // Not what was given, or where another command is quoted.
      if (is_longer || before.ends_with('\'') || before.ends_with("graspmap run ")) {
        at = end;
      } else {
        text.replace(at, typed.size(), keyword);
      }
    }
  }
  return text;
}

void Arguments::fail(const std::string& problem) const {
  if (!keywords_.empty()) throw UsageError(spelled(problem));
  throw UsageError(fmt::format("{}: {} ({}{} --help)", command_, problem, program_, command_));
}

void Arguments::refuse(const char* option, const std::string& what) const {
  fail(fmt::format("--{}: {}; must be {}", option, shown(option), what));
}

}  // namespace graspmap
