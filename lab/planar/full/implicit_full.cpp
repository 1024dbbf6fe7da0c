#include "lab/planar/full/implicit_full.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/planar/full/full_active_set.hpp"

namespace graspmap {
namespace {

/// Rigid pairs may overlap by this part of L.
constexpr double kOverlap = 5e-10;

/// Iterations of a step: kWork over the unknowns (about), within limits.
constexpr int kWork = 40000;
constexpr int kLeastIterations = 50;
constexpr int kMostIterations = 1000;
constexpr int kUnknownsOfContact = 10;

/// How often a step may be solved again with pairs that were left out.
constexpr int kMaxRounds = 10;

/// The tries of Newton's method: few iterations first, then more, with other thresholds below which
/// a system counts as singular.
struct Try {
  int max_iterations = 0;
  double singular = 0.0;
};
constexpr std::array<Try, 4> kTries{{{12, 1e-10}, {25, 1e-13}, {50, 1e-7}, {50, 1e-10}}};

/// All combinations of modes are tried for up to so many contacts with a gap below kTouching (in
/// units of length), with so many iterations each.
constexpr std::size_t kMostContactsOfModes = 5;
constexpr double kTouching = 1e-3;
constexpr int kIterationsOfModes = 5;

/// Residuals up to this multiple of the tolerance are accepted when no try gets lower.
constexpr double kAcceptable = 100.0;

/// Continuation in h: solves, and the least increment (as a part of h).
constexpr int kMaxContinuation = 60;
constexpr double kLeastIncrement = 1e-4;

class ImplicitFull final : public PlanarStepper {
 public:
  explicit ImplicitFull(const StepperSettings& settings) : settings_(settings) {
    active_.newton.tolerance = settings.tolerance;
    active_.newton.is_stopped = settings.is_stopped;
  }

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    scene_ = &scene;
    start_ = &start;
    h_ = h;
    active_.reset(scene);
    begin(h);
    find_pairs();
    bool solved = false;
    for (int round = 0; round < kMaxRounds; ++round) {
      solved = solve();
      if (!solved || !add_overlapping_pairs()) break;
    }
    report(solved, step);
  }

 private:
  void begin(double h) { active_.begin(*scene_, *start_, h, pairs_); }

  void find_pairs() {
    pairs_.clear();
    const double reach = settings_.active_gap_mm >= 0.0
                             ? settings_.active_gap_mm
                             : step_reach_mm(*scene_, *start_, h_) + problem().unit_length_mm();
    near_contacts(*scene_, *start_, reach, keys_);
    for (const ContactKey& key : keys_) add_to_pairs(key, pairs_);
  }

  /// True when a pair that was left out overlaps at the end.
  bool add_overlapping_pairs() {
    bool added = false;
    near_contacts(*scene_, problem().end(), 0.0, keys_);
    for (const ContactKey& key : keys_) {
      const double gap = contact_at(*scene_, problem().end(), key).gap_mm;
      if (gap < least_gap_mm()) added |= add_to_pairs(key, pairs_);
    }
    return added;
  }

  [[nodiscard]] double least_gap_mm() const { return -kOverlap * problem().scales().length_mm; }

  bool solve() {
    active_.forget_best();
    active_.most_iterations = most_iterations();
    guess_step(*scene_, *start_, h_, pairs_, problem().free_velocity(), guess_);
    for (const Try& with : kTries) {
      if (active_.iterations() >= active_.most_iterations || settings_.stops()) break;
      active_.newton.max_iterations = std::min(with.max_iterations, settings_.max_iterations);
      active_.newton.singular = with.singular;
      if (solve_from_starts() || continue_in_h()) return true;
    }
    active_.start_at(guess_);
    return active_.solve_by_descent() || try_modes() || accept_best();
  }

  /// Most iterations of a step before it fails (and the caller halves it): fewer in large problems.
  [[nodiscard]] int most_iterations() const {
    const int unknowns = scene_->velocities + kUnknownsOfContact * static_cast<int>(pairs_.size());
    return std::clamp(kWork / std::max(unknowns, 1), kLeastIterations, kMostIterations);
  }

  /// From a guess of the impulses, from the predicted pose, from the start's.
  bool solve_from_starts() {
    const Eigen::VectorXd& free = problem().free_velocity();
    active_.start_at(guess_);
    if (active_.solve()) return true;
    active_.start_at(free, free);
    if (active_.solve()) return true;
    active_.start_at(Eigen::VectorXd::Zero(free.size()), start_->nu);
    return active_.solve();
  }

  /// Follows the solution from h = 0, where it is the free motion, to the step's h: impulses of
  /// contacts that close grow from zero. Steps in h are halved where Newton's method fails.
  bool continue_in_h() {
    const FullActiveSet::Best best = active_.best();
    StepGuess memory;
    memory.nu = start_->nu;
    memory.pairs.assign(pairs_.size(), {});
    memory.pins.assign(scene_->pins.size(), Vec2::Zero());
    memory.tables.assign(scene_->tables.size(), Vec3::Zero());
    double reached = 0.0;
    double increment = 0.25;
    for (int i = 0; i < kMaxContinuation && reached < 1.0 && increment > kLeastIncrement; ++i) {
      if (active_.iterations() >= active_.most_iterations || settings_.stops()) break;
      const double next = std::min(1.0, reached + increment);
      begin(next * h_);
      active_.start_at(memory);
      if (active_.solve()) {
        memory = active_.remember();
        reached = next;
        increment *= 2.0;
      } else {
        increment *= 0.5;
      }
    }
    if (reached == 1.0) return true;
    begin(h_);
    active_.restore_best(best);
    return false;
  }

  /// Where contacts hold each other in more ways than there are velocities, the branches may flip
  /// for ever: all combinations of open, sticking and sliding contacts, from the best iterate.
  /// Those that are clearly open there stay so.
  bool try_modes() {
    const FullActiveSet::Best best = active_.best();
    if (best.contacts.size() != pairs_.size()) return false;
    active_.take(best.contacts, best.z);
    const std::vector<std::size_t> touching = touching_contacts();
    if (touching.empty() || touching.size() > kMostContactsOfModes) return false;
    FullNewtonOptions options;
    options.tolerance = settings_.tolerance;
    options.max_iterations = kIterationsOfModes;
    options.is_stopped = settings_.is_stopped;
    options.modes.assign(pairs_.size(), FullContactMode::kOpen);
    const std::size_t combinations = std::size_t{1} << (2 * touching.size());
    for (std::size_t combination = 0; combination < combinations && !settings_.stops();
         ++combination) {
      for (std::size_t i = 0; i < touching.size(); ++i) {
        options.modes[touching[i]] = static_cast<FullContactMode>((combination >> (2 * i)) & 3U);
      }
      if (active_.solve_once(options, best.contacts, best.z) && !active_.is_refuted()) return true;
    }
    return false;
  }

  /// Contacts with an impulse, or with a very small gap, at the present unknowns.
  [[nodiscard]] std::vector<std::size_t> touching_contacts() const {
    std::vector<std::size_t> touching;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ContactEvaluation& at = problem().at(i);
      const bool is_close = at.f_at_a2.value_mm < kTouching * problem().unit_length_mm();
      if (at.p_n > 0.0 || is_close) touching.push_back(i);
    }
    return touching;
  }

  /// The best iterate of all tries solves the step when its residual is not much above the
  /// tolerance.
  bool accept_best() {
    const FullActiveSet::Best& best = active_.best();
    if (best.contacts.size() != pairs_.size()) return false;
    active_.take(best.contacts, best.z);
    return active_.result().residual <= kAcceptable * settings_.tolerance && !active_.is_refuted();
  }

  void report(bool solved, PlanarStep& step) {
    const Eigen::VectorXd& x = active_.x();
    step.end = problem().end();
    step.residual = active_.result().residual;
    step.iterations = active_.iterations();
    step.unknowns = problem().size();
    step.worst_contact = active_.worst_contact();
    report_contacts(step);
    step.pin_impulses.clear();
    for (int i = 0; i < static_cast<int>(scene_->pins.size()); ++i) {
      step.pin_impulses.emplace_back(x.segment<2>(problem().pin_at(i)));
    }
    step.table_impulses.clear();
    for (int i = 0; i < static_cast<int>(scene_->tables.size()); ++i) {
      step.table_impulses.push_back(problem().impulse_of_table(i, x));
    }
    step.status = status(solved, step);
  }

  [[nodiscard]] mcp::Status status(bool solved, const PlanarStep& step) const {
    if (solved && !overlaps(step)) return mcp::Status::kSolved;
    const mcp::Status last = active_.result().status;
    return last == mcp::Status::kSolved ? mcp::Status::kStalled : last;
  }

  void report_contacts(PlanarStep& step) const {
    step.contacts.clear();
    step.end.deflections.clear();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const PiecePair& pair = pairs_[i];
      const FullContact& contact = problem().contacts[i];
      const ContactEvaluation& at = problem().at(i);
      const PairClosest closest = closest_of_pair(*scene_, step.end, pair, 0.0);
      PlanarContact& out = step.contacts.emplace_back();
      out.key = pair.key(closest.feature);
      out.at = closest.at;
      out.at.normal = contact.F_is_a ? Vec2(-at.n) : at.n;
      out.at.on_a_mm = contact.F_is_a ? at.a1 : at.a2;
      out.at.on_b_mm = contact.F_is_a ? at.a2 : at.a1;
      out.mu = contact.mu;
      out.p_n = at.p_n;
      out.p_t = at.p_t;
      out.slip_mm_s = at.v_t;
      if (!contact.is_soft()) continue;
      const Eigen::VectorXd& x = active_.x();
      if (contact.soft) out.p_core = x[contact.at.p_nr];
      for (const int p_core : contact.at.p_core) {
        if (p_core >= 0) out.p_core = std::max(out.p_core, x[p_core]);
      }
      step.end.deflections.push_back({{pair.body_a, pair.shape_a, pair.body_b, pair.shape_b},
                                      x[contact.at.delta_n],
                                      {},
                                      at.deflections});
    }
  }

  [[nodiscard]] bool overlaps(const PlanarStep& step) const {
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      if (!problem().contacts[i].is_soft() && step.contacts[i].at.gap_mm < least_gap_mm())
        return true;
    }
    return false;
  }

  [[nodiscard]] const FullMncp& problem() const { return active_.problem(); }

  StepperSettings settings_;
  const PlanarScene* scene_ = nullptr;
  const PlanarState* start_ = nullptr;
  double h_ = 0.0;
  FullActiveSet active_;
  StepGuess guess_;
  std::vector<ContactKey> keys_;
  std::vector<PiecePair> pairs_;
};

}  // namespace

std::unique_ptr<PlanarStepper> make_implicit_full(const StepperSettings& settings) {
  return std::make_unique<ImplicitFull>(settings);
}

}  // namespace graspmap
