#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace graspmap {

/// How work ends early without the end of the process: the caller of a long analysis sets a flag,
/// at which its loops look; a signal sets a flag while a guard lives; work in the background hands
/// its exception to whoever waits for it.

/// An analysis ended because its caller asked for it. Nothing was written.
struct AnalysisStopped : std::runtime_error {
  AnalysisStopped() : std::runtime_error("stopped") {}
};

/// While it lives, check_stop() in this thread looks at a flag: with several, at the newest one.
class StopScope {
 public:
  /// `flag` may be null: nothing stops the analysis.
  explicit StopScope(const std::atomic<int>* flag);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::atomic<int>* outer_;
};

/// The flag of this thread, for threads that work for it; null without one.
const std::atomic<int>* stop_flag();

/// Throws AnalysisStopped when this thread's flag is not zero. Costs a nanosecond: loops call it
/// about every 100 ms or more often.
void check_stop();

/// The signals that end a process, SIGINT, SIGTERM and SIGHUP, have a handler while it lives, and
/// then again what they had. A SIGHUP that is ignored stays so: `nohup` asks for it.
class EndSignals {
 public:
  explicit EndSignals(void (*handler)(int));
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// For a handler: the next signal ends the process.
  static void reset();

 private:
  std::array<struct sigaction, 3> old_{};
};

/// While it lives, the first of EndSignals sets a flag in place of ending the process; a second
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

  /// The patience of the one that lives; 0 when none does.
  static double patience_s();

 private:
  std::optional<EndSignals> signals_;
};

/// The exit code of a process that a signal ended, by the shell's convention.
constexpr int exit_code_of_signal(int signal) { return 128 + signal; }

/// A function that runs in a thread of its own, and whose exception comes out in the one that waits
/// for it.
class BackgroundTask {
 public:
  explicit BackgroundTask(std::function<void()> function)
      : function_(std::move(function)), thread_([this] { run(); }) {}
  /// Waits for the end; an exception is lost.
  ~BackgroundTask() {
    if (thread_.joinable()) thread_.join();
  }
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  /// Waits for the end and throws what was thrown. Once.
  void finish() {
    thread_.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void run() {
    try {
      function_();
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  std::function<void()> function_;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace graspmap
