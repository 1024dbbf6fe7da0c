#pragma once

#include <cmath>

#include "geometry/spatial/pose3.hpp"

namespace graspmap {

/// [v] x: the matrix of u -> v x u.
inline Mat3 cross_matrix(const Vec3& v) {
  Mat3 M;
  M << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return M;
}

/// n, t, o: right-handed, t in the plane of n and an axis.
struct ContactFrame {
  Vec3 n;
  Vec3 t;
  Vec3 o;
};
inline ContactFrame contact_frame(const Vec3& n, const Vec3& axis) {
  const Vec3 t = (axis - n * n.dot(axis)).normalized();
  return {n, t, n.cross(t)};
}

/// How t and o turn with n.
struct ContactFrameTurns {
  Mat3 dt_dn;
  Mat3 do_dn;
};
inline ContactFrameTurns frame_turns(const ContactFrame& frame, const Vec3& axis) {
  const double along = frame.n.dot(axis);
  const double length = (axis - frame.n * along).norm();
  const Mat3 turned = -along * Mat3::Identity() - frame.n * axis.transpose();
  const Mat3 dt_dn = (turned - frame.t * (frame.t.transpose() * turned)) / length;
  return {dt_dn, cross_matrix(frame.n) * dt_dn - cross_matrix(frame.t)};
}

/// The axis for a normal: x, or z where the normal is near x.
inline Vec3 frame_axis(const Vec3& n) {
  return std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
}

}  // namespace graspmap
