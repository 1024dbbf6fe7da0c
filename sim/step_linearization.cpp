#include <algorithm>
#include <cmath>

#include "sim/dense_solve.hpp"
#include "sim/step_problem.hpp"
#include "sim/tolerances.hpp"

// The Newton system of a step: the equations of step_problem.cpp, linearised on one branch.

namespace graspmap {

StepProblem::Row StepProblem::generalized(std::size_t i, const Eigen::RowVector4d& row) const {
  const std::size_t side = side_index(pairs[i].side);
  Row out = Row::Zero();
  out.head<3>() = row.head<3>();
  out[data.jaws.column[side]] = data.jaws.sign[side] * row[3];
  return out;
}

StepProblem::ContactRows StepProblem::contact_rows(std::size_t i, const StepUnknowns& x,
                                                   const Evaluation& at) const {
  const ClosestPoints& closest = at.closest[i];
  const Vec2& n = closest.normal;
  const Vec2 t = perp(n);
  const Vec2 p_GB = at.q.part_pose.head<2>();
  const bool tracked = layout_.slide[i] >= 0;
  const ContactMotion motion =
      tracked ? rigid_contact_motion(closest, p_GB) : contact_motion(closest, p_GB);

  ContactRows rows;
  rows.W_n = generalized(i, motion.gap);
  rows.W_t = generalized(i, {t.x(), t.y(), cross(motion.arm_mm, t), -t.x()});
  rows.turn = generalized(i, motion.turn);
  rows.arm_x = generalized(i, motion.arm.row(0));
  rows.arm_y = generalized(i, motion.arm.row(1));
  const double v_n = rows.W_n.dot(x.nu);
  rows.slip_change = -v_n * rows.turn + x.nu[2] * (t.y() * rows.arm_x - t.x() * rows.arm_y);
  rows.tangent = at.q.R_GB * (piece_of(i).R_BA * perp(closest.boundary.normal));
  return rows;
}

void StepProblem::lay_out(const Pattern& pattern, const StepUnknowns& x) {
  int next = data.jaws.velocities;
  for (std::size_t i = 0; i < index(contacts); ++i) {
    const bool open = pattern.contact[i] == ContactMode::kOpen;
    const bool sticks = pattern.contact[i] == ContactMode::kStick;
    layout_.normal[i] = open ? -1 : next++;
    layout_.tangential[i] = sticks ? next++ : -1;
    layout_.slide[i] = !open && is_tracked(piece_of(i), x.point[i]) ? next++ : -1;
  }
  for (int j = 0; j < support.size; ++j) {
    layout_.support[index(j)] = -1;
    if (!pattern.support_sticks[index(j)]) continue;
    layout_.support[index(j)] = next;
    next += support.elements[index(j)].dimension;
  }
  layout_.size = next;
  J_.setZero(next, next);
  rhs_.setZero(next);
}

bool StepProblem::newton_direction(const Pattern& pattern, const StepUnknowns& x,
                                   const Evaluation& at, double regularization, double damping,
                                   StepDirection& direction) {
  lay_out(pattern, x);
  assemble_momentum(at, damping);
  for (int j = 0; j < support.size; ++j) {
    assemble_support_turn(index(j), x);
    if (pattern.support_sticks[index(j)]) {
      assemble_sticking_support(index(j), x, at, regularization);
    } else {
      assemble_slipping_support(index(j), x, at);
    }
  }
  for (std::size_t i = 0; i < index(contacts); ++i) {
    if (pattern.contact[i] != ContactMode::kOpen) {
      assemble_contact(i, pattern.contact[i], x, at, regularization);
    }
  }
  if (!solve_dense(J_.data(), layout_.size, layout_.size, rhs_.data())) return false;
  if (!rhs_.allFinite()) return false;
  read_direction(pattern, x, at, direction);
  return true;
}

void StepProblem::assemble_momentum(const Evaluation& at, double damping) {
  const double scale = 1.0 / (data.velocity_scale * data.impulse_scale);
  for (int k = 0; k < data.jaws.velocities; ++k) {
    const double unit = velocity_unit_[k];
    J_(k, k) = data.inertia[k] * unit * unit * scale * (1.0 + damping);
    rhs_[k] = -at.dynamics[k] * unit * scale;
  }
}

/// The part of B nu and B^T p_s that turns with the part (tripod): d arm = h perp(arm) d omega.
Eigen::Matrix<double, 3, kMaxVelocities> StepProblem::slip_jacobian(std::size_t j,
                                                                    double omega) const {
  const SupportElement& element = support.elements[j];
  Eigen::Matrix<double, 3, kMaxVelocities> B = Eigen::Matrix<double, 3, kMaxVelocities>::Zero();
  B.leftCols<3>() = element.slip_map;
  B.col(2).head<2>() -= data.h * omega * element.arm_G_mm;
  return B * velocity_unit_.asDiagonal() / data.velocity_scale;
}

void StepProblem::assemble_support_turn(std::size_t j, const StepUnknowns& x) {
  const double unit = velocity_unit_[2];
  J_(2, 2) += data.h * support.elements[j].arm_G_mm.dot(x.p_s[j].head<2>()) * unit * unit /
              (data.velocity_scale * data.impulse_scale);
}

void StepProblem::assemble_sticking_support(std::size_t j, const StepUnknowns& x,
                                            const Evaluation& at, double regularization) {
  const int nv = data.jaws.velocities;
  const auto slip = slip_jacobian(j, x.nu[2]);
  const auto wrench = slip_jacobian(j, 0.0);
  for (int k = 0; k < support.elements[j].dimension; ++k) {
    const int row = layout_.support[j] + k;
    J_.row(row).head(nv) = slip.row(k).head(nv);
    J_.col(row).head(nv) = -wrench.row(k).head(nv).transpose();
    J_(row, row) = regularization;
    rhs_[row] = -at.slip[j][k] / data.velocity_scale;
  }
}

/// The sliding branch F = p_s - L z/|z|, z = p_s - r u, with p_s eliminated: with k = L/|z| < 1 and
/// the projector Q = I - z z^T/|z|^2,  dp_s = -r k/(1-k) Q du - (I - Q + Q/(1-k)) F.
void StepProblem::assemble_slipping_support(std::size_t j, const StepUnknowns& x,
                                            const Evaluation& at) {
  const int nv = data.jaws.velocities;
  const SlidingSupport& sliding = sliding_[j] = sliding_support(j, x, at);
  const auto slip = slip_jacobian(j, x.nu[2]);
  const auto wrench = slip_jacobian(j, 0.0);
  const double V_over_P = data.velocity_scale / data.impulse_scale;
  J_.topLeftCorner(nv, nv) +=
      (wrench.transpose() * (V_over_P * sliding.gain) * slip).topLeftCorner(nv, nv);
  rhs_.head(nv) += (wrench.transpose() * (sliding.offset / data.impulse_scale)).head(nv);
}

StepProblem::SlidingSupport StepProblem::sliding_support(std::size_t j, const StepUnknowns& x,
                                                         const Evaluation& at) const {
  const double r = data.inertia[0];
  const double limit = data.support_impulse_limit * support.elements[j].share;
  const Vec3 z = x.p_s[j] - r * at.slip[j];
  const double norm = z.norm();
  SlidingSupport sliding;
  if (norm == 0.0) {  // no friction and no slip
    sliding.offset = -x.p_s[j];
    return sliding;
  }
  const Vec3 direction = z / norm;
  const double k = std::min(limit / norm, 1.0 - 1e-6);
  const Eigen::Matrix3d along = direction * direction.transpose();
  const Eigen::Matrix3d Q = Eigen::Matrix3d::Identity() - along;
  sliding.gain = r * k / (1.0 - k) * Q;
  sliding.offset = -(along + Q / (1.0 - k)) * (x.p_s[j] - limit * direction);
  return sliding;
}

void StepProblem::assemble_contact(std::size_t i, ContactMode mode, const StepUnknowns& x,
                                   const Evaluation& at, double regularization) {
  const int nv = data.jaws.velocities;
  const double V = data.velocity_scale;
  const ContactRows rows = contact_rows(i, x, at);
  const Vec2& n = at.closest[i].normal;
  const Vec2 impulse = n * x.p_n[i] + perp(n) * x.p_t[i];

  // Geometric stiffness: the impulse turns with the normal and its arm moves.
  const Row unit = velocity_unit_.transpose();
  const Vec2 turned = perp(impulse);
  const Vec2 r = at.closest[i].on_piece_mm - at.q.part_pose.head<2>();
  const double scale = data.h / (V * data.impulse_scale);
  const Row turn = rows.turn.cwiseProduct(unit) * scale;
  const Row moment =
      (impulse.y() * rows.arm_x - impulse.x() * rows.arm_y).cwiseProduct(unit) * scale +
      cross(r, turned) * turn;
  const std::size_t side = side_index(pairs[i].side);
  const int jaw = data.jaws.column[side];
  J_.row(0).head(nv) -= unit[0] * turned.x() * turn.head(nv);
  J_.row(1).head(nv) -= unit[1] * turned.y() * turn.head(nv);
  J_.row(2).head(nv) -= unit[2] * moment.head(nv);
  J_.row(jaw).head(nv) += unit[jaw] * data.jaws.sign[side] * turned.x() * turn.head(nv);

  const Row W_n = rows.W_n.cwiseProduct(unit) / V;
  const Row W_t = rows.W_t.cwiseProduct(unit) / V;
  const int row_n = layout_.normal[i];
  J_.row(row_n).head(nv) = W_n.head(nv);
  J_.col(row_n).head(nv) = -W_n.head(nv).transpose();
  if (slides(mode)) {
    J_.col(row_n).head(nv) -= sign_of(mode) * data.mu_jaw * W_t.head(nv).transpose();
  }
  J_(row_n, row_n) = regularization;
  rhs_[row_n] = -at.closest[i].psi_mm / (data.h * V);

  const int row_t = layout_.tangential[i];
  if (row_t >= 0) {
    J_.row(row_t).head(nv) =
        W_t.head(nv) + data.h * rows.slip_change.cwiseProduct(unit).head(nv) / V;
    J_.col(row_t).head(nv) = -W_t.head(nv).transpose();
    J_(row_t, row_t) = regularization;
    rhs_[row_t] = -at.v_t[i] / V;
  }
  if (layout_.slide[i] >= 0) assemble_slide(i, rows, impulse, x.nu[2], at);
}

/// The tracked contact point as one more unknown: it slides by ds along the piece until the piece's
/// normal N is aligned with the edge, (u . N)(d theta + kappa ds) = -u x N with u = -n.
void StepProblem::assemble_slide(std::size_t i, const ContactRows& rows, const Vec2& impulse,
                                 double omega, const Evaluation& at) {
  const ClosestPoints& closest = at.closest[i];
  const int column = layout_.slide[i];
  const double unit = data.h * data.velocity_scale;  // of ds
  J_(2, column) = -cross(rows.tangent, impulse) * unit / (data.impulse_scale * data.length_scale);
  J_(layout_.normal[i], column) = closest.normal.dot(rows.tangent);
  if (layout_.tangential[i] >= 0) {
    J_(layout_.tangential[i], column) =
        omega * cross(rows.tangent, perp(closest.normal)) * unit / data.velocity_scale;
  }
  const Alignment alignment = align(i, at);
  const double cosine = closest.normal.dot(perp(rows.tangent));
  J_(column, 2) = cosine;
  J_(column, column) = cosine * alignment.curvature_per_mm * data.length_scale;
  rhs_[column] = -alignment.excess * data.length_scale / unit;
}

/// A root of multiplicity e-1 (a flat spot on an edge) would cost Newton dozens of iterations. So
/// an alignment within kAlignment is left alone, and a larger one is corrected along the secant to
/// the nearest point of the piece that is well within it, which is known in closed form.
StepProblem::Alignment StepProblem::align(std::size_t i, const Evaluation& at) const {
  const ClosestPoints& closest = at.closest[i];
  const double sine = at.misalignment[i];
  Alignment alignment;
  alignment.curvature_per_mm = closest.boundary.curvature_per_mm;
  if (std::abs(sine) > tolerances::kAlignment) {
    const double aim = std::copysign(0.1 * tolerances::kAlignment, sine);
    const Vec2 u = -closest.normal + aim * perp(-closest.normal);
    const BodyPiece& piece = piece_of(i);
    const Vec2 target =
        support_boundary_point(piece.shape, piece.R_BA.inverse_times(at.q.R_GB.inverse_times(u)))
            .direction;
    const double turn = cross(closest.boundary.direction, target);
    const double slide_mm = turn * closest.boundary.tangent_mm.norm();
    alignment.excess = sine - aim;
    if (slide_mm * alignment.excess < 0.0) {
      alignment.curvature_per_mm = -alignment.excess / slide_mm;
    }
  }
  alignment.curvature_per_mm =
      std::max(alignment.curvature_per_mm, least_curvature / data.length_scale);
  return alignment;
}

void StepProblem::read_direction(const Pattern& pattern, const StepUnknowns& x,
                                 const Evaluation& at, StepDirection& direction) const {
  const double P = data.impulse_scale;
  direction.nu.setZero();
  direction.nu.head(data.jaws.velocities) =
      rhs_.head(data.jaws.velocities).cwiseProduct(velocity_unit_.head(data.jaws.velocities));
  for (std::size_t i = 0; i < index(contacts); ++i) {
    const ContactMode mode = pattern.contact[i];
    direction.p_n[i] = layout_.normal[i] >= 0 ? rhs_[layout_.normal[i]] * P : 0.0;
    direction.p_t[i] = layout_.tangential[i] >= 0 ? rhs_[layout_.tangential[i]] * P
                       : slides(mode)             ? sign_of(mode) * data.mu_jaw * direction.p_n[i]
                                                  : 0.0;
    direction.slide[i] = 0.0;
    if (layout_.slide[i] >= 0) {
      const double ds = rhs_[layout_.slide[i]] * data.h * data.velocity_scale;
      direction.slide[i] = ds / at.closest[i].boundary.tangent_mm.norm();
    }
  }
  for (int j = 0; j < support.size; ++j) {
    Vec3& dp = direction.p_s[index(j)];
    if (pattern.support_sticks[index(j)]) {
      dp.setZero();
      const int d = support.elements[index(j)].dimension;
      dp.head(d) = rhs_.segment(layout_.support[index(j)], d) * P;
    } else {
      const SlidingSupport& sliding = sliding_[index(j)];
      const Vec3 du = slip_jacobian(index(j), x.nu[2]) *
                      direction.nu.cwiseQuotient(velocity_unit_) * data.velocity_scale;
      dp = sliding.offset - sliding.gain * du;
    }
  }
}

}  // namespace graspmap
