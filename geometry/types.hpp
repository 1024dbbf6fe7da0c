#pragma once

/// The conventions of the whole project, written once.
///
/// Units     mm, kg, s, rad; force in mN = kg mm/s^2; impulse in mN s; gravity 9810 mm/s^2.
///           At every border (config keys, CSV columns, flags, public fields) the unit is in the
///           name.
/// Frames    G: gripper (x is the closing direction, origin midway between the jaws, y = 0 is the
///           fingertips' top edge; it does not move). P: part. B: part axes at its centre of mass.
///           X_GP is the pose of P in G; p_PC_G runs from P's origin to C, in G's axes.
/// Signs     psi > 0 apart, psi = 0 touching, psi < 0 overlapping. A contact normal n points out of
///           the jaw into the part; the tangent is t = perp(n), n turned by +90 degrees.
///           Angles and moments are positive counter-clockwise.

#include <Eigen/Core>
#include <cmath>

namespace graspmap {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;

/// v turned by +90 degrees.
inline Vec2 perp(const Vec2& v) { return {-v.y(), v.x()}; }

/// The planar cross product u x v = u_x v_y - u_y v_x.
inline double cross(const Vec2& u, const Vec2& v) { return u.x() * v.y() - u.y() * v.x(); }

}  // namespace graspmap
