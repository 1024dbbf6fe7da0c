#include "bench/peers/stepped_engine.hpp"

#include <algorithm>
#include <cmath>

#include "sim/closing/broad_phase.hpp"

namespace graspmap::bench {

SteppedEngine::SteppedEngine(const Scenario& scenario, double step_s, double start_gap_mm)
    : scenario_(scenario),
      step_s_(step_s),
      start_gap_mm_(start_gap_mm),
      history_(static_cast<std::size_t>(std::ceil(scenario.stop.stopped_time_s / step_s - 1e-9))) {
  part_.set_part(scenario_.part, scenario_.mass.center_of_mass_P_mm);
}

void SteppedEngine::simulate(const TrialParameters& trial, SimulationResult& result) {
  result.statistics = {};
  State now = initial_state(scenario_, trial);
  if (smallest_gap_mm(scenario_, now) < 0.0) {
    end(EndReason::kBlocked, 0.0, now, result);
    return;
  }
  const double start_s = skip_free_travel(scenario_, part_, start_gap_mm_, now);
  begin(now, trial);
  steps_in_contact_ = 0;
  bool touched = false;
  double time_s = start_s;
  for (std::int64_t steps = 0;; ++steps, time_s = start_s + static_cast<double>(steps) * step_s_) {
    if (steps > 0) {
      if (!step()) return end(EndReason::kFailed, time_s, now, result);
      now = state();
      touched = touched || touching();
    }
    result.statistics.steps = steps;
    if (touched && stopped(now)) return end(EndReason::kStopped, time_s, now, result);
    if (now.jaw_right_mm - now.jaw_left_mm < scenario_.stop.closed_opening_mm) {
      return end(EndReason::kClosed, time_s, now, result);
    }
    if (time_s >= scenario_.stop.timeout_s) {
      return end(EndReason::kTimeout, time_s, now, result);
    }
  }
}

bool SteppedEngine::stopped(const State& state) {
  Jaws& oldest = history_[steps_in_contact_ % history_.size()];
  const Jaws before = oldest;
  oldest = {state.jaw_right_mm, state.jaw_left_mm};
  if (steps_in_contact_++ < history_.size()) return false;
  const double moved = std::max(before.right_mm - state.jaw_right_mm,  //
                                state.jaw_left_mm - before.left_mm);
  const double window_s = static_cast<double>(history_.size()) * step_s_;
  return moved < scenario_.stop.stopped_speed_mm_s * window_s;
}

void SteppedEngine::end(EndReason reason, double time_s, const State& state,
                        SimulationResult& result) const {
  result.end = reason;
  result.end_time_s = time_s;
  result.final_state = state;
  touching_pieces(scenario_, state, JawSide::kRight, result.right_touches);
  touching_pieces(scenario_, state, JawSide::kLeft, result.left_touches);
}

}  // namespace graspmap::bench
