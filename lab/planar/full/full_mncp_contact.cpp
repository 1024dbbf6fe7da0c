#include "lab/planar/full/full_mncp_contact.hpp"

#include <algorithm>
#include <cmath>

#include "lab/scene_model/contact_laws.hpp"

namespace graspmap {
namespace {

/// 1 / |grad f| at the end of the shorter semi-axis; half-planes and rounded corners have 1.
double boundary_scale(const ConvexFunction& function) {
  const auto* placed = std::get_if<PlacedSuperellipse>(&function);
  if (placed == nullptr) return 1.0;
  return std::min(placed->shape.a_mm, placed->shape.b_mm) / placed->shape.exponent;
}

Vec2 local(const BodyFrame& frame, const Vec2& x_G_mm) {
  return frame.R.inverse_times(x_G_mm - frame.origin_mm);
}

}  // namespace

double value_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm) {
  return function.scale * value(function.function, local(frame, x_G_mm));
}

FunctionJet jet_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm) {
  const Vec2 x = local(frame, x_G_mm);
  Mat2 R;
  R << frame.R.c, -frame.R.s, frame.R.s, frame.R.c;
  FunctionJet jet;
  jet.value_mm = function.scale * value(function.function, x);
  jet.gradient = function.scale * (R * gradient(function.function, x));
  jet.hessian = function.scale * (R * hessian(function.function, x) * R.transpose());
  return jet;
}

std::vector<PieceFunction> piece_functions(const PlacedShape& placed) {
  std::vector<PieceFunction> functions;
  for (const ConvexFunction& function : region_at(placed.shape, placed.pose).functions) {
    functions.push_back({function, boundary_scale(function)});
  }
  return functions;
}

namespace {

using Scalar = Eigen::Matrix<double, 1, 1>;

// Columns of a ContactRow.
constexpr int kA1 = 0;
constexpr int kA2 = 2;
constexpr int kPoseF = 4;
constexpr int kPoseG = 7;
constexpr int kVelocityF = 10;
constexpr int kVelocityG = 13;

using TwoRows = Eigen::Matrix<double, 2, 16>;

bool is_distance(const PieceFunction& function) {
  return std::holds_alternative<HalfPlane>(function.function);
}

int count(const ContactSide& side) { return static_cast<int>(side.chosen.size()); }

double multiplier(const FullContact& contact, const Eigen::VectorXd& x, std::size_t i) {
  return x[contact.at.l_F + static_cast<int>(i)];
}

/// g(a2 + delta u), u = grad g / |grad g| at a2, eq. (35), and its derivatives.
void evaluate_core(const FullContact& contact, const BodyFrame& G, double delta_mm,
                   ContactEvaluation& at) {
  const FunctionJet& g = at.g[contact.k2];
  const double steepness = g.gradient.norm();
  const Vec2 u = g.gradient / steepness;
  const FunctionJet beyond = jet_at(contact.G.function(contact.k2), G, at.a2 + delta_mm * u);
  const Mat2 turn = (Mat2::Identity() - u * u.transpose()) * g.hessian / steepness;
  at.core_value_mm = beyond.value_mm;
  at.core_gradient = beyond.gradient + delta_mm * (turn.transpose() * beyond.gradient);
  at.core_slope = beyond.gradient.dot(u);
}

/// The deflections of `layers` under the contact's impulses, and how they shift the surfaces. The
/// impulse acts where the surfaces touch, at a1 - pressed n; `turns` is omega_G - omega_F.
void evaluate_layers(const FullContact& contact, double turns, const Eigen::VectorXd& x,
                     ContactEvaluation& at) {
  const SoftContactStep& series = contact.series;
  const Vec3 P(at.p_n, at.p_t, 0.0);
  for (std::size_t i = 0; i < 2; ++i) {
    if (!series.layers[i].exists) continue;
    const Vec3& before = contact.start_layers_mm[i];
    at.deflections[i] = series.layers[i].deflection(P, x[contact.at.p_core[i]], before);
    at.v_t += (at.deflections[i][1] - before[1]) / series.h;
  }
  at.pressed_mm = at.deflections[contact.layer_of_F()][0];
  at.v_t -= at.pressed_mm * turns;
}

/// (33), (36) and the second row of (37), solved for the deflections.
void layers_rows(const FullContact& contact, const ContactEvaluation& at, const Eigen::VectorXd& x,
                 Eigen::VectorXd& rows) {
  const FullContact::Layout& of = contact.at;
  rows[of.delta_bar] = x[of.delta_n];
  for (std::size_t i = 0; i < 2; ++i) {
    const LayerStep& layer = contact.series.layers[i];
    if (!layer.exists) continue;
    rows[of.delta_bar] -= at.deflections[i][0];
    rows[of.p_core[i]] = layer.max_mm - at.deflections[i][0];
  }
}

/// d f(a) for a function that moves with a body, where a stands at `point` and the body's pose at
/// `pose` in the row; r = a - p.
ContactRow value_row(const Vec2& gradient, const Vec2& r, int point, int pose) {
  ContactRow row = ContactRow::Zero();
  row.segment<2>(point) = gradient.transpose();
  row.segment<2>(pose) = -gradient.transpose();
  row[pose + 2] = -gradient.dot(perp(r));
  return row;
}

/// d of a sum of gradients `sum` with Hessian `H` of functions that move with a body.
TwoRows gradient_rows(const Vec2& sum, const Mat2& H, const Mat2& H_point, const Vec2& r, int point,
                      int pose) {
  TwoRows rows = TwoRows::Zero();
  rows.middleCols<2>(point) = H_point;
  rows.middleCols<2>(pose) = -H;
  rows.col(pose + 2) = perp(sum) - H * perp(r);
  return rows;
}

/// H with at least `least` |sum| along the boundary.
Mat2 curved(const Mat2& H, const Vec2& sum, double least_per_mm) {
  const double steepness = sum.norm();
  if (steepness == 0.0) return H;
  const Vec2 t = perp(sum) / steepness;
  const double lacks = least_per_mm * steepness - t.dot(H * t);
  return lacks > 0.0 ? Mat2(H + lacks * t * t.transpose()) : H;
}

/// The derivatives of a contact, row after row.
class Differentiator {
 public:
  Differentiator(const FullContact& contact, const ContactEvaluation& at, const BodyMotion& F,
                 const BodyMotion& G, double h, const Eigen::VectorXd& x, ContactJacobianSink& sink)
      : contact_(contact), at_(at), F_(F), G_(G), h_(h), x_(x), sink_(sink) {}

  void run(double least_curvature_per_mm) {
    differentiate_normals(least_curvature_per_mm);
    closest_point_rows();
    function_rows();
    if (contact_.soft) layer_rows();
    wrench_rows();
    if (contact_.has_friction()) friction_rows();
    if (is_soft(contact_.layers)) series_rows();
  }

 private:
  void differentiate_normals(double least_per_mm) {
    Mat2 H_F = at_.f[contact_.k1].hessian;
    for (std::size_t i = 0; i < at_.f.size(); ++i) {
      if (i != contact_.k1) H_F += multiplier(contact_, x_, i) * at_.f[i].hessian;
    }
    Mat2 H_G = Mat2::Zero();
    for (std::size_t j = 0; j < at_.g.size(); ++j) {
      H_G += x_[contact_.at.l_G + static_cast<int>(j)] * at_.g[j].hessian;
    }
    dy_ = gradient_rows(at_.y, H_F, curved(H_F, at_.y, least_per_mm), at_.r1, kA1, kPoseF);
    dw_ = gradient_rows(at_.w, H_G, curved(H_G, at_.w, least_per_mm), at_.r2, kA2, kPoseG);
    dphi_ = at_.t.transpose() * dy_ / at_.y.norm();
  }

  /// d phi / d l_i for i != k1.
  [[nodiscard]] double turn_by(std::size_t i) const {
    return at_.t.dot(at_.f[i].gradient) / at_.y.norm();
  }

  void closest_point_rows() {
    TwoRows apart = at_.l_k1 * dy_;  // (28)
    apart.middleCols<2>(kA1) += Mat2::Identity();
    apart.middleCols<2>(kA2) -= Mat2::Identity();
    const TwoRows normals = dy_ + dw_;  // (29)
    for (int axis = 0; axis < 2; ++axis) {
      sink_.row(contact_.at.a1 + axis, apart.row(axis));
      sink_.row(contact_.at.a2 + axis, normals.row(axis));
      for (std::size_t i = 0; i < at_.f.size(); ++i) {
        const int column = contact_.at.l_F + static_cast<int>(i);
        const double slope = at_.f[i].gradient[axis];
        if (i == contact_.k1) {
          sink_.entry(contact_.at.a1 + axis, column, at_.y[axis]);
        } else {
          sink_.entry(contact_.at.a1 + axis, column, at_.l_k1 * slope);
          sink_.entry(contact_.at.a2 + axis, column, slope);
        }
      }
      for (std::size_t j = 0; j < at_.g.size(); ++j) {
        sink_.entry(contact_.at.a2 + axis, contact_.at.l_G + static_cast<int>(j),
                    at_.g[j].gradient[axis]);
      }
    }
  }

  void function_rows() {
    for (std::size_t i = 0; i < at_.f.size(); ++i) {  // (30)
      sink_.row(contact_.at.l_F + static_cast<int>(i),
                -value_row(at_.f[i].gradient, at_.r1, kA1, kPoseF));
    }
    for (std::size_t j = 0; j < at_.g.size(); ++j) {  // (31)
      const int row = contact_.at.l_G + static_cast<int>(j);
      sink_.row(row, -value_row(at_.g[j].gradient, at_.r2, kA2, kPoseG));
      if (contact_.is_soft()) sink_.entry(row, contact_.at.delta_bar, -1.0);
    }
    const Vec2 r = at_.a2 - F_.frame.origin_mm;  // (32)
    sink_.row(contact_.at.p_n, value_row(at_.f_at_a2.gradient, r, kA2, kPoseF));
  }

  void layer_rows() {
    const SoftLayer& layer = *contact_.soft;
    const FullContact::Layout& of = contact_.at;
    sink_.entry(of.delta_bar, of.p_n, 1.0);
    sink_.entry(of.delta_bar, of.delta_n,
                -(h_ * layer.stiffness_mn_per_mm + layer.damping_mn_s_per_mm));
    sink_.entry(of.p_nr, of.delta_n, -1.0);
    deflection_row();
  }

  void deflection_row() {  // (35)
    const FullContact::Layout& of = contact_.at;
    if (of.delta_n == of.delta_bar) return;
    sink_.row(of.delta_n, value_row(at_.core_gradient, at_.r2, kA2, kPoseG));
    sink_.entry(of.delta_n, of.delta_n, at_.core_slope);
  }

  /// The rows of `layers`, and what they change of friction and wrenches.
  void series_rows() {
    const FullContact::Layout& of = contact_.at;
    sink_.entry(of.delta_bar, of.delta_n, 1.0);
    deflection_row();
    const double share = contact_.has_friction() ? contact_.mu * x_[of.s] : 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
      const LayerStep& layer = contact_.series.layers[i];
      if (!layer.exists) continue;
      deflects(i, of.p_n, layer.Y * Vec3(1.0, share, 0.0));
      if (contact_.has_friction()) {
        deflects(i, of.s, layer.Y * Vec3(0.0, contact_.mu * at_.p_n, 0.0));
      }
      deflects(i, of.p_core[i], -layer.Y.col(0));
    }
    if (!contact_.has_friction()) return;
    torque_entries(of.p_n, at_.pressed_mm * share);
    torque_entries(of.s, at_.pressed_mm * contact_.mu * at_.p_n);
    ContactRow turns = ContactRow::Zero();
    turns[kVelocityF + 2] = at_.pressed_mm;
    turns[kVelocityG + 2] = -at_.pressed_mm;
    sink_.row(of.s, turns);
  }

  /// Layer i deflects by `by` for more of the unknown `column`.
  void deflects(std::size_t i, int column, const Vec3& by) {
    const FullContact::Layout& of = contact_.at;
    sink_.entry(of.delta_bar, column, -by[0]);
    sink_.entry(of.p_core[i], column, -by[0]);
    if (!contact_.has_friction()) return;
    sink_.entry(of.s, column, by[1] / contact_.series.h);
    if (i != contact_.layer_of_F()) return;
    sink_.entry(of.s, column, -by[0] * (G_.velocity[2] - F_.velocity[2]));
    torque_entries(column, by[0] * at_.p_t);
  }

  void torque_entries(int column, double derivative) {
    sink_.wrench_entry(0, 2, column, derivative);
    sink_.wrench_entry(1, 2, column, -derivative);
  }

  void wrench_rows() {
    const Vec2 impulse = at_.p_n * at_.n + at_.p_t * at_.t;
    const Vec2 turned = at_.p_n * at_.t - at_.p_t * at_.n;  // d impulse / d phi
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1.0 : 1.0;
      const Vec2& r = side == 0 ? at_.r1 : at_.r2;
      const Vec3 by_phi = sign * Vec3(turned.x(), turned.y(), cross(r, turned));
      for (int axis = 0; axis < 3; ++axis) {
        ContactRow row = by_phi[axis] * dphi_;
        if (axis == 2) {  // d r x impulse
          const Eigen::RowVector2d lever = sign * Eigen::RowVector2d(impulse.y(), -impulse.x());
          row.segment<2>(side == 0 ? kA1 : kA2) += lever;
          row.segment<2>(side == 0 ? kPoseF : kPoseG) -= lever;
        }
        sink_.wrench_row(side, axis, row);
        for (std::size_t i = 0; i < at_.f.size(); ++i) {
          if (i == contact_.k1) continue;
          sink_.wrench_entry(side, axis, contact_.at.l_F + static_cast<int>(i),
                             by_phi[axis] * turn_by(i));
        }
      }
      wrench_by_impulses(side, sign, r);
    }
  }

  void wrench_by_impulses(int side, double sign, const Vec2& r) {
    const FullContact::Layout& of = contact_.at;
    const bool friction = contact_.has_friction();
    const Vec2 d = friction ? Vec2(at_.n + contact_.mu * x_[of.s] * at_.t) : at_.n;
    const Vec3 by_p_n = sign * Vec3(d.x(), d.y(), cross(r, d));
    const Vec3 by_s = sign * contact_.mu * at_.p_n * Vec3(at_.t.x(), at_.t.y(), cross(r, at_.t));
    for (int axis = 0; axis < 3; ++axis) {
      sink_.wrench_entry(side, axis, of.p_n, by_p_n[axis]);
      if (contact_.soft) sink_.wrench_entry(side, axis, of.p_nr, by_p_n[axis]);
      if (friction) sink_.wrench_entry(side, axis, of.s, by_s[axis]);
    }
  }

  void friction_rows() {
    const FullContact::Layout& of = contact_.at;
    const double turn = -at_.n.dot(at_.slip);  // d (t . slip) / d phi
    ContactRow row = turn * dphi_;
    const double omega_F = F_.velocity[2];
    const double omega_G = G_.velocity[2];
    // t . (omega perp(dr)) = -omega n . perp(perp ...): t . perp(v) = -perp(t) . v = n . v
    const Eigen::RowVector2d n = at_.n.transpose();
    row.segment<2>(kA1) -= omega_F * n;
    row.segment<2>(kPoseF) += omega_F * n;
    row.segment<2>(kA2) += omega_G * n;
    row.segment<2>(kPoseG) -= omega_G * n;
    row.segment<2>(kVelocityF) -= at_.t.transpose();
    row[kVelocityF + 2] -= cross(at_.r1, at_.t);
    row.segment<2>(kVelocityG) += at_.t.transpose();
    row[kVelocityG + 2] += cross(at_.r2, at_.t);
    sink_.row(of.s, row);
    for (std::size_t i = 0; i < at_.f.size(); ++i) {
      if (i == contact_.k1) continue;
      sink_.entry(of.s, of.l_F + static_cast<int>(i), turn * turn_by(i));
    }
    sink_.entry(of.s, of.s, x_[of.sigma]);
    sink_.entry(of.s, of.sigma, x_[of.s]);
    sink_.entry(of.sigma, of.s, -2.0 * x_[of.s]);
  }

  const FullContact& contact_;
  const ContactEvaluation& at_;
  const BodyMotion& F_;
  const BodyMotion& G_;
  double h_;
  const Eigen::VectorXd& x_;
  ContactJacobianSink& sink_;
  TwoRows dy_;
  TwoRows dw_;
  ContactRow dphi_;
};

}  // namespace

int lay_out(FullContact& contact, int first) {
  FullContact::Layout& at = contact.at;
  int next = first;
  at = {};
  at.a1 = next;
  at.a2 = at.a1 + 2;
  next = at.a2 + 2;
  const bool friction = contact.mu > 0.0;
  if (friction) at.s = next++;
  if (contact.is_soft()) {
    at.delta_bar = next++;
    at.delta_n = is_distance(contact.G.function(contact.k2)) ? at.delta_bar : next++;
  }
  at.l_F = next;
  at.l_G = at.l_F + count(contact.F);
  at.p_n = at.l_G + count(contact.G);
  next = at.p_n + 1;
  if (contact.soft) at.p_nr = next++;
  for (std::size_t i = 0; i < 2; ++i) {
    if (contact.layers[i]) at.p_core[i] = next++;
  }
  if (friction) at.sigma = next++;
  return next;
}

void evaluate_contact(const FullContact& contact, const BodyMotion& F, const BodyMotion& G,
                      const Eigen::VectorXd& x, ContactEvaluation& at) {
  const FullContact::Layout& of = contact.at;
  at.a1 = x.segment<2>(of.a1);
  at.a2 = x.segment<2>(of.a2);
  at.f.resize(contact.F.chosen.size());
  at.g.resize(contact.G.chosen.size());
  at.y.setZero();
  at.w.setZero();
  for (std::size_t i = 0; i < at.f.size(); ++i) {
    at.f[i] = jet_at(contact.F.function(i), F.frame, at.a1);
    at.y += (i == contact.k1 ? 1.0 : multiplier(contact, x, i)) * at.f[i].gradient;
  }
  for (std::size_t j = 0; j < at.g.size(); ++j) {
    at.g[j] = jet_at(contact.G.function(j), G.frame, at.a2);
    at.w += x[of.l_G + static_cast<int>(j)] * at.g[j].gradient;
  }
  at.f_at_a2 = jet_at(contact.F.function(contact.k1), F.frame, at.a2);
  at.l_k1 = multiplier(contact, x, contact.k1);
  at.n = at.y / at.y.norm();
  at.t = perp(at.n);
  at.r1 = at.a1 - F.frame.origin_mm;
  at.r2 = at.a2 - G.frame.origin_mm;
  at.slip = G.velocity.head<2>() + G.velocity[2] * perp(at.r2) - F.velocity.head<2>() -
            F.velocity[2] * perp(at.r1);
  at.p_n = contact.normal_impulse(x);
  at.p_t = contact.has_friction() ? contact.mu * at.p_n * x[of.s] : 0.0;
  if (contact.is_soft()) evaluate_core(contact, G.frame, x[of.delta_n], at);
  at.v_t = at.t.dot(at.slip);
  at.pressed_mm = 0.0;
  if (is_soft(contact.layers)) evaluate_layers(contact, G.velocity[2] - F.velocity[2], x, at);
}

void contact_rows(const FullContact& contact, const ContactEvaluation& at, double h,
                  const Eigen::VectorXd& x, Eigen::VectorXd& rows, Vec3& wrench_F, Vec3& wrench_G) {
  const FullContact::Layout& of = contact.at;
  rows.segment<2>(of.a1) = at.a1 - at.a2 + at.l_k1 * at.y;  // (28)
  rows.segment<2>(of.a2) = at.y + at.w;                     // (29)
  const double delta_bar = contact.sunk_mm(x);
  for (std::size_t i = 0; i < at.f.size(); ++i) {  // (30)
    rows[of.l_F + static_cast<int>(i)] = -at.f[i].value_mm;
  }
  for (std::size_t j = 0; j < at.g.size(); ++j) {  // (31), (40)
    rows[of.l_G + static_cast<int>(j)] = -(at.g[j].value_mm + delta_bar);
  }
  rows[of.p_n] = at.f_at_a2.value_mm;  // (32), (36)
  if (contact.is_soft() && of.delta_n != of.delta_bar) rows[of.delta_n] = at.core_value_mm;  // (35)
  if (is_soft(contact.layers)) layers_rows(contact, at, x, rows);
  if (contact.soft) {
    const SoftLayer& layer = *contact.soft;
    const double delta = x[of.delta_n];
    rows[of.delta_bar] =  // second row of (37)
        x[of.p_n] - (h * layer.stiffness_mn_per_mm * delta +
                     layer.damping_mn_s_per_mm * (delta - contact.start_deflection_mm));
    rows[of.p_nr] = layer.max_deflection_mm - delta;  // (36)
  }
  if (contact.has_friction()) {  // (7)
    const auto friction =
        maximum_dissipation<double, 1>(Scalar(at.v_t), Scalar(x[of.s]), x[of.sigma]);
    rows[of.s] = friction.slip[0];
    rows[of.sigma] = friction.cone;
  }
  const Vec2 impulse = at.p_n * at.n + at.p_t * at.t;
  wrench_G = {impulse.x(), impulse.y(), cross(at.r2, impulse)};
  wrench_F = {-impulse.x(), -impulse.y(), -cross(at.r1, impulse)};
  wrench_G[2] -= at.pressed_mm * at.p_t;  // zero without `layers`
  wrench_F[2] += at.pressed_mm * at.p_t;
}

void contact_jacobian(const FullContact& contact, const ContactEvaluation& at, const BodyMotion& F,
                      const BodyMotion& G, double h, double least_curvature_per_mm,
                      const Eigen::VectorXd& x, ContactJacobianSink& sink) {
  Differentiator(contact, at, F, G, h, x, sink).run(least_curvature_per_mm);
}

}  // namespace graspmap
