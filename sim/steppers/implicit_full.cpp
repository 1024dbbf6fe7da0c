#include "sim/steppers/implicit_full.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "sim/mcp/semismooth_newton.hpp"
#include "sim/planar/full_contact_set.hpp"
#include "sim/steppers/full_guess.hpp"
#include "sim/steppers/full_newton.hpp"

namespace graspmap {
namespace {

/// Functions and pairs may be violated by this, in units of length and as a part of L.
constexpr double kViolation = 1e-7;
constexpr double kOverlap = 5e-10;

/// Gaps that differ by less than this part of the unit of length count as equal at the start.
constexpr double kSameGap = 1e-3;

/// Changes of functions and k1 within one try, and of pairs within a step.
constexpr int kMaxChanges = 40;
constexpr int kMaxRounds = 10;

/// Friction below this part of its limit sticks at the start.
constexpr double kSticks = 1.0 - 1e-9;

/// Continuation in h: solves, and the least increment (as a part of h).
constexpr int kMaxContinuation = 60;
constexpr double kLeastIncrement = 1e-4;

/// Where the unknowns start from.
enum class Start { kPredicted, kInitial };

class ImplicitFull final : public PlanarStepper {
 public:
  explicit ImplicitFull(const StepperSettings& settings) : settings_(settings) {}

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    scene_ = &scene;
    start_ = &start;
    h_ = h;
    iterations_ = 0;
    library_.begin(scene);
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
  void find_pairs() {
    pairs_.clear();
    const double reach = settings_.active_gap_mm >= 0.0
                             ? settings_.active_gap_mm
                             : step_reach_mm(*scene_, *start_, h_) + problem_.unit_length_mm();
    near_contacts(*scene_, *start_, reach, keys_);
    for (const ContactKey& key : keys_) add_to_pairs(key, pairs_);
  }

  /// True when a pair that was left out overlaps at the end.
  bool add_overlapping_pairs() {
    bool added = false;
    near_contacts(*scene_, problem_.end(), 0.0, keys_);
    for (const ContactKey& key : keys_) {
      const double gap = contact_at(*scene_, problem_.end(), key).gap_mm;
      if (gap < -kOverlap * problem_.scales().length_mm) added |= add_to_pairs(key, pairs_);
    }
    return added;
  }

  bool solve() {
    StepGuess guess;
    guess_step(*scene_, *start_, h_, pairs_, problem_.free_velocity(), guess);
    set_up(guess);
    if (solve_active_set()) return true;
    for (const Start start : {Start::kPredicted, Start::kInitial}) {
      set_up(start);
      if (solve_active_set()) return true;
    }
    return continue_in_h();
  }

  /// Follows the solution from h = 0, where it is the free motion, to the step's h: impulses of
  /// contacts that close grow from zero. Steps in h are halved where Newton's method fails.
  bool continue_in_h() {
    const double h = h_;
    StepGuess memory;
    memory.nu = start_->nu;
    memory.pairs.assign(pairs_.size(), {});
    memory.pins.assign(scene_->pins.size(), Vec2::Zero());
    memory.tables.assign(scene_->tables.size(), Vec3::Zero());
    double reached = 0.0;
    double increment = 0.25;
    for (int i = 0; i < kMaxContinuation && reached < 1.0 && increment > kLeastIncrement; ++i) {
      const double next = std::min(1.0, reached + increment);
      begin(next * h);
      set_up(memory);
      if (solve_active_set()) {
        memory = remember();
        reached = next;
        increment *= 2.0;
      } else {
        increment *= 0.5;
      }
    }
    if (reached < 1.0) begin(h);
    return reached == 1.0;
  }

  void begin(double h) {
    h_ = h;
    problem_.begin(*scene_, *start_, h);
  }

  [[nodiscard]] StepGuess remember() const {
    StepGuess memory;
    memory.nu = x_.head(scene_->velocities);
    for (const FullContact& contact : problem_.contacts) {
      StepGuess::Impulses& impulses = memory.pairs.emplace_back();
      impulses.p_n = x_[contact.at.p_n];
      if (contact.soft) impulses.p_nr = x_[contact.at.p_nr];
      if (contact.has_friction()) impulses.s = x_[contact.at.s];
    }
    for (int i = 0; i < static_cast<int>(scene_->pins.size()); ++i) {
      memory.pins.emplace_back(x_.segment<2>(problem_.pin_at(i)));
    }
    memory.tables.assign(scene_->tables.size(), Vec3::Zero());
    for (int i = 0; i < problem_.tables(); ++i) {
      memory.tables[static_cast<std::size_t>(problem_.scene_table(i))] =
          x_.segment<3>(problem_.table_at(i));
    }
    return memory;
  }

  void set_up(Start start) {
    const Eigen::VectorXd& nu = start == Start::kPredicted ? problem_.free_velocity() : start_->nu;
    problem_.move(start == Start::kPredicted ? nu : Eigen::VectorXd::Zero(nu.size()));
    choose_contacts();
    guess(nu);
  }

  void set_up(const StepGuess& memory) {
    problem_.move(memory.nu);
    choose_contacts(&memory);
    guess(memory.nu);
    recall(memory);
  }

  /// Contacts with their functions at the problem's pose.
  void choose_contacts(const StepGuess* memory = nullptr) {
    problem_.contacts.clear();
    closest_.clear();
    const double same_gap = kSameGap * problem_.unit_length_mm();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      PairClosest& closest =
          closest_.emplace_back(closest_of_pair(*scene_, problem_.end(), pairs_[i], same_gap));
      if (memory != nullptr && memory->pairs[i].has_point) {
        closest.at.on_a_mm = memory->pairs[i].on_a_mm;
        closest.at.on_b_mm = memory->pairs[i].on_b_mm;
      }
      problem_.contacts.push_back(full_contact(*scene_, *start_, pairs_[i], library_));
      choose_functions(closest, problem_, problem_.contacts.back());
    }
    problem_.lay_out();
  }

  /// Unknowns without impulses, at the closest points found last.
  void guess(const Eigen::VectorXd& nu) {
    x_.setZero(problem_.size());
    x_.head(nu.size()) = nu;
    problem_.move(nu);
    guess_tables();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      guess_contact(closest_[i], problem_, problem_.contacts[i], x_);
    }
    z_ = x_.cwiseQuotient(problem_.units());
  }

  void recall(const StepGuess& memory) {
    for (std::size_t i = 0; i < memory.pins.size(); ++i) {
      x_.segment<2>(problem_.pin_at(static_cast<int>(i))) = memory.pins[i];
    }
    for (int i = 0; i < problem_.tables(); ++i) {
      const Vec3& s = memory.tables[static_cast<std::size_t>(problem_.scene_table(i))];
      x_.segment<3>(problem_.table_at(i)) = s;
      if (s.norm() < kSticks) x_[problem_.table_at(i) + 3] = 0.0;
    }
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      recall_contact(problem_.contacts[i], memory.pairs[i]);
    }
    z_ = x_.cwiseQuotient(problem_.units());
  }

  void recall_contact(const FullContact& contact, const StepGuess::Impulses& impulses) {
    const FullContact::Layout& of = contact.at;
    x_[of.p_n] = impulses.p_n;
    if (contact.soft) x_[of.p_nr] = impulses.p_nr;
    if (impulses.p_n > 0.0 && contact.has_friction()) {
      x_[of.s] = impulses.s;
      if (std::abs(impulses.s) < kSticks) x_[of.sigma] = 0.0;
    }
  }

  void guess_tables() {
    for (int i = 0; i < problem_.tables(); ++i) {
      const Vec3 u = problem_.table_slip(i);
      const double sigma = u.norm();
      if (sigma > 0.0) x_.segment<3>(problem_.table_at(i)) = -u / sigma;
      x_[problem_.table_at(i) + 3] = sigma;
    }
  }

  /// Newton's method with changes of functions and of k1 until none is refuted.
  bool solve_active_set() {
    tried_.clear();
    tried_from_ = remember();
    for (int change = 0; change < kMaxChanges; ++change) {
      tried_.insert(choice());
      FullNewtonOptions options;
      options.tolerance = settings_.tolerance;
      options.max_iterations = settings_.max_iterations;
      result_ = solve_full_newton(problem_, options, z_, work_);
      iterations_ += result_.iterations;
      x_ = z_.cwiseProduct(problem_.units());
      if (result_.status == mcp::Status::kSolved) {
        if (!add_violated_functions() && !change_refuted_k1()) return true;
      } else if (!change_any_k1()) {
        return false;
      }
      if (tried_.count(choice()) > 0) return false;
    }
    return false;
  }

  /// What has been chosen for all contacts: functions and k1.
  [[nodiscard]] std::vector<int> choice() const {
    std::vector<int> numbers;
    for (const FullContact& contact : problem_.contacts) {
      numbers.insert(numbers.end(), contact.F.chosen.begin(), contact.F.chosen.end());
      numbers.push_back(-1);
      numbers.insert(numbers.end(), contact.G.chosen.begin(), contact.G.chosen.end());
      numbers.push_back(-2 - static_cast<int>(contact.k1));
    }
    return numbers;
  }

  /// Functions of a side, left out so far, that are positive (above -offset) at x.
  bool add_violated(ContactSide& side, const Vec2& x, double offset_mm) {
    const BodyFrame& frame = problem_.bodies()[static_cast<std::size_t>(side.body)].frame;
    const double tolerance = kViolation * problem_.unit_length_mm();
    const std::size_t before = side.chosen.size();
    for (int i = 0; i < static_cast<int>(side.functions->size()); ++i) {
      if (std::binary_search(side.chosen.begin(),
                             side.chosen.begin() + static_cast<std::ptrdiff_t>(before), i)) {
        continue;
      }
      const double value = value_at((*side.functions)[static_cast<std::size_t>(i)], frame, x);
      if (value + offset_mm > tolerance) side.chosen.push_back(i);
    }
    std::sort(side.chosen.begin(), side.chosen.end());
    return side.chosen.size() > before;
  }

  bool add_violated_functions() {
    const StepGuess memory = remember();
    bool added = false;
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      FullContact& contact = problem_.contacts[i];
      const ContactEvaluation& at = problem_.at(i);
      const int k1 = contact.F.chosen[contact.k1];
      const double deflection = contact.soft ? x_[contact.at.delta_bar] : 0.0;
      const bool by_F = add_violated(contact.F, at.a1, 0.0);
      const bool by_G = add_violated(contact.G, at.a2, deflection);
      contact.k1 = static_cast<std::size_t>(
          std::lower_bound(contact.F.chosen.begin(), contact.F.chosen.end(), k1) -
          contact.F.chosen.begin());
      added = added || by_F || by_G;
    }
    if (added) rebuild(memory);
    return added;
  }

  /// (32) was asked of f_k1 alone: with an impulse, no other function may be positive at a2.
  bool change_refuted_k1() {
    const StepGuess memory = remember();
    bool changed = false;
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      FullContact& contact = problem_.contacts[i];
      if (contact.F.chosen.size() < 2 || !(x_[contact.at.p_n] > 0.0)) continue;
      const std::size_t largest = largest_at_a2(i);
      if (largest == contact.k1) continue;
      contact.k1 = largest;
      changed = true;
    }
    if (changed) rebuild(memory);
    return changed;
  }

  /// The function with the largest f_i(a2), k1 unless another one is truly larger.
  [[nodiscard]] std::size_t largest_at_a2(std::size_t i) const {
    const FullContact& contact = problem_.contacts[i];
    const BodyFrame& frame = problem_.bodies()[static_cast<std::size_t>(contact.F.body)].frame;
    std::size_t largest = contact.k1;
    double value = kViolation * problem_.unit_length_mm();
    for (std::size_t k = 0; k < contact.F.chosen.size(); ++k) {
      const double candidate = value_at(contact.F.function(k), frame, problem_.at(i).a2);
      if (k == contact.k1 || candidate <= value) continue;
      value = candidate;
      largest = k;
    }
    return largest;
  }

  /// Without a solution, the next choice of k1 that has not been tried, guessed at the closest
  /// points that this try started from.
  bool change_any_k1() {
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      FullContact& contact = problem_.contacts[i];
      const std::size_t before = contact.k1;
      problem_.move(tried_from_.nu);
      for (const std::size_t k : ranked_k1(closest_[i], problem_, contact)) {
        contact.k1 = k;
        if (tried_.count(choice()) > 0) continue;
        problem_.lay_out();
        guess(tried_from_.nu);
        recall(tried_from_);
        return true;
      }
      contact.k1 = before;
    }
    return false;
  }

  /// Lays the problem out again, with contacts guessed anew at the last iterate's pose.
  void rebuild(const StepGuess& memory) {
    problem_.lay_out();
    problem_.move(memory.nu);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      closest_[i] =
          closest_of_pair(*scene_, problem_.end(), pairs_[i], kSameGap * problem_.unit_length_mm());
    }
    guess(memory.nu);
    recall(memory);
  }

  void report(bool solved, PlanarStep& step) {
    step.status = result_.status;
    step.end = problem_.end();
    step.residual = result_.residual;
    step.iterations = iterations_;
    step.unknowns = problem_.size();
    step.worst_contact = worst_contact();
    report_contacts(step);
    step.pin_impulses.clear();
    for (int i = 0; i < static_cast<int>(scene_->pins.size()); ++i) {
      step.pin_impulses.emplace_back(x_.segment<2>(problem_.pin_at(i)));
    }
    step.table_impulses.clear();
    for (int i = 0; i < static_cast<int>(scene_->tables.size()); ++i) {
      step.table_impulses.push_back(problem_.impulse_of_table(i, x_));
    }
    if (!solved && step.status == mcp::Status::kSolved) step.status = mcp::Status::kStalled;
    if (solved && overlaps(step)) step.status = mcp::Status::kStalled;
  }

  void report_contacts(PlanarStep& step) const {
    step.contacts.clear();
    step.end.deflections.clear();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const PiecePair& pair = pairs_[i];
      const FullContact& contact = problem_.contacts[i];
      const ContactEvaluation& at = problem_.at(i);
      const PairClosest closest = closest_of_pair(*scene_, step.end, pair, 0.0);
      PlanarContact& out = step.contacts.emplace_back();
      out.key = pair.key(closest.feature);
      out.at = closest.at;
      out.at.normal = contact.F_is_a ? -at.n : at.n;
      out.at.on_a_mm = contact.F_is_a ? at.a1 : at.a2;
      out.at.on_b_mm = contact.F_is_a ? at.a2 : at.a1;
      out.mu = contact.mu;
      out.p_n = at.p_n;
      out.p_t = at.p_t;
      out.slip_mm_s = at.t.dot(at.slip);
      if (!contact.soft) continue;
      out.p_core = x_[contact.at.p_nr];
      step.end.deflections.push_back(
          {{pair.body_a, pair.shape_a, pair.body_b, pair.shape_b}, x_[contact.at.delta_n]});
    }
  }

  [[nodiscard]] bool overlaps(const PlanarStep& step) const {
    for (std::size_t i = 0; i < step.contacts.size(); ++i) {
      if (problem_.contacts[i].soft) continue;
      if (step.contacts[i].at.gap_mm < -kOverlap * problem_.scales().length_mm) return true;
    }
    return false;
  }

  /// The contact with the row of the largest residual.
  int worst_contact() {
    problem_.evaluate(z_, work_.F);
    double worst = 0.0;
    int row = 0;
    for (int i = 0; i < problem_.size(); ++i) {
      const double r =
          problem_.kind(i) == mcp::Kind::kFree ? work_.F[i] : std::min(z_[i], work_.F[i]);
      if (std::abs(r) <= worst) continue;
      worst = std::abs(r);
      row = i;
    }
    int contact = -1;
    for (const FullContact& candidate : problem_.contacts) {
      if (row >= candidate.at.a1) ++contact;
    }
    return contact;
  }

  StepperSettings settings_;
  const PlanarScene* scene_ = nullptr;
  const PlanarState* start_ = nullptr;
  double h_ = 0.0;
  int iterations_ = 0;
  PieceLibrary library_;
  FullMncp problem_;
  std::vector<ContactKey> keys_;
  std::vector<PiecePair> pairs_;
  std::vector<PairClosest> closest_;
  std::set<std::vector<int>> tried_;  ///< choices of this try
  StepGuess tried_from_;
  Eigen::VectorXd x_;
  Eigen::VectorXd z_;
  mcp::Result result_;
  mcp::SemismoothNewtonWorkspace work_;
};

}  // namespace

std::unique_ptr<PlanarStepper> make_implicit_full(const StepperSettings& settings) {
  return std::make_unique<ImplicitFull>(settings);
}

}  // namespace graspmap
