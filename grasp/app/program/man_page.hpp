#pragma once

#include <string>

#include "grasp/app/program/program.hpp"

namespace graspmap {

/// The man page of a program: its commands, its files, exit codes.
std::string program_page(const Program& program);

/// The man page of a command, from what its help says.
std::string command_page(const Program& program, const Command& command);

/// Writes NAME.1 into a folder for the program and for each of its own commands: those whose help
/// does not name another program. Throws IoError.
void write_man_pages(const Program& program, const std::string& folder);

}  // namespace graspmap
