#pragma once

#include <functional>

#include "sim/planar/stepper.hpp"

namespace graspmap {

struct SceneRunSettings {
  double step_s = 0.01;     ///< > 0
  double duration_s = 1.0;  ///< >= 0
  int max_halvings = 8;     ///< how often a step that is not solved is halved before the run fails
};

/// Counts over a run.
struct SceneRunTotals {
  std::int64_t steps = 0;   ///< solved, those of halved ones included
  std::int64_t halved = 0;  ///< steps that were solved in smaller ones
  std::int64_t iterations = 0;
  double worst_residual = 0.0;
  double worst_overlap_mm = 0.0;  ///< of contacts that took part, at the ends of steps
};

/// A step that could not be solved at any size.
struct SceneRunFailure {
  double time_s = 0.0;  ///< at its start
  double step_s = 0.0;
  mcp::Status status = mcp::Status::kIterationLimit;
  double residual = 0.0;
  std::optional<ContactKey> contact;  ///< with the largest residual
};

struct SceneRun {
  SceneRunTotals totals;
  std::optional<SceneRunFailure> failure;  ///< the run ended there
};

/// Called at the start (with no step) and after each solved step; returns false to end the run.
using SceneObserver = std::function<bool(const PlanarState&, const PlanarStep*)>;

/// Runs a scene from its start with equal steps; the last one may be shorter. A step that is not
/// solved is halved, its halves again if need be; `observer` sees the sub-steps.
SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer);

}  // namespace graspmap
