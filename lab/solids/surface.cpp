#include "lab/solids/surface.hpp"

#include <cmath>

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

/// |x/a|_e.
double norm_of(const SuperquadricSurface& s, const Vec3& x) {
  const Eigen::Array3d u = x.array() / s.semi_axes_mm.array();
  return std::pow(u.abs().pow(s.exponent).sum(), 1.0 / s.exponent);
}

/// The gradient of |x/a|_e.
Vec3 norm_gradient(const SuperquadricSurface& s, const Vec3& x, double norm) {
  const Eigen::Array3d u = x.array() / s.semi_axes_mm.array() / norm;
  return u.sign() * u.abs().pow(s.exponent - 1.0) / s.semi_axes_mm.array();
}

struct ValueAt {
  const Vec3& x;
  double operator()(const PlaneSurface& s) const { return s.normal.dot(x) - s.offset_mm; }
  double operator()(const TubeSurface& s) const {
    return std::sqrt(x[0] * x[0] + x[1] * x[1]) - s.radius_mm;
  }
  double operator()(const EllipsoidSurface& s) const {
    return s.semi_axes_mm.minCoeff() * (x.cwiseQuotient(s.semi_axes_mm).norm() - 1.0);
  }
  double operator()(const SuperquadricSurface& s) const {
    return s.semi_axes_mm.minCoeff() * (norm_of(s, x) - 1.0);
  }
};

struct GradientAt {
  const Vec3& x;
  Vec3 operator()(const PlaneSurface& s) const { return s.normal; }
  Vec3 operator()(const TubeSurface& /*s*/) const {
    const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]);
    return {x[0] / rho, x[1] / rho, 0.0};
  }
  Vec3 operator()(const EllipsoidSurface& s) const {
    const Vec3 u = x.cwiseQuotient(s.semi_axes_mm);
    return s.semi_axes_mm.minCoeff() / u.norm() * u.cwiseQuotient(s.semi_axes_mm);
  }
  Vec3 operator()(const SuperquadricSurface& s) const {
    return s.semi_axes_mm.minCoeff() * norm_gradient(s, x, norm_of(s, x));
  }
};

struct HessianAt {
  const Vec3& x;
  Mat3 operator()(const PlaneSurface& /*s*/) const { return Mat3::Zero(); }
  Mat3 operator()(const TubeSurface& s) const {
    const Vec3 g = GradientAt{x}(s);
    Mat3 H = -g * g.transpose();
    H(0, 0) += 1.0;
    H(1, 1) += 1.0;
    return H / std::sqrt(x[0] * x[0] + x[1] * x[1]);
  }
  Mat3 operator()(const EllipsoidSurface& s) const {
    const Vec3 u = x.cwiseQuotient(s.semi_axes_mm);
    const double norm = u.norm();
    const Vec3 g = u.cwiseQuotient(s.semi_axes_mm) / norm;  // of the norm
    Mat3 H = -g * g.transpose();
    H.diagonal() += s.semi_axes_mm.cwiseAbs2().cwiseInverse();
    return s.semi_axes_mm.minCoeff() / norm * H;
  }
  Mat3 operator()(const SuperquadricSurface& s) const {
    const double norm = norm_of(s, x);
    const Vec3 g = norm_gradient(s, x, norm);
    const Eigen::Array3d u = x.array() / s.semi_axes_mm.array() / norm;
    Mat3 H = -g * g.transpose();
    H.diagonal().array() += u.abs().pow(s.exponent - 2.0) / s.semi_axes_mm.array().square();
    return s.semi_axes_mm.minCoeff() * (s.exponent - 1.0) / norm * H;
  }
};

}  // namespace

std::vector<Surface> surfaces(const Solid& solid) { return std::visit(SurfacesOf{}, solid); }

double surface_value(const Surface& surface, const Vec3& x) {
  return std::visit(ValueAt{x}, surface);
}
Vec3 surface_gradient(const Surface& surface, const Vec3& x) {
  return std::visit(GradientAt{x}, surface);
}
Mat3 surface_hessian(const Surface& surface, const Vec3& x) {
  return std::visit(HessianAt{x}, surface);
}

}  // namespace graspmap
