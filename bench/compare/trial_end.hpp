#pragma once

#include "grasp/sweep/trials/trial.hpp"

namespace graspmap::bench {

/// What a trial came to.
struct TrialEnd {
  Outcome outcome = Outcome::kFailed;
  Pose2 final_pose;         ///< of P in G
  double overlap_mm = 0.0;  ///< of part and jaws, by the exact shapes; 0 if failed or blocked

  friend bool operator==(const TrialEnd& a, const TrialEnd& b) {
    return a.outcome == b.outcome && a.final_pose.position_mm == b.final_pose.position_mm &&
           a.final_pose.angle_rad == b.final_pose.angle_rad;
  }
};

/// The end of a finished simulation, whichever engine did it.
TrialEnd trial_end(const SweepConfig& config, const SimulationResult& result);

}  // namespace graspmap::bench
