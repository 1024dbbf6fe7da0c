#include "sim/closing/condensed_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/closing/position_error.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

void CondensedStepper::begin(const Scenario& scenario, const TrialParameters& trial) {
  scenario_ = &scenario;
  mu_support_ = trial.mu_support;
  memory_.forget();
  if (broad_phase_.set_part(scenario.part, scenario.mass.center_of_mass_P_mm)) {
    memory_.set_pieces(scenario.part.pieces.size());
    near_pairs_.reserve(2 * scenario.part.pieces.size());
  }
  problem_.support = make_support(scenario.support);
  problem_.data.pieces = &broad_phase_.pieces();
  problem_.reach_mm = broad_phase_.reach_mm();
  problem_.data.jaws = JawCoordinates(scenario.gripper.coupling);
  problem_.data.mu_jaw = trial.mu_jaw;
}

/// The configuration that a step starts from: mostly the one at the end of the last.
void CondensedStepper::set_start(const State& state) {
  if (start_.part_pose != state.part_pose || start_.jaw_right_mm != state.jaw_right_mm ||
      start_.jaw_left_mm != state.jaw_left_mm) {
    start_ = Configuration(state);
  }
}

void CondensedStepper::set_up(const State& state, double h) {
  const Gripper& gripper = scenario_->gripper;
  const MassProperties& mass = scenario_->mass;
  const double F = gripper.closing_force_n * 1000.0;  // mN
  const double c = F / gripper.closing_speed_mm_s;
  const bool symmetric = gripper.coupling == Coupling::kSymmetric;
  const double jaws = symmetric ? 2.0 : 1.0;  // that one coordinate moves

  StepData& data = problem_.data;
  data.start = state;
  data.h = h;
  data.inertia.head<3>() << mass.mass_kg, mass.mass_kg, mass.inertia_kg_mm2;
  data.inertia.tail<2>().setConstant(jaws * (gripper.jaw_mass_kg + h * c));
  data.free_impulse.head<3>() = data.inertia.head<3>().cwiseProduct(state.part_velocity);
  data.free_impulse[3] = jaws * (gripper.jaw_mass_kg * state.jaw_right_mm_s - h * F);
  data.free_impulse[4] = gripper.jaw_mass_kg * state.jaw_left_mm_s + h * F;
  data.support_impulse_limit = h * mu_support_ * mass.mass_kg * scenario_->gravity_mm_s2;
  data.velocity_scale = gripper.closing_speed_mm_s;
  data.impulse_scale = h * F;
  data.length_scale = std::sqrt(mass.inertia_kg_mm2 / mass.mass_kg);
  problem_.set_scales();
}

/// `gap_mm`: at the start of the step, or a lower bound of it.
void CondensedStepper::add_pair(const Pair& pair, double gap_mm) {
  if (problem_.contacts == kMaxContacts) return;
  const std::size_t i = index(problem_.contacts++);
  problem_.pairs[i] = pair;
  problem_.start_gap_mm[i] = gap_mm;
}

/// The gap of a pair at the start of the step; -infinity for one that carried an impulse.
double CondensedStepper::start_gap_mm(const Pair& pair) const {
  const StepMemory::PairMemory& m = memory_.of(pair);
  if (m.f_n > 0.0) return -std::numeric_limits<double>::infinity();
  if (m.normal != Vec2::Zero()) return m.psi_mm;
  const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
  return closest_points(piece, start_, pair.side, m.point).psi_mm;
}

void CondensedStepper::choose_pairs(const State& state, double h) {
  const double speed = state.part_velocity.head<2>().norm() +
                       std::abs(state.part_velocity[2]) * broad_phase_.reach_mm() +
                       2.0 * scenario_->gripper.closing_speed_mm_s;
  const double reach = tolerances::kNearMarginMm + h * speed;
  left_out_gap_mm_ = reach;
  near_pairs_.clear();
  broad_phase_.visit_near_pairs(start_, reach, [&](std::size_t i, JawSide side) {
    const Pair pair{static_cast<int>(i), side};
    const double psi = start_gap_mm(pair);
    if (psi <= reach) near_pairs_.push_back({pair, psi});
  });
  keep_nearest_pairs();
  problem_.contacts = 0;
  for (const NearPair& near : near_pairs_) add_pair(near.pair, near.psi_mm);
}

/// Of more pairs than a step can hold, those that touched and then the nearest, in their order.
void CondensedStepper::keep_nearest_pairs() {
  if (near_pairs_.size() <= kMaxContacts) return;
  const auto end = near_pairs_.begin() + kMaxContacts;
  std::nth_element(near_pairs_.begin(), end, near_pairs_.end(),
                   [](const NearPair& a, const NearPair& b) { return a.psi_mm < b.psi_mm; });
  left_out_gap_mm_ = end->psi_mm;
  near_pairs_.erase(end, near_pairs_.end());
  std::sort(near_pairs_.begin(), near_pairs_.end(), [](const NearPair& a, const NearPair& b) {
    return std::pair(a.pair.piece, side_index(a.pair.side)) <
           std::pair(b.pair.piece, side_index(b.pair.side));
  });
}

bool CondensedStepper::is_near(int piece, JawSide side) const {
  const auto last = problem_.pairs.begin() + problem_.contacts;
  return std::any_of(problem_.pairs.begin(), last,
                     [&](const Pair& pair) { return pair.piece == piece && pair.side == side; });
}

/// The gap at a tracked point is that of the whole piece but for its misalignment: no point of the
/// piece is further out by more than the sine times its width.
double CondensedStepper::smallest_near_gap_mm() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const Pair& pair = problem_.pairs[i];
    const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
    const double width = 2.0 * piece.bounding_radius_mm;
    double psi = now_->at.closest[i].psi_mm - width * std::abs(now_->at.misalignment[i]);
    if (psi < 0.1 * tolerances::kGapMm) {
      psi = closest_points(piece, now_->at.q, pair.side).psi_mm;
    }
    smallest = std::min(smallest, psi);
  }
  return smallest;
}

/// Adds the pairs left out of the problem that overlap at the end of the step. False if there are
/// none.
bool CondensedStepper::add_closing_pairs() {
  const Configuration& q = now_->at.q;
  if (problem_.largest_approach_mm(q) + tolerances::kBoundRoundingMm < left_out_gap_mm_) {
    return false;
  }
  bool added = false;
  broad_phase_.visit_near_pairs(q, 0.0, [&](std::size_t i, JawSide side) {
    const int piece = static_cast<int>(i);
    if (is_near(piece, side)) return;
    if (closest_points(broad_phase_.pieces()[i], q, side).psi_mm >= tolerances::kGapMm) return;
    add_pair({piece, side}, -std::numeric_limits<double>::infinity());
    added = true;
  });
  return added;
}

bool CondensedStepper::accepted() const {
  return now_->at.residual.largest() <= tolerances::kResidual;
}

/// Between two separated configurations there may be none that is: the root then lies behind a
/// feature that the jaw has jumped over. A chord along a curved contact overlaps by its sagitta
/// only, a small fraction of its length.
bool CondensedStepper::path_is_clear() const {
  const State& start = problem_.data.start;
  const Configuration& end = now_->at.q;
  const double length = problem_.largest_approach_mm(end);
  // Nothing so thin to jump over.
  if (length < 0.5 * broad_phase_.smallest_semi_axis_mm()) return true;
  const double allowed = tolerances::kPathOverlap * length + tolerances::kPathOverlapMm;
  for (const double s : {0.5, 0.25, 0.75}) {
    const Configuration q(start.part_pose + s * (end.part_pose - start.part_pose),
                          start.jaw_right_mm + s * (end.jaw_right_mm - start.jaw_right_mm),
                          start.jaw_left_mm + s * (end.jaw_left_mm - start.jaw_left_mm));
    for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
      const Pair& pair = problem_.pairs[i];
      const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
      if (closest_points(piece, q, pair.side).psi_mm < -allowed) return false;
    }
  }
  return true;
}

/// Moves along the direction by 1, 1/2, ... until the largest residual is below `bound` or the cuts
/// are used up; the best point found becomes next_. Returns its residual.
double CondensedStepper::line_search(double bound) {
  constexpr int kCuts = 5;
  double best = std::numeric_limits<double>::infinity();
  double alpha = 1.0;
  for (int cut = 0; cut < kCuts; ++cut, alpha *= 0.5) {
    problem_.move(now_->x, direction_, alpha, candidate_->x);
    problem_.evaluate(candidate_->x, candidate_->at);
    const double residual = candidate_->at.residual.largest();
    if (residual < best) {
      best = residual;
      std::swap(next_, candidate_);
    }
    if (best <= bound * (1.0 - 1e-4 * alpha)) break;
  }
  return best;
}

/// Semismooth Newton on the natural map with a non-monotone line search. The regularisation falls
/// with the residual, down to a floor that is higher where impulses may not be unique; there it is
/// lowered when it makes Newton slow.
bool CondensedStepper::newton(const NewtonOptions& options, int& iterations) {
  problem_.least_curvature = options.least_curvature;
  problem_.evaluate(now_->x, now_->at);
  double residual = now_->at.residual.largest();
  std::array<double, 3> recent{residual, residual, residual};
  constexpr double kNearlySolved = 1e-5;
  double redundant = tolerances::kRedundantRegularization;
  double damping = options.damping;
  for (int k = 0; k < options.max_iterations; ++k) {
    if (residual <= tolerances::kResidualTarget) return true;
    const Pattern pattern = problem_.pattern(now_->x, now_->at);
    problem_.project(pattern, now_->x, now_->at);
    const double least = problem_.is_redundant(pattern) ? redundant : tolerances::kRegularization;
    const double regularization =
        std::max(least, std::min(tolerances::kRedundantRegularization, 1e-3 * residual));
    if (!problem_.newton_direction(pattern, now_->x, now_->at, regularization, damping,
                                   direction_)) {
      return false;
    }
    ++iterations;
    const double best = line_search(*std::max_element(recent.begin(), recent.end()));
    if (!std::isfinite(best)) return false;
    if (residual <= tolerances::kResidual && best >= 0.5 * residual) {
      // At rounding level: no more to gain.
      if (best <= tolerances::kResidual) {
        std::swap(now_, next_);
      } else {
        problem_.evaluate(now_->x, now_->at);
      }
      return accepted();
    }
    std::swap(now_, next_);
    if (residual < kNearlySolved && best > 0.5 * residual) {
      redundant = std::max(0.1 * redundant, tolerances::kRegularization);  // too slow
    }
    residual = best;
    recent[static_cast<std::size_t>(k) % recent.size()] = residual;
    damping *= 0.3;
  }
  return accepted();
}

bool CondensedStepper::newton_on_pattern(const Pattern& pattern, int& iterations) {
  constexpr int kIterations = 12;
  problem_.evaluate(now_->x, now_->at);
  double last_length = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kIterations; ++k) {
    problem_.project(pattern, now_->x, now_->at);
    if (!problem_.newton_direction(pattern, now_->x, now_->at, tolerances::kRegularization, 0.0,
                                   direction_)) {
      return false;
    }
    ++iterations;
    problem_.move(now_->x, direction_, 1.0, next_->x);
    problem_.evaluate(next_->x, next_->at);
    std::swap(now_, next_);
    if (accepted()) return true;
    const double length = direction_.nu.head<2>().norm() / problem_.data.velocity_scale;
    if (k > 3 && length > 2.0 * last_length) return false;  // diverges
    last_length = length;
  }
  return false;
}

bool CondensedStepper::try_patterns(const StepUnknowns& start, int& iterations) {
  constexpr int kMostContacts = 5;
  constexpr int kMostIterations = 3000;  // then halving the step is cheaper
  const int stop = iterations + kMostIterations;
  const int contacts = problem_.contacts;
  const int elements = problem_.support.size;
  if (contacts > kMostContacts) return false;
  const int contact_codes = 1 << (2 * contacts);
  const int support_codes = 1 << elements;
  for (int code = 0; code < contact_codes * support_codes && iterations < stop; ++code) {
    Pattern pattern;
    int rest = code;
    for (int j = 0; j < elements; ++j, rest >>= 1) {
      pattern.support_sticks[index(j)] = (rest & 1) != 0;
    }
    for (int i = 0; i < contacts; ++i, rest >>= 2) {
      pattern.contact[index(i)] = static_cast<ContactMode>(rest & 3);
    }
    now_->x = start;
    if (newton_on_pattern(pattern, iterations) && path_is_clear()) return true;
  }
  return false;
}

/// Puts contacts with a piece's side that is nearly flush with an edge at the middle of the side:
/// where the side swings into the edge the contact jumps from one end of it to the other, and an
/// iteration that starts at an end does not find the impulse in between. False if there are none.
bool CondensedStepper::lay_flat(StepUnknowns& x) const {
  constexpr double kNearlyFlush = 0.1;  // sine of the angle between side and edge
  bool any = false;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const Pair& pair = problem_.pairs[i];
    const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
    if (piece.shape.exponent <= 2.0) continue;
    const ClosestPoints closest = closest_points(piece, start_, pair.side);
    const Vec2 u = piece.R_BA.inverse_times(start_.R_GB.inverse_times(-closest.normal));
    if (closest.feature == JawFeature::kVertex || u.cwiseAbs().minCoeff() > kNearlyFlush) continue;
    x.point[i].feature = closest.feature;
    x.point[i].direction = {std::round(u.x()), std::round(u.y())};
    x.p_n[i] = std::max(x.p_n[i], 0.1 * problem_.data.impulse_scale);
    any = true;
  }
  return any;
}

bool CondensedStepper::climb_ladder(bool all_rungs, Report& report) {
  const auto solves = [&](Rung rung, const NewtonOptions& options) {
    report.rung = rung;
    return newton(options, report.iterations) && path_is_clear();
  };
  memory_.first_guess(problem_, now_->x);
  memory_.continue_motion(problem_, now_->x);
  if (solves(Rung::kWarm, {12})) return true;
  StepUnknowns warm;
  memory_.first_guess(problem_, warm);
  memory_.add_last_forces(problem_, warm);
  if (memory_.continues(problem_.data.h)) {
    now_->x = warm;
    if (solves(Rung::kWarm, {12})) return true;
  }
  memory_.first_guess(problem_, now_->x);
  if (solves(Rung::kCold, {12})) return true;
  StepUnknowns flat = warm;
  if (lay_flat(flat)) {
    now_->x = flat;
    if (solves(Rung::kCold, {12})) return true;
    now_->x = flat;
    if (solves(Rung::kCold, {12, 0.0, tolerances::kLargerLeastCurvature})) return true;
  }
  if (!all_rungs) return false;
  now_->x = warm;
  if (solves(Rung::kDamped, {20, 10.0})) return true;
  report.rung = Rung::kPattern;
  return try_patterns(warm, report.iterations);
}

CondensedStepper::Report CondensedStepper::try_step(const State& state, double h, bool all_rungs) {
  constexpr int kRounds = 6;  // of adding pairs that closed
  Report report;
  set_start(state);
  set_up(state, h);
  choose_pairs(state, h);
  for (int round = 0; round < kRounds; ++round) {
    if (!climb_ladder(all_rungs, report)) return report;
    if (add_closing_pairs()) continue;
    report.smallest_gap_mm = smallest_near_gap_mm();
    if (report.smallest_gap_mm < tolerances::kGapMm) return report;
    report.converged = true;
    report.residual = now_->at.residual.largest();
    set_angle(problem_.support, now_->at.q.R_GB);
    dissipation(report);
    report.largest_turn_rad = largest_turn();
    report.velocity_change_mm_s = (now_->x.nu.head<2>() - state.part_velocity.head<2>()).norm();
    if (scenario_->tolerance_mm > 0.0) report.position_error_mm = position_error();
    return report;
  }
  return report;
}

State CondensedStepper::accept() {
  memory_.remember(problem_, now_->x, now_->at);
  start_ = now_->at.q;
  return problem_.state_after(now_->x);
}

/// The largest angle by which the normal of a contact that carries an impulse has turned.
double CondensedStepper::largest_turn() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (now_->x.p_n[i] <= 0.0) continue;
    const Pair& pair = problem_.pairs[i];
    Vec2 before = memory_.of(pair).normal;
    if (before == Vec2::Zero()) {
      before = closest_points(broad_phase_.pieces()[index(pair.piece)], start_, pair.side).normal;
    }
    largest = std::max(largest, std::abs(cross(before, now_->at.closest[i].normal)));
  }
  return largest;
}

double CondensedStepper::position_error() const {
  const State& start = problem_.data.start;
  const State end = problem_.state_after(now_->x);
  PositionError error(end.part_velocity - start.part_velocity, problem_.data.h,
                      broad_phase_.reach_mm());
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (now_->x.p_n[i] <= 0.0 || memory_.of(problem_.pairs[i]).f_n <= 0.0) continue;
    const ClosestPoints& closest = now_->at.closest[i];
    error.keep_closed(closest.normal, closest.on_piece_mm - end.part_pose.head<2>(),
                      problem_.pairs[i].side == JawSide::kRight
                          ? end.jaw_right_mm_s - start.jaw_right_mm_s
                          : end.jaw_left_mm_s - start.jaw_left_mm_s);
  }
  return error.mm();
}

void CondensedStepper::dissipation(Report& report) const {
  report.dissipation = 0.0;
  report.total_dissipation = 0.0;
  const auto add = [&](double work) {
    report.dissipation = std::min(report.dissipation, -work);
    report.total_dissipation -= work;
  };
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) add(now_->x.p_t[i] * now_->at.v_t[i]);
  for (std::size_t j = 0; j < index(problem_.support.size); ++j)
    add(now_->x.p_s[j].dot(now_->at.slip[j]));
}

void CondensedStepper::contacts(std::vector<ContactRecord>& records) const {
  records.clear();
  const double P = problem_.data.impulse_scale;
  const double V = problem_.data.velocity_scale;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const Pair& pair = problem_.pairs[i];
    const bool known = now_->at.closest[i].normal != Vec2::Zero();
    const ClosestPoints closest =
        known ? now_->at.closest[i]
              : closest_points(broad_phase_.pieces()[index(pair.piece)], now_->at.q, pair.side);
    ContactRecord record;
    record.piece = pair.piece;
    record.side = pair.side;
    record.feature = closest.feature;
    record.psi_mm = closest.psi_mm;
    record.point_G_mm = closest.on_piece_mm;
    record.normal_G = closest.normal;
    record.normal_impulse_mn_s = now_->x.p_n[i];
    record.tangential_impulse_mn_s = now_->x.p_t[i];
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
    wrench += problem_.support.elements[j].slip_map.transpose() * now_->x.p_s[j];
  }
  return wrench;
}

}  // namespace graspmap
