#include <catch2/catch.hpp>

#include "geometry/convex_region.hpp"
#include "lab/planar/convex_shape.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

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
