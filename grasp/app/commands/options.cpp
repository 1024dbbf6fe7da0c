#include "grasp/app/commands/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cctype>
#include <iostream>
#include <iterator>
#include <sstream>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace po = boost::program_options;
namespace {

constexpr const char* kOperand = "operand";
constexpr const char* kOut = "out";
constexpr unsigned kHelpColumns = 90;  ///< the longest line of a help text

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

void Options::add_fields(const RequestFields& fields) {
  for (const RequestField& field : fields) add_option(field.form, field.meaning);
}

namespace {

/// "position_sigma_mm" of "position-sigma-mm".
std::string key_of_option(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

/// "; did you mean --position-sigma-mm?" of --sigma: an option spelled like it, or that has it
/// among its words; nothing without one.
std::string suggested_option(const CommandSyntax& syntax, const std::string& unknown) {
  std::vector<std::string> keys;
  for (const auto& option : syntax.options.options()) {
    keys.push_back(key_of_option(option->long_name()));
  }
  std::string key = key_of_option(unknown);
  key.erase(0, key.find_first_not_of('_'));
  const auto has_word = [&](const std::string& other) {
    return ("_" + other + "_").find("_" + key + "_") != std::string::npos;
  };
  auto meant = std::find_if(keys.begin(), keys.end(), has_word);
  if (meant == keys.end()) {
    const auto near = suggest_key(key, {keys.begin(), keys.end()});
    if (near) meant = std::find(keys.begin(), keys.end(), near->key);
  }
  if (key.empty() || meant == keys.end()) return "";
  return fmt::format("; did you mean --{}?", option_of_key(*meant));
}

}  // namespace

bool asks_for_help(const std::vector<std::string>& args) {
  return std::any_of(args.begin(), args.end(), [](const std::string& argument) {
    return argument == "--help" || argument == "-h";
  });
}

Arguments::Arguments(const CommandSyntax& syntax, const std::vector<std::string>& args)
    : program_(syntax.program), command_(syntax.name) {
  if (asks_for_help(args)) {
    print_help(syntax);
    help_printed_ = true;
    return;
  }
  try {
    parse(syntax, args);
  } catch (const po::unknown_option& error) {
    fail(error.what() + suggested_option(syntax, error.get_option_name()));
  } catch (const po::error& error) {
    fail(error.what());
  }
}

Arguments::Arguments(const CommandSyntax& syntax, std::vector<std::string> operands,
                     const std::vector<Keyword>& keywords)
    : program_(syntax.program), command_(syntax.name), operands_(std::move(operands)) {
  typed_ = false;
  for (const auto& option : syntax.options.options()) {
    keywords_[option->long_name()] = key_of_option(option->long_name());
  }
  for (const Keyword& keyword : keywords) {
    if (!keyword.name.empty()) keywords_[keyword.option] = keyword.name;
    if (keyword.value.is_there()) given_[keyword.option] = {keyword.value, keyword.shown};
  }
}

void Arguments::parse(const CommandSyntax& syntax, std::vector<std::string> args) {
  // What earlier versions called it.
  std::replace(args.begin(), args.end(), std::string("--at"), std::string("--placement"));
  po::options_description all(syntax.options);
  all.add_options()(kOperand, po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add(kOperand, -1);
  po::variables_map values;
  po::store(po::command_line_parser(args).options(all).positional(positional).style(kStyle).run(),
            values);
  const auto check_value = [&](const std::string& name, const std::string& word) {
    if (!word.starts_with("--")) return;
    fail(fmt::format("--{}: '{}'; must be a value, not an option", name, word));
  };
  for (const auto& [name, value] : values) {
    if (const auto* text = boost::any_cast<std::string>(&value.value())) {
      check_value(name, *text);
      given_[name] = {*text, fmt::format("'{}'", *text)};
    } else if (const auto* list = boost::any_cast<std::vector<std::string>>(&value.value())) {
      for (const std::string& element : *list) check_value(name, element);
      given_[name] = {*list, fmt::format("'{}'", fmt::join(*list, " "))};
    } else {
      given_[name] = {true, ""};
    }
  }
  operands_ = texts(kOperand);
  check_operands(parts_of(syntax.operands));
  for (const char* option : {kOut, "draw", "csv", "predict"}) {
    if (!has(option)) continue;
    const bool is_folder = syntax.options.find(option, false).semantic()->name() == "DIR";
    check_place(option, text(option), is_folder);
  }
  if (has(kOut)) check_not_needed(text(kOut));
}

void Arguments::check_place(const char* option, const std::filesystem::path& path,
                            bool is_folder) const {
  std::error_code ignored;
  if (!is_folder && std::filesystem::is_directory(path, ignored)) {
    refuse(option, "a file; it is a folder");
  }
  std::filesystem::path folder = is_folder ? path : path.parent_path();
  // A folder is made, with those that it lies in.
  while (is_folder && !folder.empty() && !std::filesystem::exists(folder, ignored)) {
    folder = folder.parent_path();
  }
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return;
  refuse(option,
         fmt::format("{}; '{}' is {}", is_folder ? "a folder" : "in a folder that is there",
                     folder.string(), std::filesystem::exists(folder, ignored) ? "a file" : "not"));
}

void Arguments::refuse_any(std::initializer_list<const char*> options, const char* reason) const {
  for (const char* option : options) {
    if (has(option)) fail(fmt::format("--{} {}", option, reason));
  }
}

void Arguments::check_not_needed(const std::filesystem::path& file) const {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return;
  const auto refuse_file = [&](const char* what) {
    fail(fmt::format("--{}: '{}'; must be another file than {}", kOut, file.string(), what));
  };
  const auto check = [&](const Value& value) {
    const auto* word = std::get_if<std::string>(&value.content);
    if (word != nullptr && std::filesystem::equivalent(file, *word, ignored)) {
      refuse_file("what is read");
    }
  };
  for (const auto& [name, given] : given_) {
    if (name == kOut) continue;
    check(given.value);
    if (const auto* list = std::get_if<Value::List>(&given.value.content)) {
      std::for_each(list->begin(), list->end(), check);
    }
  }
  if (file_kind_of(file).starts_with("an SQLite database")) refuse_file("a run's store");
  const bool is_of_run =
      std::filesystem::exists(file.parent_path() / run_files::kStore, ignored) &&
      (file.filename() == run_files::kConfig || file.filename() == run_files::kMap ||
       file.filename() == run_files::kSummary);
  if (is_of_run) refuse_file("a run's own");
}

void Arguments::check_operands(const std::vector<std::string>& names) const {
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    if (operands_[i].starts_with('-')) fail(fmt::format("unknown option '{}'", operands_[i]));
    if (!operands_[i].empty() || names.empty()) continue;
    fail(fmt::format("{} is empty", without_brackets(names[std::min(i, names.size() - 1)])));
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
      const std::size_t line = before.rfind('\n') + 1;
      // Not what was given, or in a command that is quoted.
      if (is_longer || before.ends_with('\'') ||
          before.find("graspmap ", line) != std::string_view::npos) {
        at = end;
      } else {
        text.replace(at, typed.size(), keyword);
      }
    }
  }
  return text;
}

void Arguments::raise(const RequestError& error) const {
  if (!typed_) throw UsageError(spelled(error.what()));
  throw UsageError(fmt::format("{}: {} ({}{} --help)", command_, error.what(), program_, command_));
}

void warn_of(const std::vector<ConfigFault>& faults) {
  for (const ConfigFault& fault : faults) {
    std::cerr << fmt::format("graspmap: warning: {}\n", fault.sentence());
  }
}

}  // namespace graspmap
