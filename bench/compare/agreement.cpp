#include "bench/compare/agreement.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap::bench {

double Agreement::robust_share() const {
  return robust == 0 ? 1.0 : static_cast<double>(robust_agreeing) / robust;
}

Interval Agreement::robust_interval() const { return wilson_interval(robust_agreeing, robust); }

Agreement agreement(const std::vector<ReferenceTrial>& reference,
                    const std::vector<TrialEnd>& ends) {
  Agreement result;
  std::vector<double> distances_mm;
  std::vector<double> turns_rad;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const TrialEnd& right = reference[k].end;
    const bool robust = reference[k].robust();
    const bool failed = ends[k].outcome == Outcome::kFailed;
    ++result.trials;
    result.robust += robust ? 1 : 0;
    result.failed += failed ? 1 : 0;
    result.worst_overlap_mm = std::max(result.worst_overlap_mm, ends[k].overlap_mm);
    if (failed || ends[k].outcome != right.outcome) continue;
    ++result.agreeing;
    result.robust_agreeing += robust ? 1 : 0;
    const Pose2& pose = ends[k].final_pose;
    distances_mm.push_back((pose.position_mm - right.final_pose.position_mm).norm());
    turns_rad.push_back(std::abs(pose.angle_rad - right.final_pose.angle_rad));
  }
  result.median_mm = sample_quantile(distances_mm, 0.5);
  result.p90_mm = sample_quantile(distances_mm, 0.9);
  result.p99_mm = sample_quantile(distances_mm, 0.99);
  result.median_rad = sample_quantile(turns_rad, 0.5);
  result.p90_rad = sample_quantile(turns_rad, 0.9);
  result.p99_rad = sample_quantile(turns_rad, 0.99);
  return result;
}

Agreement convergence(const std::vector<ReferenceTrial>& reference) {
  std::vector<TrialEnd> half_step;
  for (const ReferenceTrial& trial : reference) half_step.push_back(trial.disturbed[kHalfStep]);
  return agreement(reference, half_step);
}

}  // namespace graspmap::bench
