#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <variant>
#include <vector>

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

/// Convex solids, in body axes about the origin. A sphere, an ellipsoid and a superquadric are each
/// the sub-level set of a single smooth function; a box, a cylinder and a half-space are
/// intersections of the sub-level sets of several (Chakraborty et al. 2014, section 4).
struct Sphere {
  double radius_mm = 0.0;
};
struct Ellipsoid {
  Vec3 semi_axes_mm = Vec3::Zero();
};
/// |x/a|^e + |y/b|^e + |z/c|^e <= 1, exponent e >= 2.
struct Superquadric {
  Vec3 semi_axes_mm = Vec3::Zero();
  double exponent = 2.0;
};
struct Box3 {
  Vec3 half_extents_mm = Vec3::Zero();
};
/// About the z axis.
struct Cylinder {
  double radius_mm = 0.0;
  double half_length_mm = 0.0;
};
/// z <= 0: reaches to infinity, so its body does not move.
struct HalfSpace {};

using Solid = std::variant<Sphere, Ellipsoid, Superquadric, Box3, Cylinder, HalfSpace>;

/// The largest distance of a point from the origin; infinity for a half-space.
double bounding_radius_mm(const Solid& solid);

/// Volume (mm^3) and the principal second moments of a solid of unit density, in closed form.
struct SolidMass {
  double volume_mm3 = 0.0;
  Vec3 inertia_mm5 = Vec3::Zero();  ///< about the x, y and z axes
};
/// The mass integrals of a bounded solid.
SolidMass solid_mass(const Solid& solid);

/// The point of a bounded solid that is farthest along `direction` (not zero), body axes; the
/// middle of an edge or face of such points.
Vec3 support_point(const Solid& solid, const Vec3& direction);

/// The convex functions f whose sub-level sets f <= 0 a solid is the intersection of, in body axes.
/// Each is a length: its gradient is of length one, or near to it, on the surface f = 0.
struct PlaneSurface {
  Vec3 normal = Vec3::UnitZ();  ///< unit
  double offset_mm = 0.0;       ///< f = normal . x - offset
};
/// f = sqrt(x^2 + y^2) - r, about the z axis.
struct TubeSurface {
  double radius_mm = 0.0;
};
/// f = c (|x/a| - 1) with the Euclidean norm, c the least semi-axis.
struct EllipsoidSurface {
  Vec3 semi_axes_mm = Vec3::Ones();
};
/// f = c (|x/a|_e - 1) with the e-norm, c the least semi-axis.
struct SuperquadricSurface {
  Vec3 semi_axes_mm = Vec3::Ones();
  double exponent = 2.0;  ///< >= 2
};

using Surface = std::variant<PlaneSurface, TubeSurface, EllipsoidSurface, SuperquadricSurface>;

/// The functions of a solid: one, or the facets of a box (+-x, +-y, +-z), or lateral surface and
/// ends (+z, -z) of a cylinder.
std::vector<Surface> surfaces(const Solid& solid);

double surface_value(const Surface& surface, const Vec3& x);   ///< f(x), mm
Vec3 surface_gradient(const Surface& surface, const Vec3& x);  ///< grad f(x)
Mat3 surface_hessian(const Surface& surface, const Vec3& x);   ///< of f at x, 1/mm

}  // namespace graspmap
