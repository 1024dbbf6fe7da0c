#include "sim/closing/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/contact_models.hpp"
#include "sim/closing/free_motion.hpp"
#include "sim/closing/grasp_stepper.hpp"
#include "sim/closing/length_unit.hpp"
#include "sim/closing/obstacle_watch.hpp"
#include "sim/closing/overlap.hpp"
#include "sim/closing/step_sizes.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

struct Workspace::Storage {
  CondensedStepper condensed;
  std::shared_ptr<const OtherStepper> other;    ///< of the last scenario that had one
  std::unique_ptr<GraspStepper> other_stepper;  ///< that `other` made
  std::vector<ContactRecord> contacts;
  ObstacleWatch obstacles;
  Scenario in_units;  ///< of a part that is simulated in another unit than mm
};

Workspace::Workspace() : storage_(std::make_unique<Storage>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

namespace {

/// The stepper that takes other shapes in place of the pieces; null: they are what they are.
const OtherStepper* shapes_in_place(const Scenario& scenario) {
  const OtherStepper* stepper = scenario.other_stepper.get();
  return stepper != nullptr && stepper->replaces_pieces() ? stepper : nullptr;
}

/// Calls visit(pair, feature) for each contact whose gap is below `gap_limit_mm`, in the order of
/// the pieces.
template <typename Visit>
void visit_closer_pairs(const Scenario& scenario, BroadPhase& part, const State& state,
                        double gap_limit_mm, const Visit& visit) {
  const Configuration q(state);
  if (const OtherStepper* shapes = shapes_in_place(scenario)) {
    part.visit_near_pairs(
        q, gap_limit_mm + tolerances::kRounding, [&](std::size_t i, JawSide side) {
          const double psi = shapes->gap_mm(scenario, scenario.part.pieces[i], q, side);
          if (psi < gap_limit_mm) visit({static_cast<int>(i), side}, static_cast<int>(i));
        });
    return;
  }
  const double least_mm = part.least_gap_mm(0.0) - most_deflection_mm(scenario.gripper);
  part.visit_near_contacts(q, least_mm, gap_limit_mm, tolerances::kRounding,
                           [&](const Pair& pair, const ClosestPoints& closest) {
                             if (closest.psi_mm >= gap_limit_mm) return;
                             visit(pair, feature_at(part.bodies(), pair.piece, closest, q));
                           });
}

bool overlaps_a_jaw(const Scenario& scenario, BroadPhase& part, const State& state) {
  if (contacts_walk(part.bodies())) return overlaps_fingers(scenario, part.bodies(), state);
  bool any = false;
  if (shapes_in_place(scenario) != nullptr) {
    visit_closer_pairs(scenario, part, state, 0.0, [&](const Pair&, int) { any = true; });
    return any;
  }
  const Configuration q(state);
  part.visit_near_pairs(q, tolerances::kRounding, [&](std::size_t i, JawSide side) {
    any = any || true_gap_mm(part.pieces()[i], q, side) < 0.0;
  });
  return any;
}

/// The features that each side touches, ascending. `result`: of a trial or of a phase.
template <typename Result>
void find_touches(const Scenario& scenario, BroadPhase& part, const State& state, Result& result) {
  const ContactBodies& bodies = part.bodies();
  const std::array of_gripper{&result.right_touches, &result.left_touches, &result.palm_touches};
  for (std::vector<int>* features : of_gripper) {
    features->clear();
    features->reserve(part.pieces().size());
  }
  result.obstacle_touches.assign(scenario.obstacles.size(), {});
  const auto touched_at = [&](const Pair& pair) -> std::vector<int>& {
    if (pair.side != JawSide::kObstacle) return *of_gripper[side_index(pair.side)];
    return result.obstacle_touches[index(obstacle_of(bodies.fingers, pair))];
  };
  const double gap_mm = scenario.stop.contact_gap_mm;
  visit_closer_pairs(scenario, part, state, gap_mm,
                     [&](const Pair& pair, int feature) { touched_at(pair).push_back(feature); });
  if (scenario.part.outlines.empty() && bodies.fingers.quarter_planes) return;
  for (const JawSide side : kJawSides) {
    visit_flush_edges(bodies, Configuration(state), side, gap_mm,
                      most_deflection_mm(scenario.gripper),
                      [&](const Pair& pair, const FlushStretch& /*stretch*/) {
                        touched_at(pair).push_back(bodies.pieces[index(pair.piece)].feature);
                      });
  }
  for (std::vector<int>* features : of_gripper) drop_corners_of_touched(scenario.part, *features);
  for (std::vector<int>& features : result.obstacle_touches) {
    drop_corners_of_touched(scenario.part, features);
  }
}

/// One trial under way.
class Simulation {
 public:
  Simulation(const Scenario& scenario, const TrialParameters& trial, GraspStepper& stepper,
             std::vector<ContactRecord>& contacts, ObstacleWatch& obstacles,
             SimulationResult& result, const StepObserver* observer)
      : scenario_(scenario),
        trial_(trial),
        stepper_(stepper),
        contacts_(contacts),
        obstacles_(obstacles),
        result_(result),
        observer_(observer) {}

  void run() {
    begin();
    PhaseEndReason reason = PhaseEndReason::kDuration;
    for (std::size_t k = 0; k < std::max(scenario_.program.size(), std::size_t{1}); ++k) {
      begin_phase(k);
      if (k == 0 && is_blocked_at_start()) {
        end(EndReason::kBlocked);
        return;
      }
      if (!phase_.is_empty()) {
        const std::optional<PhaseEndReason> ended = run_phase();
        if (!ended) {
          end(why_unsolved(result_.statistics, most_work_));
          return;
        }
        reason = *ended;
      }
      if (!scenario_.program.empty()) {
        end_phase(phase_.is_empty() ? PhaseEndReason::kDuration : reason);
      }
      if (reason == PhaseEndReason::kTimeout || reason == PhaseEndReason::kBlocked) break;
    }
    end(of_trial(reason));
  }

 private:
  void begin() {
    result_.statistics = {};
    result_.phase_ends.clear();
    result_.blocking_obstacle = -1;
    stepper_.begin(scenario_, trial_);
    if (scenario_.order == 2) {
      sizes_.emplace(scenario_, trial_.mu_support, stepper_.broad_phase(), *stepper_.memory());
    }
    state_ = initial_state(scenario_, trial_);
    obstacles_.begin(scenario_, state_);
    most_work_ = most_work(scenario_);
    contacts_.clear();
  }

  bool is_blocked_at_start() {
    if (overlaps_a_jaw(scenario_, stepper_.broad_phase(), state_)) return true;
    if (scenario_.obstacles.empty()) return false;
    result_.blocking_obstacle =
        overlapped_obstacle(scenario_, stepper_.broad_phase(), Configuration(state_));
    if (result_.blocking_obstacle < 0) result_.blocking_obstacle = obstacles_.met(state_);
    return result_.blocking_obstacle >= 0;
  }

  // --- Phases

  /// The part's absolute velocity stays, and so do the jaws' velocities in G along the drive.
  void begin_phase(std::size_t number) {
    const GripperTwist before = phase_.twist;
    phase_number_ = static_cast<int>(number);
    phase_begin_s_ = time_s_;
    phase_ = scenario_.program.empty() ? Phase{.duration_s = scenario_.stop.timeout_s}
                                       : scenario_.program[number];
    slow_time_s_ = next_skip_s_ = 0.0;
    if (phase_.is_empty()) {
      phase_.twist = before;  // nothing moves meanwhile
    } else {
      const Vec2 center = state_.part_pose.head<2>();
      const bool moves = before.moves() || phase_.twist.moves();
      if (moves) {
        state_.part_velocity +=
            arm_twist(before, state_).at(center) - arm_twist(phase_.twist, state_).at(center);
      }
      brake_jaws();
      const double reach_mm = stepper_.broad_phase().reach_mm();
      speed_mm_s_ = phase_speed_mm_s(scenario_.gripper, phase_, state_, reach_mm);
      halvings_ = unsolved_halvings_ = 0;
      position_ = 0;
      stepper_.begin_phase(phase_, speed_mm_s_, state_, touching_);
      touching_ = false;
      if (sizes_) sizes_->begin_phase(phase_, speed_mm_s_, number > 0 || moves);
    }
    contacts_.clear();
    observe(0.0, {}, {});
  }

  /// A drive first stops what moves against it, and held jaws stand. Jaws that open on from an
  /// inward motion would pass each other.
  void brake_jaws() {
    const double closing = closing_sign(phase_.drive);
    if (closing * state_.jaw_right_mm_s >= 0.0) state_.jaw_right_mm_s = 0.0;
    if (closing * state_.jaw_left_mm_s <= 0.0) state_.jaw_left_mm_s = 0.0;
  }

  /// Why the phase ended; nothing where a step is not solved.
  std::optional<PhaseEndReason> run_phase() {
    skip_free_motion();
    for (;;) {
      if (const std::optional<PhaseEndReason> reason = reached()) return reason;
      if (!advance()) {
        if (result_.blocking_obstacle >= 0) return PhaseEndReason::kBlocked;
        return std::nullopt;
      }
      if (may_come_free() && !touching_) skip_free_motion();
    }
  }

  void end_phase(PhaseEndReason reason) {
    PhaseEnd& ended = result_.phase_ends.emplace_back();
    ended.reason = reason;
    ended.time_s = time_s_;
    ended.state = state_;
    find_touches(scenario_, stepper_.broad_phase(), state_, ended);
  }

  static EndReason of_trial(PhaseEndReason reason) {
    if (reason == PhaseEndReason::kClosed) return EndReason::kClosed;
    if (reason == PhaseEndReason::kBlocked) return EndReason::kBlocked;
    return reason == PhaseEndReason::kTimeout ? EndReason::kTimeout : EndReason::kStopped;
  }

  [[nodiscard]] double time_in_phase() const { return time_s_ - phase_begin_s_; }

  /// A closing of a G at rest ends as it begins, with steps: what it has touched it holds or loses.
  [[nodiscard]] bool may_come_free() const {
    return phase_.drive != JawDrive::kClose || phase_.twist.moves();
  }

  [[nodiscard]] double final_opening() const {
    return final_opening_mm(phase_, scenario_.stop.closed_opening_mm);
  }

  /// Skips the motion of jaws and table below a part that rests on the table and is clear of the
  /// fingers, until a first gap has closed or the phase ends. A trial begins so.
  void skip_free_motion() {
    const bool begins = time_s_ == 0.0;
    const bool at_rest = state_.jaw_right_mm_s == 0.0 && state_.jaw_left_mm_s == 0.0;
    const bool closes = !may_come_free() && at_rest;
    if (begins && closes) {
      const double longest_s = obstacles_.closing_time_s(state_, phase_.duration_s);
      time_s_ = skip_free_travel(scenario_.gripper, stepper_.broad_phase(), tolerances::kTouchMm,
                                 final_opening(), longest_s, state_);
      obstacles_.go_on_from(state_);
      observe(0.0, {}, {});
      return;
    }
    if (phase_.until == PhaseGoal::kContactLost || time_s_ < next_skip_s_ || is_in_pad()) return;
    if (obstacles_.met(state_) >= 0) return;
    const bool jaws_turn = phase_.drive != JawDrive::kHold && phase_.twist.turns();
    const bool springs_back =
        state_.mount != Vec3::Zero() && scenario_.gripper.mount->damping_s == 0.0;
    const Vec3 velocity =
        state_.part_velocity + gripper_twist(phase_.twist, state_).at(state_.part_pose.head<2>());
    if (jaws_turn || springs_back || !stepper_.rests(velocity, state_.part_pose[2])) return;
    BroadPhase& part = stepper_.broad_phase();
    double left_s = phase_.duration_s - time_in_phase();
    if (left_s <= 0.0) return;
    const FreeMotion motion(scenario_.gripper, phase_, state_);
    if (std::isfinite(final_opening())) left_s = motion.time_of(final_opening(), left_s);
    left_s = free_time(part, motion, tolerances::kTouchMm, left_s);
    const double skipped_s = obstacles_.free_time_s(phase_, state_, left_s);
    if (left_s == 0.0 || skipped_s < std::min(tolerances::kShortStep * scenario_.step_s, left_s)) {
      next_skip_s_ = time_s_ + scenario_.step_s;
      return;
    }
    state_ = motion.at(skipped_s);
    time_s_ += skipped_s;
    obstacles_.go_on_from(state_);
    stepper_.begin_phase(phase_, speed_mm_s_, state_, false);
    if (sizes_) sizes_->begin_before_landing();
    contacts_.clear();
    observe(0.0, {}, {});
  }

  [[nodiscard]] double closing_speed() const {
    return phase_.drive == JawDrive::kOpen ? std::max(state_.jaw_right_mm_s, -state_.jaw_left_mm_s)
                                           : standing_speed_mm_s(scenario_.gripper, state_);
  }

  /// Why the phase has ended, if it has.
  std::optional<PhaseEndReason> reached() {
    if (result_.blocking_obstacle < 0) result_.blocking_obstacle = obstacles_.met(state_);
    if (result_.blocking_obstacle >= 0) return PhaseEndReason::kBlocked;
    const StopRule& stop = scenario_.stop;
    const double rounding_s = tolerances::kRounding * scenario_.step_s;
    const double opening_mm = state_.jaw_right_mm - state_.jaw_left_mm;
    if (phase_.drive == JawDrive::kClose &&
        opening_mm < stop.closed_opening_mm + tolerances::kShapeRounding) {
      return PhaseEndReason::kClosed;
    }
    if (phase_.until == PhaseGoal::kStopped && slow_time_s_ >= stop.stopped_time_s - rounding_s) {
      return PhaseEndReason::kStopped;
    }
    if (phase_.until == PhaseGoal::kOpening) {
      const double left_mm = closing_sign(phase_.drive) * (opening_mm - final_opening());
      if (left_mm < tolerances::kShapeRounding) return PhaseEndReason::kOpening;
    }
    if (phase_.until == PhaseGoal::kContact && touching_) return PhaseEndReason::kContact;
    if (phase_.until == PhaseGoal::kContactLost && is_clear()) return PhaseEndReason::kContactLost;
    if (time_in_phase() < phase_.duration_s - rounding_s) return std::nullopt;
    return phase_.until == PhaseGoal::kDuration ? PhaseEndReason::kDuration
                                                : PhaseEndReason::kTimeout;
  }

  /// Pads have to let go of the part before the rest is free.
  [[nodiscard]] bool is_in_pad() const {
    return stepper_.memory() != nullptr && stepper_.memory()->is_in_pad();
  }

  [[nodiscard]] bool is_clear() {
    if (is_in_pad()) return false;
    const double most_mm = scenario_.stop.contact_gap_mm;
    return smallest_gap_within_mm(stepper_.broad_phase(), Configuration(state_), most_mm) >=
           most_mm;
  }

  // --- Steps

  /// One step; false when none converges.
  bool advance() { return sizes_ ? advance_within_tolerance(*sizes_) : advance_on_grid(); }

  StepReport try_step(double h, bool all_rungs, const StepHistory& history = {}) {
    StepReport report = stepper_.try_step(state_, h, all_rungs, history);
    result_.statistics.newton_iterations += report.iterations;
    return report;
  }

  /// True where a moving gripper jams the part against an obstacle, which is the trial's blocking
  /// one then.
  bool jams() {
    result_.blocking_obstacle = stepper_.jamming_obstacle(state_);
    return result_.blocking_obstacle >= 0;
  }

  /// Finds a jam by the force of an obstacle in the step just taken.
  void look_for_squeeze(double h) {
    if (scenario_.obstacles.empty() || !phase_.twist.moves()) return;
    const GraspStepper::Push push = stepper_.obstacle_push();
    const Gripper& gripper = scenario_.gripper;
    const double momenta = (scenario_.mass.mass_kg + 2.0 * gripper.jaw_mass_kg) * speed_mm_s_;
    const double most = tolerances::kJam * (gripper.closing_force_mn() * h + momenta);
    if (push.impulse_mn_s > most) result_.blocking_obstacle = push.obstacle;
  }

  /// False for a solution at whose end the jaws have passed each other, or that gives energy.
  [[nodiscard]] bool is_possible(const StepReport& report) const {
    const double most_mm = tolerances::kMostEnergyGain * scenario_.gripper.opening_mm;
    return report.opening_mm >= 0.0 && report.energy_gain_mm <= most_mm;
  }

  [[nodiscard]] bool work_is_used_up() const {
    return why_unsolved(result_.statistics, most_work_) == EndReason::kTooLong;
  }

  /// A step of the full size where that converges and resolves the motion, else of the half, and
  /// so on; one at whose end the jaws would have passed each other is too large too. The size grows
  /// back to the full one on the grid of full steps. False when the smallest does not do, or the
  /// work is used up.
  bool advance_on_grid() {
    for (; halvings_ <= tolerances::kMostHalvings; ++halvings_, position_ *= 2) {
      const double h = fit(scenario_.step_s * elementary::power_of_two(-halvings_));
      const bool fine = halvings_ >= tolerances::kResolutionHalvings;
      StepReport report = try_step(h, halvings_ > tolerances::kResolutionHalvings);
      if (work_is_used_up()) return false;
      if ((!report.converged || !is_possible(report)) && jams()) return false;
      if (!report.converged) unsolved_halvings_ = halvings_ + 1;
      if (!report.converged || (!fine && !resolved(report)) || !is_possible(report)) continue;
      if (unsolved_halvings_ > 0) report.rung = Rung::kHalved;
      take(h, report);
      finish_substep();
      return true;
    }
    halvings_ = 0;
    position_ = 0;
    return advance_by_larger_step(fit(scenario_.step_s));
  }

  /// Makes a step end with a phase that has its duration, without a last one that is much smaller.
  [[nodiscard]] double fit(double h) const {
    if (phase_.until != PhaseGoal::kDuration) return h;
    const double left_s = phase_.duration_s - time_in_phase();
    if (h >= left_s) return left_s;
    return 2.0 * h > left_s ? 0.5 * left_s : h;
  }

  /// Where small steps do not converge larger ones may: an impact between heavy jaws has no
  /// solution near its start that Newton's method finds, and one after it. The first of the sizes
  /// h_max, h_max / 2 and so on that converges is taken, whatever it resolves. False when none
  /// does.
  [[gnu::noinline, gnu::cold]] bool advance_by_larger_step(double h_max) {
    if (advance_by_one_of(h_max, tolerances::kMostHalvings / 2)) return true;
    if (!stepper_.has_last_resort()) return false;
    stepper_.use_last_resort(true);
    const bool solved = advance_by_one_of(h_max, tolerances::kMostHalvings);
    stepper_.use_last_resort(false);
    return solved;
  }

  bool advance_by_one_of(double h_max, int halvings) {
    for (int k = 0; k <= halvings && !work_is_used_up(); ++k) {
      const double h = h_max * elementary::power_of_two(-k);
      StepReport report = try_step(h, true);
      if (!report.converged || !is_possible(report)) continue;
      report.rung = Rung::kHalved;
      take(h, report);
      return true;
    }
    return false;
  }

  /// A step of a size whose estimated error is within the tolerance. False when the smallest does
  /// not converge, or the work is used up.
  bool advance_within_tolerance(SecondOrderSteps& sizes) {
    double h = sizes.propose(state_, time_left_s());
    if (phase_.until == PhaseGoal::kDuration) h = sizes.fit(h, time_left_s());
    for (int halvings = 0; halvings <= tolerances::kMostHalvings;) {
      const bool all_rungs = halvings > tolerances::kResolutionHalvings;
      StepReport report = try_step(h, all_rungs, sizes.history());
      if (work_is_used_up()) return false;
      if (!report.converged || !is_possible(report)) {
        if (jams()) return false;
        ++halvings;
        h = sizes.halved(h);
      } else if (!sizes.is_enough(h, report)) {
        h = sizes.retry(h, report);
      } else {
        if (halvings > 0) report.rung = Rung::kHalved;
        const State before = state_;
        take(h, report);
        sizes.accepted(before, state_, h, report);
        return true;
      }
    }
    const bool solved = advance_by_larger_step(std::min(scenario_.step_s, time_left_s()));
    sizes.restart(state_);
    return solved;
  }

  /// The time until the stop rule or the timeout could end the phase, s.
  [[nodiscard]] double time_left_s() const {
    const double left = phase_.duration_s - time_in_phase();
    const bool stops = phase_.until == PhaseGoal::kStopped && slow_time_s_ > 0.0;
    return stops ? std::min(left, scenario_.stop.stopped_time_s - slow_time_s_) : left;
  }

  /// False for a step that turns a contact's normal far or jolts the part: smaller ones replace it.
  [[nodiscard]] bool resolved(const StepReport& report) const {
    return report.largest_turn_rad <= tolerances::kTurnRad &&
           report.velocity_change_mm_s <= tolerances::kVelocityChange * speed_mm_s_;
  }

  /// Counts the sub-step; two finished halves make the next larger size possible again.
  void finish_substep() {
    for (++position_; halvings_ > 0 && position_ % 2 == 0; position_ /= 2) --halvings_;
    if (halvings_ == 0) position_ = 0;
    if (halvings_ < unsolved_halvings_) unsolved_halvings_ = 0;
  }

  void take(double h, const StepReport& report) {
    const StepBase base = observer_ != nullptr ? stepper_.base(state_, h) : StepBase{};
    state_ = stepper_.accept();
    time_s_ += h;
    touching_ = stepper_.touching();
    look_for_squeeze(h);
    const bool slow = closing_speed() < scenario_.stop.stopped_speed_mm_s && touching_;
    slow_time_s_ = slow ? slow_time_s_ + h : 0.0;
    StepStatistics& s = result_.statistics;
    ++s.steps;
    ++s.by_rung[static_cast<std::size_t>(report.rung)];
    s.worst_residual = std::max(s.worst_residual, report.residual);
    s.worst_gap_mm = std::min(s.worst_gap_mm, report.smallest_gap_mm);
    s.least_dissipation = std::min(s.least_dissipation, report.dissipation);
    if (observer_ != nullptr) stepper_.contacts(contacts_);
    observe(h, base, report);
  }

  void observe(double h, const StepBase& base, const StepReport& report) {
    if (observer_ == nullptr) return;
    StepRecord record;
    record.time_s = time_s_;
    record.step_s = h;
    record.phase = phase_number_;
    record.base = base;
    record.state = &state_;
    record.contacts = &contacts_;
    record.rung = report.rung;
    record.residual = report.residual;
    record.friction_dissipation_mn_mm = report.total_dissipation;
    if (h > 0.0) record.support_impulse = stepper_.support_impulse();
    if (stepper_.memory() != nullptr) {
      record.pad_energy_mn_mm =
          stepper_.memory()->pad_energy() + mount_energy(scenario_.gripper, state_);
    }
    (*observer_)(record);
  }

  void end(EndReason reason) {
    result_.end = reason;
    result_.end_time_s = time_s_;
    result_.final_state = state_;
    find_touches(scenario_, stepper_.broad_phase(), state_, result_);
  }

  const Scenario& scenario_;
  const TrialParameters& trial_;
  GraspStepper& stepper_;
  std::vector<ContactRecord>& contacts_;
  ObstacleWatch& obstacles_;
  SimulationResult& result_;
  const StepObserver* observer_;

  Phase phase_;  ///< without a program the only one
  int phase_number_ = 0;
  double phase_begin_s_ = 0.0;
  State state_;
  double speed_mm_s_ = 0.0;   ///< what velocities are measured by
  bool touching_ = false;     ///< a contact had an impulse in the phase's last step
  double next_skip_s_ = 0.0;  ///< when free motion is looked for again
  double most_work_ = 0.0;    ///< steps, and iterations
  double time_s_ = 0.0;
  double slow_time_s_ = 0.0;
  std::optional<SecondOrderSteps> sizes_;  ///< of steps of second order; the rest is for fixed ones
  int halvings_ = 0;                       ///< the current step is step_s / 2^halvings
  int unsolved_halvings_ = 0;  ///< halvings that a step which did not converge made necessary
  std::int64_t position_ = 0;  ///< in the current full step, in units of the current step
};

}  // namespace

double most_work(const Scenario& scenario) {
  const double work =
      std::clamp(tolerances::kWorkPerStep * scenario.stop.timeout_s / scenario.step_s,
                 tolerances::kLeastWork, tolerances::kMostWork) *
      std::max(static_cast<double>(scenario.program.size()), 1.0);
  return scenario.other_stepper ? work / scenario.other_stepper->work() : work;
}

EndReason why_unsolved(const StepStatistics& statistics, double most_work) {
  const auto work = static_cast<double>(std::max(statistics.newton_iterations, statistics.steps));
  return work >= most_work ? EndReason::kTooLong : EndReason::kFailed;
}

namespace {

void simulate_as_it_is(const Scenario& scenario, const TrialParameters& trial, Workspace& workspace,
                       SimulationResult& result, const StepObserver* observer) {
  Workspace::Storage& storage = workspace.storage();
  GraspStepper* stepper = &storage.condensed;
  if (scenario.other_stepper) {
    if (storage.other != scenario.other_stepper) {
      storage.other_stepper = scenario.other_stepper->make();
      storage.other = scenario.other_stepper;
    }
    stepper = storage.other_stepper.get();
  }
  Simulation(scenario, trial, *stepper, storage.contacts, storage.obstacles, result, observer)
      .run();
}

}  // namespace

void simulate(const Scenario& scenario, const TrialParameters& trial, Workspace& workspace,
              SimulationResult& result, const StepObserver* observer) {
  GRASPMAP_CHECK(scenario.step_s > 0.0);
  GRASPMAP_CHECK((scenario.order == 2) == (scenario.tolerance_mm > 0.0));
  GRASPMAP_CHECK(scenario.order == 1 || (scenario.order == 2 && !scenario.other_stepper));
  GRASPMAP_CHECK(scenario.program.empty() || !scenario.other_stepper);
  GRASPMAP_CHECK(most_deflection_mm(scenario.gripper) == 0.0 || !scenario.other_stepper);
  GRASPMAP_CHECK(!scenario.gripper.mount || !scenario.other_stepper);
  GRASPMAP_CHECK(std::all_of(scenario.program.begin(), scenario.program.end(), is_legal));
  const double unit_mm = length_unit_mm(scenario);
  if (unit_mm == 1.0) {
    simulate_as_it_is(scenario, trial, workspace, result, observer);
    return;
  }
  Scenario& scaled = workspace.storage().in_units;
  scaled = scenario;
  scale_lengths(1.0 / unit_mm, scaled);
  StepObserver in_unit;
  if (observer != nullptr) in_unit = in_mm(unit_mm, *observer);
  simulate_as_it_is(scaled, in_units(trial, unit_mm), workspace, result,
                    observer != nullptr ? &in_unit : nullptr);
  in_mm(unit_mm, result);
}

namespace {

BroadPhase bodies_of(const Scenario& scenario) {
  BroadPhase part;
  part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  part.set_fingers(scenario.gripper, scenario.obstacles);
  return part;
}

}  // namespace

StartCheck::StartCheck(const Scenario& scenario)
    : scenario_(scenario), part_(std::make_unique<BroadPhase>(bodies_of(scenario))) {}

StartCheck::~StartCheck() = default;

bool StartCheck::is_free(const State& state) {
  ObstacleWatch obstacles;
  obstacles.begin(scenario_, state);
  return !overlaps_a_jaw(scenario_, *part_, state) &&
         overlapped_obstacle(scenario_, *part_, Configuration(state)) < 0 &&
         obstacles.met(state) < 0;
}

void touching_pieces(const Scenario& scenario, const State& state, JawSide side,
                     std::vector<int>& pieces) {
  BroadPhase part = bodies_of(scenario);
  SimulationResult result;
  find_touches(scenario, part, state, result);
  pieces = side == JawSide::kRight  ? result.right_touches
           : side == JawSide::kLeft ? result.left_touches
                                    : result.palm_touches;
}

double smallest_gap_mm(const Scenario& scenario, const State& state) {
  BroadPhase part = bodies_of(scenario);
  const Configuration q(state);
  const OtherStepper* shapes = shapes_in_place(scenario);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < part.pieces().size(); ++i) {
    for (const JawSide side : kJawSides) {
      if (index(part.bodies().fingers.sides) <= side_index(side)) continue;
      if (shapes != nullptr) {
        smallest = std::min(smallest, shapes->gap_mm(scenario, scenario.part.pieces[i], q, side));
        continue;
      }
      visit_contacts(part.bodies(), static_cast<int>(i), side, q,
                     part.least_gap_mm(0.0) - most_deflection_mm(scenario.gripper),
                     std::numeric_limits<double>::infinity(), tolerances::kRounding,
                     [&](const Pair&, const ClosestPoints& closest) {
                       smallest = std::min(smallest, closest.psi_mm);
                     });
    }
  }
  return smallest;
}

}  // namespace graspmap
