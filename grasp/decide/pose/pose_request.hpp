#pragma once

#include <array>
#include <optional>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/plan/asked_placement.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// How the part lies in the hand: what `graspmap pose` and Run.pose are asked. fields() tells what
/// each means.
struct PoseRequest {
  PlacementOptions at;
  bool plateau = false;
  Outcome outcome = Outcome::kSuccess;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Throws RequestError; ConfigError when no trial is like that.
DeliveredPoses pose_run(const RunStore& run, const PoseRequest& request);

}  // namespace graspmap
