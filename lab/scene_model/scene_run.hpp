#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

#include "geometry/assert.hpp"
#include "lab/mcp/problem.hpp"

namespace graspmap {

struct SceneRunSettings {
  double step_s = 0.01;     ///< > 0
  double duration_s = 1.0;  ///< >= 0
  int max_halvings = 8;     ///< how often a step that is not solved is halved before the run fails
  std::function<bool()> is_stopped = {};  ///< asked before each try of a step; true ends the run
                                          ///< there, without a failure
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
  std::optional<std::array<int, 2>> bodies;  ///< of the contact with the largest residual
};

struct SceneRun {
  SceneRunTotals totals;
  std::optional<SceneRunFailure> failure;  ///< the run ended there
};

/// Runs a system from `state` with equal steps; the last one may be shorter. A step that is not
/// solved is halved, its halves again if need be; `observer` sees the sub-steps.
///
/// `step(start, h, result)` takes one step. A State has time_s. A Step has status, residual,
/// iterations, end (a State), worst_overlap_mm() and worst_bodies().
/// `observer(state, step)` is called at the start, with nullptr, and after each solved step; it
/// returns false to end the run.
template <typename State, typename Step, typename TakeStep, typename Observer>
SceneRun run_steps(const SceneRunSettings& settings, State state, TakeStep take_step,
                   Observer observer) {
  GRASPMAP_CHECK(settings.step_s > 0.0 && settings.duration_s >= 0.0);
  SceneRun run;
  Step step;
  const auto is_stopped = [&] { return settings.is_stopped && settings.is_stopped(); };
  const auto advance_by = [&](auto& self, double h, int halvings) -> bool {
    if (is_stopped()) return false;
    take_step(state, h, step);
    if (step.status != mcp::Status::kSolved) {
      if (is_stopped()) return false;  // the step may have been given up for that
      if (halvings == settings.max_halvings) {
        run.failure = {state.time_s, h, step.status, step.residual, step.worst_bodies()};
        return false;
      }
      if (halvings == 0) ++run.totals.halved;
      // NOLINTNEXTLINE(misc-redundant-expression): two halves of the step, one after the other
      return self(self, 0.5 * h, halvings + 1) && self(self, 0.5 * h, halvings + 1);
    }
    ++run.totals.steps;
    run.totals.iterations += step.iterations;
    run.totals.worst_residual = std::max(run.totals.worst_residual, step.residual);
    run.totals.worst_overlap_mm = std::max(run.totals.worst_overlap_mm, step.worst_overlap_mm());
    state = step.end;
    return observer(state, &step);
  };
  bool goes_on = observer(state, nullptr);
  const auto steps =
      static_cast<std::int64_t>(std::ceil(settings.duration_s / settings.step_s - 1e-9));
  // The last of very many steps may be one by rounding only.
  for (std::int64_t i = 0; i < steps && goes_on && state.time_s < settings.duration_s; ++i) {
    const double end_s =
        std::min(static_cast<double>(i + 1) * settings.step_s, settings.duration_s);
    goes_on = advance_by(advance_by, end_s - state.time_s, 0);
    // Times are multiples of the step to the last bit, however it was divided.
    state.time_s = end_s;
  }
  return run;
}

inline constexpr double kNewtonsPerMillinewton = 1e-3;
inline constexpr double kJoulesPerMillinewtonMillimetre = 1e-6;  ///< 1 mN mm = 1 kg mm^2/s^2

/// The mechanical energies of a scene in J.
struct SceneEnergy {
  double kinetic_j = 0.0;
  double potential_j = 0.0;         ///< of gravity, zero at the origin of G
  std::optional<double> elastic_j;  ///< of the deflected soft layers; in space where there are any

  [[nodiscard]] double total_j() const { return kinetic_j + potential_j + elastic_j.value_or(0.0); }
};

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
