#include "geometry/part.hpp"

#include <algorithm>

#include "tests/support/parts.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;

TEST_CASE("a part contains the points of each of its pieces") {
  const Part part{{{"disc", {1.0, 1.0, 2.0}, {{0, 0}, 0}}, {"bar", {4.0, 0.5, 8.0}, {{10, 0}, 0}}}};
  CHECK(contains(part, Vec2(0.0, 0.0)));
  CHECK(contains(part, Vec2(1.0, 0.0)));
  CHECK(contains(part, Vec2(12.0, 0.3)));
  CHECK_FALSE(contains(part, Vec2(3.0, 0.0)));
  CHECK_FALSE(contains(part, Vec2(10.0, 0.6)));
  CHECK_FALSE(contains(Part{}, Vec2(0.0, 0.0)));
}

TEST_CASE("a piece is contained where its pose puts it") {
  const Part part{{{"bar", {4.0, 0.5, 8.0}, {{10, 5}, std::acos(0.6)}}}};
  const Vec2 along(0.6, 0.8);
  CHECK(contains(part, Vec2(10, 5) + 3.9 * along));
  CHECK(contains(part, Vec2(10, 5) - 3.9 * along + 0.3 * perp(along)));
  CHECK_FALSE(contains(part, Vec2(10, 5) + 4.1 * along));
  CHECK_FALSE(contains(part, Vec2(10, 5) + 0.6 * perp(along)));
}

TEST_CASE("the teeth of the lock piece reach out of its disc") {
  const Part part = lock_piece();
  const double t = 4.253125;
  CHECK(contains(part, 23.0 * Vec2(std::cos(t), std::sin(t))));
  CHECK_FALSE(contains(part, 23.0 * Vec2(std::cos(t + 0.075), std::sin(t + 0.075))));
}

TEST_CASE("the bounding radius holds the whole part") {
  const Part part = lock_piece();
  for (const Vec2& center : {Vec2(0, 0), Vec2(3, -2), Vec2(-40, 10)}) {
    double farthest = 0.0;
    for (const Piece& piece : part.pieces) {
      const auto distance = [&](double t) {
        return (transform(piece.pose, boundary_point(piece.shape, t).position_mm) - center).norm();
      };
      farthest = std::max(farthest, periodic_max(distance, 360).value);
    }
    CHECK(bounding_radius_mm(part, center) >= farthest);
    CHECK(bounding_radius_mm(part, center) <= farthest + 2.0 * 2.3);
  }
}

TEST_CASE("the bounding radius of a disc is exact") {
  const Part part{{{"disc", {3.0, 3.0, 2.0}, {{4.0, 3.0}, 0.0}}}};
  CHECK(bounding_radius_mm(part, Vec2(0, 0)) == 8.0);
}

}  // namespace
}  // namespace graspmap
