#include "grasp/base/process/examples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/errors.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

CommandSyntax examples_syntax() {
  CommandSyntax syntax{
      "examples", "",
      "Lists the example configurations that came with graspmap, each with its path and the\n"
      "first sentence of its text. They can be run where they are: results go to outputs/ in the\n"
      "current folder. With --out, copies all of them, with drawings, scenes and experiments, to\n"
      "a new folder, to be changed there.\n",
      "  graspmap examples\n"
      "  graspmap examples --out configs   # then: graspmap run configs/lock_piece.toml\n"};
  syntax.options.add_options()("out", po::value<std::string>()->value_name("DIR"),
                               "copy the examples to DIR, a folder that is new or empty");
  return syntax;
}

/// The first sentence of the comment that a file begins with; "" when there is none.
std::string title_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  for (std::string line; std::getline(stream, line) && line.starts_with("# ");) {
    text += line.substr(2) + " ";
    const std::size_t end = text.find_first_of(".:?");
    for (std::size_t i = end; i < text.size(); i = text.find_first_of(".:?", i + 1)) {
      if (text[i + 1] == ' ') return text.substr(0, text[i] == ':' ? i : i + 1);
    }
  }
  return text;
}

void list_examples(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::cout << fmt::format("{}\n    {}\n", file.string(), title_of(file));
  }
}

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw IoError(fmt::format("{}: cannot be read", file.string()));
  return text.str();
}

void copy_examples(const fs::path& folder, const fs::path& to) {
  std::error_code error;
  if (fs::exists(to, error) && (!fs::is_directory(to, error) || !fs::is_empty(to, error))) {
    throw ConfigError(fmt::format(
        "{}: is there already; --out must name a folder that is new or empty", to.string()));
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path file = to / fs::relative(entry.path(), folder);
    fs::create_directories(file.parent_path());
    write_file_atomically(file, content(entry.path()));
  }
  std::cout << fmt::format("Examples in {}\n", to.string());
}

}  // namespace

int examples_command(const std::vector<std::string>& args) {
  const Arguments arguments(examples_syntax(), args);
  if (arguments.help_printed()) return 0;
  const std::optional<fs::path> folder = examples_folder();
  if (!folder) {
    throw IoError(
        "the examples were not found: they are in share/graspmap/configs beside the folder of an "
        "installed graspmap");
  }
  if (arguments.has("out")) {
    copy_examples(*folder, arguments.text("out"));
  } else {
    list_examples(*folder);
  }
  return 0;
}

}  // namespace graspmap
