#include "sim/closing/step_data.hpp"

#include <algorithm>
#include <cmath>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// At the start of a step, mN s; angular momentum over the length scale.
double largest_momentum(const StepData& data, const Gripper& gripper) {
  const State& start = data.start;
  const Vec3& v = start.part_velocity;
  const double part =
      std::max({std::abs(v[0]), std::abs(v[1]), data.length_scale * std::abs(v[2])});
  const double jaws = std::max(std::abs(start.jaw_right_mm_s), std::abs(start.jaw_left_mm_s));
  return std::max(data.inertia[0] * part, gripper.jaw_mass_kg * jaws);
}

}  // namespace

JawCoordinates::JawCoordinates(Coupling coupling) {
  switch (coupling) {
    case Coupling::kSymmetric:
      return;
    case Coupling::kIndependent:
      velocities = 5;
      column = {3, 4, 3, 3};
      sign = {1.0, 1.0, 0.0, 0.0};
      return;
    case Coupling::kRightMoves:
      sign = {1.0, 0.0, 0.0, 0.0};
      return;
    case Coupling::kLeftMoves:
      sign = {0.0, 1.0, 0.0, 0.0};
      return;
  }
}

double closing_sign(JawDrive drive) {
  if (drive == JawDrive::kHold) return 0.0;
  return drive == JawDrive::kClose ? 1.0 : -1.0;
}

TrialData::TrialData(const Scenario& of, const TrialParameters& trial,
                     const ContactBodies& bodies_of, double part_reach_mm)
    : scenario(&of),
      bodies(&bodies_of),
      jaws(of.gripper.coupling),
      mu(friction_by_side(of.gripper, trial)),
      mu_jaw(trial.mu_jaw),
      mu_support(trial.mu_support),
      reach_mm(part_reach_mm),
      most_deflection_mm(graspmap::most_deflection_mm(of.gripper)) {
  for (const JawSide side : kJawSides) pads[side_index(side)] = pad_at(of.gripper, side);
  begin_phase({}, FreeTravel(of.gripper).reached_speed_mm_s(0.5 * of.gripper.opening_mm), {},
              false);
}

void TrialData::begin_phase(const Phase& phase, double measure_mm_s, const State& state,
                            bool pressed) {
  const double opening_mm = scenario->gripper.opening_mm;
  if (phase.drive == JawDrive::kHold && drive != JawDrive::kHold) {
    const double give_mm = pressed ? closing_sign(drive) * tolerances::kHeldGiveMm : 0.0;
    const Coupling coupling = scenario->gripper.coupling;
    held_right_mm = state.jaw_right_mm - (moves(coupling, JawSide::kRight) ? give_mm : 0.0);
    held_left_mm = state.jaw_left_mm + (moves(coupling, JawSide::kLeft) ? give_mm : 0.0);
  }
  drive = phase.drive;
  twist = phase.twist;
  speed_mm_s = measure_mm_s;
  const double table_mm_s2 = mu_support * scenario->gravity_mm_s2;
  persistence_s = std::min(speed_mm_s / table_mm_s2,
                           tolerances::kLongestPersistence * 0.5 * opening_mm / speed_mm_s);
}

double TrialData::friction(const Pair& pair) const {
  const double of_side =
      pair.side == JawSide::kObstacle
          ? friction_of(scenario->obstacles[index(obstacle_of(bodies->fingers, pair))], mu_jaw)
          : mu[side_index(pair.side)];
  return of_side * bodies->pieces[index(pair.piece)].friction_factor;
}

void StepData::set(const TrialData& trial, const State& state, double size_s,
                   const StepHistory& continued) {
  const Gripper& gripper = trial.scenario->gripper;
  const MassProperties& mass = trial.scenario->mass;
  const double force = gripper.closing_force_mn();
  const double c = force / gripper.closing_speed_mm_s;
  const double F = closing_sign(trial.drive) * force;
  const bool symmetric = gripper.coupling == Coupling::kSymmetric;
  const double moved = symmetric ? 2.0 : 1.0;  // jaws that one coordinate moves

  bodies = trial.bodies;
  jaws = trial.jaws;
  reach_mm = trial.reach_mm;
  history = continued;
  start = state;
  if (!is_at(start_at, state)) start_at = Configuration(state);
  const StepBase from = step_base(state, size_s, history);
  base = from.state;
  step_s = size_s;
  h = from.h;
  force_s = from.force_s;
  pad_step = {force_s, h, from.extrapolated};
  mount = gripper.mount ? &*gripper.mount : nullptr;
  inertia.head<3>() << mass.mass_kg, mass.mass_kg, mass.inertia_kg_mm2;
  inertia.tail<2>().setConstant(moved * (gripper.jaw_mass_kg + force_s * c));
  free_impulse.head<3>() = inertia.head<3>().cwiseProduct(base.part_velocity);
  const double right = gripper.jaw_mass_kg * base.jaw_right_mm_s - force_s * F;
  const double left = gripper.jaw_mass_kg * base.jaw_left_mm_s + force_s * F;
  free_impulse[3] = moved * jaws.first(right, left);
  free_impulse[4] = left;
  twist = trial.twist;
  end_gripper = state.gripper;
  if (mount != nullptr) [[unlikely]]
    set_mount(*trial.scenario, from.extrapolated);
  if (twist.moves()) end_gripper = compose(end_gripper, moved_by(twist, step_s));
  jaw_mass_kg = gripper.jaw_mass_kg;
  support_impulse_limit = force_s * trial.mu_support * mass.mass_kg * trial.scenario->gravity_mm_s2;
  velocity_scale = trial.speed_mm_s;
  length_scale = std::sqrt(mass.inertia_kg_mm2 / mass.mass_kg);
  // In an impact the momenta are the impulses.
  const double share = history.impact ? 1.0 : tolerances::kMomentumShare;
  force_impulse = force_s * force;
  jaw_impulse_scale = std::max(force_impulse, share * largest_momentum(*this, gripper));
  if (trial.drive == JawDrive::kHold) hold_jaws(trial, moved);
  const double lighter = std::min(inertia[0], inertia[3]);
  impulse_scale = std::min(jaw_impulse_scale, tolerances::kMomenta * lighter * trial.speed_mm_s);
}

[[gnu::cold, gnu::noinline]] void StepData::set_mount(const Scenario& scenario,
                                                      double extrapolated) {
  velocity_N = velocity_in_mount(start);
  if (extrapolated != 0.0) {
    velocity_N += extrapolated * (velocity_N - velocity_in_mount(*history.before));
  }
  mount_before = history.impact ? start.mount : base.mount;
  uses_table = graspmap::uses_table(scenario);
  if (uses_table) end_gripper = mount_frame(start);
}

/// Heavy jaws on springs so stiff that the closing force moves them by kHeldGiveMm, with dampers.
void StepData::hold_jaws(const TrialData& trial, double moved) {
  const Gripper& gripper = trial.scenario->gripper;
  const double part_kg = trial.scenario->mass.mass_kg;
  const double force = gripper.closing_force_mn();
  const double stiffness = force / tolerances::kHeldGiveMm;
  const double heavy_kg = gripper.jaw_mass_kg + tolerances::kHeldMass * part_kg;
  const double damping = tolerances::kHeldReturnS * stiffness;
  const auto drive = [&](double x_mm, double held_mm, double v_mm_s) {
    return heavy_kg * v_mm_s - force_s * stiffness * (x_mm - held_mm);
  };
  inertia.tail<2>().setConstant(moved * (heavy_kg + force_s * (damping + h * stiffness)));
  const double right = drive(base.jaw_right_mm, trial.held_right_mm, base.jaw_right_mm_s);
  const double left = drive(base.jaw_left_mm, trial.held_left_mm, base.jaw_left_mm_s);
  free_impulse[3] = moved * jaws.first(right, left);
  free_impulse[4] = left;
  jaw_mass_kg = 0.0;
  // The part is brought to the fingers' motion, against the table; or it is squeezed.
  const double squeeze = std::max(std::abs(base.jaw_right_mm - trial.held_right_mm),
                                  std::abs(base.jaw_left_mm - trial.held_left_mm)) *
                         stiffness;
  jaw_impulse_scale = std::max(
      {part_kg * trial.speed_mm_s, support_impulse_limit, force_s * std::min(squeeze, force)});
}

}  // namespace graspmap
