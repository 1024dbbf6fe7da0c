#pragma once

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/step_history.hpp"
#include "sim/closing/step_report.hpp"

namespace graspmap {

/// The sizes of steps of first order whose estimated error is to stay within a tolerance, mm. Has
/// the calls of SecondOrderSteps.
class StepSize {
 public:
  /// `part`: the scenario's.
  StepSize(const Scenario& scenario, BroadPhase& part);

  /// The size for a step from `state`, s: the one for the last error, at most step_s and
  /// `left_s`, the time until the stop rule could end the trial; less where the velocities predict
  /// that a pair closes or the jaws do.
  [[nodiscard]] double propose(const State& state, double left_s);

  [[nodiscard]] static StepHistory history() { return {}; }

  /// False when a step of h with the estimated error must be solved again with a smaller size.
  [[nodiscard]] bool is_enough(double h, const StepReport& report) const;

  /// The size with which a step whose error is too large is tried again.
  [[nodiscard]] double retry(double h, const StepReport& report) const;

  /// Takes in the error of an accepted step: the next one aims at the tolerance.
  void accepted(const State& before, const State& after, double h, const StepReport& report);

  static void restart(const State&) {}

 private:
  [[nodiscard]] double change(double error_mm) const;
  [[nodiscard]] double until_contact(const State& state, double h);

  const Scenario& scenario_;
  BroadPhase& part_;
  double smallest_s_;
  double next_s_;
};

}  // namespace graspmap
