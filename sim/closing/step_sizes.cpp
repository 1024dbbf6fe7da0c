#include "sim/closing/step_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// How long a short step takes that moves bodies by so much at this speed.
double short_time_s(const Scenario& scenario, double moved_mm, double speed_mm_s) {
  return std::min(moved_mm / speed_mm_s, tolerances::kShortStep * scenario.step_s);
}

/// A step that moves bodies by less is short enough for any error.
double shortest_mm(const Scenario& scenario) {
  return tolerances::kNegligible * scenario.tolerance_mm;
}

/// An impact moves them as far. Held jaws are heavy, and recoil where touching bodies overlap by
/// rounding and the impact moves them apart: they must move much farther in it.
double impact_mm(const Scenario& scenario, JawDrive drive) {
  if (drive != JawDrive::kHold) return shortest_mm(scenario);
  return std::max(shortest_mm(scenario),
                  tolerances::kTouchMm / (tolerances::kNegligible * tolerances::kNegligible));
}

double fastest_mm_s(const Vec3& part_velocity, double reach_mm) {
  return part_velocity.head<2>().norm() + std::abs(part_velocity[2]) * reach_mm;
}

/// No gap to a finger or the palm closes faster, mm/s; `reach_mm`: the part's.
double fastest_approach_mm_s(const State& state, double reach_mm) {
  return fastest_mm_s(state.part_velocity, reach_mm) +
         std::max(std::abs(state.jaw_right_mm_s), std::abs(state.jaw_left_mm_s));
}

}  // namespace

SecondOrderSteps::SecondOrderSteps(const Scenario& scenario, double mu_support, BroadPhase& part,
                                   const StepMemory& memory)
    : scenario_(scenario),
      part_(part),
      memory_(memory),
      friction_mm_s2_(mu_support * scenario.gravity_mm_s2),
      has_pads_(scenario.gripper.right_pad || scenario.gripper.left_pad),
      speed_mm_s_(
          FreeTravel(scenario.gripper).reached_speed_mm_s(0.5 * scenario.gripper.opening_mm)),
      shortest_s_(short_time_s(scenario, shortest_mm(scenario), speed_mm_s_)),
      impact_s_(shortest_s_),
      next_s_(shortest_s_) {}

void SecondOrderSteps::begin_phase(const Phase& phase, double speed_mm_s, bool jumps) {
  phase_ = phase;
  speed_mm_s_ = speed_mm_s;
  shortest_s_ = short_time_s(scenario_, shortest_mm(scenario_), speed_mm_s);
  impact_s_ = short_time_s(scenario_, impact_mm(scenario_, phase.drive), speed_mm_s);
  begin_before_landing();
  jumps_ = jumps;
}

void SecondOrderSteps::begin_before_landing() {
  next_s_ = shortest_s_;
  smooth_steps_ = 0;
  first_order_ = impact_ = jumps_ = false;
  last_error_mm_ = std::numeric_limits<double>::infinity();
}

/// An impact, and the shortest step, may last longer than the phase.
double SecondOrderSteps::fit(double h, double left_s) const {
  if (impact_ || left_s <= shortest_s_) return h;
  if (h >= left_s) return left_s;
  return 2.0 * h > left_s ? std::max(0.5 * left_s, shortest_s_) : h;
}

/// The size h, or less where the velocities predict that the jaws close before, or have the opening
/// that the phase waits for.
double SecondOrderSteps::until_opening(const State& state, double h) const {
  const double sign = closing_sign(phase_.drive);
  if (sign == 0.0) return h;
  const double end_mm = final_opening_mm(phase_, scenario_.stop.closed_opening_mm);
  const double left_mm = sign * (state.jaw_right_mm - state.jaw_left_mm - end_mm);
  const double closing_mm_s = sign * (state.jaw_left_mm_s - state.jaw_right_mm_s);
  return left_mm < closing_mm_s * h ? left_mm / closing_mm_s : h;
}

bool SecondOrderSteps::is_second() const {
  return smooth_steps_ >= tolerances::kFirstOrderSteps && !first_order_ && !impact_ && !lands_;
}

StepHistory SecondOrderSteps::history() const {
  StepHistory history;
  history.order = is_second() ? 2 : 1;
  if (smooth_steps_ > 0) history.before = &before_;
  history.before_s = before_s_;
  history.impact = impact_;
  history.flight_s = impact_ ? flight_s_ : 0.0;
  return history;
}

double SecondOrderSteps::propose(const State& state, double left_s) {
  flight_s_ = 0.0;
  lands_ = false;
  if (impact_) return impact_s_;
  const double h = until_opening(state, std::min({next_s_, scenario_.step_s, left_s}));
  const double until_s = with_contacts(
      part_.bodies(), [&](const auto& contacts) { return until_landing(contacts, state, h); });
  return std::max(until_s, shortest_s_);
}

/// From where it was at `start`; its mount has moved.
void SecondOrderSteps::move_gripper(double h, const State& start, State& state) const {
  if (scenario_.gripper.mount && uses_table(scenario_)) [[unlikely]] {
    state.gripper =
        compose(compose(mount_frame(start), moved_by(phase_.twist, h)), pose_on_mount(state));
  } else if (phase_.twist.moves()) {
    state.gripper = compose(state.gripper, moved_by(phase_.twist, h));
  }
}

/// The state after h by the velocities and their change in the last step.
State SecondOrderSteps::predicted(const State& state, double h) const {
  State end = state;
  const double c = smooth_steps_ > 0 ? 0.5 * h * h / before_s_ : 0.0;
  end.part_pose += h * state.part_velocity + c * (state.part_velocity - before_.part_velocity);
  end.jaw_right_mm +=
      h * state.jaw_right_mm_s + c * (state.jaw_right_mm_s - before_.jaw_right_mm_s);
  end.jaw_left_mm += h * state.jaw_left_mm_s + c * (state.jaw_left_mm_s - before_.jaw_left_mm_s);
  end.mount += h * state.mount_velocity;
  if (c != 0.0) end.mount += c * (state.mount_velocity - before_.mount_velocity);
  move_gripper(h, state, end);
  return end;
}

/// At most so fast does the gap of a piece and a jaw close, by the velocities of `state`, mm/s.
double SecondOrderSteps::approach_mm_s(const State& state, const Configuration& q,
                                       const BodyPiece& piece, JawSide side) const {
  const double omega = state.part_velocity[2];
  const Vec2 arm = q.R_GB * piece.p_BA_mm;
  const Vec2 center = state.part_velocity.head<2>() + omega * perp(arm);
  return (center - Vec2(jaw_velocity_mm_s(state, side), 0.0)).norm() +
         std::abs(omega) * piece.bounding_radius_mm;
}

/// Calls visit(pair, closest, motion_mm) for each contact with psi <= motion_mm, by how much its
/// gap may close in h, except those that carry an impulse. The last step shows which they are, and
/// which are further apart.
template <typename Visit>
void SecondOrderSteps::visit_open_contacts(const PlainContacts& /*contacts*/, const State& state,
                                           double h, const Visit& visit) {
  const Configuration q = memory_.configuration(state);
  const double most_mm =
      tolerances::kPredictedReach * h * fastest_approach_mm_s(state, part_.reach_mm());
  part_.visit_near_pairs(q, most_mm + tolerances::kRounding, [&](std::size_t i, JawSide side) {
    const Pair pair{static_cast<int>(i), side};
    const StepMemory::PairMemory& m = memory_.of(pair);
    if (m.f_n > 0.0) return;
    const BodyPiece& piece = part_.pieces()[i];
    const double motion_mm = tolerances::kPredictedReach * h * approach_mm_s(state, q, piece, side);
    const double bound_mm = m.near ? m.psi_mm : gap_lower_bound_mm(piece, q, side);
    if (bound_mm > motion_mm) return;
    const ClosestPoints closest = closest_points(piece, q, side, m.point);
    if (closest.psi_mm <= motion_mm) visit(pair, closest, motion_mm);
  });
}

/// Sides that swing flush against each other face each other only when they meet.
template <typename Visit>
void SecondOrderSteps::visit_open_contacts(const OutlineContacts& contacts, const State& state,
                                           double h, const Visit& visit) {
  const GripperTwist moves =
      uses_table(scenario_) ? gripper_twist(phase_.twist, state) : GripperTwist{};
  const Vec3 over_table = state.part_velocity + moves.at(state.part_pose.head<2>());
  const double reach_mm = part_.reach_mm();
  const double speed_mm_s =
      std::max(fastest_approach_mm_s(state, reach_mm), fastest_mm_s(over_table, reach_mm));
  const double spin_rad_s = std::max(std::abs(state.part_velocity[2]), std::abs(over_table[2]));
  const double most_mm = tolerances::kPredictedReach * h * speed_mm_s;
  const double turn = tolerances::kRounding + tolerances::kPredictedReach * h * spin_rad_s;
  part_.visit_near_contacts(Configuration(state), contacts.least_gap_mm(0.0), most_mm, turn,
                            [&](const Pair& pair, const ClosestPoints& closest) {
                              if (memory_.of(pair).f_n > 0.0) return;
                              visit(pair, closest, most_mm);
                            });
}

/// The time until the first pair is about to close, or that of an impact where one has arrived:
/// what closes at a speed that makes an impact meets within 3 kLandingGap * tolerance / closing
/// speed.
template <ContactModel Contacts>
double SecondOrderSteps::until_landing(const Contacts& contacts, const State& state, double h) {
  const double tolerance = scenario_.tolerance_mm;
  const double longest_s = h;
  flight_s_ = h;
  const auto visit = [&](const Pair& pair, const ClosestPoints& closest, double motion_mm) {
    const double closing = -gap_rate_mm_s(closest, state, pair.side, phase_.twist);
    const double psi = closest.psi_mm;
    const bool collides = closing > tolerances::kNegligible * speed_mm_s_;
    // Slow ones come nearer, so that all keep moving as they come for as short a time.
    const double unit_mm = collides ? tolerance * std::min(closing / speed_mm_s_, 1.0) : tolerance;
    const double most_mm =
        tolerances::kRateGrowth * std::abs(closing) * h + tolerances::kWatchedGap * tolerance;
    if (psi >= 3.0 * tolerances::kLandingGap * unit_mm) {
      if (psi < most_mm) {
        h = landing_time(contacts, state, pair, closest, h, motion_mm * h / longest_s,
                         tolerances::kLandingGap * unit_mm);
      }
    } else if (collides && pad_at(scenario_.gripper, pair.side) != nullptr) [[unlikely]] {
      h = std::min(h, (std::max(psi, 0.0) + tolerances::kLandingGap * tolerance) / closing);
      lands_ = true;
    } else if (psi > tolerances::kClosedGapMm && collides) {
      impact_ = true;
      flight_s_ = std::min(flight_s_, flight_time(state, pair, psi, closing));
    } else if (jumps_ && collides) {
      impact_ = true;
      flight_s_ = 0.0;
    }
  };
  visit_open_contacts(contacts, state, h, visit);
  return impact_ ? flight_s_ + impact_s_ : h;
}

/// When a pair that is `psi_mm` apart meets if part and jaws keep moving as they come.
double SecondOrderSteps::flight_time(const State& state, const Pair& pair, double psi_mm,
                                     double closing_mm_s) const {
  const double t = psi_mm / closing_mm_s;
  StepBase end = step_base(state, 2.0 * t, {.impact = true, .flight_s = t});
  move_gripper(t, state, end.state);
  const double left_mm = closest_points(part_.bodies(), pair, Configuration(end.state)).psi_mm;
  return std::abs(left_mm) < psi_mm ? t + left_mm / closing_mm_s : t;
}

/// A convex piece cannot pass in one look that is shorter than it.
double SecondOrderSteps::look_mm(const PlainContacts& /*contacts*/, double motion_mm) const {
  const double smooth_mm = tolerances::kThinnestFeature * part_.smallest_semi_axis_mm();
  const double looks =
      std::min(std::floor(1.0 + motion_mm / smooth_mm), double{tolerances::kMostLooks});
  return motion_mm / looks;
}

/// Corners have no size.
double SecondOrderSteps::look_mm(const OutlineContacts& contacts, double motion_mm) const {
  const double corner_mm = tolerances::kCornerLook * scenario_.tolerance_mm;
  return std::max(std::min(look_mm(PlainContacts{contacts.bodies}, motion_mm), corner_mm),
                  motion_mm / tolerances::kMostCornerLooks);
}

/// When a pair with these closest points now is at the landing gap; h when that is later. In h the
/// gap closes by at most `motion_mm`. So the motion is looked at where the gap may be closed at the
/// soonest, and from there again, but not in pieces that are too short for a feature to pass in
/// one.
template <ContactModel Contacts>
double SecondOrderSteps::landing_time(const Contacts& contacts, const State& state,
                                      const Pair& pair, const ClosestPoints& closest, double h,
                                      double motion_mm, double aim) const {
  ContactPoint point{closest.feature, closest.boundary.direction};
  const auto gap_after = [&](double t, double enough_mm) {
    return contacts.gap_mm(pair, Configuration(predicted(state, t)), enough_mm, point);
  };
  const double piece_mm = look_mm(contacts, motion_mm);
  double open_s = 0.0;
  double open_mm = closest.psi_mm;
  double landed_s = 0.0;
  double landed_mm = closest.psi_mm;
  while (landed_s < h) {
    landed_s = std::min(open_s + std::max(open_mm - aim, piece_mm) * h / motion_mm, h);
    landed_mm = gap_after(landed_s, aim);
    if (landed_mm < aim) break;
    open_s = landed_s;
    open_mm = landed_mm;
  }
  if (landed_mm >= aim) return h;
  double t = landed_s;
  for (int k = 0; k < tolerances::kLandingIterations; ++k) {
    t = open_s + (landed_s - open_s) * (open_mm - aim) / (open_mm - landed_mm);
    const double mm = gap_after(t, 1.5 * aim);
    if (std::abs(mm - aim) < 0.5 * aim) break;
    (mm < aim ? landed_s : open_s) = t;
    (mm < aim ? landed_mm : open_mm) = mm;
  }
  return t;
}

/// True for a step in which a contact closes at a speed that makes an impact: the impact would be
/// split between this step and the next.
bool SecondOrderSteps::misses_landing(double h, const StepReport& report) const {
  return !impact_ && h > impact_s_ && !report.lands_on_pad &&
         report.landing_speed_mm_s > tolerances::kNegligible * speed_mm_s_;
}

/// True for a step of second order that gives more energy than its error explains.
bool SecondOrderSteps::swings_up(const StepReport& report) const {
  return is_second() && report.energy_gain_mm > tolerances::kMostSwing * scenario_.tolerance_mm;
}

bool SecondOrderSteps::is_enough(double h, const StepReport& report) {
  if (misses_landing(h, report) || swings_up(report)) return false;
  const double error_mm = report.position_error_mm;
  const bool jumps = error_mm > tolerances::kJump * last_error_mm_;
  last_error_mm_ = error_mm;
  return impact_ || h <= shortest_s_ || error_mm <= scenario_.tolerance_mm ||
         (jumps && report.jump_error_mm <= scenario_.tolerance_mm);
}

/// The factor to the size with which a step is off by what is aimed at: the error of a step of
/// order p is proportional to its size to the power of p + 1.
double SecondOrderSteps::change(double error_mm) const {
  const double aim = tolerances::kErrorAim * scenario_.tolerance_mm;
  const double most = tolerances::kMostGrowth;
  if (error_mm * most * most * most <= aim) return most;
  const double ratio = aim / error_mm;
  const double factor = is_second() ? elementary::cbrt(ratio) : std::sqrt(ratio);
  return std::clamp(factor, tolerances::kMostShrinking, most);
}

/// With the motion before of another kind, a step of first order may be off by less.
double SecondOrderSteps::retry(double h, const StepReport& report) {
  if (misses_landing(h, report)) {
    const double share = std::clamp(tolerances::kBeforeLanding * report.landing_share,
                                    tolerances::kMostShrinking, tolerances::kLeastShrinking);
    return std::max(h * share, impact_s_);
  }
  double error_mm = report.position_error_mm;
  // A step of first order never gives energy.
  if (swings_up(report)) {
    first_order_ = true;
    last_error_mm_ = std::numeric_limits<double>::infinity();
    return h;
  }
  if (is_second() && report.first_order_error_mm < error_mm) {
    first_order_ = true;
    last_error_mm_ = std::numeric_limits<double>::infinity();
    error_mm = report.first_order_error_mm;
    if (error_mm <= tolerances::kErrorAim * scenario_.tolerance_mm) return h;
  }
  return std::max(h * std::min(change(error_mm), tolerances::kLeastShrinking), shortest_s_);
}

/// In a closing the jaws decide. Where they are held, open, or G moves, the part must rest in G,
/// too.
bool SecondOrderSteps::rests(const State& state) const {
  const double stopped_mm_s = scenario_.stop.stopped_speed_mm_s;
  const double closing_mm_s = standing_speed_mm_s(scenario_.gripper, state);
  if (phase_.drive == JawDrive::kClose && !phase_.twist.moves()) return closing_mm_s < stopped_mm_s;
  const double mount_mm_s = fastest_mm_s(state.mount_velocity, part_.reach_mm());
  return fastest_approach_mm_s(state, part_.reach_mm()) + mount_mm_s <
         std::min(stopped_mm_s, tolerances::kNegligible * speed_mm_s_);
}

/// What lands on a pad is not stopped at once, and its vibrations last: sizes grow from what has
/// resolved them.
void SecondOrderSteps::accepted(const State& before, const State& after, double h,
                                const StepReport& report) {
  const bool was_impact = impact_;
  const bool was_first_order = first_order_;
  if (impact_ || report.position_error_mm > scenario_.tolerance_mm) {
    restart(after);
  } else {
    // What has come to rest does not continue the motion that brought it there.
    const bool stands = rests(after) && report.iterations == 0;
    next_s_ = stands ? scenario_.step_s : h * change(report.position_error_mm);
    smooth_steps_ = rests(after) ? 0 : smooth_steps_ + 1;
  }
  before_ = before;
  before_s_ = h;
  first_order_ = jumps_ = false;
  last_error_mm_ = std::numeric_limits<double>::infinity();
  const bool lands = report.landing_speed_mm_s > tolerances::kNegligible * speed_mm_s_;
  impact_ = lands && !report.lands_on_pad;
  if (!has_pads_) return;
  // What a pad damps fades too fast for second order.
  const bool fades =
      report.second_order_error_mm > tolerances::kFadingError * report.position_error_mm;
  if (fades) {
    smooth_steps_ = std::min(smooth_steps_, tolerances::kFirstOrderSteps - 1);
  } else if (was_first_order) {
    smooth_steps_ = 0;
  }
  if (lands && report.lands_on_pad) {
    restart(after);
    next_s_ = std::min(next_s_, scenario_.tolerance_mm / report.landing_speed_mm_s);
  }
  if (!was_impact) next_s_ = std::min(next_s_, tolerances::kMostGrowth * h);
}

/// The first step after an event puts the part off by at most the tolerance where it is accelerated
/// by the table and by jaws that do not close at their speed.
void SecondOrderSteps::restart(const State& after) {
  const Gripper& gripper = scenario_.gripper;
  const double closing = closing_sign(phase_.drive);
  const double right_mm_s = -closing * after.jaw_right_mm_s;
  const double left_mm_s = closing * after.jaw_left_mm_s;
  const double closing_mm_s = gripper.coupling == Coupling::kRightMoves ? right_mm_s
                              : gripper.coupling == Coupling::kLeftMoves
                                  ? left_mm_s
                                  : std::min(right_mm_s, left_mm_s);
  const double lag =
      closing == 0.0 ? 0.0 : std::max(1.0 - closing_mm_s / gripper.closing_speed_mm_s, 0.0);
  const double jaw_mm_s2 = gripper.closing_force_mn() / gripper.jaw_mass_kg;
  const double acceleration =
      friction_mm_s2_ + lag * jaw_mm_s2 + speed_mm_s_ * speed_mm_s_ / gripper.opening_mm;
  next_s_ = std::sqrt(2.0 * scenario_.tolerance_mm / acceleration);
  smooth_steps_ = 0;
  first_order_ = false;
  impact_ = false;
}

}  // namespace graspmap
