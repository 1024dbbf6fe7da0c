#include "lab/spatial/joint.hpp"

namespace graspmap {
namespace {

/// An axis of A and one of B that stay perpendicular.
struct RightAngle {
  int of_a;
  int of_b;
};
constexpr std::array<RightAngle, 3> kRightAngles{{{2, 0}, {2, 1}, {1, 0}}};

int point_rows(SpatialJointKind kind) { return kind == SpatialJointKind::kPrismatic ? 2 : 3; }

int angle_rows(SpatialJointKind kind) {
  if (kind == SpatialJointKind::kSpherical) return 0;
  return kind == SpatialJointKind::kRevolute ? 2 : 3;
}

Pose3 in_body(const Pose3& body, const Pose3& in_world) {
  return {body.to_body(in_world.position_mm),
          (body.orientation.conjugate() * in_world.orientation).normalized()};
}

JointEquations::Body placed(const Pose3& pose) {
  return {pose.position_mm, pose.orientation.toRotationMatrix()};
}

}  // namespace

const char* name(SpatialJointKind kind) {
  switch (kind) {
    case SpatialJointKind::kSpherical:
      return "spherical";
    case SpatialJointKind::kRevolute:
      return "revolute";
    case SpatialJointKind::kPrismatic:
      break;
  }
  return "prismatic";
}

SpatialJoint joint_at(SpatialJointKind kind, int body_a, const Pose3& pose_a, int body_b,
                      const Pose3& pose_b, const Vec3& at_mm, const Vec3& axis) {
  const Pose3 frame{at_mm, turn_from_z(axis)};
  return {kind, body_a, body_b, in_body(pose_a, frame), in_body(pose_b, frame)};
}

JointEquations::JointEquations(const SpatialJoint& joint, const Body& A, const Body& B)
    : kind_(joint.kind),
      point_(A.centre_mm + A.R * joint.frame_a.position_mm),
      arms_{Vec3(point_ - A.centre_mm), Vec3(point_ - B.centre_mm)},
      axes_a_(A.R * joint.frame_a.orientation.toRotationMatrix()),
      axes_b_(B.R * joint.frame_b.orientation.toRotationMatrix()) {
  const int angles = angle_rows(joint.kind);
  const int points = first_angle();
  theta_.resize(points + angles);
  for (Rows& rows : rows_) rows.resize(points + angles, 6);
  const Vec3 apart = arms_[1] - B.R * joint.frame_b.position_mm;
  for (int i = 0; i < points; ++i) {
    const Vec3 d = axes_b_.col(i);
    theta_[i] = d.dot(apart);
    rows_[0].row(i) << d.transpose(), arms_[0].cross(d).transpose();
    rows_[1].row(i) << -d.transpose(), -arms_[1].cross(d).transpose();
  }
  for (int i = 0; i < angles; ++i) {
    const RightAngle angle = kRightAngles[static_cast<std::size_t>(i)];
    const Vec3 of_a = axes_a_.col(angle.of_a);
    const Vec3 of_b = axes_b_.col(angle.of_b);
    theta_[points + i] = of_a.dot(of_b);
    rows_[0].row(points + i) << 0.0, 0.0, 0.0, of_a.cross(of_b).transpose();
    rows_[1].row(points + i) = -rows_[0].row(points + i);
  }
}

JointEquations::JointEquations(const SpatialJoint& joint, const Pose3& A, const Pose3& B)
    : JointEquations(joint, placed(A), placed(B)) {}

int JointEquations::first_angle() const { return point_rows(kind_); }

/// With f = sum lambda d the impulse on A, r and s the arms to A's point, and the moments
/// sum lambda (z x x):
///   A: (f, r x f + sum lambda z x x),   B: (-f, -s x f - sum lambda z x x);
///   df = phi_B x f,   dr = phi_A x r,   ds = dc_A + phi_A x r - dc_B.
JointEquations::Square JointEquations::impulse_by(int side, int other, const Values& lambda) const {
  Square by = Square::Zero();
  const int points = first_angle();
  const Vec3 f = axes_b_.leftCols(points) * lambda.head(points);
  const Mat3 F = cross_matrix(f);
  const Mat3 arm = cross_matrix(arms_[static_cast<std::size_t>(side)]);
  auto moment = by.bottomRightCorner<3, 3>();
  if (other == 0) {
    moment = F * cross_matrix(arms_[0]);  // -f x (phi_A x r)
    if (side == 1) by.bottomLeftCorner<3, 3>() = -F;
  } else {
    by.topRightCorner<3, 3>() = -F;
    moment = -arm * F;
    if (side == 1) by.bottomLeftCorner<3, 3>() = F;
  }
  for (int i = points; i < size(); ++i) {
    const RightAngle angle = kRightAngles[static_cast<std::size_t>(i - points)];
    const Mat3 of_a = cross_matrix(axes_a_.col(angle.of_a));
    const Mat3 of_b = cross_matrix(axes_b_.col(angle.of_b));
    moment += lambda[i] * (other == 0 ? Mat3(of_b * of_a) : Mat3(-of_a * of_b));
  }
  return side == 0 ? by : Square(-by);
}

Twist JointEquations::load(const Values& lambda) const {
  Twist on_a = rows_[0].transpose() * lambda;
  on_a.tail<3>() -= arms_[0].cross(Vec3(on_a.head<3>()));
  return on_a;
}

JointGap joint_gap(const SpatialJoint& joint, const Pose3& pose_a, const Pose3& pose_b) {
  const JointEquations equations(joint, pose_a, pose_b);
  const int points = equations.first_angle();
  return {equations.theta().head(points).norm(),
          equations.theta().tail(equations.size() - points).norm()};
}

}  // namespace graspmap
