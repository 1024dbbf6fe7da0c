#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/plan/placement_plan.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// Where to put the gripper: what `graspmap plan` and Run.plan are asked. fields() tells what each
/// number means.
struct PlanRequest {
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;
  std::optional<std::array<double, 3>> position_covariance_mm2;
  std::optional<std::array<double, 2>> angle_covariance_mm_rad;
  std::optional<std::array<double, 2>> offset_sigma_mm;
  std::optional<double> offset_angle_sigma_rad;
  std::optional<int> repeats;
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
/// the trials of a run with uncertain inputs do not tell. `show` is told the share of these that is
/// done; it may be empty. Throws RequestError, ConfigError.
RunPlan plan_run(const RunStore& run, const PlanRequest& request,
                 const std::function<void(double)>& show = {});

}  // namespace graspmap
