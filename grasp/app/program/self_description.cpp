#include "grasp/app/program/self_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

/// Text as roff shows it unchanged: backslashes and minus signs are named, and a line that begins
/// like a request does not.
std::string roff(std::string_view text) {
  std::string result;
  bool at_line_start = true;
  for (const char c : text) {
    if (at_line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    at_line_start = c == '\n';
  }
  return result;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", roff(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", roff(text)); }

std::string section(std::string_view title) { return fmt::format(".SH {}\n", title); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// True when a paragraph ends with `line`: the first word of the next line would have fitted there.
bool ends_paragraph(const std::string& line, const std::string& next, std::size_t columns) {
  return line.size() + 1 + next.find_first_of(" \n") <= columns && line.ends_with('.');
}

/// Lines of a help text as paragraphs; lines that are indented keep their form.
std::string paragraphs(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  std::size_t columns = 0;
  for (const std::string& line : lines) columns = std::max(columns, line.size());
  std::string result;
  bool is_table = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const bool indented = line.starts_with(' ');
    if (indented != is_table) result += indented ? ".nf\n" : ".fi\n";
    is_table = indented;
    if (line.empty()) {
      result += ".PP\n";
      continue;
    }
    result += roff(line) + "\n";
    const bool goes_on = i + 1 < lines.size() && !lines[i + 1].empty();
    if (goes_on && !indented && !lines[i + 1].starts_with(' ') &&
        ends_paragraph(line, lines[i + 1], columns)) {
      result += ".PP\n";
    }
  }
  return is_table ? result + ".fi\n" : result;
}

/// Lines to copy, without the two blanks that each begins with.
std::string examples(const std::string& text) {
  std::string result = ".nf\n";
  for (const std::string& line : lines_of(text)) {
    result += roff(line.starts_with("  ") ? line.substr(2) : line) + "\n";
  }
  return result + ".fi\n";
}

std::string item(const std::string& tag, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", tag, roff(text));
}

using Option = boost::program_options::option_description;

bool takes_value(const Option& option) { return option.semantic()->max_tokens() > 0; }

std::string option_items(const CommandSyntax& syntax) {
  std::string text;
  for (const auto& option : syntax.options.options()) {
    std::string tag = bold("--" + option->long_name());
    if (takes_value(*option)) tag += " " + italic(option->semantic()->name());
    text += item(tag, option->description());
  }
  return text + item(bold("--help"), "print this text, shorter, and end");
}

/// "[TRIAL]" in italics, its brackets not.
std::string operands(std::string_view text) {
  std::string result;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) result += italic(word);
    word.clear();
  };
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    end_word();
    result += roff(std::string_view(&c, 1));
  }
  end_word();
  return result;
}

std::string page_name(const Program& program, const Command& command) {
  return fmt::format("{}-{}", program.name, command.syntax.name);
}

/// `text`, of ASCII letters, in capitals.
std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string head(const std::string& name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"graspmap {}\" \"User Commands\"\n.nh\n.ad l\n{}{} \\- {}\n",
                     roff(capitals(name)), version(), section("NAME"), roff(name), roff(summary));
}

std::string exit_codes() {
  return section("EXIT STATUS") + item("0", "done") +
         item("1",
              "the machine could not do it, such as a full disk; simulate: a step was not solved") +
         item("2", "something in the command line or an input file is wrong; one line says what") +
         item("3", "replay: other bits than those stored; validate: a row fails") +
         item("70", "a bug in graspmap") +
         item("128 + signal", "interrupted: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP");
}

/// Commands whose help names this program: others have their page there.
bool is_own(const Program& program, const Command& command) {
  return command.syntax.program == std::string(program.name) + " ";
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string text = section("SEE ALSO");
  for (std::size_t i = 0; i < pages.size(); ++i) {
    text += fmt::format(".BR {} (1){}\n", roff(pages[i]), i + 1 < pages.size() ? "," : "");
  }
  return text + ".PP\nThe documentation is in " + italic("/usr/share/doc/graspmap") + ".\n";
}

/// "graspmap" for graspmap-lab, and the other way round.
std::string other_page(const Program& program) {
  return program.other_program != nullptr ? program.other_program : "graspmap";
}

}  // namespace

std::string program_page(const Program& program) {
  const std::string name = program.name;
  std::string text = head(name, program.purpose);
  text += section("SYNOPSIS") +
          fmt::format("{} {} [{}]\n.br\n", bold(name), italic("COMMAND"), italic("options"));
  text += fmt::format("{} {} {}\n.br\n{} {}\n", bold(name), italic("COMMAND"), bold("--help"),
                      bold(name), bold("--version"));
  text += section("DESCRIPTION") + paragraphs(program.summary);
  text += section("COMMANDS");
  std::vector<std::string> pages = {other_page(program)};
  for (const Command& command : program.commands) {
    const std::string page = is_own(program, command)
                                 ? page_name(program, command)
                                 : fmt::format("graspmap-{}", command.syntax.name);
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page), roff(command.syntax.purpose));
  }
  text += section("EXAMPLES") + examples(std::string("  ") + program.example + "\n");
  text += exit_codes();
  text += section("FILES") +
          item(italic("/usr/share/graspmap/configs"),
               "examples; graspmap examples lists and copies them") +
          item(italic("outputs/NAME"), "where results go, in the current folder");
  return text + see_also(pages);
}

std::string command_page(const Program& program, const Command& command) {
  const CommandSyntax& syntax = command.syntax;
  std::string text = head(page_name(program, command), command.syntax.purpose);
  text += section("SYNOPSIS") + fmt::format("{} {}", bold(program.name), bold(command.syntax.name));
  if (*syntax.operands != '\0') text += fmt::format(" {}", operands(syntax.operands));
  text += fmt::format(" [{}]\n", italic("options"));
  text += section("DESCRIPTION") + paragraphs(syntax.summary);
  text += section("OPTIONS") + option_items(syntax);
  text += section("EXAMPLES") + examples(syntax.examples);
  return text + exit_codes() + see_also({program.name, other_page(program)});
}

void write_man_pages(const Program& program, const std::string& folder) {
  const std::filesystem::path to = folder;
  write_file_atomically(to / (std::string(program.name) + ".1"), program_page(program));
  for (const Command& command : program.commands) {
    if (!is_own(program, command)) continue;
    write_file_atomically(to / (page_name(program, command) + ".1"),
                          command_page(program, command));
  }
}

namespace {

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
  for (const std::string& part : split_at(name, '|')) {
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

/// A command line of one command on the way to its completion.
class CommandLine {
 public:
  CommandLine(const Command& command, const std::vector<std::string>& words)
      : command_(command), syntax_(command.syntax), typed_(words.back()) {
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
  const CommandSyntax& syntax_;
  std::string typed_;
  std::vector<std::string> operands_;
  const Option* open_option_ = nullptr;  ///< the last word is its value
};

}  // namespace

std::string completion(const Program& program, const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.front();
  if (words.size() > 1) {
    for (const Command& command : program.commands) {
      if (command.syntax.name == typed) {
        return CommandLine(command, {words.begin() + 1, words.end()}).completed();
      }
    }
    return Candidates("").text();
  }
  Candidates candidates(typed);
  for (const Command& command : program.commands)
    candidates.add(command.syntax.name, command.syntax.purpose);
  if (typed.starts_with('-')) {
    candidates.add("--help", "list the commands");
    candidates.add("--version", "print release, commit and build");
  }
  return candidates.text();
}

}  // namespace graspmap
