#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/plan/placement_plan.hpp"
#include "grasp/sweep/config/robot_error.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// Where to put the gripper: what `graspmap plan` and Run.plan are asked. fields() says what each
/// number means.
struct PlanRequest {
  DeviceError error;     ///< in place of the run's [robot]
  std::string measured;  ///< a file with its deviations
  std::string after;
  std::optional<double> required_probability;
  int trials = 4000;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// A plan, and the map that it rests on.
struct RunPlan {
  PlacementPlan plan;
  SuccessField field;
};

/// The decision on a stored run: with the posterior of request.after, and with simulations of what
/// the trials of a run with uncertain inputs do not show. `show` gets the share of these that is
/// done; it may be empty. Throws RequestError, ConfigError.
RunPlan plan_run(const RunStore& run, const PlanRequest& request,
                 const std::function<void(double)>& show = {});

/// What a run with [robot] is asked.
PlanQuestion robot_question(const SweepConfig& config);

/// The answer of a run with [robot]: the placement that plan_run finds first, with its success, and
/// nothing beside it. Nothing without [robot], or without trials. `summary` is the run's.
std::optional<RobotAnswer> robot_answer(const RunStore& run, const RunSummary& summary);

/// summarize() with that answer.
RunSummary answered_summary(const RunStore& run, const RunTotals& totals);

}  // namespace graspmap
