#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/contact_models.hpp"
#include "sim/closing/grasp_stepper.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/step_base.hpp"
#include "sim/closing/step_data.hpp"
#include "sim/closing/step_error.hpp"
#include "sim/closing/step_memory.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// The steps of a trial of second order (Scenario::order): their sizes, so that their estimated
/// error stays within the tolerance, and what they continue. Between events the motion is smooth
/// and takes few steps. A step ends where a contact is about to close. The impact is two steps of
/// almost no duration. After it some steps are of first order, since the motion before it
/// predicts nothing.
class SecondOrderSteps {
 public:
  /// `part`: the scenario's. `memory`: what is known of its contacts.
  SecondOrderSteps(const Scenario& scenario, double mu_support, BroadPhase& part,
                   const StepMemory& memory);

  /// Begins a phase of a program, in which velocities are measured by `speed_mm_s`, with a motion
  /// of which nothing is known. With `jumps` velocities jump at its begin: what touches collides.
  void begin_phase(const Phase& phase, double speed_mm_s, bool jumps);

  /// Nothing is known of the motion that continues, and a contact is about to close.
  void begin_before_landing();

  /// Makes `h`, for which propose() was called last, end with a phase that has `left_s` to go,
  /// without a last step that is much smaller.
  [[nodiscard]] double fit(double h, double left_s) const;

  /// The size for a step from `state`, s, at most step_s and `left_s`, the time until the stop rule
  /// could end the trial.
  [[nodiscard]] double propose(const State& state, double left_s);

  /// What the step for which propose() was called last continues.
  [[nodiscard]] StepHistory history() const;

  /// False when a step of h must be solved again with another size or order. Not so one whose
  /// error is that of a larger one: the velocities jump in it, as where a part jams.
  [[nodiscard]] bool is_enough(double h, const StepReport& report);

  /// The size with which a step that has no solution is tried again.
  [[nodiscard]] double halved(double h) const {
    const double flight_s = impact_ ? flight_s_ : 0.0;
    return flight_s + 0.5 * (h - flight_s);
  }

  /// The size with which a step that is off too much is tried again; its order may be another.
  [[nodiscard]] double retry(double h, const StepReport& report);

  /// Takes in a step from `before` to `after`.
  void accepted(const State& before, const State& after, double h, const StepReport& report);

  /// Nothing is known of the motion that continues from `after`.
  void restart(const State& after);

 private:
  [[nodiscard]] double until_opening(const State& state, double h) const;
  [[nodiscard]] bool is_second() const;
  [[nodiscard]] bool misses_landing(double h, const StepReport& report) const;
  [[nodiscard]] bool swings_up(const StepReport& report) const;
  [[nodiscard]] bool rests(const State& state) const;
  [[nodiscard]] double change(double error_mm) const;
  template <ContactModel Contacts>
  [[nodiscard]] double until_landing(const Contacts& contacts, const State& state, double h);
  [[nodiscard]] double flight_time(const State& state, const Pair& pair, double psi_mm,
                                   double closing_mm_s) const;
  template <ContactModel Contacts>
  [[nodiscard]] double landing_time(const Contacts& contacts, const State& state, const Pair& pair,
                                    const ClosestPoints& closest, double h, double motion_mm,
                                    double aim_mm) const;
  [[nodiscard]] double look_mm(const PlainContacts& contacts, double motion_mm) const;
  [[nodiscard]] double look_mm(const OutlineContacts& contacts, double motion_mm) const;
  [[nodiscard]] double approach_mm_s(const State& state, const Configuration& q,
                                     const BodyPiece& piece, JawSide side) const;
  template <typename Visit>
  void visit_open_contacts(const PlainContacts& contacts, const State& state, double h,
                           const Visit& visit);
  template <typename Visit>
  void visit_open_contacts(const OutlineContacts& contacts, const State& state, double h,
                           const Visit& visit);
  void move_gripper(double h, const State& start, State& state) const;
  [[nodiscard]] State predicted(const State& state, double h) const;

  const Scenario& scenario_;
  BroadPhase& part_;
  const StepMemory& memory_;
  double friction_mm_s2_;  ///< the table's deceleration of the part
  bool has_pads_;
  Phase phase_;
  double speed_mm_s_;  ///< of the jaws, at half of their way, or of the phase
  double shortest_s_;  ///< the shortest step
  double impact_s_;    ///< size of an impact's last step
  double next_s_;
  bool jumps_ = false;        ///< the next step begins with a jump of velocities
  bool impact_ = false;       ///< the next step is one of an impact
  double flight_s_ = 0.0;     ///< StepHistory::flight_s
  bool first_order_ = false;  ///< the step is tried again with first order
  bool lands_ = false;        ///< a contact is about to close on a pad in the step
  double last_error_mm_ = std::numeric_limits<double>::infinity();  ///< of the last try of the step
  int smooth_steps_ = 0;                                            ///< since the last event
  State before_;  ///< the state before the last of them
  double before_s_ = 0.0;
};

}  // namespace graspmap
