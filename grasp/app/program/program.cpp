#include "grasp/app/program/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <new>
#include <system_error>

#include "grasp/app/commands/options.hpp"
#include "grasp/app/program/self_description.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/mpi/communicator.hpp"
#include "grasp/sweep/mpi/ranks.hpp"

namespace graspmap {
namespace {

std::string help(const Program& program) {
  std::string text = fmt::format("{}\nCommands:\n", program.summary);
  for (const Command& command : program.commands) {
    text +=
        fmt::format("  {} {:<14} {}\n", program.name, command.syntax.name, command.syntax.purpose);
  }
  text += fmt::format("\nExample:\n  {}\n\n", program.example);
  text +=
      fmt::format("`{0} COMMAND --help` explains a command; `{0} --version` prints the version.\n",
                  program.name);
  if (program.other_program != nullptr) {
    text += fmt::format("Commands of {}: {}.\n", program.other_program,
                        fmt::join(program.other_commands, ", "));
  }
  return text;
}

constexpr const char* kHelp = "help";

/// What the build and the completion functions of shells ask; no help lists them.
constexpr const char* kComplete = "__complete";
constexpr const char* kManPages = "__man-pages";

/// Release, commit and MPI; how it was built; and why the commit is not known, if so.
std::string version_text(const Program& program) {
  const std::string mpi = mpi_library();
  std::string text = fmt::format("{} {} ({}), {}\nbuilt with {}\n", program.name, version(),
                                 git_commit(), mpi.empty() ? "without MPI" : mpi, build_text());
  if (git_commit() == std::string("unknown")) {
    text += "from a source archive outside of git: the commit is not known\n";
  }
  return text;
}

/// True when this process has nothing to do, because a launcher of MPI programs began several for
/// what is done by one, and this is not the one that says so. Throws UsageError in the one that is.
bool is_superfluous(const std::vector<std::string>& args) {
  const auto launch = mpi_launch();
  if (!launch) return false;
  const bool is_help = asks_for_help(args);
  const bool has_mpi = !mpi_library().empty();
  if (has_mpi && !is_help && (args.front() == "run" || args.front() == "design")) return false;
  if (launch->rank > 0) return true;
  if (is_help) return false;
  throw UsageError(
      fmt::format("begun as {} MPI processes, but {}", launch->size,
                  has_mpi ? "only `graspmap run` and `graspmap design` work as several"
                          : "this graspmap was built without MPI (cmake -DGRASPMAP_MPI=ON)"));
}

/// "; did you mean plan?", or nothing when no command, or option, is spelled like it.
std::string suggestion(const Program& program, const std::string& name) {
  std::vector<std::string_view> names(program.other_commands.begin(), program.other_commands.end());
  for (const Command& command : program.commands) names.emplace_back(command.syntax.name);
  names.insert(names.end(), {kHelp, "--help", "--version"});
  const auto near = suggest_key(name, names);
  return near ? fmt::format("; did you mean {}?", near->key) : "";
}

int run_named_command(const Program& program, const std::string& name,
                      const std::vector<std::string>& args) {
  for (const Command& command : program.commands) {
    if (command.syntax.name == name) return command.run(args);
  }
  for (const char* other : program.other_commands) {
    if (other == name) {
      throw UsageError(
          fmt::format("{0} is a command of another program: {1} {0}", name, program.other_program));
    }
  }
  const char* kind = name.starts_with('-') ? "option" : "command";
  throw UsageError(fmt::format("unknown {} '{}'{} ({} --help)", kind, name,
                               suggestion(program, name), program.name));
}

int run_command_line(const Program& program, const std::vector<std::string>& args) {
  if (args.empty()) {
    std::cerr << help(program);
    return kExitBadInput;
  }
  if (args.front() == kHelp && args.size() > 1) {
    return run_named_command(program, args[1], {"--help"});
  }
  if (args.front() == kHelp || args.front() == "--help" || args.front() == "-h") {
    std::cout << help(program);
    return 0;
  }
  if (args.front() == "--version") {
    std::cout << version_text(program);
    return 0;
  }
  if (args.front() == kComplete) {
    std::cout << completion(program, {args.begin() + 1, args.end()});
    return 0;
  }
  if (args.front() == kManPages && args.size() == 2) {
    write_man_pages(program, args.back());
    return 0;
  }
  if (is_superfluous(args)) return 0;
  return run_named_command(program, args.front(), {args.begin() + 1, args.end()});
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  return guarded_main({argv + 1, argv + argc}, [&](const std::vector<std::string>& args) {
    return run_command_line(program, args);
  });
}

namespace {

int report(int code, const char* kind, const std::exception& error) {
  std::cerr << "graspmap: " << kind << ": " << printable(error.what()) << "\n";
  return code;
}

/// True when standard output is a pipe that nobody reads any more.
bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

int guarded_main(const std::vector<std::string>& args,
                 const std::function<int(const std::vector<std::string>&)>& run) {
  // A limit on the size of files is an error of `write`, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  // Nor does a reader that goes away, as `head` does: the files are still completed.
  std::signal(SIGPIPE, SIG_IGN);
  // mpirun ends all ranks when one has ended: the first one says why.
  const auto launch = mpi_launch();
  const EndOnSignal end_on_signal(!launch || launch->rank == 0);
  const PrintableStream printable_output(std::cout);
  const PrintableStream printable_errors(std::cerr, true);
  try {
    const int code = run(args);
    // What was printed must have arrived: a full disk behind a redirection is an error.
    if (!std::cout.flush() && !reader_is_gone()) {
      throw IoError("standard output: cannot be written");
    }
    return code;
  } catch (const UsageError& error) {
    return report(kExitBadInput, "error", error);
  } catch (const ConfigError& error) {
    for (const ConfigFault& fault : error.faults()) {
      std::cerr << "graspmap: error: " << printable(fault.sentence()) << "\n";
    }
    return kExitBadInput;
  } catch (const IoError& error) {
    return report(kExitIo, "error", error);
  } catch (const std::system_error& error) {
    return report(kExitIo, "error", error);
  } catch (const std::bad_alloc& error) {
    return report(kExitIo, "error: not enough memory", error);
  } catch (const std::exception& error) {
    return report(kExitInternal, "internal error", error);
  }
}

}  // namespace graspmap
