#pragma once

#include <cstddef>
#include <vector>

#include "bench/peers/engine.hpp"
#include "sim/closing/broad_phase.hpp"

namespace graspmap::bench {

/// How a physics engine takes part. What is the same for all of them is done here, with graspmap's
/// own geometry, so that they are compared by their dynamics only: the test for a blocked start,
/// the jaws' free travel, the end of a trial, and which pieces touch then (by their exact shapes in
/// the engine's final pose: a larger gap than the scenario's, to allow for the engine's shapes,
/// agrees less with a converged reference).
///
/// The end: an engine's velocities jitter, so `stopped` goes by the jaws' displacement, which is
/// less than stopped_speed times stopped_time during the last stopped_time. A jaw that is slow for
/// as long, as graspmap has it, moves less than that, too.
class SteppedEngine : public Engine {
 public:
  void simulate(const TrialParameters& trial, SimulationResult& result) final;

 protected:
  /// `start_gap_mm` > 0: where the exact shapes are apart by so much, those of the engine do not
  /// overlap. Simulation starts there.
  SteppedEngine(const Scenario& scenario, double step_s, double start_gap_mm);

  /// Places everything as in `state` and forgets all earlier trials.
  virtual void begin(const State& state, const TrialParameters& trial) = 0;
  /// One step; false when the engine could not do it.
  [[nodiscard]] virtual bool step() = 0;
  [[nodiscard]] virtual State state() const = 0;
  /// True when a jaw touches the part in the last step.
  [[nodiscard]] virtual bool touching() const = 0;

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] double step_s() const { return step_s_; }

 private:
  [[nodiscard]] bool stopped(const State& state);
  void end(EndReason reason, double time_s, const State& state, SimulationResult& result) const;

  /// Where the jaws were at a step's end.
  struct Jaws {
    double right_mm = 0.0;
    double left_mm = 0.0;
  };

  Scenario scenario_;
  double step_s_;
  double start_gap_mm_;
  BroadPhase part_;
  std::vector<Jaws> history_;  ///< a ring of the last steps since the first contact
  std::size_t steps_in_contact_ = 0;
};

}  // namespace graspmap::bench
