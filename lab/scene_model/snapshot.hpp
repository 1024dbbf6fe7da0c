#pragma once

#include <Eigen/Core>

#include "lab/scene_model/energy.hpp"
#include "lab/scene_model/scene_run.hpp"

namespace graspmap {

/// What a run of any kind of scene shows of its start and of each solved step: what is written and
/// drawn. Each kind adds its bodies and contacts.
struct SceneSnapshot {
  double time_s = 0.0;
  double step_s = 0.0;  ///< of the step that ended here; 0 at the start
  SceneEnergy energy;
  double contact_work_j = 0.0;  ///< of an articulated system: of the step's contact impulses
  int iterations = 0;
  int unknowns = 0;
  double residual = 0.0;
  double worst_overlap_mm = 0.0;  ///< of the contacts that took part
};

/// False for coordinates or velocities that are not finite, or whose energies would not be.
template <typename Derived>
bool is_finite_motion(const Eigen::MatrixBase<Derived>& values) {
  constexpr double kLargest = 1e100;
  return (values.array().abs() <= kLargest).all();
}

/// Steps like those of `take_step`; one whose end is not finite, by `is_finite(State)`, is not
/// solved.
template <typename State, typename Step, typename TakeStep, typename IsFinite>
auto finite_steps(TakeStep take_step, IsFinite is_finite) {
  return [=](const State& start, double h, Step& step) {
    take_step(start, h, step);
    if (step.status == mcp::Status::kSolved && !is_finite(step.end)) {
      step.status = mcp::Status::kNotFinite;
    }
  };
}

/// `run_steps` with an observer of snapshots. `show(state, step, snapshot)` fills what a kind of
/// scene adds to `SceneSnapshot`; `step` is nullptr at the start.
template <typename Snapshot, typename State, typename Step, typename TakeStep, typename Show,
          typename Observer>
SceneRun run_and_show(const SceneRunSettings& settings, const State& start, TakeStep take_step,
                      Show show, const Observer& observer) {
  double last_s = start.time_s;
  return run_steps<State, Step>(settings, start, take_step,
                                [&](const State& state, const Step* step) {
                                  Snapshot shown;
                                  shown.time_s = state.time_s;
                                  shown.step_s = state.time_s - last_s;
                                  if (step != nullptr) {
                                    shown.iterations = step->iterations;
                                    shown.unknowns = step->unknowns;
                                    shown.residual = step->residual;
                                    shown.worst_overlap_mm = step->worst_overlap_mm();
                                  }
                                  show(state, step, shown);
                                  last_s = state.time_s;
                                  return observer(shown);
                                });
}

}  // namespace graspmap
