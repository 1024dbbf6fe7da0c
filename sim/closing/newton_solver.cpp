#include "sim/closing/newton_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace graspmap {

void NewtonSolver::begin(double target, bool releases_flats) {
  target_ = target;
  releases_flats_ = releases_flats;
  // What the trial before left is read where a pattern closes a contact that cannot close, which
  // is not evaluated.
  for (Iterate& iterate : iterates_) {
    iterate.at.closest.fill({});
    iterate.at.met.fill(false);
  }
}

/// Moves along the direction by 1, 1/2, ... until the largest residual is below `bound`, at most
/// kLineSearchTries times; the best point found becomes next_. Returns its residual.
inline double NewtonSolver::line_search(double bound) {
  double best = std::numeric_limits<double>::infinity();
  double alpha = 1.0;
  for (int cut = 0; cut < tolerances::kLineSearchTries; ++cut, alpha *= 0.5) {
    equations_.move(now_->x, direction_, alpha, candidate_->x);
    equations_.evaluate(candidate_->x, candidate_->at);
    const double residual = candidate_->at.residual.largest();
    if (residual < best) {
      best = residual;
      std::swap(next_, candidate_);
    }
    if (best <= bound * (1.0 - tolerances::kLeastChange * alpha)) break;
  }
  return best;
}

/// Moves along the direction by a share of it, to next_. Returns the residual there.
inline double NewtonSolver::try_share(double share) {
  equations_.move(now_->x, direction_, share, next_->x);
  equations_.evaluate(next_->x, next_->at);
  return next_->at.residual.largest();
}

/// Opens the contacts whose impulse is zero and would fall. False if no contact is opened.
inline bool NewtonSolver::open_used_up(Pattern& pattern) const {
  bool any = false;
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    if (now_->x.p_n[i] > 0.0 || direction_.p_n[i] >= 0.0) continue;
    pattern.contact[i] = ContactMode::kOpen;
    any = true;
  }
  return any;
}

/// The share of the direction at which the first normal impulse falls to zero, at most 1.
inline double NewtonSolver::share_to_release() const {
  double share = 1.0;
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    const double change = direction_.p_n[i];
    if (change < 0.0) share = std::min(share, now_->x.p_n[i] / -change);
  }
  return std::max(share, 0.0);
}

/// The Newton direction. The linearised problem itself decides between stick and slip, in a few
/// rounds: large steps change both velocities and impulses so much that
/// the branches of the iterate are not those of the solution, and stick where nothing can stick
/// leads far off.
bool NewtonSolver::find_direction(Pattern& pattern, double regularization, double damping) {
  const bool impact = equations_.data().history.impact;
  FrictionTries tries{};
  for (int round = 0;; ++round) {
    do {
      if (!equations_.newton_direction(pattern, now_->x, now_->at, regularization, damping,
                                       direction_)) {
        return false;
      }
    } while (impact && equations_.release_support(pattern, direction_, now_->x, now_->at));
    if (round == tolerances::kFrictionRounds || !revise_friction(pattern, tries)) return true;
    equations_.project(pattern, now_->x, now_->at);
  }
}

/// Contacts that stick slip where the direction takes their impulse out of its cone, and those that
/// slip stick where it turns their slip; a contact that has left stick before slips the other way.
/// False when the direction is on the pattern's branches.
[[gnu::always_inline]] inline bool NewtonSolver::revise_friction(Pattern& pattern,
                                                                 FrictionTries& tries) const {
  bool any = false;
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    ContactMode& mode = pattern.contact[i];
    if (mode == ContactMode::kOpen || now_->at.closest[i].normal == Vec2::Zero()) continue;
    const bool revised =
        mode == ContactMode::kStick ? leave_stick(i, mode, tries[i]) : turn_slip(i, mode, tries[i]);
    any = any || revised;
  }
  return any;
}

/// Where stick would take a jaw to pull, too: there the part cannot but slip, or the contact opens.
inline bool NewtonSolver::leave_stick(std::size_t i, ContactMode& mode, FrictionTry& tried) const {
  const double p_n = now_->x.p_n[i] + direction_.p_n[i];
  const double p_t = now_->x.p_t[i] + direction_.p_t[i];
  const double limit = tolerances::kLeftCone * equations_.pairs().mu[i] * std::max(p_n, 0.0);
  if (tried.stick_left || std::abs(p_t) <= limit) return false;
  const bool turns = p_n <= 0.0 && tried.slip_turned;
  const ContactMode slip = p_t > 0.0 ? ContactMode::kSlipPositive : ContactMode::kSlipNegative;
  mode = turns ? tried.turned : slip;
  tried.stick_left = true;
  return true;
}

inline bool NewtonSolver::turn_slip(std::size_t i, ContactMode& mode, FrictionTry& tried) const {
  if (tried.slip_turned || now_->x.p_n[i] + direction_.p_n[i] <= 0.0) return false;
  const VelocityVector nu = now_->x.nu + direction_.nu;
  const Vec3 mount = now_->x.mount + direction_.mount;
  const double v_t = equations_.slip_mm_s(now_->at.closest[i], equations_.pairs().pair[i].side, nu,
                                          mount, now_->at.q) +
                     equations_.pad_slip_mm_s(i, now_->x.p_t[i] + direction_.p_t[i]);
  if (sign_of(mode) * v_t <= tolerances::kLeastChange * equations_.data().velocity_scale)
    return false;
  tried.turned =
      mode == ContactMode::kSlipPositive ? ContactMode::kSlipNegative : ContactMode::kSlipPositive;
  mode = tried.stick_left ? tried.turned : ContactMode::kStick;
  tried.slip_turned = true;
  return true;
}

/// The regularisation falls with the residual, down to a floor that is higher where impulses may
/// not be unique; there it is lowered when it makes Newton slow.
bool NewtonSolver::solve(const NewtonOptions& options, int& iterations) {
  equations_.least_curvature = options.least_curvature;
  equations_.evaluate(now_->x, now_->at);
  double residual = now_->at.residual.largest();
  // A change of the pattern may raise the residual at first: the line search is not monotone.
  std::array<double, tolerances::kMayRise> recent;
  recent.fill(residual);
  double redundant = tolerances::kRedundantRegularization;
  double damping = options.damping;
  bool stalls = false;
  const double gap_unit_mm = equations_.data().h * equations_.data().velocity_scale;
  const StepData& data = equations_.data();
  // In an impact the digits of the closing force must not drown in those of the momenta.
  const double of_force = tolerances::kForceResidual * data.force_impulse / data.jaw_impulse_scale;
  const double target = std::clamp(of_force, tolerances::kResidualTarget, target_);
  int most = options.most_iterations;
  for (int k = 0; k < most; ++k) {
    if (residual <= target) return true;
    Pattern pattern = equations_.pattern(now_->x, now_->at);
    equations_.project(pattern, now_->x, now_->at);
    if (equations_.data().history.impact) equations_.pull_against_slip(pattern, now_->x, now_->at);
    // The regularisation is the largest far from the solution.
    const double falls = tolerances::kRegularizationPerResidual * residual;
    const bool far = falls >= tolerances::kRedundantRegularization && !stalls;
    const bool is_redundant = !far && equations_.is_redundant(pattern);
    // Flats that are not quite parallel cannot all touch: the impulses move along what the motion
    // does not determine until one of them is used up, and its contact opens.
    const bool releases = stalls && is_redundant;
    if (releases)
      most = options.most_iterations + tolerances::kReleasesPerContact * equations_.pairs().size;
    const double least = is_redundant && !releases ? redundant : tolerances::kRegularization;
    const double regularization =
        releases ? least : std::max(least, std::min(tolerances::kRedundantRegularization, falls));
    if (!find_direction(pattern, regularization, damping)) return false;
    ++iterations;
    while (releases && open_used_up(pattern)) {
      if (!equations_.newton_direction(pattern, now_->x, now_->at, regularization, damping,
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
        equations_.evaluate(now_->x, now_->at);
      }
      return solved();
    }
    std::swap(now_, next_);
    // Gaps within touch are all that is left of the residual, and they hardly fall.
    stalls = releases_flats_ && residual * gap_unit_mm < tolerances::kTouchMm &&
             best > tolerances::kSlowGain * residual && now_->at.residual.normal == best &&
             now_->at.residual.dynamics <= tolerances::kBalanced * best;
    if (residual < tolerances::kNearlySolved && best > tolerances::kSlowGain * residual) {
      redundant = std::max(tolerances::kLessHelp * redundant, tolerances::kRegularization);
    }
    residual = best;
    recent[static_cast<std::size_t>(k) % recent.size()] = residual;
    damping *= tolerances::kDampingDecrease;
  }
  return solved();
}

bool NewtonSolver::solve_on(const Pattern& pattern, int& iterations) {
  equations_.evaluate(now_->x, now_->at);
  double last_length = std::numeric_limits<double>::infinity();
  for (int k = 0; k < tolerances::kNewtonIterations; ++k) {
    equations_.project(pattern, now_->x, now_->at);
    if (!equations_.newton_direction(pattern, now_->x, now_->at, tolerances::kRegularization, 0.0,
                                     direction_)) {
      return false;
    }
    ++iterations;
    equations_.move(now_->x, direction_, 1.0, next_->x);
    equations_.evaluate(next_->x, next_->at);
    std::swap(now_, next_);
    if (solved()) return true;
    const double length = direction_.nu.head<2>().norm() / equations_.data().velocity_scale;
    if (k > tolerances::kMayRise && length > tolerances::kPatternGrowth * last_length) {
      return false;
    }
    last_length = length;
  }
  return false;
}

}  // namespace graspmap
