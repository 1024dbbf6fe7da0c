#include "sim/closing/free_travel.hpp"

#include <algorithm>
#include <cmath>

#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

Configuration closed_by(const State& state, double travel_mm) {
  return {state.part_pose, state.jaw_right_mm - travel_mm, state.jaw_left_mm + travel_mm};
}

/// The gap of two convex bodies is a convex function of a translation, so Newton's method from the
/// open side comes down to the root and never passes it.
double travel_of_pair_mm(const BodyPiece& piece, const State& state, JawSide side, double limit_mm,
                         double gap_mm) {
  if (gap_lower_bound_mm(piece, closed_by(state, limit_mm), side) > gap_mm) return limit_mm;
  double travel = 0.0;
  for (int k = 0; k < tolerances::kFreeTravelIterations && travel < limit_mm; ++k) {
    const ClosestPoints closest = closest_points(piece, closed_by(state, travel), side);
    const double excess = closest.psi_mm - gap_mm;
    const double next = travel + excess / std::abs(closest.normal.x());
    if (!(next > travel)) return travel;  // there; or the jaw passes below (normal.x = 0: NaN, inf)
    travel = next;
  }
  return std::min(travel, limit_mm);
}

}  // namespace

FreeTravel::FreeTravel(const Gripper& gripper)
    : speed_mm_s(gripper.closing_speed_mm_s),
      tau_s(gripper.jaw_mass_kg * gripper.closing_speed_mm_s / (1000.0 * gripper.closing_force_n)) {
}

double FreeTravel::speed_at(double time_s) const {
  return -speed_mm_s * std::expm1(-time_s / tau_s);
}

double FreeTravel::travel_at(double time_s) const {
  return speed_mm_s * (time_s + tau_s * std::expm1(-time_s / tau_s));
}

double FreeTravel::time_of(double travel_mm) const {
  if (travel_mm <= 0.0) return 0.0;
  // s(t) is convex and increasing: Newton from an upper bound descends to the root.
  double t = travel_mm / speed_mm_s + tau_s;
  for (int k = 0; k < tolerances::kFreeTravelIterations; ++k) {
    const double next = t - (travel_at(t) - travel_mm) / speed_at(t);
    if (!(next < t) || next <= 0.0) break;
    t = next;
  }
  return t;
}

double travel_to_contact_mm(const BroadPhase& part, const State& state, double limit_mm,
                            double gap_mm) {
  double travel = limit_mm;
  Configuration closed = closed_by(state, travel);
  const auto is_reached = [&](const Vec2& center_B_mm, double radius_mm) {
    closed.jaw_right_mm = state.jaw_right_mm - travel;
    closed.jaw_left_mm = state.jaw_left_mm + travel;
    const double limit = gap_mm + tolerances::kBoundRoundingMm;
    return !(circle_gap_mm(center_B_mm, radius_mm, closed) > limit);
  };
  part.tree().visit(is_reached, [&](std::size_t i) {
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      travel = std::min(travel, travel_of_pair_mm(part.pieces()[i], state, side, travel, gap_mm));
    }
  });
  return travel;
}

double skip_free_travel(const Scenario& scenario, const BroadPhase& part, double gap_mm,
                        State& state) {
  const double to_closed = 0.5 * (scenario.gripper.opening_mm - scenario.stop.closed_opening_mm);
  const FreeTravel free(scenario.gripper);
  const double limit = std::min(std::max(to_closed, 0.0), free.travel_at(scenario.stop.timeout_s));
  const double travel = travel_to_contact_mm(part, state, limit, gap_mm);
  const double time_s = free.time_of(travel);
  state.jaw_right_mm -= travel;
  state.jaw_left_mm += travel;
  state.jaw_left_mm_s = free.speed_at(time_s);
  state.jaw_right_mm_s = -state.jaw_left_mm_s;
  return time_s;
}

}  // namespace graspmap
