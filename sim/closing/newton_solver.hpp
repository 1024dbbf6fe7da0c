#pragma once

#include <array>

#include "sim/closing/step_equations.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// How Newton's method continues from a start, and where it ends.
struct NewtonOptions {
  /// >= 1; contacts that are released one by one add kReleasesPerContact each.
  int most_iterations = tolerances::kNewtonIterations;
  /// >= 0: by how much masses are increased at first, relative to them; it falls by the factor
  /// kDampingDecrease an iteration.
  double damping = 0.0;
  /// > 0, times the length scale: StepEquations::least_curvature.
  double least_curvature = tolerances::kRegularization;
};

/// Semismooth Newton on the natural map of a step's equations, with a non-monotone line search.
class NewtonSolver {
 public:
  explicit NewtonSolver(StepEquations& equations) : equations_(equations) {}

  /// Prepares for a trial. Newton's method ends early at the scaled residual `target`, in
  /// (0, kResidual]. `releases_flats`: flats that cannot all touch are released one by one.
  void begin(double target, bool releases_flats);

  /// The unknowns to start from: to be set before each call of the functions below. Afterwards the
  /// last iterate.
  [[nodiscard]] Iterate& now() { return *now_; }
  [[nodiscard]] const Iterate& now() const { return *now_; }

  /// True when the last iterate solves the equations. Adds to `iterations`.
  bool solve(const NewtonOptions& options, int& iterations);

  /// The same with the branches of the complementarity conditions held.
  bool solve_on(const Pattern& pattern, int& iterations);

 private:
  /// What has been tried in one iteration of a contact's friction.
  struct FrictionTry {
    bool stick_left = false;                  ///< stick, whose impulse would leave the cone
    bool slip_turned = false;                 ///< slip, whose direction would turn
    ContactMode turned = ContactMode::kOpen;  ///< then: slip the other way
  };
  using FrictionTries = std::array<FrictionTry, kMaxContacts>;

  bool find_direction(Pattern& pattern, double regularization, double damping);
  inline bool revise_friction(Pattern& pattern, FrictionTries& tries) const;
  inline bool leave_stick(std::size_t i, ContactMode& mode, FrictionTry& tried) const;
  inline bool turn_slip(std::size_t i, ContactMode& mode, FrictionTry& tried) const;
  inline double line_search(double bound);
  inline double try_share(double share);
  inline bool open_used_up(Pattern& pattern) const;
  [[nodiscard]] inline double share_to_release() const;
  [[nodiscard]] bool solved() const { return now_->at.residual.largest() <= tolerances::kResidual; }

  StepEquations& equations_;
  double target_ = tolerances::kResidual;
  bool releases_flats_ = false;
  StepDirection direction_;
  std::array<Iterate, 3> iterates_;  ///< the pointers below are swapped, not the contents
  Iterate* now_ = &iterates_[0];
  Iterate* next_ = &iterates_[1];
  Iterate* candidate_ = &iterates_[2];
};

}  // namespace graspmap
