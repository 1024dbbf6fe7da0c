#pragma once

#include <memory>
#include <vector>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/closing/step_report.hpp"

namespace graspmap {

/// A time-stepper of a closing gripper other than CondensedStepper, through the same calls.
class GraspStepper {
 public:
  GraspStepper() = default;
  GraspStepper(const GraspStepper&) = delete;
  GraspStepper& operator=(const GraspStepper&) = delete;
  virtual ~GraspStepper() = default;

  /// Prepares for a trial with the scenario's stepper and pieces.
  virtual void begin(const Scenario& scenario, const TrialParameters& trial) = 0;
  /// Solves a step of h seconds from `state`. Nothing is remembered until `accept` is called.
  [[nodiscard]] virtual StepReport try_step(const State& state, double h, bool all_rungs) = 0;
  /// Takes the step last tried, which has converged, and returns the state at its end.
  virtual State accept() = 0;
  /// The pairs that took part in the last converged step, at its end.
  virtual void contacts(std::vector<ContactRecord>& records) const = 0;
  /// The wrench impulse of the support on the part in that step: mN s, mN s, mN s mm.
  [[nodiscard]] virtual Vec3 support_impulse() const = 0;
  [[nodiscard]] virtual bool touching() const = 0;  ///< a contact carries an impulse
  /// The pieces of the scenario's part.
  [[nodiscard]] virtual BroadPhase& broad_phase() = 0;
};

/// The stepper for all StepperKinds but kImplicit. There are two definitions. A program that links
/// the object of lab/grasp_scene has the steppers of planar scenes; all others get that of
/// sim/closing/no_other_stepper.cpp, which has none and returns null.
std::unique_ptr<GraspStepper> make_other_stepper();

/// True when this program can simulate a grasp with a stepper.
bool has_stepper(StepperKind kind);

}  // namespace graspmap
