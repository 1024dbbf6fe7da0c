#include "lab/spatial/contact_equations.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <variant>

#include "lab/scene_model/contact_laws.hpp"

namespace graspmap {

namespace {

constexpr double kLeastGapUnit = 1e-4;  // of the length

bool is_half_space(const Solid& solid) { return std::holds_alternative<HalfSpace>(solid); }
bool is_sphere(const Solid& solid) { return std::holds_alternative<Sphere>(solid); }
bool is_ellipsoid(const Solid& solid) { return std::holds_alternative<Ellipsoid>(solid); }

}  // namespace

bool has_unique_closest_points(const Solid& a, const Solid& b) {
  if (is_half_space(a)) return is_sphere(b) || is_ellipsoid(b);
  if (is_half_space(b)) return is_sphere(a) || is_ellipsoid(a);
  return is_sphere(a) && is_sphere(b);
}

SpatialScales spatial_scales(const SpatialScene& scene, const SpatialState& start, double h) {
  SpatialScales scales{0.0, 0.0, 0.0, 0.0};
  double heaviest = 0.0;
  const std::vector<Twist> applied = applied_impulses(scene, start, h);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    const double radius = bounding_radius_mm(body.solid);
    const Vec3 spin_gained =
        inertia_in_world(body, start.poses[i]).inverse() * applied[i].tail<3>();
    const double speed = start.velocities[i].head<3>().norm() +
                         applied[i].head<3>().norm() / body.mass_kg +
                         radius * (start.velocities[i].tail<3>().norm() + spin_gained.norm());
    scales.length_mm = std::max(scales.length_mm, radius);
    scales.velocity_mm_s = std::max(scales.velocity_mm_s, speed);
    heaviest = std::max(heaviest, body.mass_kg);
  }
  if (scales.length_mm == 0.0) scales.length_mm = 1.0;
  if (scales.velocity_mm_s == 0.0) scales.velocity_mm_s = scales.length_mm;
  scales.impulse_mn_s = heaviest * scales.velocity_mm_s;
  scales.gap_mm = std::max(h * scales.velocity_mm_s, kLeastGapUnit * scales.length_mm);
  return scales;
}

namespace {

JointEquations::Body placed_body(const BodyAtEnd& body) { return {body.centre_mm, body.R}; }

/// What one unit of a joint's scaled unknowns and rows is.
struct JointUnits {
  JointEquations::Values impulse;  // mN s; mN s mm
  JointEquations::Values row;      // mm; rad
};
JointUnits units_of(const JointEquations& joint, const SpatialScales& scales) {
  JointUnits units;
  units.impulse.setConstant(joint.size(), scales.impulse_mn_s);
  units.row.setConstant(joint.size(), scales.gap_mm);
  const int angles = joint.size() - joint.first_angle();
  units.impulse.tail(angles) *= scales.length_mm;
  units.row.tail(angles) /= scales.length_mm;
  return units;
}

}  // namespace

StepJoints::StepJoints(const SpatialScene& scene, double h, const SpatialScales& scales)
    : scene_(scene), h_(h), scales_(scales) {
  for (const SpatialJoint& joint : scene.joints) {
    size_ += JointEquations(joint, Pose3{}, Pose3{}).size();
  }
}

/// visit(joint, its equations, their units, index of its first unknown, impulses).
template <typename Visit>
void StepJoints::for_joints(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                            const Eigen::VectorXd& z, Visit visit) const {
  int row = layout.first;
  for (const SpatialJoint& joint : scene_.joints) {
    const JointEquations equations(joint,
                                   placed_body(bodies[static_cast<std::size_t>(joint.body_a)]),
                                   placed_body(bodies[static_cast<std::size_t>(joint.body_b)]));
    const JointUnits units = units_of(equations, scales_);
    const JointEquations::Values lambda =
        z.segment(row, equations.size()).cwiseProduct(units.impulse);
    visit(joint, equations, units, row, lambda);
    row += equations.size();
  }
}

void StepJoints::add_rows(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                          const Eigen::VectorXd& z, Eigen::VectorXd& F) const {
  for_joints(layout, bodies, z,
             [&](const SpatialJoint& joint, const JointEquations& equations,
                 const JointUnits& units, int row, const JointEquations::Values& lambda) {
               F.segment(row, equations.size()) = equations.theta().cwiseQuotient(units.row);
               for (const int side : {0, 1}) {
                 const int body = side == 0 ? joint.body_a : joint.body_b;
                 const int first = layout.bodies[static_cast<std::size_t>(body)];
                 if (first < 0) continue;
                 Twist impulse = equations.rows(side).transpose() * lambda / scales_.impulse_mn_s;
                 impulse.tail<3>() /= scales_.length_mm;
                 F.segment<6>(first) -= impulse;
               }
             });
}

void StepJoints::add_jacobian(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                              const Eigen::VectorXd& z, Eigen::MatrixXd& J) const {
  using Square = JointEquations::Square;
  const auto first_of = [&](const SpatialJoint& joint, int side) {
    return layout.bodies[static_cast<std::size_t>(side == 0 ? joint.body_a : joint.body_b)];
  };
  // How a body moves with its scaled velocities.
  const auto motion = [&](const SpatialJoint& joint, int side) {
    const int body = side == 0 ? joint.body_a : joint.body_b;
    Square by = Square::Zero();
    by.topLeftCorner<3, 3>().diagonal().setConstant(h_ * scales_.velocity_mm_s);
    by.bottomRightCorner<3, 3>() =
        scales_.velocity_mm_s / scales_.length_mm * bodies[static_cast<std::size_t>(body)].dphi_dw;
    return by;
  };
  Twist momentum_unit = Twist::Constant(scales_.impulse_mn_s);
  momentum_unit.tail<3>() *= scales_.length_mm;
  const Twist per_unit = momentum_unit.cwiseInverse();
  for_joints(layout, bodies, z,
             [&](const SpatialJoint& joint, const JointEquations& equations,
                 const JointUnits& units, int row, const JointEquations::Values& lambda) {
               const int n = equations.size();
               for (const int side : {0, 1}) {
                 const int first = first_of(joint, side);
                 if (first < 0) continue;
                 J.block(row, first, n, 6) = units.row.cwiseInverse().asDiagonal() *
                                             equations.rows(side) * motion(joint, side);
                 J.block(first, row, 6, n) =
                     -(per_unit.asDiagonal() * equations.rows(side).transpose() *
                       units.impulse.asDiagonal());
                 for (const int other : {0, 1}) {
                   const int column = first_of(joint, other);
                   if (column < 0) continue;
                   J.block<6, 6>(first, column) -= per_unit.asDiagonal() *
                                                   equations.impulse_by(side, other, lambda) *
                                                   motion(joint, other);
                 }
               }
             });
}

std::vector<Twist> StepJoints::loads(const Layout& layout, const std::vector<BodyAtEnd>& bodies,
                                     const Eigen::VectorXd& z) const {
  std::vector<Twist> list;
  for_joints(layout, bodies, z,
             [&](const SpatialJoint& /*joint*/, const JointEquations& equations,
                 const JointUnits& /*units*/, int /*row*/,
                 const JointEquations::Values& lambda) { list.push_back(equations.load(lambda)); });
  return list;
}

namespace {

bool is_plane(const Solid& solid) { return std::holds_alternative<HalfSpace>(solid); }

/// The lowest point of a sphere or an ellipsoid along n, and how it moves with n in the body's own
/// frame: dp = -by_normal dn.
struct LowestPoint {
  Vec3 point;
  Mat3 by_normal;
};
LowestPoint lowest_point(const Solid& solid, const BodyAtEnd& body, const Vec3& n) {
  if (const auto* sphere = std::get_if<Sphere>(&solid)) {
    return {body.centre_mm - sphere->radius_mm * n, sphere->radius_mm * Mat3::Identity()};
  }
  const Vec3 axes = std::get<Ellipsoid>(solid).semi_axes_mm;
  const Vec3 scaled = axes.cwiseProduct(body.R.transpose() * n);
  const double length = scaled.norm();
  const Vec3 u = scaled / length;
  const Mat3 S = (Mat3::Identity() - u * u.transpose()) / length;
  const Mat3 RA = body.R * axes.asDiagonal();
  return {body.centre_mm - RA * u, RA * S * RA.transpose()};
}

}  // namespace

ContactEquations::ContactEquations(const SpatialScene& scene, const StepContact& contact,
                                   const SpatialScales& scales, const Vec3& origin_mm,
                                   const BodyAtEnd& A, const BodyAtEnd& B, const double* z)
    : scene_(scene),
      contact_(contact),
      scales_(scales),
      origin_mm_(origin_mm),
      A_(A),
      B_(B),
      z_(z) {
  if (contact.is_condensed) {
    condensed_points();
  } else {
    find_points();
  }
  frame_ = contact_frame(at_.n, contact_.axis);
  point_ = {at_.a1, at_.a2};
  if (contact_.soft) deflect();
  friction();
}

/// The closest points of solids with `has_unique_closest_points`.
void ContactEquations::condensed_points() {
  const Solid& a = solid(contact_.body_a);
  const Solid& b = solid(contact_.body_b);
  if (!is_plane(a) && !is_plane(b)) {
    const double r_a = std::get<Sphere>(a).radius_mm;
    const double r_b = std::get<Sphere>(b).radius_mm;
    const Vec3 apart = A_.centre_mm - B_.centre_mm;
    const double distance = apart.norm();
    at_.n = apart / distance;
    at_.gap = distance - (r_a + r_b);
    at_.a1 = A_.centre_mm - r_a * at_.n;
    at_.a2 = B_.centre_mm + r_b * at_.n;
    return;
  }
  const int plane = is_plane(a) ? 0 : 1;
  const Vec3 up = body(plane).R.col(2);
  const Vec3 low = lowest_point(plane == 0 ? b : a, body(1 - plane), up).point;
  at_.gap = up.dot(low - body(plane).centre_mm);
  const Vec3 foot = low - up * at_.gap;
  at_.n = plane == 0 ? Vec3(-up) : up;
  at_.a1 = plane == 0 ? foot : low;
  at_.a2 = plane == 0 ? low : foot;
}

/// The rows of the full form's closest points, Chakraborty et al. 2014, eq. (28)-(31) without the
/// choice of k1: with y_A = sum l_i grad f_i(a_1), y_B = sum l_j grad g_j(a_2),
///   a_1 - a_2 = s y_B,   y_A + y_B = 0,   |y_B| = 1,   0 <= l orthogonal to -f, -g >= 0.
/// s is the signed distance, n = y_B the normal. Dividing (28) by l_k1 gives the paper's where the
/// solids are apart; these determine n also where they touch and y's scale is lost there.
void ContactEquations::find_points() {
  at_.a1 = origin_mm_ + Vec3(z_[0], z_[1], z_[2]) * scales_.length_mm;
  at_.a2 = origin_mm_ + Vec3(z_[3], z_[4], z_[5]) * scales_.length_mm;
  at_.gap = z_[6] * scales_.gap_mm;
  for (int side = 0; side < 2; ++side) {
    const auto& surfaces = side == 0 ? contact_.surfaces_a : contact_.surfaces_b;
    const int first = side == 0 ? contact_.multiplier_a() : contact_.multiplier_b();
    const BodyAtEnd& of = body(side);
    const Vec3 x = of.R.transpose() * ((side == 0 ? at_.a1 : at_.a2) - of.centre_mm);
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      const auto row = static_cast<std::size_t>(first) + i;
      rows_[row] = -surface_value(surfaces[i], x) / scales_.gap_mm;
      sum += z_[row] * surface_gradient(surfaces[i], x);
    }
    y_[static_cast<std::size_t>(side)] = of.R * sum;
  }
  at_.n = y_[1];
  const Vec3 apart = (at_.a1 - at_.a2) / scales_.gap_mm - z_[6] * at_.n;
  const Vec3 opposed = y_[0] + y_[1];
  for (std::size_t i = 0; i < 3; ++i) {
    rows_[i] = apart[static_cast<Eigen::Index>(i)];
    rows_[3 + i] = opposed[static_cast<Eigen::Index>(i)];
  }
  rows_[6] = 0.5 * (at_.n.squaredNorm() - 1.0);
}

/// The layers' deflections, and the last rows: of their cores. A layer's surface is pressed into
/// its body: that is where the impulse acts.
void ContactEquations::deflect() {
  const auto first = static_cast<std::size_t>(contact_.impulse());
  const EllipticFriction& law = contact_.friction;
  const double* z = z_ + first;
  const Vec3 P =
      scales_.impulse_mn_s * z[0] * Vec3(1.0, law.mu * law.e_t * z[1], law.mu * law.e_o * z[2]);
  for (std::size_t i = 0; i < 2; ++i) {
    const LayerStep& layer = contact_.soft->layers[i];
    rows_[first + 5 + i] = z[5 + i];
    if (!layer.exists) continue;
    const Vec3& shifted = contact_.shifted_before_mm[i];
    before_[i] = {contact_.pressed_before_mm[i], frame_.t.dot(shifted), frame_.o.dot(shifted)};
    deflections_[i] = layer.deflection(P, scales_.impulse_mn_s * z[5 + i], before_[i]);
    rows_[first + 5 + i] = (layer.max_mm - deflections_[i][0]) / scales_.gap_mm;
    point_[i] += (i == 0 ? 1.0 : -1.0) * deflections_[i][0] * at_.n;
  }
}

/// Five rows: the gap of p_n, and `maximum_dissipation`. An axis without friction has
/// u = 0.
void ContactEquations::friction() {
  const EllipticFriction& law = contact_.friction;
  const auto first = static_cast<std::size_t>(contact_.impulse());
  const double* z = z_ + first;
  slip_ = A_.v + A_.w.cross(point_[0] - A_.centre_mm) - B_.v - B_.w.cross(point_[1] - B_.centre_mm);
  velocity_ = {frame_.t.dot(slip_), frame_.o.dot(slip_), frame_.n.dot(A_.w - B_.w)};
  double gap = at_.gap;
  for (std::size_t i = 0; contact_.soft && i < 2; ++i) {
    gap += deflections_[i][0];
    velocity_.head<2>() += (deflections_[i] - before_[i]).tail<2>() / contact_.soft->h;
  }
  const Vec3 e(law.e_t, law.e_o, law.e_r_mm);
  const bool slides = law.mu > 0.0;
  const auto rubbing = maximum_dissipation<double, 3>(
      Vec3(e.cwiseProduct(velocity_) / scales_.velocity_mm_s), Vec3(z[1], z[2], z[3]), z[4]);
  rows_[first] = gap / scales_.gap_mm;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto axis = static_cast<Eigen::Index>(i);
    rows_[first + 1 + i] = slides && e[axis] > 0.0 ? rubbing.slip[axis] : z[1 + i];
  }
  rows_[first + 4] = slides ? rubbing.cone : z[4];
  direction_ = frame_.n + law.mu * (e[0] * z[1] * frame_.t + e[1] * z[2] * frame_.o);
  impulse_ = z[0] * direction_;
  spin_ = z[0] * law.mu * z[3] * law.e_r_mm / scales_.length_mm;
}

Twist ContactEquations::wrench(int side) const {
  const Vec3 arm = point(side) - body(side).centre_mm;
  Twist on_body;
  on_body << impulse_, arm.cross(impulse_) / scales_.length_mm + spin_ * at_.n;
  return side == 0 ? on_body : Twist(-on_body);
}

void ContactEquations::differentiate() {
  const int columns = kOfBodies + contact_.size();
  for (Rows3* by : {&a1_by_, &a2_by_, &n_by_}) by->setZero(3, columns);
  gap_by_.setZero(columns);
  rows_by_.setZero(contact_.size(), columns);
  if (contact_.is_condensed) {
    condensed_derivatives();
  } else {
    full_derivatives();
  }
  friction_derivatives();
}

void ContactEquations::condensed_derivatives() {
  const Solid& a = solid(contact_.body_a);
  const Solid& b = solid(contact_.body_b);
  const Mat3 I = Mat3::Identity();
  if (!is_plane(a) && !is_plane(b)) {
    const double r_a = std::get<Sphere>(a).radius_mm;
    const double r_b = std::get<Sphere>(b).radius_mm;
    const Mat3 N = (I - at_.n * at_.n.transpose()) / (at_.gap + r_a + r_b);
    n_by_.middleCols<3>(pose_column(0)) = N;
    n_by_.middleCols<3>(pose_column(1)) = -N;
    gap_by_.segment<3>(pose_column(0)) = at_.n.transpose();
    gap_by_.segment<3>(pose_column(1)) = -at_.n.transpose();
    a1_by_ = -r_a * n_by_;
    a1_by_.middleCols<3>(pose_column(0)) += I;
    a2_by_ = r_b * n_by_;
    a2_by_.middleCols<3>(pose_column(1)) += I;
    return;
  }
  const int plane = is_plane(a) ? 0 : 1;
  const int other = 1 - plane;
  const Vec3 up = body(plane).R.col(2);
  const LowestPoint low = lowest_point(plane == 0 ? b : a, body(other), up);
  Rows3& up_by = n_by_;  // of the plane's normal; that of n in the end
  up_by.middleCols<3>(pose_column(plane) + 3) = -cross_matrix(up);
  Rows3& low_by = plane == 0 ? a2_by_ : a1_by_;
  low_by = -low.by_normal * up_by;
  low_by.middleCols<3>(pose_column(other)) += I;
  low_by.middleCols<3>(pose_column(other) + 3) -=
      cross_matrix(low.point - body(other).centre_mm) + low.by_normal * cross_matrix(up);
  gap_by_ = (low.point - body(plane).centre_mm).transpose() * up_by + up.transpose() * low_by;
  gap_by_.segment<3>(pose_column(plane)) -= up.transpose();
  Rows3& foot_by = plane == 0 ? a1_by_ : a2_by_;
  foot_by = low_by - up * gap_by_ - at_.gap * up_by;
  if (plane == 0) n_by_ = -n_by_;
}

void ContactEquations::full_derivatives() {
  const double L = scales_.length_mm;
  const double G = scales_.gap_mm;
  const Mat3 I = Mat3::Identity();
  a1_by_.middleCols<3>(unknown_column(0)) = L * I;
  a2_by_.middleCols<3>(unknown_column(3)) = L * I;
  gap_by_[unknown_column(6)] = G;
  Rows3 y_a_by = Rows3::Zero(3, n_by_.cols());
  for (int side = 0; side < 2; ++side) {
    const auto& surfaces = side == 0 ? contact_.surfaces_a : contact_.surfaces_b;
    const int first = side == 0 ? contact_.multiplier_a() : contact_.multiplier_b();
    const int point = unknown_column(3 * side);
    const int pose = pose_column(side);
    const BodyAtEnd& of = body(side);
    const Vec3 arm = (side == 0 ? at_.a1 : at_.a2) - of.centre_mm;
    const Vec3 x = of.R.transpose() * arm;
    Rows3& y_by = side == 0 ? y_a_by : n_by_;
    Mat3 curvature = Mat3::Zero();
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      const int row = first + static_cast<int>(i);
      const Vec3 g = of.R * surface_gradient(surfaces[i], x);
      curvature += z_[row] * surface_hessian(surfaces[i], x);
      y_by.col(unknown_column(row)) = g;
      rows_by_.block<1, 3>(row, point) = -L / G * g.transpose();
      rows_by_.block<1, 3>(row, pose) = g.transpose() / G;
      rows_by_.block<1, 3>(row, pose + 3) = arm.cross(g).transpose() / G;
    }
    const Mat3 H = of.R * curvature * of.R.transpose();
    y_by.middleCols<3>(point) = L * H;
    y_by.middleCols<3>(pose) = -H;
    y_by.middleCols<3>(pose + 3) =
        H * cross_matrix(arm) - cross_matrix(y_[static_cast<std::size_t>(side)]);
  }
  rows_by_.topRows<3>() = (a1_by_ - a2_by_) / G - z_[6] * n_by_;
  rows_by_.block<3, 1>(0, unknown_column(6)) -= at_.n;
  rows_by_.middleRows<3>(3) = y_a_by + n_by_;
  rows_by_.row(6) = at_.n.transpose() * n_by_;
}

/// The derivatives of a layer's deflection, and of (delta - delta^l) / h.
ContactEquations::LayerRows ContactEquations::layer_derivatives(std::size_t i, const Rows3& t_by,
                                                                const Rows3& o_by) const {
  const EllipticFriction& law = contact_.friction;
  const LayerStep& layer = contact_.soft->layers[i];
  const int first = contact_.impulse();
  const double* z = z_ + first;
  const double P = scales_.impulse_mn_s;
  Rows3 before_by = Rows3::Zero(3, t_by.cols());
  before_by.row(1) = contact_.shifted_before_mm[i].transpose() * t_by;
  before_by.row(2) = contact_.shifted_before_mm[i].transpose() * o_by;
  LayerRows rows{layer.Z * before_by, {}};
  rows.by.col(unknown_column(first)) +=
      P * layer.Y * Vec3(1.0, law.mu * law.e_t * z[1], law.mu * law.e_o * z[2]);
  rows.by.col(unknown_column(first + 1)) += P * z[0] * law.mu * law.e_t * layer.Y.col(1);
  rows.by.col(unknown_column(first + 2)) += P * z[0] * law.mu * law.e_o * layer.Y.col(2);
  rows.by.col(unknown_column(first + 5 + static_cast<int>(i))) -= P * layer.Y.col(0);
  rows.rate_by = (rows.by - before_by) / contact_.soft->h;
  return rows;
}

void ContactEquations::friction_derivatives() {
  const EllipticFriction& law = contact_.friction;
  const int first = contact_.impulse();
  const double* z = z_ + first;
  const Vec3 e(law.e_t, law.e_o, law.e_r_mm);
  const bool slides = law.mu > 0.0;
  const ContactFrameTurns turns = frame_turns(frame_);
  const Rows3 t_by = turns.dt_dn * n_by_;
  const Rows3 o_by = turns.do_dn * n_by_;
  std::array<Rows3, 2> arm_by{a1_by_, a2_by_};
  for (int side = 0; side < 2; ++side) {
    arm_by[static_cast<std::size_t>(side)].middleCols<3>(pose_column(side)) -= Mat3::Identity();
  }
  Rows3 rate_by = Rows3::Zero(3, n_by_.cols());  // of the surfaces, by their layers
  for (std::size_t i = 0; contact_.soft && i < 2; ++i) {
    const int row = first + 5 + static_cast<int>(i);
    rows_by_(row, unknown_column(row)) = 1.0;
    if (!contact_.soft->layers[i].exists) continue;
    const LayerRows layer = layer_derivatives(i, t_by, o_by);
    rows_by_.row(row) = -layer.by.row(0) / scales_.gap_mm;
    gap_by_ += layer.by.row(0);
    rate_by += layer.rate_by;
    arm_by[i] += (i == 0 ? 1.0 : -1.0) * (at_.n * layer.by.row(0) + deflections_[i][0] * n_by_);
  }
  const Vec3 r_a = point_[0] - A_.centre_mm;
  const Vec3 r_b = point_[1] - B_.centre_mm;

  Rows3 slip_by = cross_matrix(A_.w) * arm_by[0] - cross_matrix(B_.w) * arm_by[1];
  slip_by.middleCols<3>(velocity_column(0)) += Mat3::Identity();
  slip_by.middleCols<3>(velocity_column(0) + 3) -= cross_matrix(r_a);
  slip_by.middleCols<3>(velocity_column(1)) -= Mat3::Identity();
  slip_by.middleCols<3>(velocity_column(1) + 3) += cross_matrix(r_b);
  Rows3 velocity_by(3, slip_by.cols());
  velocity_by.row(0) = slip_.transpose() * t_by + frame_.t.transpose() * slip_by;
  velocity_by.row(1) = slip_.transpose() * o_by + frame_.o.transpose() * slip_by;
  if (contact_.soft) velocity_by.topRows<2>() += rate_by.bottomRows<2>();
  velocity_by.row(2) = (A_.w - B_.w).transpose() * n_by_;
  velocity_by.block<1, 3>(2, velocity_column(0) + 3) += frame_.n.transpose();
  velocity_by.block<1, 3>(2, velocity_column(1) + 3) -= frame_.n.transpose();

  const int sigma = unknown_column(first + 4);
  rows_by_.row(first) = gap_by_ / scales_.gap_mm;
  for (int i = 0; i < 3; ++i) {
    const int row = first + 1 + i;
    const int u = unknown_column(row);
    if (!slides || e[i] <= 0.0) {
      rows_by_(row, u) = 1.0;
      continue;
    }
    rows_by_.row(row) = e[i] / scales_.velocity_mm_s * velocity_by.row(i);
    rows_by_(row, u) += z[4];
    rows_by_(row, sigma) += z[1 + i];
  }
  if (slides) {
    for (int i = 0; i < 3; ++i) {
      rows_by_(first + 4, unknown_column(first + 1 + i)) = -2.0 * z[1 + i];
    }
  } else {
    rows_by_(first + 4, sigma) = 1.0;
  }

  // impulse = p_n (n + mu (e_t u_t t + e_o u_o o))
  Rows3 impulse_by = z[0] * (n_by_ + law.mu * (e[0] * z[1] * t_by + e[1] * z[2] * o_by));
  impulse_by.col(unknown_column(first)) += direction_;
  impulse_by.col(unknown_column(first + 1)) += z[0] * law.mu * e[0] * frame_.t;
  impulse_by.col(unknown_column(first + 2)) += z[0] * law.mu * e[1] * frame_.o;
  const double torsion = law.mu * e[2] / scales_.length_mm;  // spin = torsion p_n u_r
  for (int side = 0; side < 2; ++side) {
    const auto k = static_cast<std::size_t>(side);
    const Vec3& arm = side == 0 ? r_a : r_b;
    Rows6& by = wrench_by_[k];
    by.resize(6, impulse_by.cols());
    by.topRows<3>() = impulse_by;
    by.bottomRows<3>() =
        (cross_matrix(arm) * impulse_by - cross_matrix(impulse_) * arm_by[k]) / scales_.length_mm +
        spin_ * n_by_;
    by.col(unknown_column(first)).tail<3>() += torsion * z[3] * at_.n;
    by.col(unknown_column(first + 3)).tail<3>() += torsion * z[0] * at_.n;
    if (side == 1) by = -by;
  }
}

}  // namespace graspmap
