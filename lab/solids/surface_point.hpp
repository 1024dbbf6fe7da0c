#pragma once

#include "lab/solids/solid.hpp"

namespace graspmap {

/// The point of a solid's surface nearest to a given point, in body axes: the given point is
/// point + distance normal.
struct SurfacePoint {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of the solid
  double distance_mm = 0.0;     ///< negative inside
};

/// Where several are nearest (to the middle of a solid), one of them.
SurfacePoint nearest_surface_point(const Sphere& sphere, const Vec3& p);
SurfacePoint nearest_surface_point(const Box3& box, const Vec3& p);
SurfacePoint nearest_surface_point(const Cylinder& cylinder, const Vec3& p);

}  // namespace graspmap
