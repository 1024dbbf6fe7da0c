#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/compare/trial_end.hpp"
#include "bench/peers/engine.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap::bench {

/// An engine at one step size.
struct Contestant {
  std::string curve;    ///< of the figure: "Box2D"
  std::string setting;  ///< a point on it: "1/480 s"
  std::unique_ptr<Engine> engine;
};

/// The trials of a sweep by one contestant.
struct Measurement {
  std::vector<TrialEnd> ends;        ///< of each trial
  std::vector<double> trials_per_s;  ///< of one core, in each repetition
  int unrepeatable = 0;  ///< trials that did not come out with the same bits in every repetition
};

/// Runs trials 0, ..., trials - 1 of a sweep by all contestants, `repetitions` times, on this
/// thread. They take turns after a few trials, so that whatever else the machine does hits them
/// alike, and processor time of the thread is measured, not wall time. Every second repetition goes
/// through the trials backwards, to find results that depend on the trial before. Nothing when it
/// was stopped.
std::optional<std::vector<Measurement>> measure(const std::vector<Contestant>& contestants,
                                                const SweepConfig& config, int trials,
                                                int repetitions, const SweepControl& control);

}  // namespace graspmap::bench
