#pragma once

#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace graspmap {

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
