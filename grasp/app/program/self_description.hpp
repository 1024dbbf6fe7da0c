#pragma once

#include <string>
#include <vector>

#include "grasp/app/program/program.hpp"

namespace graspmap {

/// The man page of a program: its commands, its files, exit codes.
std::string program_page(const Program& program);

/// The man page of a command, from what its help says.
std::string command_page(const Program& program, const Command& command);

/// Writes NAME.1 into a folder for the program and for each of its own commands: those whose help
/// does not name another program. Throws IoError.
void write_man_pages(const Program& program, const std::string& folder);

/// What may stand at the end of a command line. The first line says where more comes from: "words"
/// (from nowhere), "files .toml .csv" (files with these endings, or all) or "folders". A line for
/// each word follows, with a blank and what it means. A word that ends with '=' or '.' continues.
/// `words` is what is typed after the program's name; the last is not finished, and may be empty.
std::string completion(const Program& program, const std::vector<std::string>& words);

}  // namespace graspmap
