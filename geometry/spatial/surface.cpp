#include "geometry/spatial/surface.hpp"

namespace graspmap {
namespace {

std::vector<Surface> facets(const Vec3& half_extents_mm) {
  std::vector<Surface> list;
  for (int i = 0; i < 3; ++i) {
    list.emplace_back(PlaneSurface{Vec3::Unit(i), half_extents_mm[i]});
    list.emplace_back(PlaneSurface{-Vec3::Unit(i), half_extents_mm[i]});
  }
  return list;
}

struct SurfacesOf {
  std::vector<Surface> operator()(const Sphere& s) const {
    return {EllipsoidSurface{Vec3::Constant(s.radius_mm)}};
  }
  std::vector<Surface> operator()(const Ellipsoid& s) const {
    return {EllipsoidSurface{s.semi_axes_mm}};
  }
  std::vector<Surface> operator()(const Superquadric& s) const {
    return {SuperquadricSurface{s.semi_axes_mm, s.exponent}};
  }
  std::vector<Surface> operator()(const Box3& s) const { return facets(s.half_extents_mm); }
  std::vector<Surface> operator()(const Cylinder& s) const {
    return {TubeSurface{s.radius_mm}, PlaneSurface{Vec3::UnitZ(), s.half_length_mm},
            PlaneSurface{-Vec3::UnitZ(), s.half_length_mm}};
  }
  std::vector<Surface> operator()(const HalfSpace& /*s*/) const {
    return {PlaneSurface{Vec3::UnitZ(), 0.0}};
  }
};

}  // namespace

std::vector<Surface> surfaces(const Solid& solid) { return std::visit(SurfacesOf{}, solid); }

}  // namespace graspmap
