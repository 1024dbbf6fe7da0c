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

}  // namespace graspmap
