#pragma once

#include <atomic>
#include <stdexcept>

/// How a long analysis ends early without the end of the process: its caller sets a flag, and the
/// loops of the analysis look at it.

namespace graspmap {

/// An analysis ended because its caller asked for it. Nothing was written.
struct AnalysisStopped : std::runtime_error {
  AnalysisStopped() : std::runtime_error("stopped") {}
};

/// While it lives, check_stop() in this thread looks at a flag. Of several, at the newest one.
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

/// The flag of this thread, for threads that work for it; null when there is none.
const std::atomic<int>* stop_flag();

/// Throws AnalysisStopped when this thread's flag is not zero. Costs a nanosecond: loops call it
/// about every 100 ms or more often.
void check_stop();

}  // namespace graspmap
