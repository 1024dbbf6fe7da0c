#pragma once

#include <variant>

#include "lab/solids/pose3.hpp"

namespace graspmap {

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

/// The point of a bounded solid that is farthest along `direction` (not zero), body axes. Of an
/// edge or face of such points its middle.
Vec3 support_point(const Solid& solid, const Vec3& direction);

}  // namespace graspmap
