#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "lab/solids/pose3.hpp"

namespace graspmap {

/// What two bodies that are joined may still do.
enum class SpatialJointKind : std::uint8_t {
  kSpherical,  ///< turn freely about a common point
  kRevolute,   ///< turn about a common axis
  kPrismatic   ///< slide along a common axis, without turning
};
const char* name(SpatialJointKind kind);  ///< "spherical", "revolute", "prismatic"

/// A joint of two bodies, at least one of which moves. Its frame is fixed in each of the bodies:
/// the joint's point and axes, z the axis of a revolute or prismatic joint.
struct SpatialJoint {
  SpatialJointKind kind = SpatialJointKind::kSpherical;
  int body_a = 0;
  int body_b = 0;
  Pose3 frame_a;  ///< in A's frame
  Pose3 frame_b;  ///< in B's frame
};

/// The joint of two bodies at given poses, which they satisfy: through the point `at_mm`, along
/// `axis` (unit; of no effect for a spherical joint), both in G.
SpatialJoint joint_at(SpatialJointKind kind, int body_a, const Pose3& pose_a, int body_b,
                      const Pose3& pose_b, const Vec3& at_mm, const Vec3& axis = Vec3::UnitZ());

/// The constraints Theta(q) = 0 of a joint and their gradients, Hart and Anitescu 2003, eq. (2.1)
/// and (2.2). With p the joint's point on each body and x, y, z the joint's axes on each:
///   d . (p_A - p_B) = 0 for d = x_B, y_B and, unless the joint is prismatic, z_B;
///   z_A . x_B = z_A . y_B = 0 of a revolute joint; of a prismatic one also y_A . x_B = 0.
class JointEquations {
 public:
  static constexpr int kMostRows = 5;
  using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostRows, 1>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, kMostRows, 6>;
  using Square = Eigen::Matrix<double, 6, 6>;

  struct Body {
    Vec3 centre_mm;
    Mat3 R;  ///< body axes to G's
  };

  JointEquations(const SpatialJoint& joint, const Body& A, const Body& B);
  JointEquations(const SpatialJoint& joint, const Pose3& A, const Pose3& B);

  [[nodiscard]] int size() const { return static_cast<int>(theta_.size()); }
  /// Rows before this one are in mm, those from it on in rad.
  [[nodiscard]] int first_angle() const;
  /// Theta: mm, then rad (sines of angles).
  [[nodiscard]] const Values& theta() const { return theta_; }
  /// dTheta/dt by (v, w) of A (side 0) or of B (side 1).
  [[nodiscard]] const Rows& rows(int side) const { return rows_[static_cast<std::size_t>(side)]; }
  /// How the impulses rows(side)^T lambda on one body change when `other` (a side, too) moves and
  /// turns about G's axes.
  [[nodiscard]] Square impulse_by(int side, int other, const Values& lambda) const;
  /// The impulses lambda as they act on A at the joint's point: mN s; mN s mm.
  [[nodiscard]] Twist load(const Values& lambda) const;
  [[nodiscard]] const Vec3& point_on_a_mm() const { return point_; }

 private:
  SpatialJointKind kind_;
  Vec3 point_;                // on A
  std::array<Vec3, 2> arms_;  // from the bodies' centres to that point
  Mat3 axes_a_, axes_b_;      // column by column, in G
  Values theta_;
  std::array<Rows, 2> rows_;
};

/// How far two bodies are from what a joint allows.
struct JointGap {
  double mm = 0.0;
  double rad = 0.0;
};
JointGap joint_gap(const SpatialJoint& joint, const Pose3& pose_a, const Pose3& pose_b);

}  // namespace graspmap
