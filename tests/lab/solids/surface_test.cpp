#include <catch2/catch.hpp>
#include <random>

#include "lab/solids/solid.hpp"

using namespace graspmap;

namespace {

Vec3 random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random);
  const double y = normal(random);
  return {x, y, normal(random)};
}

const Solid kSolids[] = {Sphere{50.0},
                         Ellipsoid{Vec3(50.0, 40.0, 30.0)},
                         Superquadric{Vec3(50.0, 40.0, 30.0), 2.0},
                         Superquadric{Vec3(50.0, 40.0, 30.0), 3.5},
                         Superquadric{Vec3(50.0, 40.0, 30.0), 8.0},
                         Box3{Vec3(50.0, 40.0, 30.0)},
                         Cylinder{40.0, 60.0}};

}  // namespace

TEST_CASE("gradients of surfaces are those of finite differences") {
  std::mt19937 random(3);
  for (const Solid& solid : kSolids) {
    for (const Surface& surface : surfaces(solid)) {
      for (int i = 0; i < 20; ++i) {
        const Vec3 x = 40.0 * random_vector(random);
        const Vec3 gradient = surface_gradient(surface, x);
        for (int axis = 0; axis < 3; ++axis) {
          const Vec3 d = 1e-4 * Vec3::Unit(axis);
          const double slope =
              (surface_value(surface, x + d) - surface_value(surface, x - d)) / 2e-4;
          CHECK(gradient[axis] == Approx(slope).margin(1e-7));
        }
      }
    }
  }
}

TEST_CASE("second derivatives of surfaces are those of their gradients") {
  std::mt19937 random(4);
  for (const Solid& solid : kSolids) {
    for (const Surface& surface : surfaces(solid)) {
      for (int i = 0; i < 20; ++i) {
        const Vec3 x = 40.0 * random_vector(random);
        const Mat3 hessian = surface_hessian(surface, x);
        for (int axis = 0; axis < 3; ++axis) {
          const Vec3 d = 1e-3 * Vec3::Unit(axis);
          const Vec3 slope =
              (surface_gradient(surface, x + d) - surface_gradient(surface, x - d)) / 2e-3;
          CHECK((hessian.col(axis) - slope).norm() < 1e-6);
        }
      }
    }
  }
}

TEST_CASE("support points lie on a solid's surface with the direction as normal") {
  std::mt19937 random(5);
  for (const Solid& solid : kSolids) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 direction = random_vector(random).normalized();
      const Vec3 x = support_point(solid, direction);
      double largest = -1.0;
      Eigen::Vector3d sum = Vec3::Zero();
      for (const Surface& surface : surfaces(solid)) {
        const double value = surface_value(surface, x);
        largest = std::max(largest, value);
        if (value > -1e-9) sum += surface_gradient(surface, x);
      }
      CHECK(std::abs(largest) < 1e-9);
      CHECK(sum.dot(direction) > 0.0);
      if (surfaces(solid).size() == 1) CHECK((sum.normalized() - direction).norm() < 1e-9);
    }
  }
}

TEST_CASE("a superquadric of exponent two is an ellipsoid, also on its axes") {
  const Vec3 axes(50.0, 40.0, 30.0);
  const Surface superquadric = SuperquadricSurface{axes, 2.0};
  const Surface ellipsoid = EllipsoidSurface{axes};
  for (const Vec3& x : {Vec3(50.0, 0.0, 0.0), Vec3(0.0, 0.0, 30.0), Vec3(10.0, -20.0, 5.0)}) {
    CHECK(surface_value(superquadric, x) == Approx(surface_value(ellipsoid, x)).margin(1e-12));
    CHECK((surface_gradient(superquadric, x) - surface_gradient(ellipsoid, x)).norm() < 1e-12);
    CHECK((surface_hessian(superquadric, x) - surface_hessian(ellipsoid, x)).norm() < 1e-12);
  }
}
