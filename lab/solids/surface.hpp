#pragma once

#include <variant>
#include <vector>

#include "lab/solids/solid.hpp"

namespace graspmap {

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
