#pragma once

#include <array>
#include <boost/program_options/options_description.hpp>
#include <initializer_list>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/number.hpp"
#include "grasp/base/io/result.hpp"

namespace graspmap {

/// What was typed is no command that can be run. Exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The longest line of a help text.
inline constexpr unsigned kHelpColumns = 90;

/// Whether --help or -h is among the words of a command.
bool asks_for_help(const std::vector<std::string>& args);

/// The options of a command: {"quiet", "show no progress"}, {"out FILE", "write FILE"}, or
/// {"set KEY=VALUE ...", "override a key"} for one that may be repeated.
class Options : public boost::program_options::options_description {
 public:
  Options(std::initializer_list<std::pair<const char*, std::string>> list = {});
  void add_option(const std::string& form, const std::string& meaning);
};

/// A subcommand as its help shows it.
struct CommandSyntax {
  const char* name;  ///< "run"
  /// What comes without an option: "CONFIG"; "OUT SHARD...": 2 or more; "RUNDIR [TRIAL]": 1 or 2;
  /// "[ID...]": any number; "": nothing.
  const char* operands;
  const char* summary;   ///< what it does
  const char* examples;  ///< lines to copy
  Options options{};
  /// What is typed before the name; "": the command is a program of its own.
  const char* program = "graspmap ";
};

/// The syntax of a command, asked of its function.
CommandSyntax syntax_of(int (*run)(const std::vector<std::string>& args));

/// What a keyword of a Python function gives for an option.
struct Keyword {
  std::string option;  ///< "position-sigma-mm"
  std::string name;    ///< as it is called there: "sigma_mm"
  Value value;         ///< true, a number, a text, a list of them, or an object of numbers
  std::string shown;   ///< how Python shows it
};

/// What a command was asked: a parsed command line, or keywords of Python. Values are read with the
/// functions below, which throw UsageError naming the option, what it was given, and what is
/// allowed.
class Arguments {
 public:
  /// Parses "[options] OPERANDS" in any order. Options begin with "--"; their values may begin with
  /// a minus sign. Throws UsageError in one line: an unknown option, a missing value or operand.
  Arguments(const CommandSyntax& syntax, const std::vector<std::string>& args);
  Arguments(const CommandSyntax& syntax, std::vector<std::string> operands,
            const std::vector<Keyword>& keywords);

  /// True when help was asked for, and printed.
  [[nodiscard]] bool help_printed() const { return help_printed_; }
  /// The first operand, or the only one.
  [[nodiscard]] const std::string& operand() const { return operands_.front(); }
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }
  [[nodiscard]] bool has(const char* option) const { return given_.contains(option); }

  /// The text of an option that is there; must not be empty.
  [[nodiscard]] const std::string& text(const char* option) const;
  /// Its words, separated by commas.
  [[nodiscard]] std::vector<std::string> words(const char* option) const;
  /// All texts of an option that may be repeated; none when it is not there.
  [[nodiscard]] std::vector<std::string> texts(const char* option) const;
  /// The numbers of an option, separated by commas.
  [[nodiscard]] std::vector<double> numbers(const char* option) const;
  /// Its points X,Y, separated by semicolons; of Python one pair, or several.
  [[nodiscard]] std::vector<std::array<double, 2>> points(const char* option) const;
  /// A keyword's dict of one number, {"jaw_friction": 0.05}; nothing of a text.
  [[nodiscard]] std::optional<std::pair<std::string, double>> named_number(
      const char* option) const;
  /// A whole number from `least` to `most`; `fallback` when the option is not there.
  [[nodiscard]] int count(const char* option, int fallback, int least, int most) const;
  /// A finite number that `is_allowed`; `what` says which are: "a number > 0".
  template <typename IsAllowed>
  [[nodiscard]] double number(const char* option, const std::string& what,
                              IsAllowed is_allowed) const {
    const std::optional<double> value = number_in(given(option).value);
    if (!value || !is_allowed(*value)) refuse(option, what);
    return *value;
  }
  [[nodiscard]] double number(const char* option) const;
  [[nodiscard]] double number_at_least(const char* option, double least) const;
  [[nodiscard]] double positive_number(const char* option) const;
  /// The place of an option's word in a list; 0 when the option is not there.
  [[nodiscard]] std::size_t word(const char* option, const std::vector<std::string>& words) const;
  /// --threads: 1 to 1024, or 0 when it is not there.
  [[nodiscard]] int threads() const;

  /// What the option was given, for a message.
  [[nodiscard]] const std::string& shown(const char* option) const { return given(option).shown; }
  /// A message in which options are called as the caller calls them: "--with", or "with_".
  [[nodiscard]] std::string spelled(const std::string& message) const;
  /// Throws UsageError "COMMAND: problem (...)", of Python "problem".
  [[noreturn]] void fail(const std::string& problem) const;
  /// The same for the text of an option: "--OPTION: 'TEXT'; must be WHAT".
  [[noreturn]] void refuse(const char* option, const std::string& what) const;

 private:
  struct Given {
    Value value;
    std::string shown;
  };

  void parse(const CommandSyntax& syntax, const std::vector<std::string>& args);
  void check_operands(const std::vector<std::string>& names) const;
  [[nodiscard]] const Given& given(const char* option) const;  ///< must be there
  /// From a command line, the text is read.
  [[nodiscard]] std::optional<double> number_in(const Value& value) const;

  std::string program_;
  std::string command_;
  std::vector<std::string> operands_;
  bool help_printed_ = false;
  std::map<std::string, Given, std::less<>> given_;
  /// What each option is called in Python; empty for a command line.
  std::map<std::string, std::string> keywords_;
};

}  // namespace graspmap
