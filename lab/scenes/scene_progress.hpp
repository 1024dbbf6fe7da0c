#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

#include "grasp/sweep/trials/progress.hpp"

namespace graspmap {

/// "[######------]  50 %  1.5 of 3 s  1680 steps/s  0:30 left", at most `width` characters.
std::string scene_progress_bar(double time_s, double duration_s, double steps_per_s,
                               double elapsed_s, std::size_t width);

/// Shows how far a simulation is, a few times per second: a bar on a terminal, else a line every
/// 10 s.
class SceneProgress {
 public:
  SceneProgress(double duration_s, ProgressStyle style, std::ostream& out)
      : duration_s_(duration_s), style_(style), out_(out) {}

  /// After each step.
  void step_done(double time_s);
  /// Shows the last state.
  void finish();

  [[nodiscard]] double elapsed_s() const;

 private:
  void show(double elapsed_s, bool last);

  double duration_s_;
  ProgressStyle style_;
  std::ostream& out_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double time_s_ = 0.0;
  std::int64_t steps_ = 0;
  double shown_s_ = 0.0;  ///< when it was shown last
  bool any_shown_ = false;
};

}  // namespace graspmap
