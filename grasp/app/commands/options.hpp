#pragma once

#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/request.hpp"

namespace graspmap {

/// What was typed is no command that can be run. Exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The options of a command: {"quiet", "show no progress"}, {"out FILE", "write FILE"}, or
/// {"set KEY=VALUE ...", "override a key"} for one that may be repeated.
class Options : public boost::program_options::options_description {
 public:
  Options(std::initializer_list<std::pair<const char*, std::string>> list = {});
  void add_option(const std::string& form, const std::string& meaning);
  void add_fields(const RequestFields& fields);
};

/// A subcommand as its help shows it.
struct CommandSyntax {
  const char* name;          ///< "run"
  const char* purpose = "";  ///< a line for the program's help
  /// What comes without an option: "CONFIG"; "OUT SHARD...": 2 or more; "RUNDIR [TRIAL]": 1 or 2;
  /// "[ID...]": any number; "": nothing.
  const char* operands = "";
  const char* summary = "";   ///< what it does
  const char* examples = "";  ///< lines to copy
  Options options{};
  /// What is typed before the name; "": the command is a program of its own.
  const char* program = "graspmap ";
};

/// What a keyword of a Python function gives for an option.
struct Keyword {
  std::string option;  ///< "position-sigma-mm"
  std::string name;    ///< as it is called there: "sigma_mm"
  Value value;         ///< true, a number, a text, a list of them, or an object of numbers
  std::string shown;   ///< how Python shows it
};

/// Whether --help or -h is among the words of a command.
bool asks_for_help(const std::vector<std::string>& args);

/// What a command was asked: a parsed command line, or keywords of Python. What is not allowed
/// becomes a UsageError.
class Arguments final : public RequestValues {
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
  /// --threads: 1 to 1024, or 0 when it is not there.
  [[nodiscard]] int threads() const { return count("threads", 0, 1, 1024); }

  /// Throws UsageError "--OPTION REASON" when one of these is there.
  void refuse_any(std::initializer_list<const char*> options, const char* reason) const;

  /// Throws UsageError where a file that is about to be written is there, and is what the command
  /// reads, a run's store, or a file that a run needs: "--out: 'lab.csv'; must be another file than
  /// what is read".
  void check_not_needed(const std::filesystem::path& file) const;

  /// A message in which options are called as the caller calls them: "--with", or "with_".
  [[nodiscard]] std::string spelled(const std::string& message) const;
  /// Throws UsageError "COMMAND: SENTENCE (...)", of Python "SENTENCE".
  [[noreturn]] void raise(const RequestError& error) const override;
  /// What `answer` returns; a RequestError of it becomes a UsageError.
  template <typename Answer>
  auto answered(const Answer& answer) const {
    try {
      return answer();
    } catch (const RequestError& error) {
      if (error.problem.empty()) refuse(error.option.c_str(), error.allowed);
      raise(error);
    }
  }

 private:
  void parse(const CommandSyntax& syntax, std::vector<std::string> args);
  void check_operands(const std::vector<std::string>& names) const;
  /// Throws UsageError where an output cannot lie, a file or a folder that is made.
  void check_place(const char* option, const std::filesystem::path& path, bool is_folder) const;

  std::string program_;
  std::string command_;
  std::vector<std::string> operands_;
  bool help_printed_ = false;
  /// What each option is called in Python; empty for a command line.
  std::map<std::string, std::string> keywords_;
};

/// Prints faults that do not stop a command, a line of warning each.
void warn_of(const std::vector<ConfigFault>& faults);

}  // namespace graspmap
