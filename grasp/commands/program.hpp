#pragma once

#include <string>
#include <vector>

#include "grasp/commands/commands.hpp"

namespace graspmap {

/// A command that another program has.
struct MovedCommand {
  const char* name;
  const char* program;
};

/// A program with subcommands.
struct Program {
  const char* name;
  const char* summary;  ///< what it is for: lines of its help
  const char* example;  ///< a line to copy
  std::vector<Command> commands;
  std::vector<MovedCommand> moved;
};

/// Runs a program's command line, from argv on, and returns its exit code. --help and --version are
/// answered here; each kind of error is one line on standard error (guarded_main).
int run_program(const Program& program, int argc, char** argv);

}  // namespace graspmap
