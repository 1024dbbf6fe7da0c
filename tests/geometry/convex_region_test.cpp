#include "geometry/convex_region.hpp"

#include <random>

#include "tests/support/finite_differences.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;

// The square |x|, |y| <= 1.
ConvexRegion unit_square() {
  return {
      {HalfPlane{{1, 0}, 1}, HalfPlane{{0, 1}, 1}, HalfPlane{{-1, 0}, 1}, HalfPlane{{0, -1}, 1}}};
}

TEST_CASE("a placed superellipse moves with its pose") {
  const PlacedSuperellipse placed{{2.3, 1.1, 4.0}, {{5.0, -3.0}, 0.8}};
  CHECK(value(ConvexFunction(placed), placed.pose.position_mm) == -1.0);
  for (double t = 0.0; t < 6.3; t += 0.5) {
    const BoundaryPoint point = boundary_point(placed.shape, t);
    const Vec2 x = transform(placed.pose, point.position_mm);
    const Vec2 outward = Rotation2(placed.pose.angle_rad) * point.normal;
    CHECK(value(ConvexFunction(placed), x) == within(0.0, 1e-14));
    CHECK((gradient(ConvexFunction(placed), x).normalized() - outward).norm() <= 1e-13);
  }
}

TEST_CASE("the derivatives of placed functions agree with finite differences") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> coordinate(0.3, 1.2);
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const Pose2 pose{{4.0, -7.0}, 2.1};
    const ConvexFunction function = PlacedSuperellipse{shape, pose};
    const auto f = [&](const Vec2& x) { return value(function, x); };
    const auto grad_f = [&](const Vec2& x) { return gradient(function, x); };
    for (int k = 0; k < 10; ++k) {
      const Vec2 local(shape.a_mm * coordinate(random), -shape.b_mm * coordinate(random));
      const Vec2 x = transform(pose, local);
      const Vec2 g = gradient(function, x);
      const Mat2 H = hessian(function, x);
      CHECK((g - central_gradient(f, x, 1e-4)).norm() <= 1e-8 * (1.0 + g.norm()));
      CHECK((H - central_jacobian<2>(grad_f, x, 1e-4)).norm() <= 1e-8 * (1.0 + H.norm()));
      CHECK((H - H.transpose()).norm() <= 1e-14 * H.norm());
    }
  }
}

TEST_CASE("a region is negative inside, zero on its boundary and positive outside") {
  const ConvexRegion square = unit_square();
  CHECK(value(square, Vec2(0.2, 0.1)) == within(-0.8, 1e-15));
  CHECK(value(square, Vec2(1.0, 0.5)) == 0.0);
  CHECK(value(square, Vec2(0.0, -1.0)) == 0.0);
  CHECK(value(square, Vec2(1.5, 3.0)) == 2.0);
}

TEST_CASE("the active function is the first of the largest") {
  const ConvexRegion square = unit_square();
  CHECK(active_function(square, Vec2(2.0, 0.0)) == 0);
  CHECK(active_function(square, Vec2(0.0, 2.0)) == 1);
  CHECK(active_function(square, Vec2(-2.0, 1.0)) == 2);
  CHECK(active_function(square, Vec2(0.5, -0.6)) == 3);
  CHECK(active_function(square, Vec2(1.0, 1.0)) == 0);
  CHECK(active_function(square, Vec2(-1.0, -1.0)) == 2);
}

TEST_CASE("half-planes and superellipses intersect in one region") {
  const ConvexRegion half_disc{
      {HalfPlane{{0, 1}, 0}, PlacedSuperellipse{{2, 2, 2}, {{1, 0}, 0.3}}}};
  CHECK(value(half_disc, Vec2(1.0, -1.0)) < 0.0);
  CHECK(value(half_disc, Vec2(1.0, 1.0)) == 1.0);
  CHECK(value(half_disc, Vec2(-1.5, -1.0)) > 0.0);
  CHECK(active_function(half_disc, Vec2(1.0, 1.0)) == 0);
  CHECK(active_function(half_disc, Vec2(5.0, -1.0)) == 1);
}

TEST_CASE("a rounded wedge vanishes on its boundary with a unit gradient") {
  const RoundedWedge ray{{1.0, 2.0}, {{0.0, -1.0}, {0.0, 1.0}}, 0.5};
  for (const Vec2& x : {Vec2(-7.0, 2.5), Vec2(0.0, 1.5), Vec2(1.5, 2.0), Vec2(1.3, 2.4)}) {
    CHECK(value(ray, x) == Approx(0.0).margin(1e-15));
    CHECK(gradient(ray, x).norm() == Approx(1.0));
  }
  CHECK(value(ray, {-3.0, 2.0}) < 0.0);
  CHECK(value(ray, {2.0, 2.0}) > 0.0);
}

TEST_CASE("derivatives of a rounded wedge match finite differences") {
  const RoundedWedge wedge{{0.3, -0.2}, {Vec2(-0.6, -0.8), Vec2(0.28, 0.96)}, 0.7};
  Random random(3);
  const auto f = [&](const Vec2& x) { return value(wedge, x); };
  const auto g = [&](const Vec2& x) -> Vec2 { return gradient(wedge, x); };
  for (int k = 0; k < 300; ++k) {
    const Vec2 x(random.uniform(-3, 3), random.uniform(-3, 3));
    CHECK((gradient(wedge, x) - central_gradient(f, x, 1e-4)).norm() < 1e-3);  // kinks of f''
    const Mat2 numeric = central_jacobian<2>(g, x, 1e-6);
    // The Hessian jumps where a straight side begins; no x is that near to such a line.
    CHECK((hessian(wedge, x) - numeric).norm() <= 1e-6);
  }
}

}  // namespace
}  // namespace graspmap
