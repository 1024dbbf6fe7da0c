#pragma once

#include <vector>

#include "sim/contact_set.hpp"
#include "sim/model.hpp"

namespace graspmap {

/// The sizes of steps whose estimated error is to stay within a tolerance, mm.
class StepSize {
 public:
  /// `reach_mm`: the largest distance of a point of the part from its centre of mass.
  StepSize(const Scenario& scenario, const std::vector<BodyPiece>& pieces, double reach_mm);

  /// The size for a step from `state`, s: the one that `accepted` proposed, at most step_s, and one
  /// that does not run far into a contact that the velocities predict or into closed jaws. The stop
  /// rule cuts it as well: at most `left_s`.
  [[nodiscard]] double propose(const State& state, double left_s) const;

  /// False when a step of h with the estimated error is to be taken again in a smaller size.
  [[nodiscard]] bool is_enough(double h, double error_mm) const;

  /// The size in which a step that is not good enough is tried again.
  [[nodiscard]] double retry(double h, double error_mm) const;

  /// Takes in the error of an accepted step: the next one aims at the tolerance.
  void accepted(double h, double error_mm);

 private:
  [[nodiscard]] double change(double error_mm) const;
  [[nodiscard]] double until_contact(const State& state, double h) const;

  const Scenario& scenario_;
  const std::vector<BodyPiece>& pieces_;
  double reach_mm_;
  double next_s_;
};

}  // namespace graspmap
