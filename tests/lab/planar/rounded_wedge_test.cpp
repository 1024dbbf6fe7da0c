#include <catch2/catch.hpp>

#include "geometry/convex_region.hpp"
#include "lab/planar/convex_shape.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

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

TEST_CASE("a rod's region is the segment grown by a disc, turned and moved with it") {
  const ConvexShape shape = rod(4.0, 0.5);
  const Pose2 pose{{1.0, -2.0}, 0.7};
  const ConvexRegion region = region_at(shape, pose);
  CHECK(region.functions.size() == 2);
  Random random(4);
  for (int k = 0; k < 1000; ++k) {
    const Vec2 local(random.uniform(-4, 4), random.uniform(-2, 2));
    const Vec2 on_axis(std::clamp(local.x(), -2.0, 2.0), 0.0);
    const double outside = (local - on_axis).norm() - 0.5;
    const double f = value(region, transform(pose, local));
    CHECK((f > 0.0) == (outside > 0.0));
  }
}
