#include "lab/scenes/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

void StepsSinceSample::add(const SceneSnapshot& end) {
  ++steps;
  iterations += end.iterations;
  worst_residual = std::max(worst_residual, end.residual);
  contact_work_j += end.contact_work_j;
  worst_overlap_mm = std::max(worst_overlap_mm, end.worst_overlap_mm);
}

std::int64_t sampling_for(const SceneRunSettings& run, std::int64_t most) {
  const double steps = std::ceil(run.duration_s / run.step_s - 1e-9);
  return std::max<std::int64_t>(1, std::llround(std::ceil(steps / static_cast<double>(most))));
}

bool SampleSchedule::is_due(double time_s) {
  const double steps = time_s / step_s_;
  if (steps < static_cast<double>(next_) - 1e-6) return false;
  while (static_cast<double>(next_) <= steps + 1e-6) next_ += every_;
  return true;
}

}  // namespace graspmap
