#pragma once

#include <memory>
#include <vector>

#include "geometry/closest_points.hpp"
#include "geometry/convex_shape.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {

/// The result of one try of a step.
struct StepReport {
  bool converged = false;
  Rung rung = Rung::kWarm;
  int iterations = 0;
  double residual = 0.0;         ///< largest scaled residual
  double smallest_gap_mm = 0.0;  ///< over all pairs
  double dissipation = 0.0;      ///< least of any contact's or support element's, mN mm
  double total_dissipation = 0.0;
  double largest_turn_rad = 0.0;  ///< of the normal of a contact that carries an impulse; with a
                                  ///< tolerance 0
  double velocity_change_mm_s = 0.0;  ///< of the part; likewise
  /// Kinetic energy that no force has given: see tolerances::kMostEnergyGain.
  bool gains_energy = false;
  double opening_mm = 0.0;         ///< at the end of a step that converged
  double position_error_mm = 0.0;  ///< of the part's boundary, estimated: PositionError; 0
                                   ///< without a tolerance
  /// Of a step of second order that is off by more than the tolerance: the estimate if it were of
  /// first order, mm.
  double first_order_error_mm = 0.0;
  /// How fast the gap of a contact still closes that closed in the step, mm/s; without a tolerance
  /// 0.
  double landing_speed_mm_s = 0.0;
};

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

/// A piece as a convex shape about the part's centre of mass: itself, or its inscribed polygon
/// where the scenario says so.
PlacedShape piece_shape(const Scenario& scenario, const Piece& piece);

/// A jaw about its fingertip's vertex: two half-planes, Chakraborty et al. 2014, eq. (58)-(61).
RoundedPolygon jaw_shape(JawSide side);

/// The smallest gap of the polygon in place of a piece to a jaw, mm.
double polygon_gap_mm(const Scenario& scenario, const Piece& piece, const Configuration& q,
                      JawSide side);

}  // namespace graspmap
