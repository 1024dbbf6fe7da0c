#pragma once

#include <atomic>
#include <csignal>

namespace graspmap {

/// While it lives, the first SIGINT or SIGTERM sets a flag in place of ending the process; a second
/// one ends it at once. One at a time: signal handlers belong to the whole process.
/// When it still lives `patience_s` after the signal, for something takes long that cannot be
/// stopped, EndOnSignal ends the process all the same.
class InterruptGuard {
 public:
  static constexpr double kPatience_s = 0.8;
  static constexpr double kForever_s = 1e9;

  explicit InterruptGuard(double patience_s = kPatience_s);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The number of the signal that came, or 0.
  [[nodiscard]] const std::atomic<int>& signal() const;

  /// The patience of the one that lives; 0 when there is none.
  static double patience_s();

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

/// The exit code of a process that a signal ended, by the shell's convention.
constexpr int exit_code_of_signal(int signal) { return 128 + signal; }

}  // namespace graspmap
