#pragma once

#include <semaphore.h>
#include <sys/types.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "grasp/base/process/stop.hpp"

/// How a process ends when a signal comes that no InterruptGuard waits for: at once, whatever it is
/// doing, and without leaving anything half-done behind.

namespace graspmap {

/// While it lives, the first of EndSignals ends the process: child processes are killed,
/// temporary paths are removed, one line on standard error says so if it is asked for, and the exit
/// code is that of exit_code_of_signal. A second signal ends it without all that. One at a time; an
/// InterruptGuard has the signals while it lives, and as long as it has patience.
class EndOnSignal {
 public:
  explicit EndOnSignal(bool tells);
  ~EndOnSignal();
  EndOnSignal(const EndOnSignal&) = delete;
  EndOnSignal& operator=(const EndOnSignal&) = delete;

 private:
  std::thread watcher_;
  std::optional<EndSignals> signals_;
};

/// For the signal handler of InterruptGuard: EndOnSignal, if there is one, ends the process when
/// the guard lives too long.
void end_on_signal_after_guard(int signal);

/// While one lives, EndOnSignal waits. For moments only: when something is made and noted here, or
/// several files get their names together. One thread may have several, one inside the other.
class Unbroken {
 public:
  Unbroken();

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

/// The path of a file or a folder that must not stay: what is there, with all that is in it, is
/// removed at the end of the scope, or by EndOnSignal. Makes nothing. Whoever makes it holds an
/// Unbroken meanwhile.
class TemporaryPath {
 public:
  explicit TemporaryPath(std::filesystem::path path);
  ~TemporaryPath();
  TemporaryPath(TemporaryPath&& other) noexcept;
  TemporaryPath& operator=(TemporaryPath&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// It got its final name, and is not temporary any more.
  void keep();

 private:
  void forget();

  std::filesystem::path path_;  ///< empty when there is nothing to remove
};

/// A child process that EndOnSignal kills. Whoever starts it holds an Unbroken meanwhile.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t id);
  /// Waits for its end.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits for its end; returns its wait status. Once.
  int wait();

 private:
  pid_t id_;  ///< 0 when it has ended
};

/// Notes that a file got its final name: an interrupted process says whether it has written
/// anything.
void note_written();

/// Notes a file from which the same command continues: an interrupted process says so. An empty
/// path when its work is done.
void note_kept(const std::filesystem::path& file);

}  // namespace graspmap
