#include "lab/solids/solid.hpp"

#include <cmath>
#include <limits>

namespace graspmap {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// Integrals of 1 and x_i^2 over sum |x_i/a_i|^e <= 1, by Dirichlet's formula.
SolidMass superquadric_mass(const Vec3& axes, double e) {
  const double third = std::tgamma(1.0 + 1.0 / e);
  const double volume = 8.0 * axes.prod() * third * third * third / std::tgamma(1.0 + 3.0 / e);
  const double square = 8.0 * axes.prod() / (e * e * e) * std::tgamma(3.0 / e) *
                        std::pow(std::tgamma(1.0 / e), 2) / std::tgamma(1.0 + 5.0 / e);
  const Vec3 second = square * axes.cwiseProduct(axes);
  return {volume, Vec3::Constant(second.sum()) - second};
}

double signum(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

/// Coordinates of a direction below this, relative to its length, count as zero: it is along a face
/// or an edge.
constexpr double kAlong = 1e-12;

Vec3 superquadric_support(const Vec3& axes, double e, const Vec3& direction) {
  // By the dual norm: x_i = a_i sign(d_i) |a_i d_i|^(1/(e-1)), scaled to the surface.
  const Vec3 scaled =
      axes.cwiseProduct(direction) / axes.cwiseProduct(direction).cwiseAbs().maxCoeff();
  Vec3 x;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    x[i] = signum(scaled[i]) * std::pow(std::abs(scaled[i]), 1.0 / (e - 1.0));
    sum += std::pow(std::abs(x[i]), e);
  }
  return axes.cwiseProduct(x) / std::pow(sum, 1.0 / e);
}

}  // namespace

double bounding_radius_mm(const Solid& solid) {
  return std::visit(
      Overloaded{[](const Sphere& s) { return s.radius_mm; },
                 [](const Ellipsoid& s) { return s.semi_axes_mm.maxCoeff(); },
                 [](const Superquadric& s) {
                   // Hoelder: |x|_2 <= |x/a|_e |a|_q with 1/2 = 1/e + 1/q.
                   if (s.exponent <= 2.0) return s.semi_axes_mm.maxCoeff();
                   const double q = 2.0 * s.exponent / (s.exponent - 2.0);
                   const double largest = s.semi_axes_mm.maxCoeff();
                   const Vec3 relative = s.semi_axes_mm / largest;
                   return largest * std::pow(relative.array().pow(q).sum(), 1.0 / q);
                 },
                 [](const Box3& s) { return s.half_extents_mm.norm(); },
                 [](const Cylinder& s) { return std::hypot(s.radius_mm, s.half_length_mm); },
                 [](const HalfSpace&) { return std::numeric_limits<double>::infinity(); }},
      solid);
}

SolidMass solid_mass(const Solid& solid) {
  return std::visit(
      Overloaded{
          [](const Sphere& s) { return superquadric_mass(Vec3::Constant(s.radius_mm), 2.0); },
          [](const Ellipsoid& s) { return superquadric_mass(s.semi_axes_mm, 2.0); },
          [](const Superquadric& s) { return superquadric_mass(s.semi_axes_mm, s.exponent); },
          [](const Box3& s) {
            const double volume = 8.0 * s.half_extents_mm.prod();
            const Vec3 second = volume / 3.0 * s.half_extents_mm.cwiseProduct(s.half_extents_mm);
            return SolidMass{volume, Vec3::Constant(second.sum()) - second};
          },
          [](const Cylinder& s) {
            const double r2 = s.radius_mm * s.radius_mm;
            const double volume = 2.0 * M_PI * r2 * s.half_length_mm;
            const double across = volume * (r2 / 4.0 + s.half_length_mm * s.half_length_mm / 3.0);
            return SolidMass{volume, {across, across, volume * r2 / 2.0}};
          },
          [](const HalfSpace&) {
            const double infinity = std::numeric_limits<double>::infinity();
            return SolidMass{infinity, Vec3::Constant(infinity)};
          }},
      solid);
}

Vec3 support_point(const Solid& solid, const Vec3& direction) {
  const Vec3 d = direction.normalized();
  const auto side = [](double x) { return std::abs(x) < kAlong ? 0.0 : signum(x); };
  return std::visit(
      Overloaded{[&](const Sphere& s) -> Vec3 { return s.radius_mm * d; },
                 [&](const Ellipsoid& s) -> Vec3 {
                   const Vec3 scaled = s.semi_axes_mm.cwiseProduct(d);
                   return s.semi_axes_mm.cwiseProduct(scaled) / scaled.norm();
                 },
                 [&](const Superquadric& s) -> Vec3 {
                   return superquadric_support(s.semi_axes_mm, s.exponent, d);
                 },
                 [&](const Box3& s) -> Vec3 {
                   return s.half_extents_mm.cwiseProduct(
                       Vec3(side(d.x()), side(d.y()), side(d.z())));
                 },
                 [&](const Cylinder& s) -> Vec3 {
                   const double across = std::hypot(d.x(), d.y());
                   const double scale = across < kAlong ? 0.0 : s.radius_mm / across;
                   return {scale * d.x(), scale * d.y(), side(d.z()) * s.half_length_mm};
                 },
                 [&](const HalfSpace&) -> Vec3 {
                   return {0.0, 0.0, d.z() < 1.0 ? std::numeric_limits<double>::infinity() : 0.0};
                 }},
      solid);
}

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
