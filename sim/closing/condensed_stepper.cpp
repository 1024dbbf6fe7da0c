#include "sim/closing/condensed_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "sim/closing/contact_models.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

void CondensedStepper::begin(const Scenario& scenario, const TrialParameters& trial) {
  const MassProperties& mass = scenario.mass;
  const bool new_part = part_.set_part(scenario.part, mass.center_of_mass_P_mm);
  if (part_.set_fingers(scenario.gripper, scenario.obstacles) || new_part) {
    memory_.set_bodies(part_.bodies());
    selection_.reserve();
  }
  trial_ = TrialData(scenario, trial, part_.bodies(), part_.reach_mm());
  memory_.forget();
  memory_.set_pads(trial_.most_deflection_mm > 0.0);
  last_resort_ = false;
  // The digits beyond are far below the error of a step of second order.
  newton_.begin(scenario.order == 2 ? tolerances::kResidual : tolerances::kResidualTarget,
                contacts_walk(part_.bodies()));
  set_model(scenario.support, mass.center_of_mass_P_mm, equations_.support);
  equations_.weigh_support(std::sqrt(mass.inertia_kg_mm2 / mass.mass_kg));
}

void CondensedStepper::begin_phase(const Phase& phase, double speed_mm_s, const State& state,
                                   bool pressed) {
  trial_.begin_phase(phase, speed_mm_s, state, pressed);
  memory_.forget();
  last_resort_ = false;
}

/// Friction takes the kinetic energy E at the power P, both of the velocity as it is: it stops the
/// part in a time of about E / P.
bool CondensedStepper::rests(const Vec3& velocity, double angle_rad) {
  if (velocity == Vec3::Zero()) return true;
  const MassProperties& mass = trial_.scenario->mass;
  set_angle(equations_.support, Rotation2(angle_rad));
  const double weight = trial_.mu_support * mass.mass_kg * trial_.scenario->gravity_mm_s2;
  double power = 0.0;
  for (const SupportElement& element : equations_.support.in_use()) {
    power += weight * element.share * element.slip(velocity).norm();
  }
  const double energy = 0.5 * (mass.mass_kg * velocity.head<2>().squaredNorm() +
                               mass.inertia_kg_mm2 * velocity[2] * velocity[2]);
  const double speed = velocity.head<2>().norm() + std::abs(velocity[2]) * part_.reach_mm();
  return speed * energy <= tolerances::kRounding * power;
}

StepReport CondensedStepper::try_step(const State& state, double h, bool all_rungs,
                                      const StepHistory& history) {
  GRASPMAP_ASSERT(trial_.scenario != nullptr && h > 0.0);
  StepReport report;
  data_.set(trial_, state, h, history);
  selection_.choose();
  equations_.begin(data_);
  for (int round = 0; round < tolerances::kPairRounds; ++round) {
    if (!climb(all_rungs, report)) return report;
    if (selection_.add_closed(equations_, newton_.now(), check_.moved_mm())) continue;
    report.smallest_gap_mm = check_.smallest_gap_mm(newton_.now());
    report.converged =
        report.smallest_gap_mm >= tolerances::kGapMm && !check_.has_lost_contact(newton_.now());
    if (report.converged) tell(report);
    return report;
  }
  return report;
}

bool CondensedStepper::climb(bool all_rungs, StepReport& report) {
  if (!last_resort_) return ladder_.climb(all_rungs, report.rung, report.iterations);
  report.rung = Rung::kHalved;
  return ladder_.climb_last_resort(report.iterations);
}

/// What a step that has been solved does.
void CondensedStepper::tell(StepReport& report) {
  const Iterate& now = newton_.now();
  end_ = equations_.state_after(now.x);
  set_angle(equations_.support, now.at.q.R_GB);
  report.energy_gain_mm =
      check_.energy_gain(now, end_) / trial_.scenario->gripper.closing_force_mn();
  report.opening_mm = now.at.q.jaw_right_mm - now.at.q.jaw_left_mm;
  report.residual = now.at.residual.largest();
  dissipation(report);
  if (trial_.scenario->tolerance_mm > 0.0) {
    error_.estimate(now, end_, report);
  } else {
    report.largest_turn_rad = error_.largest_turn_rad(now);
    report.velocity_change_mm_s = (end_.part_velocity - data_.start.part_velocity).head<2>().norm();
  }
}

State CondensedStepper::accept() {
  memory_.remember(equations_, newton_.now());
  data_.start_at = newton_.now().at.q;
  return end_;
}

void CondensedStepper::dissipation(StepReport& report) const {
  const Iterate& now = newton_.now();
  report.dissipation = 0.0;
  report.total_dissipation = 0.0;
  const double whole = data_.whole_step();
  const auto add = [&](double power) {
    const double work = power * whole;
    report.dissipation = std::min(report.dissipation, -work);
    report.total_dissipation -= work;
  };
  for (std::size_t i = 0; i < index(pairs_.size); ++i) add(now.x.p_t[i] * now.at.v_t[i]);
  for (std::size_t j = 0; j < index(equations_.support.size); ++j)
    add(now.x.p_s[j].dot(now.at.slip[j]));
}

void CondensedStepper::contacts(std::vector<ContactRecord>& records) const {
  const Iterate& now = newton_.now();
  records.clear();
  const double whole = data_.whole_step();
  const double P = data_.impulse_scale;
  const double V = data_.velocity_scale;
  for (std::size_t i = 0; i < index(pairs_.size); ++i) {
    // Another contact of the step has its impulse.
    if (now.at.met[i]) continue;
    const Pair pair = equations_.pair_at(i, now.x);
    const ContactBodies& bodies = part_.bodies();
    // A contact that a bound of its gap showed to be open was not looked at.
    const bool known = now.at.closest[i].normal != Vec2::Zero();
    const ClosestPoints closest =
        known ? now.at.closest[i] : closest_points(bodies, pair, now.at.q);
    ContactRecord record;
    record.piece = feature_at(bodies, pair.piece, closest, now.at.q);
    record.side = pair.side;
    const Finger& finger = bodies.fingers.by_side[side_index(pair.side)];
    record.feature = closest.feature;
    if (!finger.is_quarter_plane) {
      record.finger_feature = finger.elements[index(pair.finger)].feature;
    } else if (!bodies.meets_whole(pair.piece)) {
      record.feature = static_cast<JawFeature>(pair.finger);
    }
    if (pair.side == JawSide::kObstacle) record.obstacle = obstacle_of(bodies.fingers, pair);
    record.psi_mm = closest.psi_mm;
    record.point_G_mm = closest.on_piece_mm;
    record.normal_G = closest.normal;
    record.normal_impulse_mn_s = now.x.p_n[i] * whole;
    record.tangential_impulse_mn_s = now.x.p_t[i] * whole;
    record.slip_mm_s = equations_.slip_mm_s(closest, pair.side, now.x.nu, now.x.mount, now.at.q) +
                       equations_.pad_slip_mm_s(i, now.x.p_t[i]);
    if (pairs_.any_soft && pairs_.pad[i].is_soft) {
      record.deflection_mm = now.at.deflection[i].mm;
      record.shear_mm = pairs_.pad[i].shear(now.x.p_t[i]);
      if (now.x.p_n[i] > 0.0) {
        record.moment_mn_mm_s = data_.force_s * now.at.deflection[i].moment * whole;
      }
    }
    // Smaller impulses and slips are within the tolerance of the step.
    record.sliding = now.x.p_n[i] > tolerances::kResidual * P &&
                     std::abs(record.slip_mm_s) > tolerances::kResidual * V;
    records.push_back(record);
  }
}

bool CondensedStepper::touching() const {
  const Iterate& now = newton_.now();
  for (std::size_t i = 0; i < index(pairs_.size); ++i) {
    if (now.x.p_n[i] > 0.0 && pairs_.pair[i].side != JawSide::kObstacle) return true;
  }
  return false;
}

GraspStepper::Push CondensedStepper::obstacle_push() const {
  const Iterate& now = newton_.now();
  Push most;
  for (std::size_t i = 0; i < index(pairs_.size); ++i) {
    const Pair pair = equations_.pair_at(i, now.x);
    const double impulse = now.x.p_n[i] * data_.whole_step();
    if (pair.side != JawSide::kObstacle || impulse <= most.impulse_mn_s) continue;
    most = {obstacle_of(part_.bodies().fingers, pair), impulse};
  }
  return most;
}

Vec3 CondensedStepper::support_impulse() const {
  Vec3 wrench = Vec3::Zero();
  for (std::size_t j = 0; j < index(equations_.support.size); ++j) {
    wrench += equations_.support.elements[j].wrench(newton_.now().x.p_s[j]);
  }
  return data_.whole_step() * wrench;
}

}  // namespace graspmap
