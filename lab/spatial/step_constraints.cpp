#include "lab/spatial/step_constraints.hpp"

#include <Eigen/LU>
#include <algorithm>

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

}  // namespace graspmap
