#include "lab/articulated/simulate_articulated.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/articulated/link_kinematics.hpp"

namespace graspmap {
namespace {

Vec3 shown_point_mm(const Link& link) {
  return link.ball ? link.ball->centre_mm : link.centre_of_mass_mm;
}

/// Bodies, joints and energy at a state.
void show_system(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                 SpatialSnapshot& shown) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Vec3 arm = links[k].arm(shown_point_mm(system.links[k]));
    Twist velocity = links[k].velocity;
    velocity.head<3>() = velocity_at(links[k].velocity, arm);
    shown.poses.push_back({links[k].origin_mm + arm, Eigen::Quaterniond(links[k].R).normalized()});
    shown.velocities.push_back(velocity);
    shown.joints_mm.push_back(links[k].origin_mm);
  }
  for (const ArmObstacle& obstacle : system.obstacles) {
    shown.poses.push_back({obstacle.point_mm, turn_from_z(obstacle.normal)});
    shown.velocities.emplace_back(Twist::Zero());
  }
  shown.energy = energy(system, links);
}

bool is_finite(const ArticulatedState& state) {
  return is_finite_motion(state.q) && is_finite_motion(state.nu);
}

}  // namespace

const char* name(ArticulatedIntegrator integrator) {
  switch (integrator) {
    case ArticulatedIntegrator::kSemiImplicitEuler:
      return "semi-implicit-euler";
    case ArticulatedIntegrator::kMoreauMidpoint:
      return "moreau-midpoint";
    case ArticulatedIntegrator::kImplicitEuler:
      return "implicit-euler";
    case ArticulatedIntegrator::kImplicitMoreau:
      break;
  }
  return "implicit-moreau";
}

bool is_implicit(ArticulatedIntegrator integrator) {
  return integrator == ArticulatedIntegrator::kImplicitEuler ||
         integrator == ArticulatedIntegrator::kImplicitMoreau;
}

SceneRun simulate_articulated(const ArticulatedSystem& system, const ArticulatedSettings& settings,
                              const SceneRunSettings& run, const SnapshotObserver& observer) {
  ArticulatedStepper stepper(system, settings);
  const CoordinateLayout layout = coordinate_layout(system);
  std::vector<LinkKinematics> links;
  const auto take_step = [&](const ArticulatedState& start, double h, ArticulatedStep& step) {
    stepper.step(start, h, step);
  };
  const auto show = [&](const ArticulatedState& state, const ArticulatedStep* step,
                        SpatialSnapshot& shown) {
    place_links(system, layout, state.q, links);
    move_links(system, layout, state.nu, links);
    show_system(system, links, shown);
    shown.contacts = state.contacts;
    if (step != nullptr) shown.contact_work_j = step->contact_work_j;
  };
  return run_and_show<SpatialSnapshot, ArticulatedState, ArticulatedStep>(
      run, start_state(system),
      finite_steps<ArticulatedState, ArticulatedStep>(take_step, is_finite), show, observer);
}

double ArticulatedStep::worst_overlap_mm() const {
  double overlap_mm = 0.0;
  for (const SpatialContact& contact : end.contacts) {
    overlap_mm = std::max(overlap_mm, -contact.gap_mm);
  }
  return overlap_mm;
}

ArticulatedStepper::ArticulatedStepper(const ArticulatedSystem& system,
                                       const ArticulatedSettings& settings)
    : system_(system),
      settings_(settings),
      layout_(coordinate_layout(system)),
      ball_pairs_(ball_pairs(system)) {}

void ArticulatedStepper::step(const ArticulatedState& start, double h, ArticulatedStep& result) {
  result.residual = 0.0;
  result.iterations = 0;
  result.unknowns = 0;
  result.contact_work_j = 0.0;
  result.worst.reset();
  result.end.time_s = start.time_s + h;
  result.end.contacts.clear();
  find_touching(start.q);
  if (!prepare(start, h)) {
    result.status = mcp::Status::kNotFinite;
    return;
  }
  solve_step(start, h, result);
  if (is_implicit(settings_.integrator)) iterate(start, h, result);
  if (result.status == mcp::Status::kSolved) fill_contacts(result);
}

void ArticulatedStepper::solve_step(const ArticulatedState& start, double h,
                                    ArticulatedStep& result) {
  do {
    solve(start, h, result);
    if (result.status != mcp::Status::kSolved) return;
  } while (find_overlapping(result.end.q));
}

/// Repeats a step that was solved with the quantities of its start. Contacts that once took part
/// stay in the problem.
void ArticulatedStepper::iterate(const ArticulatedState& start, double h, ArticulatedStep& result) {
  for (int i = 0; i < settings_.implicit_iterations; ++i) {
    if (result.status != mcp::Status::kSolved) return;
    nu_last_ = result.end.nu;
    prepare_implicit(start, h, result);
    if (result.status != mcp::Status::kSolved) return;
    solve_step(start, h, result);
    if (result.status != mcp::Status::kSolved) return;
    const double change = (result.end.nu - nu_last_).cwiseAbs().maxCoeff();
    const double largest =
        std::max(result.end.nu.cwiseAbs().maxCoeff(), start.nu.cwiseAbs().maxCoeff());
    if (change <= settings_.implicit_tolerance * largest) return;
  }
  result.status = mcp::Status::kIterationLimit;
}

/// The quantities at the end of the step, or at the mean of start and end.
void ArticulatedStepper::prepare_implicit(const ArticulatedState& start, double h,
                                          ArticulatedStep& result) {
  nu_at_ = nu_last_;
  double to = h;
  if (settings_.integrator == ArticulatedIntegrator::kImplicitMoreau) {
    nu_at_ = 0.5 * (start.nu + nu_last_);
    to = 0.5 * h;
  }
  advance_coordinates(system_, layout_, start.q, nu_at_, to, q_mid_);
  place_links(system_, layout_, q_mid_, links_);
  if (!prepare_at(nu_at_, start)) result.status = mcp::Status::kNotFinite;
}

void ArticulatedStepper::find_touching(const Eigen::VectorXd& q) {
  place_links(system_, layout_, q, placed_);
  takes_part_.assign(ball_pairs_.size(), 0);
  for (std::size_t i = 0; i < ball_pairs_.size(); ++i) {
    takes_part_[i] = ball_contact(system_, placed_, ball_pairs_[i]).gap_mm <= 0.0 ? 1 : 0;
  }
  closure_gaps_.clear();
  for (const Closure& closure : system_.closures) {
    closure_gaps_.push_back(closure_gap(closure, placed_));
  }
}

bool ArticulatedStepper::find_overlapping(const Eigen::VectorXd& q) {
  place_links(system_, layout_, q, placed_);
  bool found = false;
  for (std::size_t i = 0; i < ball_pairs_.size(); ++i) {
    if (takes_part_[i] != 0) continue;
    if (!(ball_contact(system_, placed_, ball_pairs_[i]).gap_mm < 0.0)) continue;
    takes_part_[i] = 1;
    found = true;
  }
  return found;
}

bool ArticulatedStepper::prepare(const ArticulatedState& start, double h) {
  if (settings_.integrator == ArticulatedIntegrator::kMoreauMidpoint) {
    advance_coordinates(system_, layout_, start.q, start.nu, 0.5 * h, q_mid_);  // eq. (27)
    place_links(system_, layout_, q_mid_, links_);
  } else {
    links_ = placed_;
  }
  return prepare_at(start.nu, start);
}

/// Forces where `links_` are placed, at velocities nu.
bool ArticulatedStepper::prepare_at(const Eigen::VectorXd& nu, const ArticulatedState& start) {
  started_ = links_;
  move_links(system_, layout_, start.nu, started_);
  move_links(system_, layout_, nu, links_);
  if (!articulate(system_, links_, inertias_)) return false;
  forward_dynamics(system_, layout_, links_, inertias_, free_);
  return free_.nudot.allFinite();
}

/// The part of h Jdot nu that is still to come from where J is taken to the end of the step.
double ArticulatedStepper::coasting_share() const {
  switch (settings_.integrator) {
    case ArticulatedIntegrator::kSemiImplicitEuler:
      return 1.0;
    case ArticulatedIntegrator::kImplicitEuler:
      return 0.0;
    case ArticulatedIntegrator::kMoreauMidpoint:
    case ArticulatedIntegrator::kImplicitMoreau:
      break;
  }
  return 0.5;
}

void ArticulatedStepper::fill_pairs() {
  pairs_.clear();
  contacts_.clear();
  for (const Closure& closure : system_.closures) pairs_.push_back(closure_pair(closure, links_));
  for (std::size_t i = 0; i < ball_pairs_.size(); ++i) {
    if (takes_part_[i] == 0) continue;
    contacts_.push_back(static_cast<int>(i));
    const BallContact contact = ball_contact(system_, links_, ball_pairs_[i]);
    pairs_.push_back(contact_nodes(links_, ball_pairs_[i], contact));
  }
}

void ArticulatedStepper::fill_contact_space(double h) {
  const std::size_t closures = system_.closures.size();
  space_.bilateral = static_cast<int>(3 * closures);
  operational_space_.inverse_inertia(system_, links_, inertias_, pairs_, space_.R);
  space_.u_free.resize(static_cast<Eigen::Index>(3 * pairs_.size()));
  for (std::size_t c = 0; c < closures; ++c) {
    const PairSpeeds speeds = speeds_of(
        c, h, [&](const auto& rates) { return closure_acceleration(pairs_[c], links_, rates); });
    space_.u_free.segment<3>(static_cast<Eigen::Index>(3 * c)) = speeds.free + closure_gaps_[c] / h;
  }
  space_.mu.setConstant(static_cast<Eigen::Index>(contacts_.size()), system_.mu);
  space_.angle_rad.resize(space_.mu.size());
  unrestituted_.resize(contacts_.size());
  rebound_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) fill_contact_row(i, h);
}

template <typename Acceleration>
ArticulatedStepper::PairSpeeds ArticulatedStepper::speeds_of(std::size_t pair, double h,
                                                             const Acceleration& acceleration) {
  PairSpeeds speeds;
  speeds.before = pair_velocity(started_, pairs_[pair]);
  speeds.free = speeds.before + h * acceleration(free_.rates);  // eq. (37)
  const double behind = 1.0 - coasting_share();
  if (behind > 0.0) {
    const Vec3 coasted = behind * h * acceleration(free_.coasting);
    speeds.before -= coasted;
    speeds.free -= coasted;
  }
  return speeds;
}

void ArticulatedStepper::fill_contact_row(std::size_t contact, double h) {
  const std::size_t at = system_.closures.size() + contact;
  const BallPair& pair = ball_pairs_[static_cast<std::size_t>(contacts_[contact])];
  const PairSpeeds speeds = speeds_of(at, h, [&](const auto& rates) {
    return contact_acceleration(system_, links_, rates, pair, pairs_[at]);
  });
  const auto i = static_cast<Eigen::Index>(contact);
  space_.u_free.segment<3>(space_.row(static_cast<int>(contact))) = speeds.free;
  unrestituted_[contact] = speeds.free[0];
  rebound_[contact] = system_.restitution * std::min(speeds.before[0], 0.0);
  space_.angle_rad[i] = settings_.direction_offset_rad;
  if (!settings_.fixed_directions && (speeds.before[1] != 0.0 || speeds.before[2] != 0.0)) {
    space_.angle_rad[i] += std::atan2(-speeds.before[2], -speeds.before[1]);
  }
}

void ArticulatedStepper::solve(const ArticulatedState& start, double h, ArticulatedStep& result) {
  result.status = mcp::Status::kSolved;
  result.end.nu = start.nu + h * free_.nudot;
  fill_pairs();
  if (!pairs_.empty()) {
    fill_contact_space(h);
    fill_unloaded(result.end.nu);
    solve_with_restitution(result);
    if (result.status != mcp::Status::kSolved) {
      result.worst = worst_contact();
      return;
    }
    result.contact_work_j = kJoulesPerMillinewtonMillimetre * contact_work();
    apply_impulses(result);
  }
  if (!result.end.nu.allFinite()) {
    result.status = mcp::Status::kNotFinite;
    return;
  }
  nu_mean_ = result.end.nu;  // eq. (26)
  if (settings_.integrator == ArticulatedIntegrator::kMoreauMidpoint ||
      settings_.integrator == ArticulatedIntegrator::kImplicitMoreau) {
    nu_mean_ = 0.5 * (start.nu + result.end.nu);  // eq. (29)
  }
  advance_coordinates(system_, layout_, start.q, nu_mean_, h, result.end.q);
}

void ArticulatedStepper::solve_with_restitution(ArticulatedStep& result) {
  constexpr int kShares = 1024;
  solve_contacts(1.0, result);
  const bool rebounds =
      std::any_of(rebound_.begin(), rebound_.end(), [](double rebound) { return rebound < 0.0; });
  if (result.status != mcp::Status::kSolved || !settings_.limit_restitution || !rebounds) return;
  if (!adds_energy()) return;
  int without = 0;  // in 1024ths: of restitution that adds no energy, and that does
  int with = kShares;
  while (with - without > 1) {
    const int middle = (without + with) / 2;
    solve_contacts(static_cast<double>(middle) / kShares, result);
    if (result.status != mcp::Status::kSolved) return;
    (adds_energy() ? with : without) = middle;
  }
  solve_contacts(static_cast<double>(without) / kShares, result);
}

void ArticulatedStepper::solve_contacts(double share, ArticulatedStep& result) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    space_.u_free[space_.row(static_cast<int>(i))] = unrestituted_[i] + share * rebound_[i];
  }
  solution_ = solve_contact_space(space_, settings_.contact);
  result.residual = solution_.residual;
  result.iterations += solution_.iterations;
  result.unknowns = solution_.unknowns;
  result.status = solution_.status;
}

void ArticulatedStepper::fill_unloaded(const Eigen::VectorXd& nu) {
  moved_ = links_;
  move_links(system_, layout_, nu, moved_);
  unloaded_.resize(3 * space_.contacts());
  for (int i = 0; i < space_.contacts(); ++i) {
    const auto pair = system_.closures.size() + static_cast<std::size_t>(i);
    unloaded_.segment<3>(3 * i) = pair_velocity(moved_, pairs_[pair]);
  }
}

double ArticulatedStepper::contact_work() const {
  const Eigen::Index n = unloaded_.size();
  const Eigen::VectorXd change = (space_.R * solution_.p).tail(n);
  return solution_.p.tail(n).dot(unloaded_ + 0.5 * change);
}

bool ArticulatedStepper::adds_energy() const {
  constexpr double kRounding = 1e-9;
  const auto p = solution_.p.tail(unloaded_.size());
  return contact_work() > kRounding * p.cwiseAbs().dot(unloaded_.cwiseAbs());
}

void ArticulatedStepper::apply_impulses(ArticulatedStep& result) {
  impulses_.assign(links_.size(), Twist::Zero());
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const auto row = static_cast<Eigen::Index>(3 * c);
    add_pair_impulse(pairs_[c], solution_.p.segment<3>(row), impulses_);
  }
  impulse_response(system_, layout_, links_, inertias_, impulses_, change_);
  result.end.nu += change_;
}

std::optional<std::array<int, 2>> ArticulatedStepper::worst_contact() const {
  std::optional<std::array<int, 2>> bodies;
  double worst = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const int row = space_.row(static_cast<int>(i));
    const double p_n = space_.R(row, row) * solution_.p[row];
    const double violation = std::abs(std::min(p_n, solution_.u[row]));
    if (!(violation > worst)) continue;
    worst = violation;
    const BallPair& pair = ball_pairs_[static_cast<std::size_t>(contacts_[i])];
    bodies = {pair.link_a, second_body(system_, pair)};
  }
  return bodies;
}

void ArticulatedStepper::fill_contacts(ArticulatedStep& result) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BallPair& pair = ball_pairs_[static_cast<std::size_t>(contacts_[i])];
    const BallContact at_end = ball_contact(system_, placed_, pair);
    const Mat3& axes = pairs_[system_.closures.size() + i].axes;
    const int row = space_.row(static_cast<int>(i));
    SpatialContact contact;
    contact.body_a = pair.link_a;
    contact.body_b = second_body(system_, pair);
    contact.friction.mu = system_.mu;
    contact.on_a_mm = at_end.on_a_mm;
    contact.on_b_mm = at_end.on_b_mm;
    contact.gap_mm = at_end.gap_mm;
    contact.normal = axes.row(0);
    contact.t = axes.row(1);
    contact.o = axes.row(2);
    contact.p_n = solution_.p[row];
    contact.p_t = solution_.p[row + 1];
    contact.p_o = solution_.p[row + 2];
    contact.v_t_mm_s = solution_.u[row + 1];
    contact.v_o_mm_s = solution_.u[row + 2];
    if (contact.p_n > 0.0) {
      contact.patch = PatchKind::kPoint;
      contact.sigma_mm_s = std::hypot(contact.v_t_mm_s, contact.v_o_mm_s);
    }
    result.end.contacts.push_back(contact);
  }
}

}  // namespace graspmap
