#include <catch2/catch.hpp>
#include <limits>
#include <numbers>

#include "lab/planar/convex_shape.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The distance of x to a closed polygon's boundary, from its corners alone.
double boundary_distance(const std::vector<Vec2>& vertices, const Vec2& x) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec2 from = vertices[i];
    const Vec2 side = vertices[(i + 1) % vertices.size()] - from;
    const double s = std::clamp(side.dot(x - from) / side.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (x - from - s * side).norm());
  }
  return least;
}

}  // namespace

TEST_CASE("the distance of a point to a polygon's core is that to its boundary") {
  const RoundedPolygon shape = polygon({{-2, -1}, {3, -1}, {2, 1.5}, {-1, 2}});
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const Vec2 x(random.uniform(-5, 5), random.uniform(-5, 5));
    const CoreProjection foot = project_to_core(shape, x);
    bool inside = true;
    for (const HalfPlane& edge : shape.edges) inside = inside && value(edge, x) <= 0.0;
    CHECK(inside == (foot.distance_mm <= 0.0));
    CHECK(std::abs(foot.distance_mm) == Approx(boundary_distance(shape.vertices, x)).margin(1e-12));
    CHECK((foot.point_mm + foot.distance_mm * foot.normal - x).norm() < 1e-12);
    CHECK(foot.normal.norm() == Approx(1.0));
  }
}

TEST_CASE("a rod is a segment grown by a disc") {
  const RoundedPolygon shape = rod(4.0, 0.5);
  CHECK(shape.is_closed());
  CHECK(bounding_radius_mm(shape) == 2.5);
  CHECK(project_to_core(shape, {1.0, 3.0}).distance_mm == 3.0);
  CHECK(project_to_core(shape, {-1.0, -3.0}).normal == Vec2(0.0, -1.0));
  const CoreProjection end = project_to_core(shape, {5.0, 4.0});
  CHECK(end.distance_mm == Approx(5.0));
  CHECK_FALSE(end.on_edge);
  CHECK(end.point_mm == Vec2(2.0, 0.0));
  const CoreProjection axis = project_to_core(shape, {-3.0, 0.0});
  CHECK(axis.distance_mm == Approx(1.0));
  CHECK(axis.point_mm == Vec2(-2.0, 0.0));
}

TEST_CASE("open polygons reach to infinity") {
  const RoundedPolygon ground = half_plane_shape();
  CHECK_FALSE(ground.is_closed());
  CHECK(bounding_radius_mm(ground) == std::numeric_limits<double>::infinity());
  CHECK(project_to_core(ground, {1e6, 2.0}).distance_mm == 2.0);
  CHECK(project_to_core(ground, {-1e6, -2.0}).distance_mm == -2.0);
}

TEST_CASE("inscribed polygons have their vertices on the superellipse and one at its bottom") {
  for (const Superellipse& shape : sample_shapes()) {
    const RoundedPolygon inscribed = inscribed_polygon(shape, 24);
    REQUIRE(inscribed.vertices.size() == 24);
    CHECK((inscribed.vertices[0] - Vec2(0.0, -shape.b_mm)).norm() < 1e-9);
    for (const Vec2& vertex : inscribed.vertices) {
      CHECK(value(shape, vertex) == Approx(0.0).margin(1e-12));
    }
  }
  const RoundedPolygon regular = regular_polygon(6, 2.0, -0.5 * std::numbers::pi);
  CHECK(value(regular.edges[0], {0.0, 0.0}) == Approx(-std::sqrt(3.0)));
}
