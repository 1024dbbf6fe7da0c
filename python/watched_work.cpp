#include "python/watched_work.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "grasp/base/process/stop.hpp"

namespace graspmap::python {

namespace py = pybind11;
namespace {

constexpr std::chrono::milliseconds kLookInterval(100);

/// Says that something has ended to one who waits for it.
class EndNote {
 public:
  void write() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_one();
  }
  /// True when it has ended; waits for a while.
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kLookInterval, [this] { return ended_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
};

/// Lets Python handle its signals and asks `look`; sets `stop` when one of them wants an end.
/// Returns the error of Python that wants it.
std::exception_ptr look_once(const Look& look, std::atomic<int>& stop) {
  const py::gil_scoped_acquire with_python;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (look && !look()) stop = 1;
  } catch (...) {
    stop = 1;
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_watched(const StoppableWork& work, const Look& look) {
  std::exception_ptr error;
  {
    const py::gil_scoped_release without_python;
    std::atomic<int> stop{0};
    EndNote end;
    BackgroundTask task([&] {
      try {
        work(stop);
      } catch (const WorkStopped&) {
        // What stopped it is thrown below.
      } catch (...) {
        end.write();
        throw;
      }
      end.write();
    });
    while (!end.wait()) {
      if (stop == 0) error = look_once(look, stop);
    }
    try {
      task.finish();
    } catch (...) {
      if (!error) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace graspmap::python
