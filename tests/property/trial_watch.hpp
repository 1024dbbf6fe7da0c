#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tests/property/legal_trials.hpp"
#include "tests/property/scaled.hpp"
#include "tests/property/separation.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/outline_gap.hpp"
#include "tests/support/step_checker.hpp"

namespace graspmap::testing {

/// Thrown from an observer: the trial has more steps than any should.
struct TooManySteps {};

/// What was seen of a trial: 0, or how far something is off. Lengths are in sizes of the part.
struct Sighting {
  bool finite = true;
  double overlap = 0.0;  ///< the deepest overlap at a sampled step, beyond what pads let in
  /// Energy, kinetic and of pads, beyond the work of the drives, in that.
  double energy = 0.0;
  double negative_impulse = 0.0;  ///< of a contact's normal, in the closing force's impulse
  double opening = 0.0;  ///< beyond that of the start, or the last step began below the closed one
  double late = 0.0;     ///< time after the timeout or a phase's duration, in steps
  bool end_wrong = false;  ///< the end's reason is not what the last state says
  bool crossed = false;    ///< the jaws have passed each other
  bool lost = false;       ///< the jaws stopped, and the part touches nothing
  double rounding = 0.0;   ///< of momenta, in the closing force's impulse
  double support = 0.0;    ///< the strongest friction of the support, in that force
  /// The part's momentum at the speed of the gripper that moves, in the closing force's impulse.
  double moved = 0.0;
  StepLaws laws;
};

/// True for an end without a result.
inline bool is_unsolved(EndReason end) {
  return end != EndReason::kStopped && end != EndReason::kClosed && end != EndReason::kTimeout &&
         end != EndReason::kBlocked;
}

/// Watches a trial as its observer.
class TrialWatch {
 public:
  static constexpr long kMostSteps = 1000000;

  /// `all`: with gaps and the limit surface of the support at each step.
  TrialWatch(const LegalTrial& trial, bool all)
      : trial_(trial),
        factor_(std::exp2(std::round(std::log2(kSize_mm / trial.size_mm)))),
        size_mm_(trial.size_mm * factor_),
        unit_scenario_(scaled(trial.scenario, factor_)),
        unit_trial_(scaled(trial.parameters, factor_)),
        separation_(unit_scenario_),
        checker_(unit_scenario_, unit_trial_, all ? StepChecks::kAll : StepChecks::kCheap) {
    const Gripper& gripper = unit_scenario_.gripper;
    before_ = {gripper.opening_mm, 0.5 * gripper.opening_mm, -0.5 * gripper.opening_mm};
    const bool plain =
        unit_scenario_.part.outlines.empty() && !gripper.right_finger && !gripper.palm;
    if (!plain) outline_gap_.emplace(unit_scenario_);
  }
  TrialWatch(const TrialWatch&) = delete;  // holds references to its own
  TrialWatch& operator=(const TrialWatch&) = delete;

  void operator()(const StepRecord& record) {
    StepRecord unit = record;
    const State state = in_mm(*record.state, factor_);
    unit.state = &state;
    unit.base.state = in_mm(record.base.state, factor_);
    contacts_.clear();
    for (const ContactRecord& contact : *record.contacts) {
      contacts_.push_back(in_mm(contact, factor_));
    }
    unit.contacts = &contacts_;
    unit.support_impulse.head<2>() *= factor_;
    unit.support_impulse[2] *= factor_ * factor_;
    unit.friction_dissipation_mn_mm *= factor_ * factor_;
    unit.pad_energy_mn_mm *= factor_ * factor_;
    if (unit.step_s > 0.0) keep_deflection();
    checker_(unit);
    check_finite(*record.state);
    if (unit.step_s > 0.0) opening_before_mm_ = before_.opening_mm;
    check_energy(unit);
    check_opening(state);
    if (unit.step_s > 0.0) check_step(unit);
  }

  /// To be called once, with the trial's result.
  Sighting finish(const SimulationResult& result) {
    seen_so_far();
    check_finite(result.final_state);
    seen_.finite = seen_.finite && std::isfinite(result.end_time_s);
    if (result.end != EndReason::kBlocked) {
      keep_largest(seen_.overlap, overlap(in_mm(result.final_state, factor_)));
    }
    check_end(result);
    return seen_;
  }

  /// What was seen of a trial that did not end.
  Sighting seen_so_far() {
    seen_.laws = checker_.laws();
    seen_.support = checker_.support_strength();
    return seen_;
  }

 private:
  static constexpr double kSize_mm = 20.0;  ///< about what lengths are scaled to, for StepChecker

  void check_finite(const State& s) {
    seen_.finite = seen_.finite && s.part_pose.allFinite() && s.part_velocity.allFinite() &&
                   std::isfinite(s.jaw_right_mm) && std::isfinite(s.jaw_left_mm) &&
                   std::isfinite(s.jaw_right_mm_s) && std::isfinite(s.jaw_left_mm_s);
  }

  /// In the part's size.
  double overlap(const State& state) const {
    constexpr double kEnough_mm = 0.0;
    const double gap = outline_gap_ ? outline_gap_->smallest_mm(state)
                                    : separation_.smallest_mm(state, kEnough_mm);
    return std::max(-gap - deflection_mm_, 0.0) / size_mm_;
  }

  void keep_deflection() {
    deflection_mm_ = 0.0;
    for (const ContactRecord& contact : contacts_) {
      keep_largest(deflection_mm_, contact.deflection_mm);
    }
  }

  [[nodiscard]] bool has_program() const { return !trial_.scenario.program.empty(); }

  [[nodiscard]] Phase phase_of(const StepRecord& record) const {
    return has_program() ? unit_scenario_.program[index(record.phase)] : Phase{};
  }

  static double opening_of(const State& state) { return state.jaw_right_mm - state.jaw_left_mm; }

  /// Adds to the work of the jaws' force, F times the closing, that of what moves the gripper: on
  /// the part by its contacts, on jaws by their inertia in a G that turns.
  void add_work(const StepRecord& record) {
    const State& state = *record.state;
    const Gripper& gripper = unit_scenario_.gripper;
    const Phase phase = phase_of(record);
    const GripperTwist arm = arm_twist(phase.twist, state);
    const double wider = opening_of(state) - before_.opening_mm;
    const double force_mn = 1000.0 * gripper.closing_force_n;
    if (phase.drive != JawDrive::kHold) {
      work_ += phase.drive == JawDrive::kOpen ? force_mn * wider : -force_mn * wider;
      const double w = arm.turn_rad_s;
      const double along = arm.velocity_mm_s.y();
      work_ += gripper.jaw_mass_kg * w *
               ((along + w * state.jaw_right_mm) * (state.jaw_right_mm - before_.right_mm) +
                (along + w * state.jaw_left_mm) * (state.jaw_left_mm - before_.left_mm));
    }
    before_ = {opening_of(state), state.jaw_right_mm, state.jaw_left_mm};
    for (const ContactRecord& contact : *record.contacts) {
      const Vec2 p = contact.normal_impulse_mn_s * contact.normal_G +
                     contact.tangential_impulse_mn_s * perp(contact.normal_G);
      const double work = p.dot(arm.at(contact.point_G_mm).head<2>());
      work_ += work;
      moved_work_ += std::abs(work);
    }
  }

  /// What moves got its energy from drives.
  void check_energy(const StepRecord& record) {
    add_work(record);
    const State& state = *record.state;
    const Gripper& gripper = unit_scenario_.gripper;
    const GripperTwist moves = gripper_twist(phase_of(record).twist, state);
    const Vec3 v = state.part_velocity + moves.at(state.part_pose.head<2>());
    const double energy = 0.5 * unit_scenario_.mass.mass_kg * v.head<2>().squaredNorm() +
                          0.5 * unit_scenario_.mass.inertia_kg_mm2 * v[2] * v[2] +
                          0.5 * gripper.jaw_mass_kg *
                              (state.jaw_right_mm_s * state.jaw_right_mm_s +
                               state.jaw_left_mm_s * state.jaw_left_mm_s) +
                          record.pad_energy_mn_mm;
    const double force_mn = 1000.0 * gripper.closing_force_n;
    keep_largest(seen_.energy, (energy - work_) / (force_mn * gripper.opening_mm + moved_work_));
  }

  void check_opening(const State& state) {
    const double opening = opening_of(state);
    seen_.crossed = seen_.crossed || opening < -1e-9 * size_mm_;
    if (has_program()) return;  // it may open
    keep_largest(seen_.opening, (opening - unit_scenario_.gripper.opening_mm) / size_mm_);
  }

  void check_step(const StepRecord& record) {
    if (++steps_ > kMostSteps) throw TooManySteps{};
    const double impulse = record.step_s * 1000.0 * unit_scenario_.gripper.closing_force_n;
    for (const ContactRecord& contact : *record.contacts) {
      keep_largest(seen_.negative_impulse, -contact.normal_impulse_mn_s / impulse);
    }
    const double momentum =
        unit_scenario_.mass.mass_kg * record.state->part_velocity.head<2>().norm() +
        unit_scenario_.gripper.jaw_mass_kg * std::abs(record.state->jaw_right_mm_s);
    keep_largest(seen_.rounding, std::numeric_limits<double>::epsilon() * momentum / impulse);
    const Phase phase = phase_of(record);
    if (phase.twist.moves()) {
      const double speed = unit_scenario_.gripper.closing_speed_mm_s +
                           phase.twist.at(record.state->part_pose.head<2>()).head<2>().norm();
      keep_largest(seen_.moved, unit_scenario_.mass.mass_kg * speed / impulse);
    }
    // The first steps, and then one in sixteen; of drawn ones, which cost much, ever fewer.
    const bool power_of_two = (steps_ & (steps_ - 1)) == 0;
    if (power_of_two || (!outline_gap_ && steps_ % 16 == 0)) {
      keep_largest(seen_.overlap, overlap(*record.state));
    }
  }

  void check_end(const SimulationResult& result) {
    const Scenario& scenario = trial_.scenario;
    const StopRule& stop = scenario.stop;
    const State& s = result.final_state;
    const double opening = opening_of(s);
    const double closing = std::max(-s.jaw_right_mm_s, s.jaw_left_mm_s);
    const double rounding = 1e-9 * trial_.size_mm;
    if (result.end == EndReason::kBlocked || is_unsolved(result.end)) return;
    if (has_program()) {
      check_phase_ends(result);
      return;
    }
    keep_largest(seen_.opening, (stop.closed_opening_mm - opening_before_mm_ / factor_ - rounding) /
                                    trial_.size_mm);
    keep_largest(seen_.late, (result.end_time_s - stop.timeout_s) / scenario.step_s - 1e-6);
    switch (result.end) {
      case EndReason::kClosed:
        seen_.end_wrong = opening > stop.closed_opening_mm + rounding;
        break;
      case EndReason::kStopped:
        seen_.end_wrong =
            closing >= stop.stopped_speed_mm_s || opening < stop.closed_opening_mm - rounding;
        seen_.lost = result.right_touches.empty() && result.left_touches.empty();
        break;
      default:
        seen_.end_wrong = result.end_time_s < stop.timeout_s - 1e-6 * scenario.step_s;
    }
  }

  /// What ended each phase is what its end says, in time.
  void check_phase_ends(const SimulationResult& result) {
    const GripperProgram& program = trial_.scenario.program;
    double begin_s = 0.0;
    PhaseEndReason last = PhaseEndReason::kTimeout;
    for (std::size_t k = 0; k < result.phase_ends.size(); ++k) {
      const PhaseEnd& ended = result.phase_ends[k];
      const double steps =
          (ended.time_s - begin_s - program[k].duration_s) / trial_.scenario.step_s;
      begin_s = ended.time_s;
      last = ended.reason;
      keep_largest(seen_.late, steps - 1e-6);
      const bool whole = last == PhaseEndReason::kDuration || last == PhaseEndReason::kTimeout;
      if (whole ? steps < -1e-6 : !is_reached(program[k], ended)) seen_.end_wrong = true;
    }
    const bool all = result.phase_ends.size() == program.size();
    const bool closed = last == PhaseEndReason::kClosed;
    switch (result.end) {
      case EndReason::kTimeout:
        seen_.end_wrong = seen_.end_wrong || last != PhaseEndReason::kTimeout;
        break;
      case EndReason::kClosed:
        seen_.end_wrong = seen_.end_wrong || !all || !closed;
        break;
      default:
        seen_.end_wrong = seen_.end_wrong || !all || closed || last == PhaseEndReason::kTimeout;
        seen_.lost = last == PhaseEndReason::kStopped && result.right_touches.empty() &&
                     result.left_touches.empty();
    }
  }

  [[nodiscard]] bool is_reached(const Phase& phase, const PhaseEnd& ended) const {
    const StopRule& stop = trial_.scenario.stop;
    const State& s = ended.state;
    const double rounding = 1e-9 * trial_.size_mm;
    switch (ended.reason) {
      case PhaseEndReason::kStopped:
        return phase.until == PhaseGoal::kStopped &&
               std::max(-s.jaw_right_mm_s, s.jaw_left_mm_s) < stop.stopped_speed_mm_s;
      case PhaseEndReason::kClosed:
        return phase.drive == JawDrive::kClose &&
               opening_of(s) <= stop.closed_opening_mm + rounding;
      case PhaseEndReason::kOpening:
        return phase.until == PhaseGoal::kOpening && opening_of(s) >= phase.opening_mm - rounding;
      case PhaseEndReason::kContact:
        return phase.until == PhaseGoal::kContact;
      default:
        return false;
    }
  }

  /// The jaws at the record before.
  struct JawsBefore {
    double opening_mm;
    double right_mm;
    double left_mm;
  };

  const LegalTrial& trial_;
  double factor_;   ///< a power of 2: nothing is rounded
  double size_mm_;  ///< of the scaled part
  Scenario unit_scenario_;
  TrialParameters unit_trial_;
  Separation separation_;
  std::optional<OutlineGap> outline_gap_;
  StepChecker checker_;
  std::vector<ContactRecord> contacts_;
  double deflection_mm_ = 0.0;  ///< the largest of the last step's contacts, scaled
  long steps_ = 0;
  JawsBefore before_;
  double work_ = 0.0;        ///< of all drives, mN mm, scaled
  double moved_work_ = 0.0;  ///< the sum of the sizes of that on the part by G's motion
  /// At the start of the last step, scaled.
  double opening_before_mm_ = std::numeric_limits<double>::infinity();
  Sighting seen_;
};

}  // namespace graspmap::testing
