#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "grasp/base/process/terminal.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// Where a sweep is at one moment.
struct ProgressState {
  CellCounts counts;
  std::int64_t total = 0;
  double elapsed_s = 0.0;
  std::int64_t before = 0;  ///< trials that were done when the clock began

  [[nodiscard]] std::int64_t done() const { return counts.trials(); }
};

/// "45 % (45360 of 100800 trials), 1680 per second, 0:33 left: success 23012, wedged 22000". The
/// rate is the mean since the clock began; outcomes without trials are left out.
std::string progress_text(const ProgressState& state);

/// "[######------]  50 %  50400/100800  1680/s  0:30 left  success 25006  wedged 22000", at most
/// `width` characters; outcomes that do not fit are left out whole.
std::string progress_bar(const ProgressState& state, std::size_t width);

/// Says when the next plain line is due: every tenth of the trials, or 10 s after the last line.
class LinePacer {
 public:
  bool is_due(const ProgressState& state);

 private:
  std::int64_t last_tenth_ = 0;
  double last_time_s_ = 0.0;
};

/// Shows the progress of a sweep from a thread of its own, which reads the counters a few times per
/// second, from construction to destruction. The last state is always shown. Trials that are in the
/// counters from the beginning (of a run that is resumed) count as done, but not for the rate.
class ProgressReporter {
 public:
  ProgressReporter(const TrialCounters& counters, std::int64_t total, ProgressStyle style,
                   std::ostream& out);
  ~ProgressReporter();
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

 private:
  void watch();
  void show(bool last);
  [[nodiscard]] ProgressState state() const;

  const TrialCounters& counters_;
  std::int64_t total_;
  ProgressStyle style_;
  std::ostream& out_;
  std::int64_t before_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  LinePacer pacer_;
  std::int64_t shown_ = -1;  ///< trials done in the last plain line
  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// Shows progress on standard error.
ShowTrials show_on_stderr(ProgressStyle style);

}  // namespace graspmap
