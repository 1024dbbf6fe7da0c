#include "grasp/app/program/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {
namespace {

using Option = boost::program_options::option_description;

/// An answer to the shell.
class Candidates {
 public:
  explicit Candidates(std::string_view typed) : typed_(typed) {}

  void take_from(std::string source) { source_ = std::move(source); }
  /// Adds a word if it begins with what is typed, once.
  void add(const std::string& word, std::string_view meaning = "") {
    if (!word.starts_with(typed_)) return;
    const std::string line = fmt::format("{} {}\n", word, meaning);
    if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(line);
  }
  [[nodiscard]] std::string text() const {
    std::string text = source_ + "\n";
    for (const std::string& line : lines_) text += line;
    return text;
  }

 private:
  std::string_view typed_;
  std::string source_ = "words";
  std::vector<std::string> lines_;
};

/// " .svg .png" for "FILE.svg|png"; "" for "FILE".
std::string endings(const std::string& name) {
  std::string text;
  std::istringstream parts(name);
  for (std::string part; std::getline(parts, part, '|');) {
    const std::size_t dot = part.rfind('.');
    const std::string ending = dot == std::string::npos ? part : part.substr(dot + 1);
    if (!ending.empty() && std::islower(static_cast<unsigned char>(ending.front())) != 0) {
      text += " ." + ending;
    }
  }
  return text;
}

/// Where the values of an option or operand come from, by the name that the help gives them.
void take_values_of(std::string name, Candidates& candidates) {
  std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
  if (name.ends_with("...")) name.erase(name.size() - 3);
  const auto is = [&](std::string_view other) { return name == other; };
  if (is("CONFIG") || is("SCENE")) {
    candidates.take_from("files .toml");
  } else if (is("EXPERIMENT")) {
    candidates.take_from("files .csv .toml");
  } else if (name.find("DIR") != std::string::npos || is("SHARD") || is("OUT") ||
             name.starts_with("RUN_")) {
    candidates.take_from("folders");
  } else if (name.starts_with("FILE") || !endings(name).empty()) {
    candidates.take_from("files" + endings(name));
  }
}

/// The next part of each key that begins with what is typed: "gripper." before its keys; then
/// "KEY=", then its words.
void add_keys(const std::vector<AskedKey>& keys, const std::string& typed, Candidates& candidates) {
  const std::size_t equals = typed.find('=');
  for (const AskedKey& key : keys) {
    if (equals != std::string::npos) {
      if (key.path != typed.substr(0, equals)) continue;
      for (const std::string& word : key.words) candidates.add(key.path + "=" + word);
    } else if (key.path.starts_with(typed)) {
      const std::size_t dot = key.path.find('.', typed.size());
      candidates.add(dot == std::string::npos ? key.path + "=" : key.path.substr(0, dot + 1));
    }
  }
}

bool takes_value(const Option& option) { return option.semantic()->max_tokens() > 0; }

/// A command line of one command on the way to its completion.
class CommandLine {
 public:
  CommandLine(const Command& command, const std::vector<std::string>& words)
      : command_(command), syntax_(syntax_of(command.run)), typed_(words.back()) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (open_option_ != nullptr) {
        open_option_ = nullptr;
      } else if (words[i].starts_with("--")) {
        const Option* option = option_named(words[i].substr(2));
        if (option != nullptr && takes_value(*option)) open_option_ = option;
      } else {
        operands_.push_back(words[i]);
      }
    }
  }

  [[nodiscard]] std::string completed() const {
    Candidates candidates(typed_);
    if (open_option_ != nullptr) {
      add_value(*open_option_, candidates);
    } else if (typed_.starts_with('-')) {
      add_options(candidates);
    } else {
      add_operand(candidates);
    }
    return candidates.text();
  }

 private:
  [[nodiscard]] const Option* option_named(const std::string& name) const {
    return syntax_.options.find_nothrow(name, false);
  }

  void add_value(const Option& option, Candidates& candidates) const {
    if (option.long_name() == "set" && command_.keys != nullptr) {
      add_keys(command_.keys(operands_.empty() ? "" : operands_.front()), typed_, candidates);
    } else {
      take_values_of(option.semantic()->name(), candidates);
    }
  }

  void add_options(Candidates& candidates) const {
    for (const auto& option : syntax_.options.options()) {
      candidates.add("--" + option->long_name(), option->description());
    }
    candidates.add("--help", "explain the command");
  }

  void add_operand(Candidates& candidates) const {
    if (command_.words != nullptr) {
      for (const std::string& word : command_.words()) candidates.add(word);
      return;
    }
    std::istringstream stream(syntax_.operands);
    std::vector<std::string> names;
    for (std::string name; stream >> name;) names.push_back(name);
    if (names.empty()) return;
    const bool any_number = names.back().find("...") != std::string::npos;
    if (operands_.size() >= names.size() && !any_number) return;
    take_values_of(names[std::min(operands_.size(), names.size() - 1)], candidates);
  }

  const Command& command_;
  CommandSyntax syntax_;
  std::string typed_;
  std::vector<std::string> operands_;
  const Option* open_option_ = nullptr;  ///< the last word is its value
};

}  // namespace

std::string completion(const Program& program, const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.front();
  if (words.size() > 1) {
    for (const Command& command : program.commands) {
      if (command.name == typed) {
        return CommandLine(command, {words.begin() + 1, words.end()}).completed();
      }
    }
    return Candidates("").text();
  }
  Candidates candidates(typed);
  for (const Command& command : program.commands) candidates.add(command.name, command.summary);
  if (typed.starts_with('-')) {
    candidates.add("--help", "list the commands");
    candidates.add("--version", "print release, commit and build");
  }
  return candidates.text();
}

}  // namespace graspmap
