#include "sim/closing/condensed_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/overlap.hpp"
#include "sim/closing/step_sizes.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

// A step from its data to its report. Which pairs it has: step_pairs.cpp; how the problem is
// solved: retry_ladder.cpp.

void CondensedStepper::begin(const Scenario& scenario, const TrialParameters& trial) {
  scenario_ = &scenario;
  mu_support_ = trial.mu_support;
  speed_mm_s_ = FreeTravel(scenario.gripper).reached_speed_mm_s(0.5 * scenario.gripper.opening_mm);
  memory_.forget();
  last_resort_ = false;
  // The digits beyond are far below the error of a step of second order.
  target_ = scenario.order == 2 ? tolerances::kResidual : tolerances::kResidualTarget;
  const double table_mm_s2 = trial.mu_support * scenario.gravity_mm_s2;
  persistence_s_ =
      std::min(speed_mm_s_ / table_mm_s2,
               tolerances::kLongestPersistence * 0.5 * scenario.gripper.opening_mm / speed_mm_s_);
  // What the trial before left is read where a pattern closes a contact that cannot close, which
  // is not evaluated.
  for (Iterate& iterate : iterates_) {
    iterate.at.closest.fill({});
    iterate.at.met.fill(false);
  }
  const bool new_part = broad_phase_.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  if (broad_phase_.set_fingers(scenario.gripper) || new_part) {
    const ContactBodies& bodies = broad_phase_.bodies();
    memory_.set_bodies(bodies);
    near_pairs_.reserve(2 * index(bodies.finger_elements()) * bodies.pieces.size());
  }
  set_model(scenario.support, scenario.mass.center_of_mass_P_mm, problem_.support);
  const MassProperties& mass = scenario.mass;
  problem_.weigh_support(std::sqrt(mass.inertia_kg_mm2 / mass.mass_kg));
  problem_.data.bodies = &broad_phase_.bodies();
  problem_.reach_mm = broad_phase_.reach_mm();
  problem_.data.jaws = JawCoordinates(scenario.gripper.coupling);
  mu_ = friction_by_side(scenario.gripper, trial);
}

/// The configuration that a step starts from: mostly the one at the end of the last.
void CondensedStepper::set_start(const State& state) {
  if (start_.part_pose != state.part_pose || start_.jaw_right_mm != state.jaw_right_mm ||
      start_.jaw_left_mm != state.jaw_left_mm) {
    start_ = Configuration(state);
  }
}

void CondensedStepper::set_up(const State& state, double step_s, const StepHistory& history) {
  const Gripper& gripper = scenario_->gripper;
  const MassProperties& mass = scenario_->mass;
  const double F = gripper.closing_force_n * 1000.0;  // mN
  const double c = F / gripper.closing_speed_mm_s;
  const bool symmetric = gripper.coupling == Coupling::kSymmetric;
  const double jaws = symmetric ? 2.0 : 1.0;  // that one coordinate moves

  history_ = history;
  StepData& data = problem_.data;
  const StepBase base = step_base(state, step_s, history);
  const double h = base.force_s;
  data.start = state;
  data.base = base.state;
  data.step_s = step_s;
  data.h = base.h;
  data.force_s = h;
  data.inertia.head<3>() << mass.mass_kg, mass.mass_kg, mass.inertia_kg_mm2;
  data.inertia.tail<2>().setConstant(jaws * (gripper.jaw_mass_kg + h * c));
  data.free_impulse.head<3>() = data.inertia.head<3>().cwiseProduct(base.state.part_velocity);
  data.free_impulse[3] = jaws * (gripper.jaw_mass_kg * base.state.jaw_right_mm_s - h * F);
  data.free_impulse[4] = gripper.jaw_mass_kg * base.state.jaw_left_mm_s + h * F;
  data.support_impulse_limit = h * mu_support_ * mass.mass_kg * scenario_->gravity_mm_s2;
  data.velocity_scale = speed_mm_s_;
  data.length_scale = std::sqrt(mass.inertia_kg_mm2 / mass.mass_kg);
  // In an impact the momenta are the impulses.
  const double share = history.impact ? 1.0 : tolerances::kMomentumShare;
  data.jaw_impulse_scale = std::max(h * F, share * largest_momentum());
  const double lighter = std::min(data.inertia[0], data.inertia[3]);
  data.impulse_scale =
      std::min(data.jaw_impulse_scale, tolerances::kMomenta * lighter * speed_mm_s_);
  problem_.set_scales();
}

/// At the start of a step, mN s; angular momentum over the length scale.
double CondensedStepper::largest_momentum() const {
  const StepData& data = problem_.data;
  const State& start = data.start;
  const Vec3& v = start.part_velocity;
  const double part =
      std::max({std::abs(v[0]), std::abs(v[1]), data.length_scale * std::abs(v[2])});
  const double jaws = std::max(std::abs(start.jaw_right_mm_s), std::abs(start.jaw_left_mm_s));
  return std::max(data.inertia[0] * part, scenario_->gripper.jaw_mass_kg * jaws);
}

StepReport CondensedStepper::try_step(const State& state, double h, bool all_rungs,
                                      const StepHistory& history) {
  GRASPMAP_ASSERT(scenario_ != nullptr && h > 0.0);
  StepReport report;
  set_start(state);
  set_up(state, h, history);
  choose_pairs(state, h);
  for (int round = 0; round < tolerances::kPairRounds; ++round) {
    if (!climb_ladder(all_rungs, report)) return report;
    if (add_closing_pairs()) continue;
    report.smallest_gap_mm = smallest_near_gap_mm();
    if (report.smallest_gap_mm < tolerances::kGapMm || has_lost_contact()) return report;
    report.converged = true;
    end_ = problem_.state_after(now_->x);
    report.gains_energy = gains_energy();
    report.opening_mm = now_->at.q.jaw_right_mm - now_->at.q.jaw_left_mm;
    report.residual = now_->at.residual.largest();
    set_angle(problem_.support, now_->at.q.R_GB);
    dissipation(report);
    if (scenario_->tolerance_mm > 0.0) {
      estimate_error(history, report);
    } else {
      report.largest_turn_rad = largest_turn();
      report.velocity_change_mm_s = (now_->x.nu.head<2>() - state.part_velocity.head<2>()).norm();
    }
    return report;
  }
  return report;
}

/// Closest points of thin bodies may pass to their other side, where the two face away from each
/// other. Superellipses lose no contact with quarter-planes in a short step, and in a long one
/// smallest_near_gap_mm has looked at the true gaps of all its pairs.
bool CondensedStepper::has_lost_contact() {
  if (broad_phase_.bodies().plain && (may_not_jump(moved_mm_) || all_are_near())) return false;
  return overlaps_deeply(*scenario_, broad_phase_, now_->at.q, tolerances::kLostOverlapMm);
}

State CondensedStepper::accept() {
  memory_.remember(problem_, now_->x, now_->at);
  start_ = now_->at.q;
  return end_;
}

/// The largest angle by which the normal of a contact that carries an impulse has turned.
double CondensedStepper::largest_turn() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (now_->x.p_n[i] <= 0.0) continue;
    const Pair& pair = problem_.pairs[i];
    Vec2 before = memory_.at(problem_.place[i]).normal;
    if (before == Vec2::Zero()) {
      before = closest_points(broad_phase_.bodies(), pair, start_).normal;
    }
    largest = std::max(largest, std::abs(cross(before, now_->at.closest[i].normal)));
  }
  return largest;
}

void CondensedStepper::estimate_error(const StepHistory& history, StepReport& report) const {
  report.position_error_mm = position_error(history.order, history);
  if (history.order == 1 && !history.impact) report.position_error_mm += lost_force_error();
  if (history.order == 2 && report.position_error_mm > scenario_->tolerance_mm) {
    report.first_order_error_mm = position_error(1, history) + lost_force_error();
  }
  if (report.position_error_mm > scenario_->tolerance_mm) {
    const Vec3 change = end_.part_velocity - problem_.data.start.part_velocity;
    report.jump_error_mm =
        PositionError(change, problem_.data.step_s, broad_phase_.reach_mm()).mm();
  }
  find_landing(report);
}

/// True for a contact that has passed on to another feature in the step, as from a side to a
/// corner.
bool CondensedStepper::passes_on(std::size_t i) const {
  return problem_.pair_at(i, now_->x) != problem_.pairs[i];
}

/// A step of first order is off by h/2 (nu^(l+1) - nu^l). One of second order is off by
/// h^2 (h + h')^2 / (6 (2 h + h')) d^3q/dt^3, with h' the step before and the third derivative from
/// the divided differences of the last three velocities. The change of velocities counts for at
/// least a share of the time for which errors in them put the part off.
double CondensedStepper::position_error(int order, const StepHistory& history) const {
  const State& start = problem_.data.start;
  const State& end = end_;
  const double h = problem_.data.step_s;
  double time_s = h;
  double w = 0.0;  // the last step's change of the velocities is continued by so many times itself
  if (order == 2) {
    w = h / history.before_s;
    time_s = 2.0 * h * (h + history.before_s) / (3.0 * (2.0 * h + history.before_s));
  }
  const double share = order == 2 ? tolerances::kVelocityShare2 : tolerances::kVelocityShare1;
  time_s = std::max(time_s, share * persistence_s_);
  const State& before = order == 2 ? *history.before : start;
  const auto change = [w]<typename Value>(const Value& after, const Value& now,
                                          const Value& last) -> Value {
    return w == 0.0 ? Value(after - now) : Value(after - now - w * (now - last));
  };
  PositionError error(change(end.part_velocity, start.part_velocity, before.part_velocity), time_s,
                      broad_phase_.reach_mm());
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (!stays_closed(i) || passes_on(i)) continue;
    const ClosestPoints& closest = now_->at.closest[i];
    const JawSide side = problem_.pairs[i].side;
    const double jaw_change = change(jaw_velocity_mm_s(end, side), jaw_velocity_mm_s(start, side),
                                     jaw_velocity_mm_s(before, side));
    error.keep_closed(closest.normal, closest.on_piece_mm - end.part_pose.head<2>(), jaw_change);
  }
  return error.mm();
}

/// A contact that opens in a step of first order has no impulse in it, whenever it opens: the
/// velocities at the end are off by half of what its force would have given in all of the step.
double CondensedStepper::lost_force_error() const {
  const StepData& data = problem_.data;
  Vec3 change = Vec3::Zero();
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const StepMemory::PairMemory& m = memory_.at(problem_.place[i]);
    if (m.f_n <= 0.0 || now_->x.p_n[i] > 0.0) continue;
    const double f_n =
        memory_.after_impact() ? std::min(m.f_n, drive_force(problem_.pairs[i].side)) : m.f_n;
    const double f_t = m.f_t * (f_n / m.f_n);
    const Vec2 force = f_n * m.normal + f_t * perp(m.normal);
    const Vec2 arm = m.on_piece_mm - data.start.part_pose.head<2>();
    change.head<2>() += force;
    change[2] += cross(arm, force);
  }
  change = 0.5 * data.step_s * change.cwiseQuotient(data.inertia.head<3>());
  const double time_s = std::max(data.step_s, tolerances::kVelocityShare2 * persistence_s_);
  return 0.5 * time_s * (change.head<2>().norm() + std::abs(change[2]) * broad_phase_.reach_mm());
}

/// About the force with which a jaw at its speed at the start of the step, and the table, hold the
/// part in touch, mN: the jaw's acceleration and the table's deceleration of the part.
double CondensedStepper::drive_force(JawSide side) const {
  const Gripper& gripper = scenario_->gripper;
  const double closing = std::abs(jaw_velocity_mm_s(problem_.data.start, side));
  const double lag = std::max(1.0 - closing / gripper.closing_speed_mm_s, 0.0);
  const double jaw_mm_s2 = 1000.0 * lag * gripper.closing_force_n / gripper.jaw_mass_kg;
  return problem_.data.inertia[0] * (jaw_mm_s2 + mu_support_ * scenario_->gravity_mm_s2);
}

/// True for a contact without a gap at the start of the step, as where one walks on to the next
/// element.
bool CondensedStepper::was_closed(std::size_t i) const {
  double psi_mm = problem_.start_gap_mm[i];
  if (std::isinf(psi_mm)) {
    psi_mm = closest_points(broad_phase_.bodies(), problem_.pairs[i], start_).psi_mm;
  }
  return psi_mm <= tolerances::kClosedGapMm;
}

/// Looks at the contacts that carry an impulse in this step and did not before. A gap that is
/// closed at the end closes at the speed of the end for all of the step; it was closed the sooner
/// the faster it closed at the start.
void CondensedStepper::find_landing(StepReport& report) const {
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (now_->x.p_n[i] <= 0.0 || memory_.at(problem_.place[i]).f_n > 0.0 || was_closed(i)) continue;
    const JawSide side = problem_.pairs[i].side;
    const double closing = -gap_rate_mm_s(now_->at.closest[i], end_, side);
    if (closing <= report.landing_speed_mm_s) continue;
    report.landing_speed_mm_s = closing;
    const double before = -gap_rate_mm_s(now_->at.closest[i], problem_.data.start, side);
    report.landing_share = before > closing ? closing / before : 1.0;
  }
}

/// Contacts and friction do no work but by rounding of the step's motion: what part and jaws gain
/// beyond the work of the closing force comes from a solution that is no motion of theirs.
bool CondensedStepper::gains_energy() const {
  const Gripper& gripper = scenario_->gripper;
  const StepData& data = problem_.data;
  const State& start = data.start;
  const State& end = end_;
  const auto change = [](double after, double before) { return after * after - before * before; };
  double gain = gripper.jaw_mass_kg * (change(end.jaw_right_mm_s, start.jaw_right_mm_s) +
                                       change(end.jaw_left_mm_s, start.jaw_left_mm_s));
  for (int k = 0; k < 3; ++k) {
    gain += data.inertia[k] * change(end.part_velocity[k], start.part_velocity[k]);
  }
  const double closed_mm =
      start.jaw_right_mm - start.jaw_left_mm - (end.jaw_right_mm - end.jaw_left_mm);
  const double allowed_mm = closed_mm + tolerances::kMostEnergyGain * gripper.opening_mm;
  return 0.5 * gain > 1000.0 * gripper.closing_force_n * allowed_mm;
}

void CondensedStepper::dissipation(StepReport& report) const {
  report.dissipation = 0.0;
  report.total_dissipation = 0.0;
  const double whole = problem_.whole_step();
  const auto add = [&](double power) {
    const double work = power * whole;
    report.dissipation = std::min(report.dissipation, -work);
    report.total_dissipation -= work;
  };
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) add(now_->x.p_t[i] * now_->at.v_t[i]);
  for (std::size_t j = 0; j < index(problem_.support.size); ++j)
    add(now_->x.p_s[j].dot(now_->at.slip[j]));
}

void CondensedStepper::contacts(std::vector<ContactRecord>& records) const {
  records.clear();
  const double whole = problem_.whole_step();
  const double P = problem_.data.impulse_scale;
  const double V = problem_.data.velocity_scale;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (now_->at.met[i]) continue;
    const Pair pair = problem_.pair_at(i, now_->x);
    const ContactBodies& bodies = broad_phase_.bodies();
    const bool known = now_->at.closest[i].normal != Vec2::Zero();
    const ClosestPoints closest =
        known ? now_->at.closest[i] : closest_points(bodies, pair, now_->at.q);
    ContactRecord record;
    record.piece = feature_at(bodies, pair.piece, closest, now_->at.q);
    record.side = pair.side;
    const Finger& finger = bodies.fingers.by_side[side_index(pair.side)];
    record.feature = closest.feature;
    if (!finger.is_quarter_plane) {
      record.finger_feature = finger.elements[index(pair.finger)].feature;
    } else if (!bodies.meets_whole(pair.piece)) {
      record.feature = static_cast<JawFeature>(pair.finger);
    }
    record.psi_mm = closest.psi_mm;
    record.point_G_mm = closest.on_piece_mm;
    record.normal_G = closest.normal;
    record.normal_impulse_mn_s = now_->x.p_n[i] * whole;
    record.tangential_impulse_mn_s = now_->x.p_t[i] * whole;
    record.slip_mm_s = problem_.slip_mm_s(closest, pair.side, now_->x.nu, now_->at.q);
    record.sliding = now_->x.p_n[i] > tolerances::kResidual * P &&
                     std::abs(record.slip_mm_s) > tolerances::kResidual * V;
    records.push_back(record);
  }
}

bool CondensedStepper::touching() const {
  const auto last = now_->x.p_n.begin() + problem_.contacts;
  return std::any_of(now_->x.p_n.begin(), last, [](double p_n) { return p_n > 0.0; });
}

Vec3 CondensedStepper::support_impulse() const {
  Vec3 wrench = Vec3::Zero();
  for (std::size_t j = 0; j < index(problem_.support.size); ++j) {
    wrench += problem_.support.elements[j].wrench(now_->x.p_s[j]);
  }
  return problem_.whole_step() * wrench;
}

// The last resort where no rung of retry_ladder.cpp solves a step of any size: other starts, and
// easier problems that lead to the solution. The solution is one of the step's own problem.

bool CondensedStepper::long_newton(const StepUnknowns& start, int& iterations) {
  now_->x = start;
  return newton({.max_iterations = tolerances::kLastResortIterations}, iterations) &&
         path_is_clear();
}

bool CondensedStepper::resort_to_easier_problems(StepReport& report) {
  report.rung = Rung::kHalved;
  StepUnknowns warm;
  memory_.extrapolate(problem_, {}, warm);
  return newton_with_heavier_contacts(warm, report.iterations) ||
         newton_from_heavier_parts(warm, report.iterations) ||
         newton_from_rest(warm, report.iterations);
}

/// The natural map's projections weigh gaps and slips with the part's mass. The impulses that stop
/// the jaws at a light part are larger than what gaps and slips count then.
bool CondensedStepper::newton_with_heavier_contacts(const StepUnknowns& warm, int& iterations) {
  StepUnknowns cold;
  memory_.first_guess(problem_, cold);
  const double jaw = problem_.data.inertia[3] / problem_.data.inertia[0];
  const double most = tolerances::kHeavierContacts * jaw;
  bool solved = false;
  double heavier = 1.0;
  do {
    problem_.heavier_contacts = heavier;
    problem_.set_scales();
    solved = long_newton(warm, iterations) || long_newton(cold, iterations);
    heavier *= tolerances::kHeavierContacts;
  } while (!solved && heavier < most);
  problem_.heavier_contacts = 1.0;
  problem_.set_scales();
  return solved;
}

/// Jaws push a heavy part where they throw a light one about. So the solution is followed from a
/// part of many times its mass to that of its own.
bool CondensedStepper::newton_from_heavier_parts(const StepUnknowns& warm, int& iterations) {
  StepUnknowns cold;
  memory_.first_guess(problem_, cold);
  for (double heaviest = tolerances::kLeastHeavierPart; heaviest < tolerances::kMostHeavierPart;
       heaviest *= tolerances::kHeavierParts) {
    if (follow_to_own_mass(warm, heaviest, iterations) ||
        follow_to_own_mass(cold, heaviest, iterations)) {
      return true;
    }
  }
  return false;
}

void CondensedStepper::multiply_mass(double factor) {
  problem_.data.inertia.head<3>() *= factor;
  problem_.data.free_impulse.head<3>() *= factor;
  problem_.set_scales();
}

bool CondensedStepper::follow_to_own_mass(const StepUnknowns& start, double heaviest,
                                          int& iterations) {
  const VelocityVector inertia = problem_.data.inertia;
  const VelocityVector free_impulse = problem_.data.free_impulse;
  now_->x = start;
  for (double factor = heaviest; factor > 1.0; factor *= tolerances::kToOwnMass) {
    multiply_mass(factor);
    newton({.max_iterations = tolerances::kLastResortIterations}, iterations);
    problem_.data.inertia = inertia;
    problem_.data.free_impulse = free_impulse;
    if (!now_->x.nu.allFinite()) break;
  }
  problem_.set_scales();
  const StepUnknowns followed = now_->x;
  return followed.nu.allFinite() && long_newton(followed, iterations);
}

/// A part that jams as it slides stops the jaws within a step of any size, at the edge of the
/// friction cones. That solution is near rest, under the impulses that stop the jaws.
bool CondensedStepper::newton_from_rest(const StepUnknowns& warm, int& iterations) {
  const bool symmetric = problem_.data.jaws.velocities < kMaxVelocities;
  const double stopping = std::abs(problem_.data.free_impulse[3]) / (symmetric ? 2.0 : 1.0);
  StepUnknowns rest = warm;
  rest.nu.setZero();
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    rest.p_n[i] = problem_.start_gap_mm[i] <= expected_approach_mm_ ? stopping : 0.0;
    rest.p_t[i] = 0.0;
  }
  return long_newton(rest, iterations) || try_patterns(rest, iterations);
}

}  // namespace graspmap
