#include "sim/step_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/tolerances.hpp"

namespace graspmap {
namespace {

/// d psi / dt of a pair whose closest points are given, mm/s.
double gap_rate_mm_s(const ClosestPoints& closest, const State& state, JawSide side) {
  const Vec2 arm = closest.on_piece_mm - state.part_pose.head<2>();
  const Vec2 velocity =
      state.part_velocity.head<2>() + state.part_velocity[2] * Vec2(-arm.y(), arm.x());
  const double jaw = side == JawSide::kRight ? state.jaw_right_mm_s : state.jaw_left_mm_s;
  return closest.normal.dot(velocity) - closest.normal.x() * jaw;
}

}  // namespace

StepSize::StepSize(const Scenario& scenario, const std::vector<BodyPiece>& pieces, double reach_mm)
    : scenario_(scenario),
      pieces_(pieces),
      reach_mm_(reach_mm),
      next_s_(tolerances::kImpactStep * scenario.tolerance_mm /
              scenario.gripper.closing_speed_mm_s) {}

double StepSize::propose(const State& state, double left_s) const {
  double h = std::min({next_s_, scenario_.step_s, left_s});
  const double opening = state.jaw_right_mm - state.jaw_left_mm - scenario_.stop.closed_opening_mm;
  const double closing_mm_s = state.jaw_left_mm_s - state.jaw_right_mm_s;
  if (opening < closing_mm_s * h) {
    h = std::max(opening / closing_mm_s, tolerances::kLeastResolvedStep * scenario_.step_s);
  }
  return until_contact(state, h);
}

/// A step that ends just before a pair closes, and a short one in which it does, cost less than
/// tries of steps that turn out to have an impact in their midst.
double StepSize::until_contact(const State& state, double h) const {
  const double speed = state.part_velocity.head<2>().norm() +
                       std::abs(state.part_velocity[2]) * reach_mm_ +
                       std::max(std::abs(state.jaw_right_mm_s), std::abs(state.jaw_left_mm_s));
  const double tolerance = scenario_.tolerance_mm;
  const Configuration q(state);
  for (const BodyPiece& piece : pieces_) {
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      if (gap_lower_bound_mm(piece, q, side) > h * speed) continue;
      const ClosestPoints closest = closest_points(piece, q, side);
      const double closing = -gap_rate_mm_s(closest, state, side);
      const bool touches = closest.psi_mm < tolerances::kTouchingGap * tolerance;
      if (touches || closest.psi_mm >= closing * h) continue;
      const double arrival = (closest.psi_mm - tolerances::kArrivalGap * tolerance) / closing;
      h = std::min(h, std::max(arrival, tolerances::kImpactStep * tolerance / closing));
    }
  }
  return h;
}

bool StepSize::is_enough(double h, double error_mm) const {
  return error_mm <= scenario_.tolerance_mm ||
         h <= tolerances::kLeastResolvedStep * scenario_.step_s;
}

/// The error of a first-order step goes with the square of its size.
double StepSize::change(double error_mm) const {
  const double aim = tolerances::kErrorAim * scenario_.tolerance_mm;
  const double most = tolerances::kMostGrowth;
  if (error_mm * most * most <= aim) return most;
  return std::max(std::sqrt(aim / error_mm), tolerances::kMostShrinking);
}

double StepSize::retry(double h, double error_mm) const {
  const double smaller = h * std::min(change(error_mm), tolerances::kLeastShrinking);
  return std::max(smaller, tolerances::kLeastResolvedStep * scenario_.step_s);
}

void StepSize::accepted(double h, double error_mm) { next_s_ = h * change(error_mm); }

}  // namespace graspmap
