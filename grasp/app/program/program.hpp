#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grasp/app/commands/commands.hpp"

namespace graspmap {

/// A program with subcommands.
struct Program {
  const char* name;
  const char* purpose;  ///< what it does, in a few words
  const char* summary;  ///< what it is for: lines of its help
  const char* example;  ///< a line to copy
  std::vector<Command> commands;
  const char* other_program = nullptr;        ///< that has the commands below
  std::vector<const char*> other_commands{};  ///< answered with one line that names it
};

/// Runs a program's command line, from argv on, and returns its exit code. --help and --version are
/// answered here, and what the build and shells ask (README.md); each kind of error is one line on
/// standard error (guarded_main).
int run_program(const Program& program, int argc, char** argv);

inline constexpr int kExitIo = 1;         ///< the machine could not do it
inline constexpr int kExitBadInput = 2;   ///< a person should change something
inline constexpr int kExitInternal = 70;  ///< our bug

/// Runs a program's command line and returns its exit code. The one place where errors end: each
/// kind of error is one line on standard error and has its exit code.
int guarded_main(const std::vector<std::string>& args,
                 const std::function<int(const std::vector<std::string>&)>& run);

}  // namespace graspmap
