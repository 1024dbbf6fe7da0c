#include "bench/compare/trial_end.hpp"

#include <algorithm>

namespace graspmap::bench {

TrialEnd trial_end(const SweepConfig& config, const SimulationResult& result) {
  TrialEnd end;
  const Pose2 final_pose = part_pose_in_gripper(config.scenario, result.final_state);
  end.outcome = classify(result, final_pose, config.success);
  if (!result.final_state.part_pose.allFinite()) end.outcome = Outcome::kFailed;
  if (end.outcome == Outcome::kFailed || end.outcome == Outcome::kBlocked) return end;
  end.final_pose = final_pose;
  end.overlap_mm = std::max(-smallest_gap_mm(config.scenario, result.final_state), 0.0);
  return end;
}

}  // namespace graspmap::bench
