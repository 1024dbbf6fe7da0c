#pragma once

#include <cmath>

#include "lab/solids/pose3.hpp"

namespace graspmap {

/// n, t, o: right-handed, t in the plane of n and an axis.
struct ContactFrame {
  Vec3 n;
  Vec3 t;
  Vec3 o;
  Vec3 axis;
};

/// The axis for a normal: x, or z where the normal is near x.
inline Vec3 frame_axis(const Vec3& n) {
  return std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
}

/// With the given axis; where the normal is along it, with `frame_axis` of the normal.
inline ContactFrame contact_frame(const Vec3& n, const Vec3& wanted) {
  constexpr double kAlong = 0.999;
  const bool is_along = std::abs(n.dot(wanted)) > kAlong * n.norm();
  const Vec3 axis = is_along ? frame_axis(n.normalized()) : wanted;
  const Vec3 t = (axis - n * n.dot(axis)).normalized();
  return {n, t, n.cross(t), axis};
}

/// How t and o turn with n, at the same axis.
struct ContactFrameTurns {
  Mat3 dt_dn;
  Mat3 do_dn;
};
inline ContactFrameTurns frame_turns(const ContactFrame& frame) {
  const double along = frame.n.dot(frame.axis);
  const double length = (frame.axis - frame.n * along).norm();
  const Mat3 turned = -along * Mat3::Identity() - frame.n * frame.axis.transpose();
  const Mat3 dt_dn = (turned - frame.t * (frame.t.transpose() * turned)) / length;
  return {dt_dn, cross_matrix(frame.n) * dt_dn - cross_matrix(frame.t)};
}

}  // namespace graspmap
