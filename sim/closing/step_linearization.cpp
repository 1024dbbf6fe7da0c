#include <algorithm>
#include <cmath>

#include "sim/closing/dense_solve.hpp"
#include "sim/closing/step_equations.hpp"
#include "sim/closing/tolerances.hpp"

// The Newton system of a step: the equations of step_equations.cpp, linearised on one branch of
// each projection (Pattern). With K the geometric stiffness, how W_n p_n + W_t p_t and B^T p_s turn
// and move with part and jaw:
//
//   (M + hC - h K) dnu - W_n dp_n - W_t dp_t - B^T dp_s = -balance
//   W_n dnu = -psi / h             of a closed contact; an open one has no impulse; with a pad
//                                  W_n dnu + delta' dp_n / h = -(psi + delta) / h
//   W_t dnu + d(W_t) nu = -v_t     of one that sticks; one that slips has p_t = +-mu p_n
//   B dv + d(B) v = -u             of a support that sticks; one that slips is eliminated
//   dtheta + kappa ds = -excess    of a tracked contact point
//
// While G turns, the inertial forces add to the momentum balance, and dv = dnu + h omega perp(dnu).

namespace graspmap {

/// Makes a system of so many unknowns, of zeros.
inline void StepEquations::clear(int size) {
  width_ = row_width(size);
  std::fill_n(J_.data(), size * width_, 0.0);
  rhs_.head(size).setZero();
}

inline void StepEquations::lay_out(const Pattern& pattern, const StepUnknowns& x,
                                   const StepEvaluation& at) {
  int next = data_->jaws.velocities;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    layout_.normal[i] = layout_.tangential[i] = layout_.slide[i] = -1;
    if (pattern.contact[i] == ContactMode::kOpen) continue;
    layout_.normal[i] = next++;
    if (pattern.contact[i] == ContactMode::kStick) layout_.tangential[i] = next++;
    Slide& slide = slide_[i];
    slide.tracked = is_tracked(piece_of(i), x.point[i]);
    if (!slide.tracked) continue;
    slide.alignment = align(i, at);
    const double curvature = slide.alignment.curvature_per_mm * data_->length_scale;
    // A flat spot's ds cannot be eliminated: that divides by the curvature.
    if (curvature < tolerances::kCurvedEnough) layout_.slide[i] = next++;
  }
  for (int j = 0; j < support.size; ++j) {
    layout_.support[index(j)] = -1;
    if (!pattern.support_sticks[index(j)] && !support.surface) continue;
    layout_.support[index(j)] = next;
    next += support.elements[index(j)].dimension;
  }
  layout_.mount = data_->mount != nullptr ? next : -1;
  if (data_->mount != nullptr) next += 3;
  layout_.size = next;
  clear(next);
}

/// Adds to a row of the system: the derivatives by a contact's four coordinates.
[[gnu::always_inline]] inline void StepEquations::add_to_row(int row, double factor,
                                                             const PoseRow& derivatives,
                                                             std::size_t side) {
  double* const entries = &J(row, 0);
  for (int k = 0; k < 3; ++k) entries[k] += factor * derivatives[k];
  entries[data_->jaws.column[side]] += data_->jaws.sign[side] * factor * derivatives[3];
}

/// Sets a column of the system: a generalised force on a contact's four coordinates.
inline void StepEquations::set_column(int column, const PoseRow& force, std::size_t side) {
  double* const entries = &J(0, column);
  for (int k = 0; k < 3; ++k) entries[k * width_] = force[k];
  entries[data_->jaws.column[side] * width_] = data_->jaws.sign[side] * force[3];
}

bool StepEquations::newton_direction(const Pattern& pattern, const StepUnknowns& x,
                                     const StepEvaluation& at, double regularization,
                                     double damping, StepDirection& direction) {
  lay_out(pattern, x, at);
  assemble_momentum(at, damping);
  for (int j = 0; j < support.size; ++j) {
    assemble_support_turn(index(j), x);
    if (support.surface) {
      assemble_surface_support(pattern.support_sticks[index(j)], x, at, regularization);
    } else if (pattern.support_sticks[index(j)]) {
      assemble_sticking_support(index(j), x, at, regularization);
    } else {
      assemble_slipping_support(index(j), x, at);
    }
  }
  const auto assemble_contacts = [&](const auto& is_meant) {
    for (std::size_t i = 0; i < index(pairs_->size); ++i) {
      if (pattern.contact[i] != ContactMode::kOpen && is_meant(pairs_->pair[i].side)) {
        assemble_contact(i, pattern.contact[i], x, at, regularization);
      }
    }
  };
  if (data_->mount != nullptr) [[unlikely]] {
    // assemble_mount carries over to the mount what stands in the system by then: all that the part
    // feels except the gripper's contacts.
    assemble_contacts([](JawSide side) { return side == JawSide::kObstacle; });
    assemble_mount(x, at);
    assemble_contacts([](JawSide side) { return side != JawSide::kObstacle; });
  } else {
    assemble_contacts([](JawSide /*side*/) { return true; });
  }
  if (!solve_dense(J_.data(), layout_.size, width_, rhs_.data())) return false;
  read_direction(pattern, x, at, direction);
  return true;
}

inline void StepEquations::assemble_momentum(const StepEvaluation& at, double damping) {
  const double scale = per_velocity_ * per_impulse_;
  for (int k = 0; k < data_->jaws.velocities; ++k) {
    const double unit = velocity_unit_[k];
    J(k, k) = data_->inertia[k] * unit * unit * scale * (1.0 + damping);
    rhs_[k] = -at.dynamics[k] * unit * scale;
  }
  if (data_->twist.turns()) assemble_turning_frame();
}

/// How the inertial forces change with positions and velocities.
void StepEquations::assemble_turning_frame() {
  const double omega = data_->twist.turn_rad_s;
  const double scale = data_->force_s * data_->velocity_scale * per_impulse_;
  const double centrifugal = scale * data_->h * omega * omega;
  const double mass = data_->inertia[0];
  for (int k = 0; k < 2; ++k) J(k, k) -= mass * centrifugal;
  J(0, 1) -= 2.0 * omega * mass * scale;
  J(1, 0) += 2.0 * omega * mass * scale;
  for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
    const std::size_t s = side_index(side);
    const int k = data_->jaws.column[s];
    J(k, k) -= data_->jaws.sign[s] * data_->jaws.sign[s] * data_->jaw_mass_kg * centrifugal;
  }
}

/// The part's velocity over the table is nu + T w, with w the mount's velocity. So what is above,
/// without contacts of the gripper, is carried over to w: its columns times T, then its rows times
/// T^T. What turns against G are the part's momentum before, what obstacles and a turning N give
/// it, the force on it, and that of the springs.
[[gnu::cold, gnu::noinline]] void StepEquations::assemble_mount(const StepUnknowns& x,
                                                                const StepEvaluation& at) {
  const Mount& mount = *data_->mount;
  const int first = layout_.mount;
  const int turn = first + 2;
  const Vec2 r = per_length_ * at.q.part_pose.head<2>();
  const double turned = data_->h * velocity_unit_[2] * per_impulse_;
  for (int row = 0; row < first; ++row) {
    J(row, first) = J(row, 0);
    J(row, first + 1) = J(row, 1);
    J(row, turn) = J(row, 2) - r.y() * J(row, 0) + r.x() * J(row, 1);
  }
  const Vec2 before = mount_axes(x.mount).inverse_times(Vec2(data_->velocity_N.head<2>()));
  J().col(turn).head<2>() += data_->inertia[0] * turned * perp(before);
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    if (pairs_->pair[i].side != JawSide::kObstacle || x.p_n[i] == 0.0) continue;
    J().col(turn).head<2>() += turned * perp(impulse_of(i, x, at));
  }
  if (data_->twist.turns()) {
    const double mass_turned =
        data_->inertia[0] * data_->force_s * data_->twist.turn_rad_s * turned;
    J().col(turn).head<2>() +=
        mass_turned * arm_motion(x.mount).at(at.q.part_pose.head<2>()).head<2>();
  }
  for (int column = 0; column < layout_.size; ++column) {
    J(first, column) = J(0, column);
    J(first + 1, column) = J(1, column);
    J(turn, column) = J(2, column) - r.y() * J(0, column) + r.x() * J(1, column);
  }
  const Vec2 given = at.given.head<2>();
  const double moved = data_->h * data_->velocity_scale * per_impulse_ * per_length_;
  J(turn, 0) += moved * given.y();
  J(turn, 1) -= moved * given.x();
  const double time_s = (data_->force_s + mount.damping_s) * data_->h;
  // What has been eliminated above: a support that slips.
  Vec3 more = rhs_.head<3>();
  for (int k = 0; k < 3; ++k) {
    more[k] += at.dynamics[k] * velocity_unit_[k] * (per_velocity_ * per_impulse_);
  }
  more[2] += cross(r, Vec2(more.head<2>()));
  const Vec3 lacks = per_impulse_ * at.mount.cwiseProduct(Vec3(1.0, 1.0, per_length_));
  rhs_.segment<3>(first) = more - lacks;
  const auto spring = [&](int row, double stiffness, double unit) {
    if (std::isfinite(stiffness)) {
      J(row, row) +=
          kMillinewtonsPerNewton * stiffness * time_s * unit * unit * per_velocity_ * per_impulse_;
      return;
    }
    J().row(row).setZero();
    J(row, row) = 1.0;
    rhs_[row] = 0.0;
  };
  const Vec2 held = at.mount.head<2>() - given;
  J().col(turn).segment<2>(first) -= turned * perp(held);
  spring(first, mount.sideways_n_per_mm, velocity_unit_[0]);
  spring(first + 1, mount.sideways_n_per_mm, velocity_unit_[1]);
  spring(turn, mount.turning_n_mm, velocity_unit_[2]);
}

/// B, scaled: its transpose takes p_s to the part.
Eigen::Matrix3d StepEquations::scaled_slip_map(std::size_t j) const {
  Eigen::Matrix3d B = support.elements[j].slip_map;
  B.col(2) *= per_length_;
  return B;
}

/// The same of an element that is fixed in G, whose B is diagonal.
Vec3 StepEquations::scaled_diagonal(std::size_t j) const {
  const Eigen::Matrix3d& B = support.elements[j].slip_map;
  return {B(0, 0), B(1, 1), B(2, 2) * per_length_};
}

/// d(B v)/d(part's velocity), scaled: B, and what turns with the part, whose velocity against the
/// table is v. Of a point that is d arm = h perp(arm) d omega; of an element that is fixed in the
/// part each row of B turns. Where G turns, v depends on the part's position.
Eigen::Matrix3d StepEquations::slip_jacobian(std::size_t j, const Vec3& velocity) const {
  const SupportElement& element = support.elements[j];
  Eigen::Matrix3d B = element.slip_map;
  if (element.frame == SupportFrame::kPart) {
    for (int k = 0; k < 3; ++k) {
      B(k, 2) +=
          data_->h * cross(element.slip_map.row(k).head<2>().transpose(), velocity.head<2>());
    }
  } else {
    B.col(2).head<2>() -= data_->h * velocity[2] * element.arm_G_mm;
  }
  if (data_->twist.turns()) {
    const double turn = data_->h * data_->twist.turn_rad_s;
    B.col(0) += turn * element.slip_map.col(1);
    B.col(1) -= turn * element.slip_map.col(0);
  }
  B.col(2) *= per_length_;
  return B;
}

/// How the wrench B^T p_s turns with the part.
inline void StepEquations::assemble_support_turn(std::size_t j, const StepUnknowns& x) {
  if (support.elements[j].is_diagonal()) return;
  const double unit = velocity_unit_[2];
  if (support.elements[j].frame == SupportFrame::kPart) {
    const Vec2 force = support.elements[j].slip_map.leftCols<2>().transpose() * x.p_s[j];
    J().col(2).head<2>() -= data_->h * unit * per_impulse_ * perp(force);
    return;
  }
  J(2, 2) += data_->h * support.elements[j].arm_G_mm.dot(x.p_s[j].head<2>()) * unit * unit /
             (data_->velocity_scale * data_->impulse_scale);
}

/// The regularisation lets a support that sticks give way on the part, v = -regularization B^T p_s:
/// its axes in proportion to their strength.
Eigen::Matrix3d StepEquations::support_compliance(const Eigen::Matrix3d& wrench,
                                                  double regularization) const {
  return (regularization * support_softness_) * (wrench * wrench.transpose());
}

void StepEquations::assemble_sticking_support(std::size_t j, const StepUnknowns& x,
                                              const StepEvaluation& at, double regularization) {
  const Eigen::Matrix3d slip = slip_jacobian(j, over_table(x, at.q));
  const Eigen::Matrix3d wrench = scaled_slip_map(j);
  const int first = layout_.support[j];
  for (int k = 0; k < support.elements[j].dimension; ++k) {
    const int row = first + k;
    J().row(row).head<3>() = slip.row(k);
    J().col(row).head<3>() = -wrench.row(k).transpose();
    J(row, row) = regularization * support_softness_;
    rhs_[row] = -at.slip[j][k] * per_velocity_;
  }
  if (support.elements[j].dimension == 3) {
    J().block<3, 3>(first, first) = support_compliance(wrench, regularization);
  }
}

/// The sliding branch F = p_s - L d, d = z/|z|, z = p_s - r u, with p_s eliminated: with
/// k = L/|z| < 1 and the projector Q = I - d d^T,  dp_s = -r k/(1-k) Q du - (I - Q + Q/(1-k)) F.
[[gnu::always_inline]] inline void StepEquations::assemble_slipping_support(
    std::size_t j, const StepUnknowns& x, const StepEvaluation& at) {
  const SlidingSupport& sliding = sliding_[j] = sliding_support(j, x, at);
  if (is_ball(j)) return assemble_slipping_ball(j);
  const Eigen::Matrix3d slip = slip_jacobian(j, over_table(x, at.q));
  const Eigen::Matrix3d wrench = scaled_slip_map(j);
  const double gain = sliding.gain * data_->velocity_scale * per_impulse_;
  const Vec3 along = wrench.transpose() * (gain * sliding.direction);
  J().topLeftCorner<3, 3>() +=
      (gain * wrench).transpose() * slip - along * (sliding.direction.transpose() * slip);
  rhs_.head<3>() += wrench.transpose() * (sliding.offset * per_impulse_);
}

/// The same where B is diagonal and does not turn.
inline void StepEquations::assemble_slipping_ball(std::size_t j) {
  const SlidingSupport& sliding = sliding_[j];
  const Vec3 B = scaled_diagonal(j);
  const double gain = sliding.gain * data_->velocity_scale * per_impulse_;
  const Vec3 across = sliding.direction.cwiseProduct(B);
  const Vec3 along = B.cwiseProduct(gain * sliding.direction);
  for (int k = 0; k < 3; ++k) {
    double* const row = &J(k, 0);
    for (int l = 0; l < 3; ++l) {
      row[l] += (k == l ? gain * B[k] * B[k] : 0.0) - along[k] * across[l];
    }
    rhs_[k] += B[k] * (sliding.offset[k] * per_impulse_);
  }
}

/// The branch F = p_s - Proj(p_s - u) in scaled units, with p_s kept as unknowns: where the surface
/// is flat the motion does not determine them. Its derivative is (I - D) dp_s + D du, with D that
/// of the projection: I where the support sticks.
void StepEquations::assemble_surface_support(bool sticks, const StepUnknowns& x,
                                             const StepEvaluation& at, double regularization) {
  const Eigen::Matrix3d slip = slip_jacobian(0, over_table(x, at.q));
  const Eigen::Matrix3d wrench = scaled_slip_map(0);
  const int first = layout_.support[0];
  Vec3 F = at.slip[0] * per_velocity_;
  Eigen::Matrix3d D = Eigen::Matrix3d::Identity();
  if (!sticks) {
    F = x.p_s[0] * per_impulse_ - at.surface.boundary;
    D = at.surface.derivative;
  }
  J().block<3, 3>(first, 0) = D * slip;
  J().block<3, 3>(0, first) = -wrench.transpose();
  J().block<3, 3>(first, first) =
      Eigen::Matrix3d::Identity() - D + support_compliance(wrench, regularization);
  rhs_.segment<3>(first) = -F;
}

inline StepEquations::SlidingSupport StepEquations::sliding_support(
    std::size_t j, const StepUnknowns& x, const StepEvaluation& at) const {
  const double limit = support_limit(j);
  double r = support_mass_[j];
  const double slip = at.slip[j].squaredNorm();
  if (support_spread_ > 1.0 && r * r * slip < limit * limit) {
    // Along a weak axis r u would move nothing.
    r *= support_spread_;
    if (r * r * slip > limit * limit) r = limit / std::sqrt(slip);
  }
  const Vec3 z = x.p_s[j] - r * at.slip[j];
  const double norm = z.norm();
  SlidingSupport sliding;
  if (norm == 0.0) {  // no friction and no slip
    sliding.offset = -x.p_s[j];
    return sliding;
  }
  sliding.direction = z / norm;
  const double k = std::min(limit / norm, tolerances::kMostSlidingShare);
  const double across = 1.0 / (1.0 - k);
  sliding.gain = r * k * across;
  const Vec3 F = x.p_s[j] - limit * sliding.direction;
  const Vec3 F_along = sliding.direction * sliding.direction.dot(F);
  sliding.offset = -F_along - across * (F - F_along);
  return sliding;
}

[[gnu::always_inline]] inline void StepEquations::assemble_contact(std::size_t i, ContactMode mode,
                                                                   const StepUnknowns& x,
                                                                   const StepEvaluation& at,
                                                                   double regularization) {
  const ClosestPoints& closest = at.closest[i];
  const std::size_t side = side_index(pairs_->pair[i].side);
  const bool tracked = slide_[i].tracked;
  const bool is_element = piece_of(i).is_element;
  const Vec2 p_GB = at.q.part_pose.head<2>();
  const ContactMotion motion = is_element ? element_motion(closest, p_GB)
                               : tracked  ? rigid_contact_motion(closest, p_GB)
                                          : contact_motion(closest, p_GB);
  const bool turns = is_element || closest.feature == JawFeature::kVertex;  // edges do not
  if (turns) {
    assemble_stiffness(i, motion, x, closest.normal);
  } else {
    assemble_edge_stiffness(motion, x.p_n[i] * closest.normal + x.p_t[i] * perp(closest.normal),
                            x.p_n[i]);
  }

  const Vec2 t = perp(closest.normal);
  const PoseRow unit(1.0, 1.0, per_length_, 1.0);
  const PoseRow W_n = motion.gap.cwiseProduct(unit);
  const PoseRow W_t(t.x(), t.y(), cross(motion.arm_mm, t) * unit[2], -t.x());
  const int row_n = layout_.normal[i];
  add_to_row(row_n, 1.0, W_n, side);
  const double slip = slides(mode) ? sign_of(mode) * pairs_->mu[i] : 0.0;
  set_column(row_n, -W_n - slip * W_t, side);
  J(row_n, row_n) = regularization * contact_softness_;
  rhs_[row_n] = -gap_mm(i, at) * per_gap_;

  const int row_t = layout_.tangential[i];
  if (row_t >= 0) {
    // The slip t . (v + omega perp(r)) changes by -v_n d(angle of n) + omega (r x n) d theta too.
    const double omega = x.nu[2];
    const std::size_t jaw = index(data_->jaws.column[side]);
    const double v_n = motion.gap.head<3>().dot(x.nu.head<3>()) +
                       motion.gap[3] * data_->jaws.sign[side] * x.nu[static_cast<int>(jaw)];
    add_to_row(row_t, 1.0, W_t, side);
    if (turns) add_to_row(row_t, -data_->h * v_n, motion.turn.cwiseProduct(unit), side);
    J(row_t, 2) += data_->h * omega * motion.gap[2] * unit[2];
    if (slides_by(pairs_->pair[i].side)) [[unlikely]]
      assemble_passing(row_t, gripper_motion(x.mount), closest, motion);
    set_column(row_t, -W_t, side);
    J(row_t, row_t) = regularization * contact_softness_;
    rhs_[row_t] = -at.v_t[i] * per_velocity_;
  }
  if (tracked) assemble_slide(i, x, at);
  if (pairs_->any_soft) [[unlikely]]
    assemble_pad(i, at);
}

/// How a pad gives way: delta by p_n and theta, its moment by both, and the slip by p_t.
[[gnu::cold, gnu::noinline]] void StepEquations::assemble_pad(std::size_t i,
                                                              const StepEvaluation& at) {
  const PadContact& pad = pairs_->pad[i];
  if (!pad.is_soft) return;
  const int row_n = layout_.normal[i];
  const int row_t = layout_.tangential[i];
  const PadDeflection& delta = at.deflection[i];
  J(row_n, row_n) += delta.per_impulse * data_->impulse_scale * per_gap_;
  J(row_n, 2) += delta.per_rad * per_length_;
  const double force_s = data_->force_s * per_length_;
  J(2, row_n) -= force_s * delta.moment_per_mm * delta.per_impulse;
  J(2, 2) -= force_s * (delta.moment_per_rad + delta.moment_per_mm * delta.per_rad) * data_->h *
             data_->velocity_scale * per_length_ * per_impulse_;
  if (row_t < 0) return;
  J(row_t, row_t) += pad.shear_per_impulse * pad.per_motion * data_->impulse_scale * per_velocity_;
}

/// What the slip on an obstacle that slides by has besides: t . (V + Omega perp(x)) at the contact
/// point x changes by -n . (V + Omega perp(x)) d(angle of n) and by Omega n . dx.
[[gnu::cold, gnu::noinline]] void StepEquations::assemble_passing(int row,
                                                                  const GripperTwist& twist,
                                                                  const ClosestPoints& closest,
                                                                  const ContactMotion& motion) {
  const double v_n = closest.normal.dot(twist.at(closest.on_piece_mm).head<2>());
  const PoseRow change = twist.turn_rad_s * motion.gap - v_n * motion.turn;
  for (int k = 0; k < 3; ++k) J(row, k) += data_->h * change[k] * (k == 2 ? per_length_ : 1.0);
}

/// Geometric stiffness: the impulse P = n p_n + t p_t turns with the normal, dP = perp(P) turn, and
/// its moment about B changes by dr x P + r x dP = (r . P)(turn - e_theta) + p_n slide.
[[gnu::always_inline]] inline void StepEquations::assemble_stiffness(std::size_t i,
                                                                     const ContactMotion& motion,
                                                                     const StepUnknowns& x,
                                                                     const Vec2& normal) {
  const std::size_t side = side_index(pairs_->pair[i].side);
  const Vec2 impulse = normal * x.p_n[i] + perp(normal) * x.p_t[i];
  const Vec2 turned = perp(impulse);
  const double scale = data_->h * data_->velocity_scale * per_impulse_;
  const PoseRow unit(scale, scale, scale * per_length_, scale);
  const double r_P = motion.arm_mm.dot(impulse);
  PoseRow moment = r_P * motion.turn + x.p_n[i] * motion.slide;
  moment[2] -= r_P;
  const PoseRow turn = motion.turn.cwiseProduct(unit);
  add_to_row(0, -turned.x(), turn, side);
  add_to_row(1, -turned.y(), turn, side);
  add_to_row(2, -per_length_, moment.cwiseProduct(unit), side);
  add_to_row(data_->jaws.column[side], data_->jaws.sign[side] * turned.x(), turn, side);
}

/// The same at a jaw's edge: the normal does not turn, and the point slides with the part's angle
/// only.
[[gnu::always_inline]] inline void StepEquations::assemble_edge_stiffness(
    const ContactMotion& motion, const Vec2& impulse, double p_n) {
  const double scale = data_->h * data_->velocity_scale * per_impulse_;
  const double moment = p_n * motion.slide[2] - motion.arm_mm.dot(impulse);
  J(2, 2) += -per_length_ * (moment * (scale * per_length_));
}

/// A tracked contact point slides by ds along the piece until the piece's normal N is aligned with
/// the edge, (u . N)(d theta + kappa ds) = -u x N with u = -n: that is one more unknown, or ds is
/// put into the other equations.
[[gnu::always_inline]] inline void StepEquations::assemble_slide(std::size_t i,
                                                                 const StepUnknowns& x,
                                                                 const StepEvaluation& at) {
  const ClosestPoints& closest = at.closest[i];
  const Vec2& n = closest.normal;
  const Vec2 tangent = at.q.R_GB * (piece_of(i).R_BA * perp(closest.boundary.normal));
  const Vec2 impulse = n * x.p_n[i] + perp(n) * x.p_t[i];
  const double unit = data_->h * data_->velocity_scale;  // of ds
  Slide& slide = slide_[i];
  const double cosine = n.dot(perp(tangent));
  const double curvature = slide.alignment.curvature_per_mm * data_->length_scale;
  const double excess = slide.alignment.excess * data_->length_scale / unit;
  const int column = layout_.slide[i];
  if (column >= 0) {
    J(column, 2) = cosine;
    J(column, column) = cosine * curvature;
    rhs_[column] = -excess;
  } else {
    slide.per_turn = -1.0 / curvature;
    slide.offset = excess / cosine * slide.per_turn;
  }
  const auto add = [&](int row, double derivative) {
    if (column >= 0) {
      J(row, column) = derivative;
    } else {
      J(row, 2) += derivative * slide.per_turn;
      rhs_[row] -= derivative * slide.offset;
    }
  };
  add(2, -cross(tangent, impulse) * unit / (data_->impulse_scale * data_->length_scale));
  add(layout_.normal[i], n.dot(tangent));
  if (layout_.tangential[i] >= 0) {
    add(layout_.tangential[i], x.nu[2] * cross(tangent, perp(n)) * unit * per_velocity_);
  }
}

/// A root of multiplicity e-1 (a flat spot on an edge) would cost Newton dozens of iterations. So
/// an alignment within kAlignment is left alone, and a larger one is corrected along the secant to
/// the nearest point of the piece that is well within it, which is known in closed form.
inline StepEquations::Alignment StepEquations::align(std::size_t i,
                                                     const StepEvaluation& at) const {
  const ClosestPoints& closest = at.closest[i];
  const double sine = at.misalignment[i];
  Alignment alignment;
  alignment.curvature_per_mm = closest.boundary.curvature_per_mm;
  if (std::abs(sine) > tolerances::kAlignment) {
    // Well within the band, for the errors of the correction; 0 is the multiple root.
    const double aim = std::copysign(0.1 * tolerances::kAlignment, sine);
    const Vec2 u = -closest.normal + aim * perp(-closest.normal);
    const BodyPiece& piece = piece_of(i);
    const Vec2 target =
        support_direction(piece.shape, piece.R_BA.inverse_times(at.q.R_GB.inverse_times(u)));
    const double turn = cross(closest.boundary.direction, target);
    const double slide_mm = turn * closest.boundary.tangent_mm.norm();
    alignment.excess = sine - aim;
    if (slide_mm * alignment.excess < 0.0) {
      alignment.curvature_per_mm = -alignment.excess / slide_mm;
    }
  }
  alignment.curvature_per_mm =
      std::max(alignment.curvature_per_mm, least_curvature / data_->length_scale);
  return alignment;
}

[[gnu::always_inline]] inline void StepEquations::read_direction(const Pattern& pattern,
                                                                 const StepUnknowns& x,
                                                                 const StepEvaluation& at,
                                                                 StepDirection& direction) const {
  const double P = data_->impulse_scale;
  direction.nu = rhs_.head<kMaxVelocities>().cwiseProduct(velocity_unit_);
  if (data_->jaws.velocities < kMaxVelocities) direction.nu[4] = 0.0;
  for (std::size_t i = 0; i < index(pairs_->size); ++i) {
    const ContactMode mode = pattern.contact[i];
    direction.p_n[i] = direction.p_t[i] = direction.slide[i] = 0.0;
    if (mode == ContactMode::kOpen) continue;
    direction.p_n[i] = rhs_[layout_.normal[i]] * P;
    direction.p_t[i] = slides(mode) ? sign_of(mode) * pairs_->mu[i] * direction.p_n[i]
                                    : rhs_[layout_.tangential[i]] * P;
    const Slide& slide = slide_[i];
    if (slide.tracked) {
      const int column = layout_.slide[i];
      const double ds = column >= 0 ? rhs_[column] : slide.offset + slide.per_turn * rhs_[2];
      direction.slide[i] =
          ds * data_->h * data_->velocity_scale / at.closest[i].boundary.tangent_mm.norm();
    }
  }
  Vec3 dv = rhs_.head<3>();
  direction.mount.setZero();
  if (layout_.mount >= 0) [[unlikely]] {
    Vec3 w = rhs_.segment<3>(layout_.mount);
    // Of what is rigid the solution is 0 up to rounding errors.
    if (std::isinf(data_->mount->sideways_n_per_mm)) w.head<2>().setZero();
    if (std::isinf(data_->mount->turning_n_mm)) w[2] = 0.0;
    const Vec2 r = per_length_ * at.q.part_pose.head<2>();
    direction.mount = w.cwiseProduct(velocity_unit_.head<3>());
    dv += Vec3(w[0] - r.y() * w[2], w[1] + r.x() * w[2], w[2]);
  }
  for (int j = 0; j < support.size; ++j) {
    Vec3& dp = direction.p_s[index(j)];
    if (layout_.support[index(j)] >= 0) {
      dp.setZero();
      const int d = support.elements[index(j)].dimension;
      dp.head(d) = rhs_.segment(layout_.support[index(j)], d) * P;
    } else {
      const SlidingSupport& sliding = sliding_[index(j)];
      const Vec3 du =
          (is_ball(index(j)) ? Vec3(scaled_diagonal(index(j)).cwiseProduct(dv))
                             : Vec3(slip_jacobian(index(j), over_table(x, at.q)) * dv)) *
          data_->velocity_scale;
      const Vec3 du_across = du - sliding.direction * sliding.direction.dot(du);
      dp = sliding.offset - sliding.gain * du_across;
    }
  }
}

}  // namespace graspmap
