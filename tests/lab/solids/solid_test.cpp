#include "lab/solids/solid.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/lab/solids/random_solids.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// Volume and second moments over a grid of cells of half the bounding cube: the octant x, y, z > 0
/// holds an eighth of each solid. Cells on the surface count by their middles.
SolidMass summed_mass(const Solid& solid, const Vec3& extents, int cells) {
  SolidMass sum;
  const Vec3 cell = extents / cells;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) {
        const Vec3 p = cell.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5));
        if (gauge(solid, p) > 1.0) continue;
        const Vec3 square = p.cwiseProduct(p);
        sum.volume_mm3 += 1.0;
        sum.inertia_mm5 += Vec3::Constant(square.sum()) - square;
      }
    }
  }
  const double weight = 8.0 * cell.prod();
  return {weight * sum.volume_mm3, weight * sum.inertia_mm5};
}

/// Half the sides of the box around a solid.
Vec3 extents(const Solid& solid) {
  Vec3 size;
  for (int i = 0; i < 3; ++i) size[i] = support_point(solid, Vec3::Unit(i))[i];
  return size;
}

}  // namespace

TEST_CASE("volume and inertia of solids are those of sums over cells") {
  Random random(1);
  for (int trial = 0; trial < 10; ++trial) {
    const Solid solid = random_solid(random, trial % 5);
    const SolidMass mass = solid_mass(solid);
    const SolidMass summed = summed_mass(solid, extents(solid), 60);
    INFO(trial);
    CHECK(summed.volume_mm3 == Approx(mass.volume_mm3).epsilon(3e-3));
    for (int i = 0; i < 3; ++i) {
      CHECK(summed.inertia_mm5[i] == Approx(mass.inertia_mm5[i]).epsilon(3e-3));
    }
  }
}

TEST_CASE("textbook volumes and inertias") {
  const SolidMass ball = solid_mass(Sphere{2.0});
  CHECK(ball.volume_mm3 == Approx(4.0 / 3.0 * M_PI * 8.0));
  CHECK(ball.inertia_mm5.x() == Approx(0.4 * 4.0 * ball.volume_mm3));
  const SolidMass box = solid_mass(Box3{Vec3(1.0, 2.0, 3.0)});
  CHECK(box.volume_mm3 == Approx(48.0));
  CHECK(box.inertia_mm5.x() == Approx(48.0 * (16.0 + 36.0) / 12.0));
  const SolidMass rod = solid_mass(Cylinder{2.0, 5.0});
  CHECK(rod.volume_mm3 == Approx(M_PI * 40.0));
  CHECK(rod.inertia_mm5.x() == Approx(rod.volume_mm3 * (3.0 * 4.0 + 100.0) / 12.0));
  CHECK(rod.inertia_mm5.z() == Approx(rod.volume_mm3 * 2.0));
  CHECK(std::isinf(solid_mass(HalfSpace{}).volume_mm3));
}

TEST_CASE("a superquadric of exponent two is an ellipsoid") {
  const Vec3 axes(3.0, 4.0, 5.0);
  const SolidMass ellipsoid = solid_mass(Ellipsoid{axes});
  const SolidMass superquadric = solid_mass(Superquadric{axes, 2.0});
  CHECK(superquadric.volume_mm3 == Approx(ellipsoid.volume_mm3));
  CHECK((superquadric.inertia_mm5 - ellipsoid.inertia_mm5).norm() < 1e-9);
  const Vec3 d(0.3, -0.5, 0.2);
  CHECK((support_point(Superquadric{axes, 2.0}, d) - support_point(Ellipsoid{axes}, d)).norm() <
        1e-12);
}

TEST_CASE("support points are on the surface and none is farther") {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Solid solid = random_solid(random, trial % 5);
    const Vec3 direction = random_vector(random, 1.0);
    const Vec3 farthest = support_point(solid, direction);
    INFO(trial);
    CHECK(gauge(solid, farthest) == Approx(1.0));
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random_vector(random, 1.0);
      CHECK(direction.dot(p / gauge(solid, p)) <= direction.dot(farthest) + 1e-9);
    }
  }
}

TEST_CASE("the support point along a face or an edge is its middle") {
  const Solid box = Box3{Vec3(1.0, 2.0, 3.0)};
  CHECK(support_point(box, Vec3::UnitX()) == Vec3(1.0, 0.0, 0.0));
  CHECK(support_point(box, Vec3(1.0, -1.0, 0.0)) == Vec3(1.0, -2.0, 0.0));
  const Solid cylinder = Cylinder{2.0, 5.0};
  CHECK(support_point(cylinder, -Vec3::UnitZ()) == Vec3(0.0, 0.0, -5.0));
  CHECK((support_point(cylinder, Vec3(3.0, 4.0, 0.0)) - Vec3(1.2, 1.6, 0.0)).norm() < 1e-15);
}

TEST_CASE("no point of a solid is outside of its bounding radius and one is on it") {
  Random random(3);
  for (int trial = 0; trial < 25; ++trial) {
    const Solid solid = random_solid(random, trial % 5);
    const double radius = bounding_radius_mm(solid);
    double farthest = 0.0;
    for (int i = 0; i < 4000; ++i) {
      const Vec3 p = random_vector(random, 1.0);
      farthest = std::max(farthest, p.norm() / gauge(solid, p));
    }
    INFO(trial);
    CHECK(farthest <= radius * (1.0 + 1e-12));
    CHECK(farthest > 0.95 * radius);
  }
  CHECK(std::isinf(bounding_radius_mm(HalfSpace{})));
}

namespace graspmap::testing {

TEST_CASE("the z axis is turned to any direction, also to the opposite one and next to it") {
  const double length = GENERATE(1e-6, 1.0, 1e6);
  const Vec3 direction =
      GENERATE(Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1, 0, 0), Vec3(-0.3, 0.7, 0.2),
               Vec3(0.2, -0.1, -5.0), Vec3(1e-9, 2e-9, -1), Vec3(1e-200, 0, -1), Vec3(0, 1e-9, 1));
  const Eigen::Quaterniond turn = turn_from_z(length * direction);
  CHECK(turn.norm() == Approx(1.0).epsilon(1e-15));
  CHECK((turn * Vec3::UnitZ() - direction.normalized()).norm() < 1e-15);
  CHECK(turn.z() == 0.0);  // no more than needed
}

}  // namespace graspmap::testing
