#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {

/// What a program left behind.
struct ProgramResult {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;      ///< the signal that ended it
  std::string out;
  std::string err;
};

/// How many lines a text has, each ended by a newline.
inline std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The programs.
extern const char* const kGraspmap;
#ifdef GRASPMAP_LAB  // where the lab is built
extern const char* const kLab;
#endif
extern const char* const kOtherBits;  ///< a library that rounds otherwise; with MPI only

/// Runs graspmap, or another program, in a temporary folder, as a user would.
class Program {
 public:
  explicit Program(std::string binary = kGraspmap) : binary_(std::move(binary)) {}

  /// Runs it to its end.
  ProgramResult run(const std::vector<std::string>& args);
  /// Runs another program, or a script, that finds graspmap in the variable GRASPMAP.
  ProgramResult run_program(const std::string& file, const std::vector<std::string>& args);

  /// Starts it, or another program, and returns.
  void start(const std::vector<std::string>& args);
  void start_program(const std::string& file, const std::vector<std::string>& args);
  void send(int signal) const;
  /// The process id of the program that was started last.
  [[nodiscard]] pid_t id() const { return pid_; }
  ProgramResult wait();
  /// What the running program has written to standard error by now.
  [[nodiscard]] std::string errors_so_far() const;

  /// The folder in which it runs.
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_.path() / name;
  }
  /// The text of a file in the folder; empty when it does not exist.
  [[nodiscard]] std::string text(const std::string& name) const;
  /// The names in the folder, or in one inside it, sorted; empty when it does not exist.
  [[nodiscard]] std::vector<std::string> names(const std::string& inside = ".") const;

  /// The largest file that it may write, in bytes.
  std::optional<rlim_t> file_size_limit;
  /// Where it looks for programs, in place of the PATH.
  std::optional<std::string> search_path;
  /// Further variables of its environment.
  std::map<std::string, std::string> environment;

 private:
  [[noreturn]] void become(const std::string& file, const std::vector<std::string>& args) const;

  std::string binary_;
  TemporaryFolder folder_;
  TemporaryFolder streams_;  ///< standard output and error, out of the way
  pid_t pid_ = -1;
};

/// The folder of the example configurations.
inline const std::string kConfigs = testing::source_dir() + "/configs";

/// The published experiment's configuration file.
std::string lock_piece();

/// Options for a sweep of a few trials: 3 x 3 cells, 2 trials each.
std::vector<std::string> small_sweep();

/// The commands in a text, "graspmap plan outputs/x": lines with two spaces before, and those that
/// continue them after a backslash.
std::vector<std::string> printed_commands(const std::string& text);

/// Runs one of them with further options, as a shell does.
ProgramResult run_printed(Program& program, const std::string& command,
                          const std::string& options = "");

/// The concatenation of argument lists.
std::vector<std::string> join(std::vector<std::string> first,
                              const std::vector<std::string>& second);

}  // namespace graspmap::testing
