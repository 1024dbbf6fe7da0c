#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "geometry/closest_points.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/trial_result.hpp"

namespace graspmap {

class StepMemory;

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
  double velocity_change_mm_s = 0.0;  ///< of the part; with a tolerance 0
  /// Kinetic energy that no force has given, over the closing force.
  double energy_gain_mm = 0.0;
  double opening_mm = 0.0;         ///< at the end of a step that converged
  double position_error_mm = 0.0;  ///< of the part's boundary, estimated: PositionError; 0
  /// The error that a step of second order, off by more than the tolerance, would have with first
  /// order, estimated, mm.
  double first_order_error_mm = 0.0;
  /// The error of the end's position alone, where velocities jump in the step, mm.
  double jump_error_mm = 0.0;
  /// How fast the gap of a contact still closes that closed in the step, mm/s; without a tolerance
  /// 0.
  double landing_speed_mm_s = 0.0;
  /// About after which share of the step that contact closed.
  double landing_share = 1.0;
  bool lands_on_pad = false;  ///< that contact is one with a pad, which has not stopped it
  /// The error that a step of first order on pads would have with second order, estimated, mm; 0
  /// where it continues no motion.
  double second_order_error_mm = 0.0;
};

/// A time-stepper of a closing gripper, as a simulation sees it.
class GraspStepper {
 public:
  GraspStepper() = default;
  GraspStepper(const GraspStepper&) = delete;
  GraspStepper& operator=(const GraspStepper&) = delete;
  virtual ~GraspStepper() = default;

  /// Prepares for a trial with the scenario's pieces. Keeps its memory.
  virtual void begin(const Scenario& scenario, const TrialParameters& trial) = 0;
  /// Goes on from `state` to a phase of the scenario's program, in which velocities are measured by
  /// `speed_mm_s`. Nothing is remembered of the motion before, except whether jaws that are held
  /// from now on have been `pressed` on the part.
  virtual void begin_phase(const Phase& /*phase*/, double /*speed_mm_s*/, const State& /*state*/,
                           bool /*pressed*/) {}
  /// The table's friction stops a part with this velocity against it, at this angle, within
  /// tolerances::kRounding.
  [[nodiscard]] virtual bool rests(const Vec3& /*velocity*/, double /*angle_rad*/) { return false; }
  /// Solves a step of h seconds from `state`; with `all_rungs` it tries all that it knows but
  /// halving. Nothing is remembered until `accept` is called.
  [[nodiscard]] virtual StepReport try_step(const State& state, double h, bool all_rungs,
                                            const StepHistory& history) = 0;
  /// What the equations of the step last tried, from `start`, start from.
  [[nodiscard]] virtual StepBase base(const State& start, double h) const { return {start, h, h}; }
  /// Takes the step last tried, which has converged, and returns the state at its end.
  virtual State accept() = 0;
  /// The pairs of the last converged step, at its end, open ones included.
  virtual void contacts(std::vector<ContactRecord>& records) const = 0;
  /// The wrench impulse of the support on the part in that step: mN s, mN s, mN s mm.
  [[nodiscard]] virtual Vec3 support_impulse() const = 0;
  [[nodiscard]] virtual bool touching() const = 0;  ///< a finger or the palm does
  /// The largest impulse, mN s, of an obstacle on the part in the last converged step, and of which
  /// obstacle; 0 of none.
  struct Push {
    int obstacle = -1;
    double impulse_mn_s = 0.0;
  };
  [[nodiscard]] virtual Push obstacle_push() const { return {}; }
  /// The obstacle against which the gripper jams the part in a state from which a step has no
  /// solution, or -1.
  [[nodiscard]] virtual int jamming_obstacle(const State& /*state*/) { return -1; }
  /// What is known of the contacts at the end of the last accepted step; null: nothing.
  [[nodiscard]] virtual const StepMemory* memory() const { return nullptr; }
  /// The pieces of the scenario's part.
  [[nodiscard]] virtual BroadPhase& broad_phase() = 0;

  /// True for a stepper that has a last resort.
  [[nodiscard]] virtual bool has_last_resort() const { return false; }
  /// Whether steps are tried by the last resort instead of the rungs.
  virtual void use_last_resort(bool /*yes*/) {}
};

/// The seam for time-steppers that graspmap does not link: what a scenario has in place of
/// CondensedStepper. Only graspmap-lab makes such scenarios.
class OtherStepper {
 public:
  OtherStepper() = default;
  OtherStepper(const OtherStepper&) = delete;
  OtherStepper& operator=(const OtherStepper&) = delete;
  virtual ~OtherStepper() = default;

  [[nodiscard]] virtual std::unique_ptr<GraspStepper> make() const = 0;
  /// True when the stepper takes other shapes in place of the pieces: their gaps are `gap_mm`.
  [[nodiscard]] virtual bool replaces_pieces() const = 0;
  [[nodiscard]] virtual double gap_mm(const Scenario& scenario, const Piece& piece,
                                      const Configuration& q, JawSide side) const = 0;
  /// How much more than one of CondensedStepper a step or an iteration counts: most_work.
  [[nodiscard]] virtual double work() const = 0;
  /// What a configuration says of it: keys of [simulation] and their values in TOML.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> settings() const = 0;
};

}  // namespace graspmap
