#include "grasp/base/io/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/orderly_end.hpp"

namespace graspmap {
namespace {

/// How a child process starts: the files it sees, its folder, and a group of its own, since Ctrl-C
/// is for graspmap, which ends the child.
struct ChildSettings {
  ChildSettings(const std::filesystem::path& folder, int error_fd) {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, error_fd, STDERR_FILENO);
    ::posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
    ::posix_spawnattr_init(&group);
    ::posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  }
  ~ChildSettings() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&group);
  }
  ChildSettings(const ChildSettings&) = delete;
  ChildSettings& operator=(const ChildSettings&) = delete;

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t group{};
};

/// Starts gnuplot with its messages going to `error_fd`.
pid_t start(const std::filesystem::path& script, const std::string& program, int error_fd) {
  const std::filesystem::path folder = script.has_parent_path() ? script.parent_path() : ".";
  const ChildSettings settings(folder, error_fd);
  std::string program_name = program;
  std::string option = "--default-settings";  // not the user's own start-up file
  std::string script_name = script.filename().string();
  const std::array<char*, 4> arguments{program_name.data(), option.data(), script_name.data(),
                                       nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &settings.files, &settings.group,
                                   arguments.data(), environ);
  if (error == ENOENT) {
    throw IoError(
        fmt::format("{}: not found; the figures need gnuplot 5.4 or later (Debian: apt-get install "
                    "gnuplot-nox)",
                    program));
  }
  if (error != 0)
    throw IoError(fmt::format("{}: cannot be run: {}", program, std::strerror(error)));
  return child;
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// gnuplot echoes the command, marks the place, and then says '"SCRIPT" line N: what is wrong'.
std::string first_error_line(const std::string& messages) {
  std::istringstream lines(messages);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('"') && line.find(" line ") != std::string::npos) return line;
    if (first.empty() && line.find_first_not_of(" \t\r") != std::string::npos) first = line;
  }
  return first.empty() ? "it gave no reason" : first;
}

void check_end(int status, const std::filesystem::path& script, const std::string& messages) {
  if (WIFSIGNALED(status)) {
    throw IoError(fmt::format("gnuplot was ended by signal {} in {}", WTERMSIG(status),
                              script.filename().string()));
  }
  if (WEXITSTATUS(status) != 0) {
    throw IoError(fmt::format("gnuplot failed on {}: {}", script.filename().string(),
                              first_error_line(messages)));
  }
}

}  // namespace

std::string gnuplot_string(const std::string& text) {
  const std::string content = rewritten(text, [](const FirstCharacter& character) {
    if (character.code == '\'') return std::string_view(R"('."\047".')");
    return character.is_harmless() ? character.text : " ";
  });
  return "'" + content + "'";
}

void run_gnuplot(const std::filesystem::path& script, const std::string& program) {
  auto [from_child, to_us] = FileDescriptor::pipe();
  if (!from_child.is_open()) {
    throw IoError(fmt::format("gnuplot: no pipe: {}", std::strerror(errno)));
  }
  std::optional<ChildProcess> child;
  {
    const Unbroken moment;
    child.emplace(start(script, program, to_us.number()));
  }
  to_us = {};
  const std::string messages = read_all(from_child.number());
  check_end(child->wait(), script, messages);
}

}  // namespace graspmap
