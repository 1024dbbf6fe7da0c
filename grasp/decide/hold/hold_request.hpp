#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/hold/held_grasps.hpp"
#include "grasp/decide/plan/asked_placement.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// Whether the part stays in the hand: what `graspmap hold` and Run.hold are asked. fields() tells
/// what each means.
struct HoldRequest {
  std::vector<std::string> set;
  PlacementOptions at;
  std::optional<double> factor;
  std::optional<double> required_probability;
  bool no_check = false;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Nothing when `stop` is not zero. Throws RequestError and
/// ConfigError.
std::optional<HeldGrasps> hold_run(const RunStore& run, const HoldRequest& request,
                                   const std::atomic<int>* stop, const ShowTrials& show);

}  // namespace graspmap
