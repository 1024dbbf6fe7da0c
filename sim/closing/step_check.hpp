#pragma once

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_models.hpp"
#include "sim/closing/pair_selection.hpp"
#include "sim/closing/step_equations.hpp"
#include "sim/closing/step_memory.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// Whether a solution of a step's equations is a motion: the equations know the contacts of their
/// pairs at the end of the step, and nothing of what is on the way, behind a thin piece, or left
/// out.
class StepCheck {
 public:
  StepCheck(const TrialData& trial, BroadPhase& part, const StepMemory& memory,
            const StepEquations& equations, const PairSelection& selection)
      : trial_(trial), part_(part), memory_(memory), equations_(equations), selection_(selection) {}

  /// Between two separated configurations all may overlap: the root then lies behind a feature that
  /// the jaw has jumped over. A chord along a curved contact overlaps by its sagitta only, a small
  /// fraction of its length.
  [[nodiscard]] bool path_is_clear(const Iterate& end);

  /// How far the step for which path_is_clear was asked last moves part and jaws at most, mm. The
  /// functions below are about that step.
  [[nodiscard]] double moved_mm() const { return moved_mm_; }

  /// The smallest gap of the step's pairs, or a lower bound of it, mm.
  [[nodiscard]] double smallest_gap_mm(const Iterate& end) const;

  /// Closest points of thin bodies may pass to their other side, where the two face away from each
  /// other.
  [[nodiscard]] bool has_lost_contact(const Iterate& end) const;

  /// What part, jaws and pads gain beyond the work of all drives, and in a moving G of the table
  /// and of inertia, mN mm. Contacts and friction do no work but by rounding of the step's motion.
  [[nodiscard]] double energy_gain(const Iterate& now, const State& end) const;

 private:
  [[nodiscard]] double work_of_motion(const Iterate& now, const State& end) const;
  template <ContactModel Contacts>
  [[nodiscard]] bool path_is_clear(const Contacts& contacts, const Iterate& end) const;
  template <ContactModel Contacts>
  [[nodiscard]] double smallest_gap_mm(const Contacts& contacts, const Iterate& end) const;

  /// True for a motion that is too short to jump over any piece.
  [[nodiscard]] bool may_not_jump(double motion_mm) const {
    return motion_mm < tolerances::kThinnestFeature * part_.smallest_semi_axis_mm();
  }

  const TrialData& trial_;
  BroadPhase& part_;
  const StepMemory& memory_;
  const StepEquations& equations_;
  const PairSelection& selection_;
  double moved_mm_ = 0.0;
};

}  // namespace graspmap
