#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <sstream>
#include <stdexcept>

#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace fs = std::filesystem;

const char* const kGraspmap = GRASPMAP_PROGRAM;
#ifdef GRASPMAP_LAB
const char* const kLab = GRASPMAP_LAB_PROGRAM;
#endif
#ifdef GRASPMAP_OTHER_BITS
const char* const kOtherBits = GRASPMAP_OTHER_BITS;
#endif

namespace {

/// Lets a file descriptor write into a file.
void redirect(int descriptor, const fs::path& file) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(127);
}

}  // namespace

ProgramResult Program::run(const std::vector<std::string>& args) {
  start(args);
  return wait();
}

ProgramResult Program::run_program(const std::string& file, const std::vector<std::string>& args) {
  start_program(file, args);
  return wait();
}

void Program::start(const std::vector<std::string>& args) { start_program(binary_, args); }

void Program::start_program(const std::string& file, const std::vector<std::string>& args) {
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) become(file, args);
}

void Program::send(int signal) const { ::kill(pid_, signal); }

ProgramResult Program::wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  ProgramResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = file_text(streams_.path() / "out");
  result.err = errors_so_far();
  return result;
}

std::string Program::errors_so_far() const {
  const fs::path file = streams_.path() / "err";
  return fs::exists(file) ? file_text(file) : "";
}

std::string Program::text(const std::string& name) const {
  return fs::exists(path(name)) ? file_text(path(name)) : "";
}

std::vector<std::string> Program::names(const std::string& inside) const {
  std::vector<std::string> names;
  if (!fs::exists(path(inside))) return names;
  for (const auto& entry : fs::directory_iterator(path(inside))) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The child's side of `start`: it becomes the program.
void Program::become(const std::string& file, const std::vector<std::string>& args) const {
  std::vector<std::string> words = join({file}, args);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  redirect(STDOUT_FILENO, streams_.path() / "out");
  redirect(STDERR_FILENO, streams_.path() / "err");
  if (::chdir(folder_.path().c_str()) != 0) ::_exit(127);
  if (search_path) ::setenv("PATH", search_path->c_str(), 1);
  ::setenv("GRASPMAP", kGraspmap, 1);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (file_size_limit) {
    const rlimit limit{*file_size_limit, *file_size_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ::execv(file.c_str(), pointers.data());
  ::_exit(127);
}

std::vector<std::string> printed_commands(const std::string& text) {
  std::vector<std::string> commands;
  std::istringstream lines(text);
  bool goes_on = false;
  for (std::string line; std::getline(lines, line);) {
    if (goes_on) {
      commands.back() += line;
    } else if (line.starts_with("  graspmap ")) {
      commands.push_back(line.substr(2));
    } else {
      continue;
    }
    goes_on = line.ends_with('\\');
    if (goes_on) commands.back().pop_back();
  }
  return commands;
}

ProgramResult run_printed(Program& program, const std::string& command,
                          const std::string& options) {
  const std::string words = command.substr(std::string("graspmap").size());
  return program.run_program("/bin/sh", {"-c", "\"$GRASPMAP\"" + words + " " + options});
}

std::string lock_piece() {
  return (fs::path(testing::source_dir()) / "configs" / "lock_piece.toml").string();
}

std::vector<std::string> small_sweep() {
  return {"--set", "placement.x_cells=3",    "--set", "placement.y_cells=3",
          "--set", "sweep.trials_per_cell=2"};
}

std::vector<std::string> join(std::vector<std::string> first,
                              const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace graspmap::testing
