#pragma once

#include "sim/closing/newton_solver.hpp"
#include "sim/closing/pair_selection.hpp"
#include "sim/closing/step_check.hpp"
#include "sim/closing/step_memory.hpp"
#include "sim/closing/trial_result.hpp"

namespace graspmap {

/// What is tried to solve a step, rung by rung: a start and a method, see kLadder in the source. A
/// solution is one whose path is clear.
class RetryLadder {
 public:
  RetryLadder(const StepMemory& memory, const StepPairs& pairs, PairSelection& selection,
              StepEquations& equations, NewtonSolver& newton, StepCheck& check)
      : memory_(memory),
        pairs_(pairs),
        selection_(selection),
        equations_(equations),
        newton_(newton),
        check_(check) {}

  /// Climbs until a rung solves the step: then newton.now() has the solution. Without `all_rungs`
  /// the rare ones are not tried. Adds to `iterations`.
  bool climb(bool all_rungs, Rung& rung, int& iterations);

  /// Where no rung solves a step of any size: other starts, and easier problems that lead to the
  /// solution. That is one of the step's own problem.
  bool climb_last_resort(int& iterations);

 private:
  struct Try;
  static const Try kLadder[];

  // Starts; false where there is no such start.
  bool goes_on(StepUnknowns& x) const;
  bool from_velocities(StepUnknowns& x) const;
  bool with_last_forces(StepUnknowns& x) const;
  bool laid_flat(StepUnknowns& x) const;

  // Methods, which start from newton_.now().
  bool newton(const NewtonOptions& options, int& iterations);
  bool patterns(const NewtonOptions& options, int& iterations);
  bool corners(const NewtonOptions& options, int& iterations);

  bool newton_near_pattern(int& iterations);
  bool stay_at_corners(const StepUnknowns& start, int& iterations);
  [[nodiscard]] bool ends_at_contacts() const;
  [[nodiscard]] bool may_close(std::size_t i, const StepUnknowns& start) const;

  bool with_heavier_contacts(int& iterations);
  bool from_heavier_parts(int& iterations);
  bool follow_to_own_mass(double heaviest, int& iterations);
  bool from_rest(int& iterations);
  bool long_newton(int& iterations);

  const StepMemory& memory_;
  const StepPairs& pairs_;
  PairSelection& selection_;
  StepEquations& equations_;
  NewtonSolver& newton_;
  StepCheck& check_;
};

}  // namespace graspmap
