#pragma once

#include <vector>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/grasp_stepper.hpp"
#include "sim/closing/jam.hpp"
#include "sim/closing/newton_solver.hpp"
#include "sim/closing/pair_selection.hpp"
#include "sim/closing/retry_ladder.hpp"
#include "sim/closing/step_check.hpp"
#include "sim/closing/step_data.hpp"
#include "sim/closing/step_equations.hpp"
#include "sim/closing/step_error.hpp"
#include "sim/closing/step_memory.hpp"

namespace graspmap {

/// The geometrically implicit time-step in its condensed form: the momentum balance, contact and
/// friction laws of Chakraborty et al. 2014, eq. (6)-(7) at the end of the step, with gap and
/// contact rows as exact functions of the end configuration. A semismooth Newton method on the
/// natural map solves it; where that does not converge, a ladder of retries follows (see Rung).
class CondensedStepper final : public GraspStepper {
 public:
  void begin(const Scenario& scenario, const TrialParameters& trial) override;
  void begin_phase(const Phase& phase, double speed_mm_s, const State& state,
                   bool pressed) override;
  [[nodiscard]] bool rests(const Vec3& velocity, double angle_rad) override;

  /// On the first rung of the ladder that converges: all but halving with `all_rungs`, else without
  /// the damped one and the patterns.
  [[nodiscard]] StepReport try_step(const State& state, double h, bool all_rungs,
                                    const StepHistory& history) override;
  [[nodiscard]] StepReport try_step(const State& state, double h, bool all_rungs) {
    return try_step(state, h, all_rungs, {});
  }
  [[nodiscard]] StepBase base(const State& /*start*/, double /*h*/) const override {
    return {data_.base, data_.h, data_.force_s, data_.pad_step.extrapolated};
  }
  State accept() override;

  void contacts(std::vector<ContactRecord>& records) const override;
  [[nodiscard]] Vec3 support_impulse() const override;
  [[nodiscard]] bool touching() const override;
  [[nodiscard]] Push obstacle_push() const override;
  [[nodiscard]] int jamming_obstacle(const State& state) override {
    return graspmap::jamming_obstacle(trial_, part_, state);
  }
  [[nodiscard]] const StepMemory* memory() const override { return &memory_; }
  [[nodiscard]] BroadPhase& broad_phase() override { return part_; }

  [[nodiscard]] bool has_last_resort() const override { return true; }
  void use_last_resort(bool yes) override { last_resort_ = yes; }

 private:
  bool climb(bool all_rungs, StepReport& report);
  void tell(StepReport& report);
  void dissipation(StepReport& report) const;

  TrialData trial_;
  BroadPhase part_;
  StepMemory memory_;
  StepData data_;
  StepPairs pairs_;
  StepEquations equations_{data_, pairs_};
  PairSelection selection_{part_, memory_, trial_, data_, pairs_};
  StepCheck check_{trial_, part_, memory_, equations_, selection_};
  StepError error_{trial_, memory_, equations_};
  NewtonSolver newton_{equations_};
  RetryLadder ladder_{memory_, pairs_, selection_, equations_, newton_, check_};
  bool last_resort_ = false;  ///< see use_last_resort
  State end_;                 ///< of the step last tried, where that converged
};

}  // namespace graspmap
