#include "grasp/base/pictures/polygons.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "tests/support/outline_stories.hpp"

namespace graspmap {
namespace {

using Polygon = std::vector<Vec2>;

/// > 0 counter-clockwise.
double signed_area(const Polygon& polygon) {
  double twice = 0.0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    twice += cross(polygon[k], polygon[(k + 1) % polygon.size()]);
  }
  return 0.5 * twice;
}

const Polygon kSquare = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};

TEST_CASE("a loop of segments has its corners as points") {
  const OutlineLoop loop = testing::polygon_loop(kSquare);
  CHECK(loop_points(loop, 1e-9) == kSquare);
}

TEST_CASE("the chords of an arc are as near to it as they should be, and no nearer") {
  const double tolerance_mm = GENERATE(1.0, 0.1, 1e-3);
  const double bulge = GENERATE(1.0, -1.0);
  const Polygon points = loop_points(testing::circle_loop(50, bulge), tolerance_mm);
  double farthest_mm = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    CHECK(points[k].norm() == Approx(50));
    const Vec2 middle = 0.5 * (points[k] + points[(k + 1) % points.size()]);
    farthest_mm = std::max(farthest_mm, 50.0 - middle.norm());
  }
  CHECK(farthest_mm <= tolerance_mm);
  CHECK(farthest_mm >= 0.5 * tolerance_mm);
  CHECK((signed_area(points) > 0.0) == (bulge > 0.0));
}

TEST_CASE("an outline has a polygon for each loop, the outer one first") {
  const auto polygons = outline_polygons(testing::ring(), 1e-4);
  REQUIRE(polygons.size() == 2);
  CHECK(signed_area(polygons[0]) == Approx(225 * std::numbers::pi).epsilon(1e-4));
  CHECK(signed_area(polygons[1]) == Approx(-64 * std::numbers::pi).epsilon(1e-4));
}

TEST_CASE("a polygon is cut at a box, convex or not") {
  CHECK(clipped(kSquare, {{-1, -1}, {5, 5}}) == kSquare);
  CHECK(signed_area(clipped(kSquare, {{1, -9}, {2, 9}})) == Approx(4));
  CHECK(clipped(kSquare, {{5, 5}, {6, 6}}).empty());
  const Polygon u = {{0, 0}, {6, 0}, {6, 9}, {4, 9}, {4, 2}, {2, 2}, {2, 9}, {0, 9}};
  const Polygon prongs = clipped(u, {{-1, 3}, {7, 5}});
  CHECK(signed_area(prongs) == Approx(8));
  for (const Vec2& p : prongs) {
    CHECK(p.y() >= 3);
    CHECK(p.y() <= 5);
  }
}

TEST_CASE("what reaches far is cut to the box's size") {
  const Box box{{-30, -40}, {30, 20}};
  const auto polygons = clipped(outline_polygons(testing::v_finger(), 0.01), box);
  REQUIRE(polygons.size() == 1);
  CHECK(signed_area(polygons[0]) == Approx(30 * 40 - 0.5 * 6 * 16));
  for (const Vec2& p : polygons[0]) CHECK(box.contains({p, p}));
}

TEST_CASE("polygons outside of a box are left out") {
  CHECK(clipped(std::vector<Polygon>{kSquare, {{9, 9}, {9, 8}, {8, 8}}}, {{-1, -1}, {5, 5}}) ==
        std::vector<Polygon>{kSquare});
}

TEST_CASE("a polygon with holes becomes one polygon of the same area") {
  const Polygon hole = {{1, 1}, {1, 2}, {2, 2}, {2, 1}};
  const Polygon other = {{2.5, 2.5}, {2.5, 3.5}, {3.5, 3.5}, {3.5, 2.5}};
  const Polygon joined = joined_polygon({kSquare, hole, other});
  CHECK(signed_area(joined) == Approx(16 - 1 - 1));
  CHECK(joined.size() == 4 + 2 * (4 + 2));
  CHECK(joined[1] == hole[0]);  // from (0, 0)
  CHECK(joined_polygon({kSquare}) == kSquare);
  CHECK(joined_polygon({}).empty());
}

}  // namespace
}  // namespace graspmap
