#include "grasp/app/commands/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
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

std::vector<std::string> words(const std::string& text) {
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
  const std::vector<std::string> parts = words(form);
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

void Arguments::parse(const CommandSyntax& syntax, const std::vector<std::string>& args) {
  po::options_description all(syntax.options);
  all.add_options()(kOperand, po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add(kOperand, -1);
  po::store(po::command_line_parser(args).options(all).positional(positional).style(kStyle).run(),
            values_);
  operands_ = texts(kOperand);
  check_operands(words(syntax.operands));
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

const std::string& Arguments::text(const char* option) const {
  const auto& value = values_[option].as<std::string>();
  if (value.empty()) fail(fmt::format("--{} is empty", option));
  return value;
}

std::vector<std::string> Arguments::texts(const char* option) const {
  if (!has(option)) return {};
  return values_[option].as<std::vector<std::string>>();
}

std::vector<double> Arguments::numbers(const char* option) const {
  std::vector<double> numbers;
  std::string_view rest = text(option);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::optional<double> number = parse_number(rest.substr(0, comma));
    if (!number) refuse(option, "finite numbers separated by commas");
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return numbers;
    rest.remove_prefix(comma + 1);
  }
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
  const std::optional<std::int64_t> value = parse_integer(text(option));
  if (!value || *value < least || *value > most) {
    refuse(option, fmt::format("a whole number from {} to {}", least, most));
  }
  return static_cast<int>(*value);
}

int Arguments::threads() const { return count("threads", 0, 1, 1024); }

void Arguments::fail(const std::string& problem) const {
  throw UsageError(fmt::format("{}: {} ({}{} --help)", command_, problem, program_, command_));
}

void Arguments::refuse(const char* option, const std::string& what) const {
  fail(fmt::format("--{}: '{}'; must be {}", option, text(option), what));
}

}  // namespace graspmap
