#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/tolerances.hpp"

// Newton's method on the problem of a step, and the ladder of retries where it does not converge.

namespace graspmap {
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

bool CondensedStepper::accepted() const {
  return now_->at.residual.largest() <= tolerances::kResidual;
}

/// True for a contact that carries an impulse and did before the step.
bool CondensedStepper::stays_closed(std::size_t i) const {
  return now_->x.p_n[i] > 0.0 && memory_.at(problem_.place[i]).f_n > 0.0;
}

/// Between two separated configurations all may overlap: the root then lies behind a feature that
/// the jaw has jumped over. A chord along a curved contact overlaps by its sagitta
/// only, a small fraction of its length.
bool CondensedStepper::path_is_clear() {
  const State& start = problem_.data.start;
  const Configuration& end = now_->at.q;
  const double length = moved_mm_ = problem_.largest_approach_mm(end);
  if (may_not_jump(length)) return true;
  const double allowed = tolerances::kPathOverlap * length + tolerances::kPathOverlapMm;
  const bool plain = broad_phase_.bodies().plain;
  for (const double s : tolerances::kPathChecks) {
    std::optional<Configuration> q;
    for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
      // No gap falls by more than the motion before it and rises by more than the motion after it.
      const double end_gap_mm = plain ? now_->at.closest[i].psi_mm : 0.0;
      if (problem_.start_gap_mm[i] > s * length || end_gap_mm > (1.0 - s) * length) continue;
      if (stays_closed(i)) continue;
      if (!q) {
        q.emplace(start.part_pose + s * (end.part_pose - start.part_pose),
                  start.jaw_right_mm + s * (end.jaw_right_mm - start.jaw_right_mm),
                  start.jaw_left_mm + s * (end.jaw_left_mm - start.jaw_left_mm));
      }
      if (!is_clear(problem_.pairs[i], *q, -allowed)) return false;
    }
  }
  return true;
}

/// Moves along the direction by 1, 1/2, ... until the largest residual is below `bound`, at most
/// kLineSearchTries times; the best point found becomes next_. Returns its residual.
double CondensedStepper::line_search(double bound) {
  double best = std::numeric_limits<double>::infinity();
  double alpha = 1.0;
  for (int cut = 0; cut < tolerances::kLineSearchTries; ++cut, alpha *= 0.5) {
    problem_.move(now_->x, direction_, alpha, candidate_->x);
    problem_.evaluate(candidate_->x, candidate_->at);
    const double residual = candidate_->at.residual.largest();
    if (residual < best) {
      best = residual;
      std::swap(next_, candidate_);
    }
    if (best <= bound * (1.0 - tolerances::kLineSearchDecrease * alpha)) break;
  }
  return best;
}

/// Moves along the direction by a share of it, to next_. Returns the residual there.
double CondensedStepper::try_share(double share) {
  problem_.move(now_->x, direction_, share, next_->x);
  problem_.evaluate(next_->x, next_->at);
  return next_->at.residual.largest();
}

/// Opens the contacts whose impulse is zero and would fall. False if no contact is opened.
bool CondensedStepper::open_used_up(Pattern& pattern) const {
  bool any = false;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (now_->x.p_n[i] > 0.0 || direction_.p_n[i] >= 0.0) continue;
    pattern.contact[i] = ContactMode::kOpen;
    any = true;
  }
  return any;
}

/// The share of the direction at which the first normal impulse falls to zero, at most 1.
double CondensedStepper::share_to_release() const {
  double share = 1.0;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const double change = direction_.p_n[i];
    if (change < 0.0) share = std::min(share, now_->x.p_n[i] / -change);
  }
  return std::max(share, 0.0);
}

/// The Newton direction. The linearised problem itself decides between stick and slip, in a few
/// rounds: large steps change both velocities and impulses so much that
/// the branches of the iterate are not those of the solution, and stick where nothing can stick
/// leads far off.
bool CondensedStepper::find_direction(Pattern& pattern, double regularization, double damping) {
  FrictionTries tries{};
  for (int round = 0;; ++round) {
    if (!problem_.newton_direction(pattern, now_->x, now_->at, regularization, damping,
                                   direction_)) {
      return false;
    }
    if (round == tolerances::kFrictionRounds || !revise_friction(pattern, tries)) return true;
    problem_.project(pattern, now_->x, now_->at);
  }
}

/// Contacts that stick slip where the direction takes their impulse out of its cone, and those that
/// slip stick where it turns their slip; a contact that has left stick before slips the other way.
/// False when the direction is on the pattern's branches.
bool CondensedStepper::revise_friction(Pattern& pattern, FrictionTries& tries) const {
  bool any = false;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    ContactMode& mode = pattern.contact[i];
    if (mode == ContactMode::kOpen || now_->at.closest[i].normal == Vec2::Zero()) continue;
    const bool revised =
        mode == ContactMode::kStick ? leave_stick(i, mode, tries[i]) : turn_slip(i, mode, tries[i]);
    any = any || revised;
  }
  return any;
}

/// Where stick would take a jaw to pull, too: there the part cannot but slip, or the contact opens.
bool CondensedStepper::leave_stick(std::size_t i, ContactMode& mode, FrictionTry& tried) const {
  const double p_n = now_->x.p_n[i] + direction_.p_n[i];
  const double p_t = now_->x.p_t[i] + direction_.p_t[i];
  const double limit = tolerances::kLeftCone * problem_.mu[i] * std::max(p_n, 0.0);
  if (tried.stick_left || std::abs(p_t) <= limit) return false;
  const bool turns = p_n <= 0.0 && tried.slip_turned;
  const ContactMode slip = p_t > 0.0 ? ContactMode::kSlipPositive : ContactMode::kSlipNegative;
  mode = turns ? tried.turned : slip;
  tried.stick_left = true;
  return true;
}

bool CondensedStepper::turn_slip(std::size_t i, ContactMode& mode, FrictionTry& tried) const {
  if (tried.slip_turned || now_->x.p_n[i] + direction_.p_n[i] <= 0.0) return false;
  const VelocityVector nu = now_->x.nu + direction_.nu;
  const double v_t =
      problem_.slip_mm_s(now_->at.closest[i], problem_.pairs[i].side, nu, now_->at.q);
  if (sign_of(mode) * v_t <= tolerances::kTurnedSlip * problem_.data.velocity_scale) return false;
  tried.turned =
      mode == ContactMode::kSlipPositive ? ContactMode::kSlipNegative : ContactMode::kSlipPositive;
  mode = tried.stick_left ? tried.turned : ContactMode::kStick;
  tried.slip_turned = true;
  return true;
}

/// Semismooth Newton on the natural map with a non-monotone line search. The regularisation falls
/// with the residual, down to a floor that is higher where impulses may not be unique; there it is
/// lowered when it makes Newton slow.
bool CondensedStepper::newton(const NewtonOptions& options, int& iterations) {
  problem_.least_curvature = options.least_curvature;
  problem_.evaluate(now_->x, now_->at);
  double residual = now_->at.residual.largest();
  std::array<double, tolerances::kLineSearchMemory> recent;
  recent.fill(residual);
  double redundant = tolerances::kRedundantRegularization;
  double damping = options.damping;
  bool stalls = false;
  const double gap_unit_mm = problem_.data.h * problem_.data.velocity_scale;
  const bool plain = broad_phase_.bodies().plain;
  int most = options.max_iterations;
  for (int k = 0; k < most; ++k) {
    if (residual <= target_) return true;
    Pattern pattern = problem_.pattern(now_->x, now_->at);
    problem_.project(pattern, now_->x, now_->at);
    const bool is_redundant = problem_.is_redundant(pattern);
    // Flats that are not quite parallel cannot all touch: the impulses move along what the motion
    // does not determine until one of them is used up, and its contact opens.
    const bool releases = stalls && is_redundant;
    if (releases)
      most = options.max_iterations + tolerances::kReleasesPerContact * problem_.contacts;
    const double least = is_redundant && !releases ? redundant : tolerances::kRegularization;
    const double regularization =
        releases ? least
                 : std::max(least, std::min(tolerances::kRedundantRegularization,
                                            tolerances::kRegularizationPerResidual * residual));
    if (!find_direction(pattern, regularization, damping)) return false;
    ++iterations;
    while (releases && open_used_up(pattern)) {
      if (!problem_.newton_direction(pattern, now_->x, now_->at, regularization, damping,
                                     direction_)) {
        return false;
      }
    }
    const double best = releases ? try_share(share_to_release())
                                 : line_search(*std::max_element(recent.begin(), recent.end()));
    if (!std::isfinite(best)) return false;
    if (residual <= tolerances::kResidual && best >= tolerances::kLeastGain * residual) {
      // At rounding level: it cannot fall further.
      if (best <= tolerances::kResidual) {
        std::swap(now_, next_);
      } else {
        problem_.evaluate(now_->x, now_->at);
      }
      return accepted();
    }
    std::swap(now_, next_);
    stalls = !plain && residual * gap_unit_mm < tolerances::kStalledGapMm &&
             best > tolerances::kSlowGain * residual && now_->at.residual.normal == best &&
             now_->at.residual.dynamics <= tolerances::kBalanced * best;
    if (residual < tolerances::kNearlySolved && best > tolerances::kSlowGain * residual) {
      redundant = std::max(tolerances::kRedundantDecrease * redundant, tolerances::kRegularization);
    }
    residual = best;
    recent[static_cast<std::size_t>(k) % recent.size()] = residual;
    damping *= tolerances::kDampingDecrease;
  }
  return accepted();
}

bool CondensedStepper::newton_on_pattern(const Pattern& pattern, int& iterations) {
  problem_.evaluate(now_->x, now_->at);
  double last_length = std::numeric_limits<double>::infinity();
  for (int k = 0; k < tolerances::kPatternIterations; ++k) {
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
    if (k > tolerances::kPatternFreeIterations &&
        length > tolerances::kPatternGrowth * last_length) {
      return false;
    }
    last_length = length;
  }
  return false;
}

/// Newton's method from where outlines have a near miss. Where a pattern balances the momentum and
/// closes its contacts, but leaves a friction cone, the solution may lie near: a part that jams as
/// it slides stops at the edge of the cone.
bool CondensedStepper::newton_from_pattern(int& iterations) {
  const StepResidual& residual = now_->at.residual;
  const bool near = residual.dynamics <= tolerances::kNearPattern &&
                    residual.normal <= tolerances::kNearPattern &&
                    std::isfinite(residual.largest());
  if (broad_phase_.bodies().plain || !near) return false;
  return newton({}, iterations);
}

/// A corner of the part that meets a corner of a finger may stay there, with a normal in between
/// those of their sides, where the normal of the closest points jumps. So the contacts of both
/// sides stay contacts of their own, and both close: any force between their normals is then the
/// sum of theirs. A solution in which a contact lies beyond the end of an element does not count.
bool CondensedStepper::newton_at_corners(StepUnknowns start, int& iterations) {
  if (stay_at_corners(start, iterations)) return true;
  const int contacts = problem_.contacts;
  add_neighbours();
  for (std::size_t i = index(contacts); i < index(problem_.contacts); ++i) {
    start.point[i] = first_point(problem_.pairs[i]);
    start.p_n[i] = start.p_t[i] = 0.0;
  }
  return problem_.contacts > contacts && stay_at_corners(start, iterations);
}

bool CondensedStepper::stay_at_corners(const StepUnknowns& start, int& iterations) {
  problem_.stays = true;
  now_->x = start;
  const bool solved =
      (newton({}, iterations) && path_is_clear()) || try_patterns(start, iterations);
  problem_.stays = false;
  if (!solved) return false;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    ContactPoint point = now_->x.point[i];
    const ClosestPoints walked = follow_contact(
        broad_phase_.bodies(), now_->at.q, problem_.pairs[i].side, point, now_->x.p_n[i] > 0.0);
    if (walked.psi_mm < tolerances::kGapMm) return false;
    if (now_->x.p_n[i] == 0.0) continue;
    const Vec2 moved = walked.on_piece_mm - now_->at.closest[i].on_piece_mm;
    const bool same =
        walked.psi_mm <= -tolerances::kGapMm && moved.norm() <= tolerances::kStalledGapMm;
    if (!same) return false;
  }
  return true;
}

/// False for a contact of outlines that cannot close within the step by the velocities at hand.
bool CondensedStepper::may_close(std::size_t i, const StepUnknowns& start) const {
  if (broad_phase_.bodies().plain || start.p_n[i] > 0.0) return true;
  return problem_.start_gap_mm[i] <= tolerances::kPatternApproach * expected_approach_mm_;
}

bool CondensedStepper::try_patterns(const StepUnknowns& start, int& iterations) {
  const int stop = iterations + tolerances::kMostPatternIterations;
  std::array<std::size_t, kMaxContacts> near{};
  int contacts = 0;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    if (may_close(i, start)) near[index(contacts++)] = i;
  }
  const int elements = problem_.support.size;
  if (contacts > tolerances::kMostPatternContacts) return false;
  const int contact_codes = 1 << (2 * contacts);
  const int support_codes = support_patterns(elements);
  for (int code = 0; code < contact_codes * support_codes && iterations < stop; ++code) {
    Pattern pattern;
    stick(code % support_codes, elements, pattern);
    int rest = code / support_codes;
    for (int i = 0; i < contacts; ++i, rest >>= 2) {
      pattern.contact[near[index(i)]] = static_cast<ContactMode>(rest & 3);
    }
    now_->x = start;
    const bool solved = newton_on_pattern(pattern, iterations) || newton_from_pattern(iterations);
    if (solved && path_is_clear()) return true;
  }
  return false;
}

/// Puts contacts with a piece's side that is nearly flush with an edge at the middle of the side:
/// where the side swings into the edge the contact jumps from one end of it to the other, and an
/// iteration that starts at an end does not find the impulse in between. False if no contact is
/// moved.
bool CondensedStepper::lay_flat(StepUnknowns& x) const {
  bool any = false;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const Pair& pair = problem_.pairs[i];
    const BodyPiece& piece = broad_phase_.pieces()[index(pair.piece)];
    if (piece.is_element || piece.shape.exponent <= 2.0) continue;
    const ClosestPoints closest = closest_points(broad_phase_.bodies(), pair, start_);
    const Vec2 u = piece.R_BA.inverse_times(start_.R_GB.inverse_times(-closest.normal));
    const double sine = u.cwiseAbs().minCoeff();
    if (closest.feature == JawFeature::kVertex || sine > tolerances::kNearlyFlush) continue;
    x.point[i].feature = closest.feature;
    x.point[i].direction = {std::round(u.x()), std::round(u.y())};
    x.p_n[i] = std::max(x.p_n[i], tolerances::kFlatImpulse * problem_.data.impulse_scale);
    any = true;
  }
  return any;
}

bool CondensedStepper::climb_ladder(bool all_rungs, StepReport& report) {
  if (last_resort_) return resort_to_easier_problems(report);
  const auto solves = [&](Rung rung, const NewtonOptions& options) {
    report.rung = rung;
    return newton(options, report.iterations) && path_is_clear();
  };
  StepUnknowns warm;
  memory_.extrapolate(problem_, history_, warm);
  now_->x = warm;
  if (solves(Rung::kWarm, {})) return true;
  memory_.first_guess(problem_, now_->x);
  if (solves(Rung::kCold, {})) return true;
  // A smaller step is tried before what is rarely needed.
  if (!all_rungs) return false;
  memory_.extrapolate(problem_, {}, warm);
  StepUnknowns flat = warm;
  if (lay_flat(flat)) {
    now_->x = flat;
    if (solves(Rung::kCold, {})) return true;
    now_->x = flat;
    if (solves(Rung::kCold, {.least_curvature = tolerances::kLargerLeastCurvature})) return true;
  }
  now_->x = warm;
  if (solves(Rung::kDamped, {tolerances::kDampedIterations, tolerances::kDamping})) return true;
  report.rung = Rung::kPattern;
  if (try_patterns(warm, report.iterations)) return true;
  return !broad_phase_.bodies().plain && newton_at_corners(warm, report.iterations);
}

}  // namespace graspmap
