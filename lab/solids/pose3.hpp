#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

#include "geometry/types.hpp"

namespace graspmap {

using Mat3 = Eigen::Matrix3d;

/// A velocity (v, w) of a rigid body: of its centre of mass, mm/s, and angular, rad/s, both in G's
/// axes; or a momentum or impulse (mN s; mN s mm about the centre of mass).
using Twist = Eigen::Matrix<double, 6, 1>;

/// [a] with [a] b = a x b.
inline Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// Where a body is in space: the frame G has z up.
struct Pose3 {
  Vec3 position_mm = Vec3::Zero();                                  ///< of the centre of mass, in G
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< unit; body axes to G's

  /// A point of the body's frame, in G.
  [[nodiscard]] Vec3 to_world(const Vec3& point) const { return position_mm + orientation * point; }
  /// A point of G, in the body's frame.
  [[nodiscard]] Vec3 to_body(const Vec3& point) const {
    return orientation.conjugate() * (point - position_mm);
  }
};

/// A rotation that takes the z axis to `direction` (of any length): about the axis that is normal
/// to both, about the x axis where they are opposite.
inline Eigen::Quaterniond turn_from_z(const Vec3& direction) {
  const Vec3 d = direction.normalized();
  const double sine = std::hypot(d.x(), d.y());
  if (d.z() < 0.0 && sine == 0.0) return {0.0, 1.0, 0.0, 0.0};
  // sqrt(2 (1 + cosine)), without cancellation
  const double w =
      d.z() < 0.0 ? sine * std::sqrt(2.0 / (1.0 - d.z())) : std::sqrt(2.0 * (1.0 + d.z()));
  return Eigen::Quaterniond(0.5 * w, -d.y() / w, d.x() / w, 0.0).normalized();
}

/// q + h G(q) nu with the kinematic map G of unit quaternions, Chakraborty et al. 2014, eq. (2) and
/// (6), made a unit quaternion again: a rotation by 2 atan(h |w| / 2) about w.
inline Pose3 moved(const Pose3& pose, const Twist& nu, double h) {
  const Vec3 half = 0.5 * h * nu.tail<3>();
  const Eigen::Quaterniond turn(1.0, half.x(), half.y(), half.z());
  return {pose.position_mm + h * nu.head<3>(), (turn * pose.orientation).normalized()};
}

}  // namespace graspmap
