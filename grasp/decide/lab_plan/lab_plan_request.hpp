#pragma once

#include <optional>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/lab_plan/lab_plan.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// How many trials a laboratory needs, and where: what `graspmap lab-plan` and Run.lab_plan are
/// asked. fields() tells what each means.
struct LabPlanRequest {
  std::optional<LabChange> detect;
  std::optional<double> agree_within_points;
  std::optional<Change> learn;
  std::optional<double> to_width;
  std::optional<std::int64_t> trials;
  double power = 0.8;
  PlacementChoice placements = PlacementChoice::kSpread;
  int sessions = 0;
  int trials_per_placement = 1;
  std::uint64_t seed = 1;
  std::int64_t experiments = 1000;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Throws RequestError; ConfigError where no number of trials reaches
/// the goal; AnalysisStopped.
LabPlan lab_plan_run(const RunStore& run, const LabPlanRequest& request,
                     const SweepControl& control, const LabPlanWatcher& watcher);

}  // namespace graspmap
