#include "sim/closing/retry_ladder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/closing/contact_models.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

// --- The ladder

struct RetryLadder::Try {
  Rung rung;
  bool (RetryLadder::*start)(StepUnknowns& x) const;
  bool (RetryLadder::*method)(const NewtonOptions& options, int& iterations);
  NewtonOptions options = {};
  bool is_rare = false;  ///< a smaller step is tried before
};

const RetryLadder::Try RetryLadder::kLadder[] = {
    {Rung::kWarm, &RetryLadder::goes_on, &RetryLadder::newton},
    {Rung::kCold, &RetryLadder::from_velocities, &RetryLadder::newton},
    {Rung::kCold, &RetryLadder::laid_flat, &RetryLadder::newton, {}, true},
    {Rung::kCold,
     &RetryLadder::laid_flat,
     &RetryLadder::newton,
     {.least_curvature = tolerances::kLargerCurvature},
     true},
    {Rung::kDamped,
     &RetryLadder::with_last_forces,
     &RetryLadder::newton,
     {.most_iterations = tolerances::kDampedIterations, .damping = tolerances::kDamping},
     true},
    {Rung::kPattern, &RetryLadder::with_last_forces, &RetryLadder::patterns, {}, true},
    {Rung::kPattern, &RetryLadder::with_last_forces, &RetryLadder::corners, {}, true},
};

bool RetryLadder::climb(bool all_rungs, Rung& rung, int& iterations) {
  for (const Try& next : kLadder) {
    if (next.is_rare && !all_rungs) return false;
    rung = next.rung;
    const bool starts = (this->*next.start)(newton_.now().x);
    if (starts && (this->*next.method)(next.options, iterations)) return true;
  }
  return false;
}

// --- Starts

/// The last forces; velocities and contact points keep changing as they did in the last step.
bool RetryLadder::goes_on(StepUnknowns& x) const {
  memory_.extrapolate(equations_, equations_.data().history, x);
  return true;
}

/// The velocities at the start of the step, no impulses.
bool RetryLadder::from_velocities(StepUnknowns& x) const {
  memory_.first_guess(equations_, x);
  return true;
}

/// The velocities at the start of the step and the last forces.
bool RetryLadder::with_last_forces(StepUnknowns& x) const {
  memory_.extrapolate(equations_, {}, x);
  return true;
}

/// Contacts with a piece's side that is nearly flush with an edge are put at the middle of the
/// side: where the side swings into the edge the contact jumps from one end of it to the other, and
/// an iteration that starts at an end does not find the impulse in between. False if no contact is
/// moved.
bool RetryLadder::laid_flat(StepUnknowns& x) const {
  const StepData& data = equations_.data();
  with_last_forces(x);
  bool any = false;
  for (std::size_t i = 0; i < index(pairs_.size); ++i) {
    const Pair& pair = pairs_.pair[i];
    const BodyPiece& piece = data.bodies->pieces[index(pair.piece)];
    if (piece.is_element || piece.shape.exponent <= 2.0) continue;
    const ClosestPoints closest = closest_points(*data.bodies, pair, data.start_at);
    const Vec2 u = piece.R_BA.inverse_times(data.start_at.R_GB.inverse_times(-closest.normal));
    const double sine = u.cwiseAbs().minCoeff();
    if (closest.feature == JawFeature::kVertex || sine > tolerances::kFlush) continue;
    x.point[i].feature = closest.feature;
    x.point[i].direction = {std::round(u.x()), std::round(u.y())};
    x.p_n[i] = std::max(x.p_n[i], tolerances::kFlatImpulse * data.impulse_scale);
    any = true;
  }
  return any;
}

// --- Methods

bool RetryLadder::newton(const NewtonOptions& options, int& iterations) {
  return newton_.solve(options, iterations) && check_.path_is_clear(newton_.now());
}

namespace {

/// How many patterns of the support are tried. Where a rigid part has more than three points, none
/// of them sticks, or all do, or one, about which the part turns.
int support_patterns(int elements) { return elements > 3 ? elements + 2 : 1 << elements; }

/// The pattern of a number below that.
void stick(int number, int elements, Pattern& pattern) {
  for (int j = 0; j < elements; ++j) {
    pattern.support_sticks[index(j)] =
        elements > 3 ? number == 1 || number == j + 2 : ((number >> j) & 1) != 0;
  }
}

}  // namespace

/// One pattern after the other is held.
bool RetryLadder::patterns(const NewtonOptions& /*options*/, int& iterations) {
  const StepUnknowns start = newton_.now().x;
  const int stop = iterations + tolerances::kMostRounds;
  std::array<std::size_t, kMaxContacts> near{};
  int contacts = 0;
  for (std::size_t i = 0; i < index(pairs_.size); ++i) {
    if (may_close(i, start)) near[index(contacts++)] = i;
  }
  const int elements = equations_.support.size;
  // 16 contacts have 4^16 patterns: more than an int holds.
  const std::int64_t codes = std::int64_t{1} << (2 * contacts);
  if (codes > tolerances::kMostRounds) return false;
  const int contact_codes = static_cast<int>(codes);
  const int support_codes = support_patterns(elements);
  for (int code = 0; code < contact_codes * support_codes && iterations < stop; ++code) {
    Pattern pattern;
    stick(code % support_codes, elements, pattern);
    int rest = code / support_codes;
    for (int i = 0; i < contacts; ++i, rest >>= 2) {
      pattern.contact[near[index(i)]] = static_cast<ContactMode>(rest & 3);
    }
    newton_.now().x = start;
    const bool solved = newton_.solve_on(pattern, iterations) || newton_near_pattern(iterations);
    if (solved && check_.path_is_clear(newton_.now())) return true;
  }
  return false;
}

/// False for a contact of outlines that cannot close within the step by the velocities at hand.
bool RetryLadder::may_close(std::size_t i, const StepUnknowns& start) const {
  if (!contacts_walk(*equations_.data().bodies) || start.p_n[i] > 0.0) return true;
  return pairs_.start_gap_mm[i] <= tolerances::kPatternApproach * selection_.expected_approach_mm();
}

/// Newton's method from where outlines have a near miss. Where a pattern balances the momentum and
/// closes its contacts, but leaves a friction cone, the solution may lie near: a part that jams as
/// it slides stops at the edge of the cone.
bool RetryLadder::newton_near_pattern(int& iterations) {
  const StepResidual& residual = newton_.now().at.residual;
  const bool near = residual.dynamics <= tolerances::kNearPattern &&
                    residual.normal <= tolerances::kNearPattern &&
                    std::isfinite(residual.largest());
  if (!contacts_walk(*equations_.data().bodies) || !near) return false;
  return newton_.solve({}, iterations);
}

/// A corner of the part that meets a corner of a finger may stay there, with a normal in between
/// those of their sides, where the normal of the closest points jumps. So the contacts of both
/// sides stay contacts of their own, and both close: any force between their normals is then the
/// sum of theirs. A solution in which a contact lies beyond the end of an element does not count.
bool RetryLadder::corners(const NewtonOptions& /*options*/, int& iterations) {
  if (!contacts_walk(*equations_.data().bodies)) return false;
  StepUnknowns start = newton_.now().x;
  if (stay_at_corners(start, iterations)) return true;
  const int contacts = pairs_.size;
  selection_.add_neighbours();
  for (std::size_t i = index(contacts); i < index(pairs_.size); ++i) {
    start.point[i] = first_point(pairs_.pair[i]);
    start.p_n[i] = start.p_t[i] = 0.0;
  }
  return pairs_.size > contacts && stay_at_corners(start, iterations);
}

bool RetryLadder::stay_at_corners(const StepUnknowns& start, int& iterations) {
  equations_.stays = true;
  newton_.now().x = start;
  bool solved = newton({}, iterations);
  if (!solved) {
    newton_.now().x = start;
    solved = patterns({}, iterations);
  }
  equations_.stays = false;
  return solved && ends_at_contacts();
}

/// True when the contacts are where they would walk to, and what they walk to is open.
bool RetryLadder::ends_at_contacts() const {
  const Iterate& now = newton_.now();
  for (std::size_t i = 0; i < index(pairs_.size); ++i) {
    ContactPoint point = now.x.point[i];
    const ClosestPoints walked = follow_contact(*equations_.data().bodies, now.at.q,
                                                pairs_.pair[i].side, point, now.x.p_n[i] > 0.0);
    if (walked.psi_mm < tolerances::kGapMm) return false;
    if (now.x.p_n[i] == 0.0) continue;
    const Vec2 moved = walked.on_piece_mm - now.at.closest[i].on_piece_mm;
    const bool same = walked.psi_mm <= -tolerances::kGapMm && moved.norm() <= tolerances::kTouchMm;
    if (!same) return false;
  }
  return true;
}

// --- The last resort

namespace {

constexpr int kLongTry = 5 * tolerances::kNewtonIterations;

}  // namespace

bool RetryLadder::climb_last_resort(int& iterations) {
  return with_heavier_contacts(iterations) || from_heavier_parts(iterations) ||
         from_rest(iterations);
}

bool RetryLadder::long_newton(int& iterations) {
  return newton({.most_iterations = kLongTry}, iterations);
}

/// The natural map's projections weigh gaps and slips with the part's mass. The impulses that stop
/// the jaws at a light part are larger than what gaps and slips count then.
bool RetryLadder::with_heavier_contacts(int& iterations) {
  const StepData& data = equations_.data();
  const double most = tolerances::kHeavier * data.inertia[3] / data.inertia[0];
  bool solved = false;
  double heavier = 1.0;
  do {
    // At first with its own mass: more iterations than on the ladder may do.
    equations_.scale(data, heavier);
    solved = (with_last_forces(newton_.now().x) && long_newton(iterations)) ||
             (from_velocities(newton_.now().x) && long_newton(iterations));
    heavier *= tolerances::kHeavier;
  } while (!solved && heavier < most);
  equations_.scale(data);
  return solved;
}

/// Jaws push a heavy part where they throw a light one about. So the solution is followed from a
/// part of many times its mass to that of its own.
bool RetryLadder::from_heavier_parts(int& iterations) {
  for (double heaviest = 1.0 / tolerances::kLessHelp; heaviest < tolerances::kMostHeavierPart;
       heaviest *= tolerances::kHeavier) {
    if ((with_last_forces(newton_.now().x) && follow_to_own_mass(heaviest, iterations)) ||
        (from_velocities(newton_.now().x) && follow_to_own_mass(heaviest, iterations))) {
      return true;
    }
  }
  return false;
}

bool RetryLadder::follow_to_own_mass(double heaviest, int& iterations) {
  const StepData& own = equations_.data();
  for (double factor = heaviest; factor > 1.0; factor *= tolerances::kLessHelp) {
    StepData heavier = own;
    heavier.inertia.head<3>() *= factor;
    heavier.free_impulse.head<3>() *= factor;
    equations_.scale(heavier);
    // Solved or not, this is where the next lighter part begins.
    newton_.solve({.most_iterations = kLongTry}, iterations);
    equations_.scale(own);
    if (!newton_.now().x.nu.allFinite()) return false;
  }
  return long_newton(iterations);
}

/// A part that jams as it slides stops the jaws within a step of any size, at the edge of the
/// friction cones. That solution is near rest, under the impulses that stop the jaws.
bool RetryLadder::from_rest(int& iterations) {
  const StepData& data = equations_.data();
  const bool symmetric = data.jaws.velocities < kMaxVelocities;
  // The coordinate of symmetric jaws has the momenta of both.
  const double stopping = std::abs(data.free_impulse[3]) / (symmetric ? 2.0 : 1.0);
  StepUnknowns rest;
  with_last_forces(rest);
  rest.nu.setZero();
  for (std::size_t i = 0; i < index(pairs_.size); ++i) {
    rest.p_n[i] = pairs_.start_gap_mm[i] <= selection_.expected_approach_mm() ? stopping : 0.0;
    rest.p_t[i] = 0.0;
  }
  newton_.now().x = rest;
  if (long_newton(iterations)) return true;
  newton_.now().x = rest;
  return patterns({}, iterations);
}

}  // namespace graspmap
