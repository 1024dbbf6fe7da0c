#include "sim/closing/step_size.hpp"

#include <algorithm>
#include <cmath>

#include "sim/closing/gap_rate.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

StepSize::StepSize(const Scenario& scenario, BroadPhase& part)
    : scenario_(scenario),
      part_(part),
      smallest_s_(tolerances::kLeastResolvedStep * scenario.step_s),
      next_s_(tolerances::kImpactStep * scenario.tolerance_mm /
              scenario.gripper.closing_speed_mm_s) {}

double StepSize::propose(const State& state, double left_s) {
  double h = std::min({next_s_, scenario_.step_s, left_s});
  const double opening = state.jaw_right_mm - state.jaw_left_mm - scenario_.stop.closed_opening_mm;
  const double closing_mm_s = state.jaw_left_mm_s - state.jaw_right_mm_s;
  if (opening < closing_mm_s * h) h = opening / closing_mm_s;
  return std::max(until_contact(state, h), smallest_s_);
}

/// A step that ends just before a pair closes, and a short one in which it does, cost less than
/// tries of steps with an impact in between.
double StepSize::until_contact(const State& state, double h) {
  const double speed = state.part_velocity.head<2>().norm() +
                       std::abs(state.part_velocity[2]) * part_.reach_mm() +
                       std::max(std::abs(state.jaw_right_mm_s), std::abs(state.jaw_left_mm_s));
  const double tolerance = scenario_.tolerance_mm;
  const Configuration q(state);
  const double reach = h * speed;
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

}  // namespace graspmap
