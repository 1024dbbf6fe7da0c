#pragma once

#include <memory>
#include <vector>

#include "sim/broad_phase.hpp"
#include "sim/planar/grasp_scene.hpp"
#include "sim/planar/stepper.hpp"
#include "sim/simulate.hpp"
#include "sim/steppers/implicit.hpp"

namespace graspmap {

/// Steps a grasp with one of the time-steppers of planar scenes, through the same calls as
/// ImplicitStepper.
class SceneGraspStepper {
 public:
  using Report = ImplicitStepper::Report;

  /// Prepares for a trial with the scenario's stepper and pieces.
  void begin(const Scenario& scenario, const TrialParameters& trial);

  /// Solves a step of h from `state`. Turns, velocity changes and errors are reported for
  /// steppers with implicit geometry only, whose steps are refined by them.
  [[nodiscard]] Report try_step(const State& state, double h, bool all_rungs);

  /// Takes the step last tried, which has converged, and returns the state at its end.
  State accept();

  void contacts(std::vector<ContactRecord>& records) const;
  [[nodiscard]] Vec3 support_impulse() const;
  [[nodiscard]] bool touching() const;  ///< a contact carries an impulse

  [[nodiscard]] BroadPhase& broad_phase() { return broad_phase_; }

 private:
  [[nodiscard]] double largest_turn(const PlanarState& start) const;
  [[nodiscard]] double position_error(const PlanarState& start, double h) const;
  [[nodiscard]] bool path_is_clear(const PlanarState& start) const;
  void work(Report& report) const;

  const Scenario* scenario_ = nullptr;
  StepperKind kind_ = StepperKind::kImplicit;
  std::unique_ptr<PlanarStepper> stepper_;
  BroadPhase broad_phase_;
  PlanarScene scene_;
  PlanarStep step_;
};

}  // namespace graspmap
