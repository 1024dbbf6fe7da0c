#include "sim/closing/step_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/elementary/elementary.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

constexpr double kMillinewtonsPerNewton = 1000.0;

/// The size h, or less where the velocities predict that the jaws close before.
double until_closed(const Scenario& scenario, const State& state, double h) {
  const double opening = state.jaw_right_mm - state.jaw_left_mm - scenario.stop.closed_opening_mm;
  const double closing_mm_s = state.jaw_left_mm_s - state.jaw_right_mm_s;
  return opening < closing_mm_s * h ? opening / closing_mm_s : h;
}

/// No gap closes faster, mm/s; `reach_mm`: the part's.
double fastest_approach_mm_s(const State& state, double reach_mm) {
  return state.part_velocity.head<2>().norm() + std::abs(state.part_velocity[2]) * reach_mm +
         std::max(std::abs(state.jaw_right_mm_s), std::abs(state.jaw_left_mm_s));
}

}  // namespace

StepSize::StepSize(const Scenario& scenario, BroadPhase& part)
    : scenario_(scenario),
      part_(part),
      smallest_s_(tolerances::kLeastResolvedStep * scenario.step_s),
      next_s_(tolerances::kImpactStep * scenario.tolerance_mm /
              scenario.gripper.closing_speed_mm_s) {}

double StepSize::propose(const State& state, double left_s) {
  const double h = until_closed(scenario_, state, std::min({next_s_, scenario_.step_s, left_s}));
  return std::max(until_contact(state, h), smallest_s_);
}

/// A step that ends just before a pair closes, and a short one in which it does, cost less than
/// tries of steps with an impact in between.
double StepSize::until_contact(const State& state, double h) {
  const double tolerance = scenario_.tolerance_mm;
  const Configuration q(state);
  const double reach = h * fastest_approach_mm_s(state, part_.reach_mm());
  const auto visit = [&](const Pair& pair, const ClosestPoints& closest) {
    const double closing = -gap_rate_mm_s(closest, state, pair.side);
    const bool touches = closest.psi_mm < tolerances::kTouchingGap * tolerance;
    if (touches || closest.psi_mm >= closing * h) return;
    const double arrival = (closest.psi_mm - tolerances::kArrivalGap * tolerance) / closing;
    h = std::min(h, std::max(arrival, tolerances::kImpactStep * tolerance / closing));
  };
  part_.visit_near_contacts(q, part_.least_gap_mm(0.0), reach, tolerances::kFacing, visit);
  return h;
}

bool StepSize::is_enough(double h, const StepReport& report) const {
  return report.position_error_mm <= scenario_.tolerance_mm || h <= smallest_s_;
}

/// The error of a first-order step is proportional to the square of its size.
double StepSize::change(double error_mm) const {
  const double aim = tolerances::kErrorAim * scenario_.tolerance_mm;
  const double most = tolerances::kMostGrowth;
  if (error_mm * most * most <= aim) return most;
  return std::max(std::sqrt(aim / error_mm), tolerances::kMostShrinking);
}

double StepSize::retry(double h, const StepReport& report) const {
  const double factor = std::min(change(report.position_error_mm), tolerances::kLeastShrinking);
  return std::max(h * factor, smallest_s_);
}

void StepSize::accepted(const State&, const State&, double h, const StepReport& report) {
  next_s_ = h * change(report.position_error_mm);
}

SecondOrderSteps::SecondOrderSteps(const Scenario& scenario, double mu_support, BroadPhase& part,
                                   const StepMemory* memory)
    : scenario_(scenario),
      part_(part),
      memory_(memory),
      friction_mm_s2_(mu_support * scenario.gravity_mm_s2),
      speed_mm_s_(
          FreeTravel(scenario.gripper).reached_speed_mm_s(0.5 * scenario.gripper.opening_mm)),
      impact_s_(std::min(tolerances::kImpactMove * scenario.tolerance_mm / speed_mm_s_,
                         tolerances::kLongestImpact * scenario.step_s)),
      next_s_(impact_s_) {}

bool SecondOrderSteps::is_second() const {
  return smooth_steps_ >= tolerances::kFirstOrderSteps && !first_order_ && !impact_;
}

StepHistory SecondOrderSteps::history() const {
  StepHistory history;
  history.order = is_second() ? 2 : 1;
  if (smooth_steps_ > 0) history.before = &before_;
  history.before_s = before_s_;
  history.impact = impact_;
  return history;
}

double SecondOrderSteps::propose(const State& state, double left_s) {
  if (impact_) return impact_s_;
  const double h = until_closed(scenario_, state, std::min({next_s_, scenario_.step_s, left_s}));
  return std::max(until_landing(state, h), impact_s_);
}

/// The state after h by the velocities and their change in the last step.
State SecondOrderSteps::predicted(const State& state, double h) const {
  State end = state;
  const double c = smooth_steps_ > 0 ? 0.5 * h * h / before_s_ : 0.0;
  end.part_pose += h * state.part_velocity + c * (state.part_velocity - before_.part_velocity);
  end.jaw_right_mm +=
      h * state.jaw_right_mm_s + c * (state.jaw_right_mm_s - before_.jaw_right_mm_s);
  end.jaw_left_mm += h * state.jaw_left_mm_s + c * (state.jaw_left_mm_s - before_.jaw_left_mm_s);
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
/// gap may close in h, except those that carry an impulse. With a plain part the last step tells
/// which they are, and which are further apart.
template <typename Visit>
void SecondOrderSteps::visit_open_contacts(const State& state, double h, const Visit& visit) {
  const Configuration q(state);
  const double most_mm =
      tolerances::kPredictedReach * h * fastest_approach_mm_s(state, part_.reach_mm());
  if (memory_ == nullptr || !part_.bodies().plain) {
    part_.visit_near_contacts(
        q, part_.least_gap_mm(0.0), most_mm, tolerances::kFacing,
        [&](const Pair& pair, const ClosestPoints& closest) { visit(pair, closest, most_mm); });
    return;
  }
  part_.visit_near_pairs(
      q, most_mm + tolerances::kBoundRoundingMm, [&](std::size_t i, JawSide side) {
        const Pair pair{static_cast<int>(i), side};
        const StepMemory::PairMemory& m = memory_->of(pair);
        if (m.f_n > 0.0) return;
        const BodyPiece& piece = part_.pieces()[i];
        const double motion_mm =
            tolerances::kPredictedReach * h * approach_mm_s(state, q, piece, side);
        const double bound_mm = m.near ? m.psi_mm : gap_lower_bound_mm(piece, q, side);
        if (bound_mm > motion_mm) return;
        const ClosestPoints closest = closest_points(piece, q, side, m.point);
        if (closest.psi_mm <= motion_mm) visit(pair, closest, motion_mm);
      });
}

/// The time until the first pair is about to close, or that of an impact where one has arrived.
double SecondOrderSteps::until_landing(const State& state, double h) {
  const double impact_mm_s = tolerances::kImpactSpeed * speed_mm_s_;
  const double tolerance = scenario_.tolerance_mm;
  const double longest_s = h;
  double impact_s = h;
  const auto visit = [&](const Pair& pair, const ClosestPoints& closest, double motion_mm) {
    const double closing = -gap_rate_mm_s(closest, state, pair.side);
    const double psi = closest.psi_mm;
    const double most_mm =
        tolerances::kRateGrowth * std::abs(closing) * h + tolerances::kWatchedGap * tolerance;
    if (psi >= tolerances::kArrivedGap * tolerance) {
      if (psi < most_mm) h = landing_time(state, pair, closest, h, motion_mm * h / longest_s);
    } else if (psi > tolerances::kClosedGapMm && closing > impact_mm_s) {
      impact_ = true;
      impact_s = std::min(impact_s, psi / (closing * (1.0 - tolerances::kLeftInImpact)));
    }
  };
  visit_open_contacts(state, h, visit);
  return impact_ ? std::min(impact_s, h) : h;
}

/// The gap of a pair in t, or a lower bound of it that is at least `enough_mm`. `point`: the
/// contact at a time near that; it becomes the one found.
double SecondOrderSteps::gap_after(const State& state, const Pair& pair, double t, double enough_mm,
                                   ContactPoint& point) const {
  const Configuration q(predicted(state, t));
  if (!part_.bodies().plain) return closest_points(part_.bodies(), pair, q).psi_mm;
  const BodyPiece& piece = part_.pieces()[index(pair.piece)];
  if (point.feature != JawFeature::kVertex) {
    const double along_edge_mm = edge_gap_mm(piece, q, pair.side, point.feature);
    if (along_edge_mm >= enough_mm) return along_edge_mm;
  }
  const ClosestPoints closest = closest_points(piece, q, pair.side, point);
  point = {closest.feature, closest.boundary.direction};
  return closest.psi_mm;
}

/// When a pair with these closest points now is at the landing gap; h when that is later. In h the
/// gap closes by at most `motion_mm`. The motion is looked at in pieces, except those in which the
/// gap cannot close.
double SecondOrderSteps::landing_time(const State& state, const Pair& pair,
                                      const ClosestPoints& closest, double h,
                                      double motion_mm) const {
  const double aim = tolerances::kLandingGap * scenario_.tolerance_mm;
  ContactPoint point{closest.feature, closest.boundary.direction};
  const double piece_mm = tolerances::kLookLength * part_.smallest_semi_axis_mm();
  const int looks =
      std::min(1 + static_cast<int>(std::min(motion_mm / piece_mm, double{tolerances::kMostLooks})),
               tolerances::kMostLooks);
  double open_s = 0.0;
  double open_mm = closest.psi_mm;
  double landed_s = h;
  double landed_mm = closest.psi_mm;
  for (int k = 1; k <= looks; ++k) {
    landed_s = h * k / looks;
    if (open_mm - aim > motion_mm * (landed_s - open_s) / h) continue;
    landed_mm = gap_after(state, pair, landed_s, aim, point);
    if (landed_mm < aim) break;
    open_s = landed_s;
    open_mm = landed_mm;
  }
  if (landed_mm >= aim) return h;
  double t = landed_s;
  for (int k = 0; k < tolerances::kLandingIterations; ++k) {
    t = open_s + (landed_s - open_s) * (open_mm - aim) / (open_mm - landed_mm);
    const double mm = gap_after(state, pair, t, 1.5 * aim, point);
    if (std::abs(mm - aim) < 0.5 * aim) break;
    (mm < aim ? landed_s : open_s) = t;
    (mm < aim ? landed_mm : open_mm) = mm;
  }
  return t;
}

bool SecondOrderSteps::is_enough(double h, const StepReport& report) {
  const double error_mm = report.position_error_mm;
  const bool jumps = error_mm > tolerances::kJump * last_error_mm_;
  last_error_mm_ = error_mm;
  return impact_ || h <= impact_s_ || jumps || error_mm <= scenario_.tolerance_mm;
}

/// The factor to the size with which a step is off by what is aimed at: the error of a step of
/// order p is proportional to its size to the power of p + 1.
double SecondOrderSteps::change(double error_mm) const {
  const double aim = tolerances::kErrorAim * scenario_.tolerance_mm;
  const double most = tolerances::kMostGrowth2;
  if (error_mm * most * most * most <= aim) return most;
  const double ratio = aim / error_mm;
  const double factor = is_second() ? elementary::cbrt(ratio) : std::sqrt(ratio);
  return std::clamp(factor, tolerances::kMostShrinking, most);
}

/// With the motion before of another kind, a step of first order may be off by less.
double SecondOrderSteps::retry(double h, const StepReport& report) {
  double error_mm = report.position_error_mm;
  if (is_second() && report.first_order_error_mm < error_mm) {
    first_order_ = true;
    last_error_mm_ = std::numeric_limits<double>::infinity();
    error_mm = report.first_order_error_mm;
    if (error_mm <= tolerances::kErrorAim * scenario_.tolerance_mm) return h;
  }
  return std::max(h * std::min(change(error_mm), tolerances::kLeastShrinking), impact_s_);
}

bool SecondOrderSteps::rests(const State& state) const {
  const double closing_mm_s = std::max(-state.jaw_right_mm_s, state.jaw_left_mm_s);
  return closing_mm_s < scenario_.stop.stopped_speed_mm_s;
}

void SecondOrderSteps::accepted(const State& before, const State& after, double h,
                                const StepReport& report) {
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
  first_order_ = false;
  last_error_mm_ = std::numeric_limits<double>::infinity();
  impact_ = report.landing_speed_mm_s > tolerances::kImpactSpeed * speed_mm_s_;
}

/// The first step after an event puts the part off by at most the tolerance where it is accelerated
/// by the table and by jaws that do not close at their speed.
void SecondOrderSteps::restart(const State& after) {
  const Gripper& gripper = scenario_.gripper;
  const double closing_mm_s = std::min(-after.jaw_right_mm_s, after.jaw_left_mm_s);
  const double lag = std::max(1.0 - closing_mm_s / gripper.closing_speed_mm_s, 0.0);
  const double jaw_mm_s2 = kMillinewtonsPerNewton * gripper.closing_force_n / gripper.jaw_mass_kg;
  const double acceleration =
      friction_mm_s2_ + lag * jaw_mm_s2 + speed_mm_s_ * speed_mm_s_ / gripper.opening_mm;
  next_s_ = std::sqrt(2.0 * scenario_.tolerance_mm / acceleration);
  smooth_steps_ = 0;
  first_order_ = false;
  impact_ = false;
}

}  // namespace graspmap
