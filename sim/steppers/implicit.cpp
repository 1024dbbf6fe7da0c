#include "sim/steppers/implicit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/tolerances.hpp"

namespace graspmap {
namespace {

constexpr std::array<JawSide, 2> kSides = {JawSide::kRight, JawSide::kLeft};

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ImplicitStepper::begin(const Scenario& scenario, const TrialParameters& trial) {
  scenario_ = &scenario;
  mu_support_ = trial.mu_support;
  make_body_pieces(scenario.part, scenario.mass.center_of_mass_P_mm, pieces_);
  memory_.assign(2 * pieces_.size(), PairMemory{});
  support_memory_.fill(Vec3::Zero());
  reach_mm_ = bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
  problem_.support = make_support(scenario.support);
  problem_.data.pieces = &pieces_;
  problem_.data.jaws = JawCoordinates(scenario.gripper.coupling);
  problem_.data.mu_jaw = trial.mu_jaw;
}

ImplicitStepper::PairMemory& ImplicitStepper::memory(const Pair& pair) {
  return memory_[2 * index(pair.piece) + (pair.side == JawSide::kRight ? 0 : 1)];
}

const ImplicitStepper::PairMemory& ImplicitStepper::memory(const Pair& pair) const {
  return memory_[2 * index(pair.piece) + (pair.side == JawSide::kRight ? 0 : 1)];
}

void ImplicitStepper::set_up(const State& state, double h) {
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

void ImplicitStepper::add_pair(int piece, JawSide side) {
  if (problem_.contacts == kMaxContacts) return;
  problem_.pairs[index(problem_.contacts++)] = {piece, side};
}

void ImplicitStepper::choose_pairs(const State& state, double h) {
  const double speed = state.part_velocity.head<2>().norm() +
                       std::abs(state.part_velocity[2]) * reach_mm_ +
                       2.0 * scenario_->gripper.closing_speed_mm_s;
  const double reach = tolerances::kNearMarginMm + h * speed;
  const Configuration q(state);
  problem_.contacts = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    for (const JawSide side : kSides) {
      if (gap_lower_bound_mm(pieces_[i], q, side) > reach) continue;
      const double nan = std::numeric_limits<double>::quiet_NaN();
      if (closest_points(pieces_[i], q, side, nan).psi_mm <= reach) {
        add_pair(static_cast<int>(i), side);
      }
    }
  }
}

bool ImplicitStepper::add_closing_pairs(const State& end, double& smallest_gap_mm) {
  const Configuration q(end);
  bool added = false;
  smallest_gap_mm = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    for (const JawSide side : kSides) {
      if (gap_lower_bound_mm(pieces_[i], q, side) > std::min(smallest_gap_mm, 0.0)) continue;
      const double nan = std::numeric_limits<double>::quiet_NaN();
      const double psi = closest_points(pieces_[i], q, side, nan).psi_mm;
      smallest_gap_mm = std::min(smallest_gap_mm, psi);
      if (psi >= tolerances::kGapMm) continue;
      const auto last = problem_.pairs.begin() + problem_.contacts;
      const bool known = std::any_of(problem_.pairs.begin(), last, [&](const Pair& pair) {
        return pair.piece == static_cast<int>(i) && pair.side == side;
      });
      if (known) continue;
      add_pair(static_cast<int>(i), side);
      added = true;
    }
  }
  return added;
}

StepUnknowns ImplicitStepper::first_guess(const State& state, bool warm) const {
  StepUnknowns x;
  x.nu.head<3>() = state.part_velocity;
  x.nu[3] = state.jaw_right_mm_s;
  x.nu[4] = scenario_->gripper.coupling == Coupling::kSymmetric ? 0.0 : state.jaw_left_mm_s;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const PairMemory& m = memory(problem_.pairs[i]);
    x.point[i] = m.point;
    if (!warm) continue;
    x.p_n[i] = m.p_n * problem_.data.h;
    x.p_t[i] = m.p_t * problem_.data.h;
  }
  for (std::size_t j = 0; warm && j < index(problem_.support.size); ++j) {
    x.p_s[j] = support_memory_[j] * problem_.data.h;
  }
  return x;
}

bool ImplicitStepper::accepted() const { return at_.residual.largest() <= tolerances::kResidual; }

/// Between two separated configurations there may be none that is: the root then lies behind a
/// feature that the jaw has jumped over. A chord along a curved contact overlaps by its sagitta
/// only, a small fraction of its length.
bool ImplicitStepper::path_is_clear(const StepUnknowns& x) const {
  const StepData& data = problem_.data;
  const State& start = data.start;
  const State end = problem_.state_after(x);
  const Vec3 moved = end.part_pose - start.part_pose;
  const double jaw = std::max(std::abs(end.jaw_right_mm - start.jaw_right_mm),
                              std::abs(end.jaw_left_mm - start.jaw_left_mm));
  const double length = moved.head<2>().norm() + std::abs(moved[2]) * reach_mm_ + jaw;
  const double allowed = tolerances::kPathOverlap * length + tolerances::kPathOverlapMm;
  for (const double s : {0.5, 0.25, 0.75}) {
    const Configuration q(start.part_pose + s * moved,
                          start.jaw_right_mm + s * (end.jaw_right_mm - start.jaw_right_mm),
                          start.jaw_left_mm + s * (end.jaw_left_mm - start.jaw_left_mm));
    for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
      const Pair& pair = problem_.pairs[i];
      const BodyPiece& piece = pieces_[index(pair.piece)];
      const double nan = std::numeric_limits<double>::quiet_NaN();
      if (closest_points(piece, q, pair.side, nan).psi_mm < -allowed) return false;
    }
  }
  return true;
}

bool ImplicitStepper::newton(StepUnknowns& x, const NewtonOptions& options, int& iterations) {
  problem_.evaluate(x, at_);
  double residual = at_.residual.largest();
  std::array<double, 3> recent{residual, residual, residual};
  double damping = options.damping;
  for (int k = 0; k < options.max_iterations; ++k) {
    if (residual <= tolerances::kResidualTarget) return true;
    const Pattern pattern = problem_.pattern(x, at_);
    const StepUnknowns before = x;
    const double before_residual = residual;
    problem_.project(pattern, x, at_);
    const double regularization = std::max(options.regularization, std::min(1e-4, 1e-3 * residual));
    if (!problem_.newton_direction(pattern, x, at_, regularization, damping, direction_)) break;
    ++iterations;
    const double bound = *std::max_element(recent.begin(), recent.end());
    StepUnknowns best;
    double best_residual = std::numeric_limits<double>::infinity();
    double alpha = 1.0;
    for (int cut = 0; cut < 5; ++cut, alpha *= 0.5) {
      StepUnknowns next = problem_.moved(x, direction_, alpha);
      problem_.evaluate(next, trial_);
      const double r = trial_.residual.largest();
      if (r < best_residual) {
        best_residual = r;
        best = next;
        std::swap(at_, trial_);
      }
      if (best_residual <= bound * (1.0 - 1e-4 * alpha)) break;
    }
    if (!std::isfinite(best_residual)) break;
    if (before_residual <= tolerances::kResidual && best_residual >= 0.5 * before_residual) {
      x = before;  // at rounding level: no more to gain
      problem_.evaluate(x, at_);
      return true;
    }
    x = best;
    residual = best_residual;
    recent[static_cast<std::size_t>(k) % recent.size()] = residual;
    damping *= 0.3;
  }
  return accepted();
}

bool ImplicitStepper::newton_on_pattern(const Pattern& pattern, StepUnknowns& x, int& iterations) {
  constexpr int kIterations = 12;
  problem_.evaluate(x, at_);
  double last_length = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kIterations; ++k) {
    problem_.project(pattern, x, at_);
    if (!problem_.newton_direction(pattern, x, at_, 1e-9, 0.0, direction_)) return false;
    ++iterations;
    x = problem_.moved(x, direction_, 1.0);
    problem_.evaluate(x, at_);
    if (accepted()) return true;
    const double length = direction_.nu.head<2>().norm() / problem_.data.velocity_scale;
    if (k > 3 && length > 2.0 * last_length) return false;  // diverges
    last_length = length;
  }
  return false;
}

bool ImplicitStepper::try_patterns(const StepUnknowns& start, int& iterations) {
  constexpr int kMostContacts = 5;
  const int contacts = problem_.contacts;
  const int elements = problem_.support.size;
  if (contacts > kMostContacts) return false;
  const int contact_codes = 1 << (2 * contacts);
  const int support_codes = 1 << elements;
  for (int code = 0; code < contact_codes * support_codes; ++code) {
    Pattern pattern;
    int rest = code;
    for (int j = 0; j < elements; ++j, rest >>= 1) {
      pattern.support_sticks[index(j)] = (rest & 1) != 0;
    }
    for (int i = 0; i < contacts; ++i, rest >>= 2) {
      pattern.contact[index(i)] = static_cast<ContactMode>(rest & 3);
    }
    x_ = start;
    if (newton_on_pattern(pattern, x_, iterations) && path_is_clear(x_)) return true;
  }
  return false;
}

bool ImplicitStepper::climb_ladder(const State& state, Report& report) {
  const StepUnknowns warm = first_guess(state, true);
  const StepUnknowns cold = first_guess(state, false);
  report.rung = Rung::kWarm;
  x_ = warm;
  if (newton(x_, {20, 1e-9, 0.0}, report.iterations) && path_is_clear(x_)) return true;
  report.rung = Rung::kCold;
  x_ = cold;
  if (newton(x_, {20, 1e-9, 0.0}, report.iterations) && path_is_clear(x_)) return true;
  report.rung = Rung::kDamped;
  x_ = warm;
  if (newton(x_, {60, 1e-7, 10.0}, report.iterations) && path_is_clear(x_)) return true;
  report.rung = Rung::kPattern;
  return try_patterns(warm, report.iterations);
}

ImplicitStepper::Report ImplicitStepper::step(State& state, double h) {
  constexpr int kRounds = 6;  // of adding pairs that closed
  Report report;
  set_up(state, h);
  choose_pairs(state, h);
  for (int round = 0; round < kRounds; ++round) {
    if (!climb_ladder(state, report)) return report;
    const State end = problem_.state_after(x_);
    if (add_closing_pairs(end, report.smallest_gap_mm)) continue;
    if (report.smallest_gap_mm < tolerances::kGapMm) return report;
    report.converged = true;
    report.residual = at_.residual.largest();
    set_angle(problem_.support, at_.q.R_GB);
    dissipation(report);
    remember();
    state = end;
    return report;
  }
  return report;
}

void ImplicitStepper::remember() {
  for (PairMemory& m : memory_) m.p_n = m.p_t = 0.0;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    memory(problem_.pairs[i]) = {x_.p_n[i] / problem_.data.h, x_.p_t[i] / problem_.data.h,
                                 x_.point[i]};
  }
  for (std::size_t j = 0; j < index(problem_.support.size); ++j) {
    support_memory_[j] = x_.p_s[j] / problem_.data.h;
  }
}

void ImplicitStepper::dissipation(Report& report) const {
  report.dissipation = 0.0;
  report.total_dissipation = 0.0;
  const auto add = [&](double work) {
    report.dissipation = std::min(report.dissipation, -work);
    report.total_dissipation -= work;
  };
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) add(x_.p_t[i] * at_.v_t[i]);
  for (std::size_t j = 0; j < index(problem_.support.size); ++j) add(x_.p_s[j].dot(at_.slip[j]));
}

void ImplicitStepper::contacts(std::vector<ContactRecord>& records) const {
  records.clear();
  const double P = problem_.data.impulse_scale;
  const double V = problem_.data.velocity_scale;
  for (std::size_t i = 0; i < index(problem_.contacts); ++i) {
    const ClosestPoints& closest = at_.closest[i];
    ContactRecord record;
    record.piece = problem_.pairs[i].piece;
    record.side = problem_.pairs[i].side;
    record.feature = closest.feature;
    record.psi_mm = closest.psi_mm;
    record.point_G_mm = closest.on_piece_mm;
    record.normal_G = closest.normal;
    record.normal_impulse_mn_s = x_.p_n[i];
    record.tangential_impulse_mn_s = x_.p_t[i];
    record.slip_mm_s = at_.v_t[i];
    record.sliding =
        x_.p_n[i] > tolerances::kResidual * P && std::abs(at_.v_t[i]) > tolerances::kResidual * V;
    records.push_back(record);
  }
}

bool ImplicitStepper::touching() const {
  const auto last = x_.p_n.begin() + problem_.contacts;
  return std::any_of(x_.p_n.begin(), last, [](double p_n) { return p_n > 0.0; });
}

Vec3 ImplicitStepper::support_impulse() const {
  Vec3 wrench = Vec3::Zero();
  for (std::size_t j = 0; j < index(problem_.support.size); ++j) {
    wrench += problem_.support.elements[j].slip_map.transpose() * x_.p_s[j];
  }
  return wrench;
}

}  // namespace graspmap
