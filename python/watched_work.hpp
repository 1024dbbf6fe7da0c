#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap::python {

/// Work that takes long: it ends early, and returns, once `stop` is not zero.
using StoppableWork = std::function<void(const std::atomic<int>& stop)>;

/// Asked ten times per second, with the GIL, whether the work is to continue.
using Look = std::function<bool()>;

/// Runs work in a thread of its own, without the GIL, while the calling thread, which has it when
/// it calls, waits: ten times per second it lets Python handle its signals and calls `look`, if
/// there is one. An exception of either (KeyboardInterrupt among them) stops the work, and is
/// thrown on when it has ended. So is an exception of the work. No signal handler is installed.
void run_watched(const StoppableWork& work, const Look& look = {});

/// Thrown inside of work that visits many things, to leave it when it is stopped: run_watched then
/// throws what stopped it.
struct WorkStopped {};

/// What work on trials says about itself while a Python function watches.
struct SweepWatch {
  TrialCounters counters;
  std::atomic<std::int64_t> asked{-1};  ///< -1: not known yet
  std::atomic<std::int64_t> before{0};  ///< trials that were there when it began
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  /// Calls watch(counts, asked, before, seconds), unless it is None or the number of trials is not
  /// known yet. False when the function returned False.
  [[nodiscard]] bool tell(const pybind11::object& watch) const;
};

}  // namespace graspmap::python
