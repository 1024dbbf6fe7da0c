#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "lab/solids/solid.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

inline Vec3 random_vector(Random& random, double size) {
  return Vec3::NullaryExpr([&] { return random.uniform(-size, size); });
}

inline Pose3 random_pose(Random& random, double size) {
  const Vec3 axis = random_vector(random, 1.0).normalized();
  return {random_vector(random, size),
          Eigen::Quaterniond(Eigen::AngleAxisd(random.uniform(-3.0, 3.0), axis))};
}

/// One of the five kinds of bounded solids, in the order of the variant.
inline Solid random_solid(Random& random, int kind) {
  const auto length = [&] { return random.uniform(5.0, 15.0); };
  const Vec3 lengths(length(), length(), length());
  switch (kind) {
    case 0:
      return Sphere{length()};
    case 1:
      return Ellipsoid{lengths};
    case 2:
      return Superquadric{lengths, random.uniform(2.2, 5.0)};
    case 3:
      return Box3{lengths};
    default:
      return Cylinder{length(), length()};
  }
}

/// Less than 1 inside, 1 on the surface, of degree one in p (body axes).
inline double gauge(const Solid& solid, const Vec3& p) {
  if (const auto* s = std::get_if<Sphere>(&solid)) return p.norm() / s->radius_mm;
  if (const auto* s = std::get_if<Ellipsoid>(&solid)) {
    return p.cwiseQuotient(s->semi_axes_mm).norm();
  }
  if (const auto* s = std::get_if<Superquadric>(&solid)) {
    const double sum = p.cwiseQuotient(s->semi_axes_mm).cwiseAbs().array().pow(s->exponent).sum();
    return std::pow(sum, 1.0 / s->exponent);
  }
  if (const auto* s = std::get_if<Box3>(&solid)) {
    return p.cwiseAbs().cwiseQuotient(s->half_extents_mm).maxCoeff();
  }
  const auto& s = std::get<Cylinder>(solid);
  return std::max(p.head<2>().norm() / s.radius_mm, std::abs(p.z()) / s.half_length_mm);
}

}  // namespace graspmap::testing
