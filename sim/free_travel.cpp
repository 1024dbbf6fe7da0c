#include "sim/free_travel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graspmap {
namespace {

double travel_of_pair_mm(const BodyPiece& piece, const State& state, JawSide side, double limit_mm,
                         double smallest_gap_mm) {
  constexpr int kMostAdvances = 1000;  // a grazing jaw advances slowly; stepping takes over then
  Configuration q(state);
  double travel = 0.0;
  for (int k = 0; k < kMostAdvances && travel < limit_mm; ++k) {
    q.jaw_right_mm = state.jaw_right_mm - travel;
    q.jaw_left_mm = state.jaw_left_mm + travel;
    double gap = gap_lower_bound_mm(piece, q, side);
    if (gap <= smallest_gap_mm) {
      gap = closest_points(piece, q, side).psi_mm;
    }
    if (gap <= smallest_gap_mm) return travel;
    travel += gap - 0.5 * smallest_gap_mm;
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
  for (int k = 0; k < 100; ++k) {
    const double next = t - (travel_at(t) - travel_mm) / speed_at(t);
    if (!(next < t) || next <= 0.0) break;
    t = next;
  }
  return t;
}

double travel_to_contact_mm(const std::vector<BodyPiece>& pieces, const State& state,
                            double limit_mm, double smallest_gap_mm) {
  double travel = limit_mm;
  for (const BodyPiece& piece : pieces) {
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      travel = std::min(travel, travel_of_pair_mm(piece, state, side, travel, smallest_gap_mm));
    }
  }
  return travel;
}

}  // namespace graspmap
