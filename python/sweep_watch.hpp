#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cstdint>

#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap::python {

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
