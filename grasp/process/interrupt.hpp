#pragma once

#include <atomic>
#include <csignal>

namespace graspmap {

/// While it lives, the first SIGINT or SIGTERM sets a flag in place of ending the process; a second
/// one ends it at once. One at a time: signal handlers belong to the whole process.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The number of the signal that came, or 0.
  [[nodiscard]] const std::atomic<int>& signal() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

/// The exit code of a process that a signal ended, by the shell's convention.
constexpr int exit_code_of_signal(int signal) { return 128 + signal; }

}  // namespace graspmap
