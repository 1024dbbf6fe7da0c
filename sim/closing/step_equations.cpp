#include "sim/closing/step_equations.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "sim/closing/tolerances.hpp"

// The equations of a step, in the letters of docs/explanation/model.md. Unknown are nu+, p_n and
// p_t of each contact, p_s of each element of the support, and tracked contact points; all geometry
// is that of the end, q+ = q + h nu+.
//
//   (M + hC) nu+ = M nu + h F + sum W_n(q+) p_n + W_t(q+) p_t + sum B(q+)^T p_s
//   0 <= p_n  perp  psi(q+) >= 0
//   p_t in [-mu p_n, mu p_n], against the slip v_t = W_t nu+ with the most power
//   p_s in the support's set, against the slip u = B v+ with the most power
//
// v+ is the part's velocity against the table: nu+ of the part while G rests. While G moves with
// the twist (V, omega), in its own axes, v+ = nu+ + (V + omega perp(r+), omega) with r+ the part's
// centre of mass, and where it turns F has the inertial forces at the end of the step, too:
// -m (omega perp(V) - omega^2 r+ + 2 omega perp(nu+)) on the part and m (omega V_y + omega^2 x+) on
// a jaw. Obstacles lie where they are at the end of the step, and slide by with the table.
//
// On a pad psi is psi + delta(p_n), and v_t has what the pad gives way: pads.hpp.
//
// Each condition is p = Proj(p - r u) for any r > 0: Proj onto p_n >= 0, the interval, the set.

namespace graspmap {

void StepEquations::begin(const StepData& data) {
  scale(data);
  bounds_ = 0;
  bounds_at_ = data.start_at;
}

void StepEquations::scale(const StepData& data, double heavier_contacts) {
  data_ = &data;
  velocity_unit_.setConstant(data.velocity_scale);
  velocity_unit_[2] = data_->velocity_scale / data_->length_scale;
  per_velocity_ = 1.0 / data_->velocity_scale;
  per_impulse_ = 1.0 / data_->impulse_scale;
  per_length_ = 1.0 / data_->length_scale;
  per_gap_ = per_velocity_ / data_->h;
  set_masses(heavier_contacts);
}

void StepEquations::weigh_support(double length_mm) {
  support_spread_ = 1.0;
  for (std::size_t j = 0; j < index(support.size); ++j) {
    Eigen::Matrix3d B = support.elements[j].slip_map;
    B.col(2) /= length_mm;
    const Vec3 strength = B.rowwise().squaredNorm();
    support_weight_[j] = 1.0 / strength.maxCoeff();
    support_unit_[j].setOnes();
    if (support.elements[j].dimension == 2) continue;
    support_unit_[j] = B.diagonal().cwiseInverse() / support_weight_[j];
    support_spread_ = std::max(support_spread_, strength.maxCoeff() / strength.minCoeff());
  }
}

void StepEquations::set_masses(double heavier_contacts) {
  const double part = data_->inertia[0];
  const double jaw = data_->inertia[3];
  const double weighed = part * heavier_contacts;
  // What a contact feels where part and jaw both give way.
  contact_mass_ = weighed * jaw / (weighed + jaw);
  for (std::size_t j = 0; j < index(support.size); ++j) {
    const double weight = support_weight_[j];
    const double least = tolerances::kLeastSlipShare * support_limit(j) * per_velocity_;
    support_mass_[j] = std::max(part * weight, least * std::sqrt(weight));
  }
  contact_softness_ = data_->impulse_scale / data_->jaw_impulse_scale;
  support_softness_ = std::min(1.0, jaw / part);
}

inline Configuration StepEquations::configuration_after(const StepUnknowns& x) const {
  if (data_->mount != nullptr) [[unlikely]]
    return Configuration(state_after(x));
  const double right_mm_s = data_->jaws.velocity(JawSide::kRight, x.nu);
  const double left_mm_s = data_->jaws.velocity(JawSide::kLeft, x.nu);
  return {data_->base.part_pose + data_->h * x.nu.head<3>(),
          data_->base.jaw_right_mm + data_->h * right_mm_s,
          data_->base.jaw_left_mm + data_->h * left_mm_s, data_->end_gripper};
}

State StepEquations::state_after(const StepUnknowns& x) const {
  const Vec3 velocity = x.nu.head<3>();
  const double right_mm_s = data_->jaws.velocity(JawSide::kRight, x.nu);
  const double left_mm_s = data_->jaws.velocity(JawSide::kLeft, x.nu);
  State state{data_->base.part_pose + data_->h * velocity,
              velocity,
              data_->base.jaw_right_mm + data_->h * right_mm_s,
              data_->base.jaw_left_mm + data_->h * left_mm_s,
              right_mm_s,
              left_mm_s,
              data_->end_gripper};
  if (data_->mount != nullptr) [[unlikely]]
    move_mount(x.mount, state);
  return state;
}

[[gnu::cold, gnu::noinline]] void StepEquations::move_mount(const Vec3& velocity,
                                                            State& state) const {
  state.mount_velocity.head<2>() = mount_axes(velocity) * Vec2(velocity.head<2>());
  state.mount_velocity[2] = velocity[2];
  state.mount = data_->base.mount + data_->h * state.mount_velocity;
  if (!data_->uses_table) return;
  state.gripper = compose(data_->end_gripper, pose_on_mount(state));
}

GripperTwist StepEquations::arm_motion(const Vec3& mount) const {
  if (data_->mount == nullptr || !data_->twist.moves()) return data_->twist;
  State end;
  move_mount(mount, end);
  return arm_twist(data_->twist, end);
}

GripperTwist StepEquations::gripper_motion(const Vec3& mount) const {
  if (data_->mount == nullptr) return data_->twist;
  GripperTwist motion = arm_motion(mount);
  motion.velocity_mm_s += mount.head<2>();
  motion.turn_rad_s += mount[2];
  return motion;
}

void StepEquations::evaluate(StepUnknowns& x, StepEvaluation& out) {
  out.q = configuration_after(x);
  set_angle(support, out.q.R_GB);
  with_contacts(*data_->bodies, [&](const auto& contacts) { evaluate_contacts(contacts, x, out); });
  if (pairs_->any_soft) [[unlikely]]
    press_pads(x, out);
  const Vec3 velocity = over_table(x, out.q);
  for (int j = 0; j < support.size; ++j) {
    out.slip[index(j)] = support.elements[index(j)].slip(velocity);
  }
  if (support.surface) evaluate_surface(x, out);
  out.per_impulse = 1.0 / std::max(data_->impulse_scale, tolerances::kSqueezedShare * squeeze(x));
  momentum_balance(x, out);
  complementarity_residuals(x, out);
}

/// All that acts on the part, mN s: rounding errors of a squeezed part are in proportion to it.
inline double StepEquations::squeeze(const StepUnknowns& x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    sum += std::abs(x.p_n[i]) + std::abs(x.p_t[i]);
  }
  for (std::size_t j = 0; j < index(support.size); ++j) sum += x.p_s[j].lpNorm<1>();
  return sum;
}

/// The point of the support's surface that its natural map projects to, in scaled units.
void StepEquations::evaluate_surface(const StepUnknowns& x, StepEvaluation& out) const {
  const double limit = support_limit(0) * per_impulse_;
  const Vec3 z = x.p_s[0] * per_impulse_ - out.slip[0] * per_velocity_;
  if (limit > 0.0) {
    out.surface = limit_surface_point(*support.surface, z / limit);
    out.surface.nearest *= limit;
    out.surface.boundary *= limit;
  } else {
    out.surface = {false, Vec3::Zero(), Vec3::Zero(), Eigen::Matrix3d::Zero()};
  }
}

/// True for a contact without impulse whose gap cannot have closed since it was known.
template <ContactModel Contacts>
bool StepEquations::leave_open(const Contacts& contacts, std::size_t i, double approach_mm,
                               StepUnknowns& x, StepEvaluation& out) const {
  if (x.p_n[i] != 0.0 || gap_bound_mm_[i] <= approach_mm) return false;
  out.closest[i].psi_mm = gap_bound_mm_[i] - approach_mm;
  out.closest[i].normal.setZero();
  out.v_t[i] = out.misalignment[i] = 0.0;
  contacts.put_back(pairs_->pair[i], x.point[i]);  // the bound holds there, not where it walked
  return true;
}

template <ContactModel Contacts>
void StepEquations::evaluate_contacts(const Contacts& contacts, StepUnknowns& x,
                                      StepEvaluation& out) {
  for (; bounds_ < pairs_->size; ++bounds_) {
    // Pairs that a later round has added come with -infinity: they are looked at.
    gap_bound_mm_[index(bounds_)] = pairs_->start_gap_mm[index(bounds_)];
  }
  const double approach = largest_motion_mm(bounds_at_, out.q, data_->reach_mm);
  bool looked = false;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    if (leave_open(contacts, i, approach, x, out)) continue;
    const bool carries = x.p_n[i] != 0.0;
    looked = looked || !carries;
    ClosestPoints& closest = out.closest[i];
    // Built in place: to copy the closest points costs as much as to find some.
    new (&closest) ClosestPoints(contacts.look(pairs_->pair[i], out.q, x.point[i], carries, stays));
    out.misalignment[i] =
        is_tracked(piece_of(i), x.point[i]) ? misalignment(piece_of(i), out.q, closest) : 0.0;
    out.v_t[i] = slip_mm_s(closest, pairs_->pair[i].side, x.nu, x.mount, out.q);
  }
  if constexpr (Contacts::kWalk) {
    join_contacts(x, out);
  } else if (looked) {
    remember_gaps(approach, x, out);
  }
}

/// From here on what is known of the gaps is how large they are at this iterate.
inline void StepEquations::remember_gaps(double approach_mm, const StepUnknowns& x,
                                         const StepEvaluation& at) {
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    // A tracked point has no gap of its own.
    const ClosestPoints& closest = at.closest[i];
    if (x.p_n[i] != 0.0) {
      gap_bound_mm_[i] -= approach_mm;
    } else if (closest.normal != Vec2::Zero() && is_behind(closest, pairs_->pair[i].side)) {
      gap_bound_mm_[i] = -std::numeric_limits<double>::infinity();
    } else {
      gap_bound_mm_[i] = closest.psi_mm;
    }
  }
  bounds_at_ = at.q;
}

/// Contacts of outlines walk along the bodies, and may meet: then the first of them carries all.
void StepEquations::join_contacts(StepUnknowns& x, StepEvaluation& out) const {
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    out.met[i] = false;
    if (stays || out.closest[i].normal == Vec2::Zero()) continue;
    for (std::size_t k = 0; k < i; ++k) {
      if (out.met[k] || out.closest[k].normal == Vec2::Zero()) continue;
      if (pairs_->pair[i].side != pairs_->pair[k].side || x.point[i].piece != x.point[k].piece ||
          x.point[i].finger != x.point[k].finger) {
        continue;
      }
      x.p_n[k] += x.p_n[i];
      x.p_t[k] += x.p_t[i];
      x.p_n[i] = x.p_t[i] = 0.0;
      out.met[i] = true;
      out.closest[i].psi_mm = 1.0;  // any gap: it carries nothing
      out.closest[i].normal.setZero();
      out.v_t[i] = out.misalignment[i] = 0.0;
      break;
    }
  }
}

/// delta(p_n), and the slip of the surfaces: pads.hpp.
[[gnu::noinline]] void StepEquations::press_pads(const StepUnknowns& x, StepEvaluation& out) const {
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    // A pad that nothing presses or has pressed has no deflection.
    const PadContact& pad = pairs_->pad[i];
    const bool open = x.p_n[i] == 0.0 && out.closest[i].psi_mm > 0.0;
    if (!pad.is_soft || (open && pad.last_mm == 0.0)) {
      out.deflection[i] = {};
      continue;
    }
    new (&out.deflection[i]) PadDeflection(pad.deflection(x.p_n[i], out.q.R_GB));  // in place
    if (out.closest[i].normal != Vec2::Zero()) out.v_t[i] += pad.slip_mm_s(x.p_t[i]);
  }
}

double StepEquations::largest_deflection_mm(const StepEvaluation& at) const {
  double largest = 0.0;
  if (!pairs_->any_soft) return largest;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    largest = std::max(largest, at.deflection[i].mm);
  }
  return largest;
}

double StepEquations::pad_energy(const Iterate& now) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    const PadContact& pad = pairs_->pad[i];
    if (!pad.is_soft || now.at.met[i]) continue;
    sum += pad.energy(now.at.deflection[i], pad.shear(now.x.p_t[i]));
  }
  return sum;
}

Vec2 StepEquations::inertial_impulse(const StepUnknowns& x, const Configuration& q) const {
  const GripperTwist motion = arm_motion(x.mount);
  const double omega = motion.turn_rad_s;
  const Vec2 r = q.part_pose.head<2>();
  Vec2 velocity = x.nu.head<2>();
  if (data_->mount != nullptr) velocity += x.mount.head<2>() + x.mount[2] * perp(r);
  const Vec2 acceleration = omega * perp(motion.velocity_mm_s + 2.0 * velocity) - omega * omega * r;
  return -data_->force_s * data_->inertia[0] * acceleration;
}

double StepEquations::inertial_jaw_impulse(const GripperTwist& motion, double jaw_mm) const {
  const double omega = motion.turn_rad_s;
  return data_->force_s * data_->jaw_mass_kg * omega * (motion.velocity_mm_s.y() + omega * jaw_mm);
}

/// M (nu^(l+1) - nu^l) - h F - W_n p_n - W_t p_t - B^T p_s: eq. (6), in mN s (mN s mm for theta).
void StepEquations::momentum_balance(const StepUnknowns& x, StepEvaluation& at) const {
  VelocityVector& balance = at.dynamics;
  balance = data_->inertia.cwiseProduct(x.nu) - data_->free_impulse;
  if (data_->mount != nullptr) [[unlikely]] {
    balance_mount(x, at);
  }
  if (data_->twist.turns()) {
    // With a mount it is in what the gripper gives the part: balance_mount.
    if (data_->mount == nullptr) balance.head<2>() -= inertial_impulse(x, at.q);
    const GripperTwist motion = arm_motion(x.mount);
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      const std::size_t s = side_index(side);
      balance[data_->jaws.column[s]] -=
          data_->jaws.sign[s] * inertial_jaw_impulse(motion, at.q.jaw_mm(side));
    }
  }
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    // One that was left open has no closest points.
    if (x.p_n[i] == 0.0 && x.p_t[i] == 0.0) continue;
    const ClosestPoints& closest = at.closest[i];
    const Vec2 impulse = impulse_of(i, x, at);
    const std::size_t side = side_index(pairs_->pair[i].side);
    const Vec2 r = closest.on_piece_mm - at.q.part_pose.head<2>();
    balance.head<2>() -= impulse;
    balance[2] -= cross(r, impulse);
    // The springs' energy depends on theta, too: -dU/dtheta.
    if (pairs_->any_soft) [[unlikely]]
      balance[2] -= data_->force_s * at.deflection[i].moment;
    balance[data_->jaws.column[side]] += data_->jaws.sign[side] * impulse.x();
  }
  for (int j = 0; j < support.size; ++j) {
    balance.head<3>() -= support.elements[index(j)].wrench(x.p_s[index(j)]);
  }
  // Impulses on a squeezed part cancel and leave rounding errors, so part and mount are measured by
  // all that acts on the part. The jaws are not: kMomentumShare, kSqueezedShare.
  const double part =
      std::max({std::abs(balance[0]), std::abs(balance[1]), std::abs(balance[2]) * per_length_});
  double jaws = std::abs(balance[3]);
  if (data_->jaws.velocities == kMaxVelocities) jaws = std::max(jaws, std::abs(balance[4]));
  at.residual.dynamics = std::max(part * at.per_impulse, jaws / data_->jaw_impulse_scale);
  if (data_->mount != nullptr) [[unlikely]] {
    const double mount =
        std::max(at.mount.head<2>().lpNorm<Eigen::Infinity>(), std::abs(at.mount[2]) * per_length_);
    at.residual.dynamics = std::max(at.residual.dynamics, mount * at.per_impulse);
  }
}

/// The balance of the part's momentum in N, without contacts. The mount bears what the gripper
/// gives the part: that without the table's friction and what obstacles give. In G's axes, and
/// about G's origin.
[[gnu::cold, gnu::noinline]] void StepEquations::balance_mount(const StepUnknowns& x,
                                                               StepEvaluation& at) const {
  const Mount& mount = *data_->mount;
  const Rotation2 R_NG = mount_axes(x.mount);
  Vec3 before = data_->velocity_N;
  before.head<2>() = R_NG.inverse_times(Vec2(before.head<2>()));
  const GripperTwist moves{x.mount.head<2>(), x.mount[2]};
  const Vec3 velocity = x.nu.head<3>() + moves.at(at.q.part_pose.head<2>());
  at.given = data_->inertia.head<3>().cwiseProduct(velocity - before);
  if (data_->twist.turns()) at.given.head<2>() -= inertial_impulse(x, at.q);
  for (int j = 0; j < support.size; ++j) {
    at.given -= support.elements[index(j)].wrench(x.p_s[index(j)]);
  }
  at.dynamics.head<3>() = at.given;
  for (int j = 0; j < support.size; ++j) {
    at.dynamics.head<3>() += support.elements[index(j)].wrench(x.p_s[index(j)]);
  }
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    if (pairs_->pair[i].side != JawSide::kObstacle || x.p_n[i] == 0.0) continue;
    const Vec2 impulse = impulse_of(i, x, at);
    at.given.head<2>() -= impulse;
    at.given[2] -= cross(at.closest[i].on_piece_mm - at.q.part_pose.head<2>(), impulse);
  }
  State end;
  move_mount(x.mount, end);
  const Vec3 spring =
      (data_->force_s + mount.damping_s) * end.mount - mount.damping_s * data_->mount_before;
  const Vec2 along = R_NG.inverse_times(Vec2(spring.head<2>()));
  at.mount.setZero();
  if (std::isfinite(mount.sideways_n_per_mm)) {
    at.mount.head<2>() =
        at.given.head<2>() + kMillinewtonsPerNewton * mount.sideways_n_per_mm * along;
  }
  if (std::isfinite(mount.turning_n_mm)) {
    at.mount[2] = at.given[2] + cross(at.q.part_pose.head<2>(), at.given.head<2>()) +
                  kMillinewtonsPerNewton * mount.turning_n_mm * spring[2];
  }
}

/// Natural maps in scaled units: p - Proj(p - u), zero exactly at complementarity.
inline void StepEquations::complementarity_residuals(const StepUnknowns& x,
                                                     StepEvaluation& at) const {
  StepResidual& residual = at.residual;
  residual.normal = residual.tangential = residual.support = residual.alignment = 0.0;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    if (at.closest[i].normal == Vec2::Zero() && x.p_n[i] == 0.0) continue;  // it is open
    const double p_n = x.p_n[i] * at.per_impulse;
    const double p_t = x.p_t[i] * at.per_impulse;
    const double limit = pairs_->mu[i] * std::max(p_n, 0.0);
    const double normal = std::min(p_n, gap_mm(i, at) * per_gap_);
    const double tangential = p_t - std::clamp(p_t - at.v_t[i] * per_velocity_, -limit, limit);
    residual.normal = std::max(residual.normal, std::abs(normal));
    residual.tangential = std::max(residual.tangential, std::abs(tangential));
    const double excess = std::abs(at.misalignment[i]) - tolerances::kAlignment;
    residual.alignment = std::max(residual.alignment, excess / tolerances::kAlignmentUnit);
  }
  for (int j = 0; j < support.size; ++j) {
    residual.support += support_residual(index(j), x, at);  // on the part they add up
  }
}

/// F = p_s - Proj(p_s - r u). An ellipsoid's is measured on the part: by the velocity B^-1 F / r
/// that would explain it, which of a support that holds the part is the part's; or, where less, by
/// the impulse B^T (p_s + L u/|u|) that would, L the bound. Where B is small in a direction, u is
/// small however the part moves in it, and r u moves nothing.
[[gnu::always_inline]] inline double StepEquations::support_residual(
    std::size_t j, const StepUnknowns& x, const StepEvaluation& at) const {
  const SupportElement& element = support.elements[j];
  const Vec3 p_s = x.p_s[j] * at.per_impulse;
  const Vec3 u = at.slip[j] * per_velocity_;
  const double r = support.surface ? 1.0 : support_weight_[j];
  const Vec3 r_u = r * u;
  const double limit = support_limit(j) * at.per_impulse;
  Vec3 F = r_u;
  bool sticks = false;
  if (support.surface) {
    sticks = at.surface.inside;
    if (!sticks) F = p_s - at.surface.nearest * (at.per_impulse * data_->impulse_scale);
  } else {
    const Vec3 z = p_s - r_u;
    sticks = z.norm() <= limit;
    if (!sticks) F = p_s - project_to_ball(z, limit);
  }
  double residual = 0.0;
  if (element.frame == SupportFrame::kPart) [[unlikely]] {
    Vec3 v = element.slip_map.inverse() * F / r;
    v[2] *= data_->length_scale;
    residual = v.lpNorm<Eigen::Infinity>();
  } else {
    residual = F.cwiseProduct(support_unit_[j]).lpNorm<Eigen::Infinity>();
  }
  const bool is_ellipsoid = element.dimension == 3 && !support.surface;
  if (sticks || !is_ellipsoid || residual <= tolerances::kResidual) return residual;
  // The impulse is at least B^T F.
  if (residual > support_spread_ * tolerances::kResidual) return residual;
  const Vec3 missing = element.wrench(p_s + u * (limit / u.norm()));
  return std::min(residual, std::max({std::abs(missing[0]), std::abs(missing[1]),
                                      std::abs(missing[2]) * per_length_}));
}

/// What the projections of a contact start from. On a pad r is such that both parts of the gap are
/// weighed: of a linear spring z_n is then what psi presses it with, whatever p_n is.
StepEquations::NaturalPoint StepEquations::natural_point(std::size_t i, const StepUnknowns& x,
                                                         const StepEvaluation& at) const {
  const double r = contact_mass_;
  if (pairs_->any_soft && pairs_->pad[i].is_soft) [[unlikely]] {
    const PadContact& pad = pairs_->pad[i];
    const double r_n = 1.0 / (1.0 / r + at.deflection[i].per_impulse / data_->h);
    const double r_t = 1.0 / (1.0 / r + pad.shear_per_impulse * pad.per_motion);
    return {x.p_n[i] - r_n * gap_mm(i, at) / data_->h, x.p_t[i] - r_t * at.v_t[i]};
  }
  return {x.p_n[i] - r * at.closest[i].psi_mm / data_->h, x.p_t[i] - r * at.v_t[i]};
}

Pattern StepEquations::pattern(const StepUnknowns& x, const StepEvaluation& at) const {
  Pattern pattern;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    const NaturalPoint z = natural_point(i, x, at);
    const double z_n = z.normal;
    const double z_t = z.tangential;
    const double limit = pairs_->mu[i] * z_n;
    if (z_n <= 0.0) {
      pattern.contact[i] = ContactMode::kOpen;
    } else if (std::abs(z_t) < limit) {
      pattern.contact[i] = ContactMode::kStick;
    } else {
      pattern.contact[i] = z_t > 0.0 ? ContactMode::kSlipPositive : ContactMode::kSlipNegative;
    }
  }
  if (support.surface) {
    pattern.support_sticks[0] = at.surface.inside;
    return pattern;
  }
  for (int j = 0; j < support.size; ++j) {
    const Vec3 z = x.p_s[index(j)] - support_mass_[index(j)] * at.slip[index(j)];
    pattern.support_sticks[index(j)] = z.norm() < support_limit(index(j));
  }
  return pattern;
}

bool StepEquations::is_redundant(const Pattern& pattern) const {
  int impulses = 0;
  int of_table = 0;  // that hold the part against it
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    if (pattern.contact[i] == ContactMode::kOpen) continue;
    // The springs of a pad that gives way both ways determine its impulses.
    if (pairs_->any_soft && pairs_->pad[i].is_soft && !std::isinf(pairs_->pad[i].shear_mn_per_mm))
        [[unlikely]] {
      continue;
    }
    // Sliding friction is mu p_n: not an unknown of its own.
    const int of_contact = pattern.contact[i] == ContactMode::kStick ? 2 : 1;
    impulses += of_contact;
    if (pairs_->pair[i].side == JawSide::kObstacle) of_table += of_contact;
  }
  for (std::size_t j = 0; j < index(support.size); ++j) {
    if (!pattern.support_sticks[j]) continue;
    impulses += support.elements[j].dimension;
    of_table += support.elements[j].dimension;
  }
  int velocities = data_->jaws.velocities;
  if (data_->mount != nullptr) [[unlikely]] {
    velocities += std::isfinite(data_->mount->sideways_n_per_mm) ? 2 : 0;
    velocities += std::isfinite(data_->mount->turning_n_mm) ? 1 : 0;
    if (of_table > 3) return true;  // the part has three velocities there, whatever G does
  }
  return impulses >= velocities;
}

void StepEquations::project(const Pattern& pattern, StepUnknowns& x, StepEvaluation& at) {
  set_angle(support, at.q.R_GB);
  bool moved = false;
  const auto put = [&](double& impulse, double value) {
    moved =
        moved || std::abs(impulse - value) > tolerances::kImpulseRounding * data_->impulse_scale;
    impulse = value;
  };
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    const ContactMode mode = pattern.contact[i];
    if (mode == ContactMode::kOpen) {
      put(x.p_n[i], 0.0);
      put(x.p_t[i], 0.0);
    } else if (slides(mode)) {
      put(x.p_t[i], sign_of(mode) * pairs_->mu[i] * x.p_n[i]);
    }
  }
  if (moved) momentum_balance(x, at);
}

void StepEquations::pull_against_slip(const Pattern& pattern, StepUnknowns& x,
                                      StepEvaluation& at) const {
  if (support.surface) return;
  bool any = false;
  for (std::size_t j = 0; j < index(support.size); ++j) {
    const double slip = at.slip[j].norm();
    if (pattern.support_sticks[j] || slip == 0.0) continue;
    x.p_s[j] = at.slip[j] * (-support_limit(j) / slip);
    any = true;
  }
  if (any) momentum_balance(x, at);
}

bool StepEquations::release_support(Pattern& pattern, const StepDirection& direction,
                                    StepUnknowns& x, StepEvaluation& at) const {
  if (support.surface) return false;
  bool any = false;
  for (std::size_t j = 0; j < index(support.size); ++j) {
    if (!pattern.support_sticks[j]) continue;
    const Vec3 holds = x.p_s[j] + direction.p_s[j];
    if (holds.norm() <= tolerances::kLeftCone * support_limit(j)) continue;
    x.p_s[j] = holds;
    pattern.support_sticks[j] = false;
    any = true;
  }
  if (any) momentum_balance(x, at);
  return any;
}

void StepEquations::move(const StepUnknowns& x, const StepDirection& direction, double alpha,
                         StepUnknowns& next) const {
  next.nu = x.nu + alpha * direction.nu;
  next.mount = x.mount + alpha * direction.mount;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    next.p_n[i] = x.p_n[i] + alpha * direction.p_n[i];
    next.p_t[i] = x.p_t[i] + alpha * direction.p_t[i];
    next.point[i] = x.point[i];
    if (direction.slide[i] == 0.0) continue;
    Vec2& d = next.point[i].direction;
    const double turn =
        std::clamp(alpha * direction.slide[i], -tolerances::kMostTurnRad, tolerances::kMostTurnRad);
    d = (d + turn * perp(d)).normalized();
  }
  for (std::size_t j = 0; j < index(support.size); ++j) {
    next.p_s[j] = x.p_s[j] + alpha * direction.p_s[j];
  }
}

}  // namespace graspmap
