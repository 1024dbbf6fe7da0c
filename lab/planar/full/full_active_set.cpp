#include "lab/planar/full/full_active_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/mcp/levenberg_marquardt.hpp"

namespace graspmap {
namespace {

/// Functions may be violated by this, in units of length.
constexpr double kViolation = 1e-7;

/// Gaps that differ by less than this part of the unit of length count as equal at the start.
constexpr double kSameGap = 1e-3;

/// Most changes of functions and k1 within one try.
constexpr int kMaxChanges = 40;

/// How often closest points are computed again at an iterate that has stalled.
constexpr int kMaxRestarts = 1;

/// Friction below this part of its limit sticks at the start.
constexpr double kSticks = 1.0 - 1e-9;

}  // namespace

void FullActiveSet::reset(const PlanarScene& scene) {
  library_.begin(scene);
  iterations_ = 0;
}

void FullActiveSet::begin(const PlanarScene& scene, const PlanarState& start, double h,
                          const std::vector<PiecePair>& pairs) {
  scene_ = &scene;
  start_ = &start;
  pairs_ = &pairs;
  h_ = h;
  problem_.begin(scene, start, h);
}

void FullActiveSet::start_at(const Eigen::VectorXd& pose_nu, const Eigen::VectorXd& nu) {
  problem_.move(pose_nu);
  choose_contacts(nullptr);
  guess(nu);
}

void FullActiveSet::start_at(const StepGuess& from) {
  problem_.move(from.nu);
  choose_contacts(&from);
  guess(from.nu);
  recall(from);
}

void FullActiveSet::choose_k1(std::size_t contact, std::size_t k1) {
  const StepGuess from = remember();
  problem_.contacts[contact].k1 = k1;
  problem_.lay_out();
  guess(from.nu);
  recall(from);
}

void FullActiveSet::take(const std::vector<FullContact>& contacts, const Eigen::VectorXd& z) {
  problem_.contacts = contacts;
  problem_.lay_out();
  z_ = z;
  problem_.evaluate(z_, work_.F);
  result_.residual = mcp::natural_residual(problem_, z_, work_.F);
  x_ = z_.cwiseProduct(problem_.units());
}

bool FullActiveSet::solve_once(const FullNewtonOptions& options,
                               const std::vector<FullContact>& contacts, const Eigen::VectorXd& z) {
  problem_.contacts = contacts;
  problem_.lay_out();
  z_ = z;
  result_ = solve_full_newton(problem_, options, z_, work_);
  iterations_ += result_.iterations;
  x_ = z_.cwiseProduct(problem_.units());
  return result_.status == mcp::Status::kSolved;
}

int FullActiveSet::worst_contact() {
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

bool FullActiveSet::solve_by_descent() {
  const Eigen::VectorXd start = z_;
  for (const mcp::ComplementarityFunction function :
       {mcp::ComplementarityFunction::kNaturalMap,
        mcp::ComplementarityFunction::kFischerBurmeister}) {
    mcp::SemismoothNewtonOptions options;
    options.function = function;
    options.tolerance = newton.tolerance;
    options.max_iterations = newton.max_iterations;
    options.is_stopped = newton.is_stopped;
    z_ = start;
    result_ = mcp::solve_semismooth_newton(problem_, options, z_, work_);
    if (end_descent()) return true;
  }
  mcp::RegularLmOptions options;
  options.tolerance = newton.tolerance;
  options.is_stopped = newton.is_stopped;
  z_ = start;
  result_ = mcp::solve_regular_lm(problem_, options, z_);
  return end_descent();
}

/// Takes z from a general method.
bool FullActiveSet::end_descent() {
  iterations_ += result_.iterations;
  problem_.evaluate(z_, work_.F);
  x_ = z_.cwiseProduct(problem_.units());
  remember_best();
  return result_.status == mcp::Status::kSolved && !is_refuted();
}

void FullActiveSet::forget_best() {
  best_.residual = std::numeric_limits<double>::infinity();
  best_.contacts.clear();
}

void FullActiveSet::remember_best() {
  if (!(result_.residual < best_.residual)) return;
  best_.residual = result_.residual;
  best_.contacts = problem_.contacts;
  best_.z = z_;
}

bool FullActiveSet::solve() {
  tried_.clear();
  tried_from_ = remember();
  int restarts = 0;
  for (int change = 0; change < kMaxChanges && iterations_ < most_iterations && !newton.stops();
       ++change) {
    tried_.insert(choice());
    result_ = solve_full_newton(problem_, newton, z_, work_);
    iterations_ += result_.iterations;
    x_ = z_.cwiseProduct(problem_.units());
    remember_best();
    if (result_.status == mcp::Status::kSolved) {
      if (!add_violated_functions() && !change_refuted_k1()) return true;
    } else if (restarts < kMaxRestarts && x_.allFinite()) {
      // Branches of edges that cannot all meet: closest points at the iterate.
      ++restarts;
      rebuild(remember());
      continue;
    } else if (!change_any_k1()) {
      return false;
    } else {
      restarts = 0;
    }
    if (tried_.count(choice()) > 0) return false;
  }
  return false;
}

bool FullActiveSet::is_refuted() const {
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    const FullContact& contact = problem_.contacts[i];
    const double deflection = contact.sunk_mm(x_);
    if (!violated(contact.F, problem_.at(i).a1, 0.0).empty()) return true;
    if (!violated(contact.G, problem_.at(i).a2, deflection).empty()) return true;
    if (is_k1_refuted(i)) return true;
  }
  return false;
}

StepGuess FullActiveSet::remember() const {
  StepGuess memory;
  memory.nu = x_.head(scene_->velocities);
  for (const FullContact& contact : problem_.contacts) {
    StepGuess::Impulses& impulses = memory.pairs.emplace_back();
    impulses.p_n = x_[contact.at.p_n];
    if (contact.soft) impulses.p_nr = x_[contact.at.p_nr];
    for (std::size_t k = 0; k < 2; ++k) {
      if (contact.layers[k]) impulses.p_core[k] = x_[contact.at.p_core[k]];
    }
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

/// Contacts with their functions at the problem's pose.
void FullActiveSet::choose_contacts(const StepGuess* memory) {
  problem_.contacts.clear();
  closest_.clear();
  const double same_gap = kSameGap * problem_.unit_length_mm();
  for (std::size_t i = 0; i < pairs_->size(); ++i) {
    PairClosest& closest =
        closest_.emplace_back(closest_of_pair(*scene_, problem_.end(), (*pairs_)[i], same_gap));
    if (memory != nullptr && memory->pairs[i].has_point) {
      closest.at.on_a_mm = memory->pairs[i].on_a_mm;
      closest.at.on_b_mm = memory->pairs[i].on_b_mm;
    }
    problem_.contacts.push_back(full_contact(*scene_, *start_, (*pairs_)[i], library_));
    choose_functions(closest, problem_, problem_.contacts.back());
  }
  problem_.lay_out();
}

/// Unknowns without impulses, at the closest points found last.
void FullActiveSet::guess(const Eigen::VectorXd& nu) {
  x_.setZero(problem_.size());
  x_.head(nu.size()) = nu;
  problem_.move(nu);
  guess_tables();
  for (std::size_t i = 0; i < pairs_->size(); ++i) {
    guess_contact(closest_[i], problem_, problem_.contacts[i], x_);
  }
  z_ = x_.cwiseQuotient(problem_.units());
}

void FullActiveSet::guess_tables() {
  for (int i = 0; i < problem_.tables(); ++i) {
    const Vec3 u = problem_.table_slip(i);
    const double sigma = u.norm();
    if (sigma > 0.0) x_.segment<3>(problem_.table_at(i)) = -u / sigma;
    x_[problem_.table_at(i) + 3] = sigma;
  }
}

void FullActiveSet::recall(const StepGuess& memory) {
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

void FullActiveSet::recall_contact(const FullContact& contact,
                                   const StepGuess::Impulses& impulses) {
  const FullContact::Layout& of = contact.at;
  x_[of.p_n] = impulses.p_n;
  if (contact.soft) x_[of.p_nr] = impulses.p_nr;
  for (std::size_t k = 0; k < 2; ++k) {
    if (contact.layers[k]) x_[of.p_core[k]] = impulses.p_core[k];
  }
  if (impulses.p_n > 0.0 && contact.has_friction()) {
    x_[of.s] = impulses.s;
    if (std::abs(impulses.s) < kSticks) x_[of.sigma] = 0.0;
  }
}

/// The choice for all contacts: functions and k1.
std::vector<int> FullActiveSet::choice() const {
  std::vector<int> numbers;
  for (const FullContact& contact : problem_.contacts) {
    numbers.insert(numbers.end(), contact.F.chosen.begin(), contact.F.chosen.end());
    numbers.push_back(-1);
    numbers.insert(numbers.end(), contact.G.chosen.begin(), contact.G.chosen.end());
    numbers.push_back(-2 - static_cast<int>(contact.k1));
  }
  return numbers;
}

/// Functions of a side that were left out and are positive (above -offset) at x.
std::vector<int> FullActiveSet::violated(const ContactSide& side, const Vec2& x,
                                         double offset_mm) const {
  const BodyFrame& frame = problem_.bodies()[static_cast<std::size_t>(side.body)].frame;
  const double tolerance = kViolation * problem_.unit_length_mm();
  std::vector<int> indices;
  for (int i = 0; i < static_cast<int>(side.functions->size()); ++i) {
    if (std::binary_search(side.chosen.begin(), side.chosen.end(), i)) continue;
    const double value = value_at((*side.functions)[static_cast<std::size_t>(i)], frame, x);
    if (value + offset_mm > tolerance) indices.push_back(i);
  }
  return indices;
}

bool FullActiveSet::add_violated(ContactSide& side, const Vec2& x, double offset_mm) const {
  const std::vector<int> indices = violated(side, x, offset_mm);
  side.chosen.insert(side.chosen.end(), indices.begin(), indices.end());
  std::sort(side.chosen.begin(), side.chosen.end());
  return !indices.empty();
}

bool FullActiveSet::add_violated_functions() {
  const StepGuess memory = remember();
  bool added = false;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    FullContact& contact = problem_.contacts[i];
    const ContactEvaluation& at = problem_.at(i);
    const int k1 = contact.F.chosen[contact.k1];
    const double deflection = contact.sunk_mm(x_);
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

/// (32) was required of f_k1 alone: with an impulse, no other function may be positive at a2.
bool FullActiveSet::change_refuted_k1() {
  const StepGuess memory = remember();
  bool changed = false;
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    FullContact& contact = problem_.contacts[i];
    if (!is_k1_refuted(i)) continue;
    contact.k1 = largest_at_a2(i);
    changed = true;
  }
  if (changed) rebuild(memory);
  return changed;
}

bool FullActiveSet::is_k1_refuted(std::size_t i) const {
  const FullContact& contact = problem_.contacts[i];
  return x_[contact.at.p_n] > 0.0 && largest_at_a2(i) != contact.k1;
}

/// The function with the largest f_i(a2), k1 unless another one is truly larger.
std::size_t FullActiveSet::largest_at_a2(std::size_t i) const {
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
bool FullActiveSet::change_any_k1() {
  find_closest(tried_from_.nu);
  for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
    FullContact& contact = problem_.contacts[i];
    const std::size_t before = contact.k1;
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
void FullActiveSet::rebuild(const StepGuess& memory) {
  problem_.lay_out();
  find_closest(memory.nu);
  guess(memory.nu);
  recall(memory);
}

/// The closest points at the pose that nu gives.
void FullActiveSet::find_closest(const Eigen::VectorXd& nu) {
  problem_.move(nu);
  const double same_gap = kSameGap * problem_.unit_length_mm();
  for (std::size_t i = 0; i < pairs_->size(); ++i) {
    closest_[i] = closest_of_pair(*scene_, problem_.end(), (*pairs_)[i], same_gap);
  }
}

}  // namespace graspmap
