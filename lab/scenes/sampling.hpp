#pragma once

#include <cstdint>

#include "lab/scene_model/snapshot.hpp"

namespace graspmap {

/// What the steps since the sample before took, and how well they hold.
struct StepsSinceSample {
  std::int64_t steps = 0;
  std::int64_t iterations = 0;
  double worst_residual = 0.0;
  double worst_overlap_mm = 0.0;  ///< of contacts that took part
  double contact_work_j = 0.0;    ///< of an articulated system

  /// The step that ended in a snapshot.
  void add(const SceneSnapshot& end);
};

/// `every` for at most about `most` samples of a run.
std::int64_t sampling_for(const SceneRunSettings& run, std::int64_t most);

/// Which states of a run are kept: the start, and those after every `every` steps.
class SampleSchedule {
 public:
  SampleSchedule(double step_s, std::int64_t every) : step_s_(step_s), every_(every) {}

  /// Whether the state at this time is kept. Call it with ascending times, once for each.
  bool is_due(double time_s);

 private:
  double step_s_;
  std::int64_t every_;
  std::int64_t next_ = 0;  ///< the step after which the next sample is due
};

}  // namespace graspmap
