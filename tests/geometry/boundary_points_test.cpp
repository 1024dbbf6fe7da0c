#include "geometry/boundary_points.hpp"

#include <catch2/catch.hpp>
#include <numbers>

namespace graspmap {
namespace {

using std::numbers::pi;

// A square of side 4 with a half disc of radius 2 on its right, and a hole of radius 1.
Outline tombstone() {
  return {{{{0, 0}, 0.0, ""}, {{4, 0}, 1.0, ""}, {{4, 4}, 0.0, ""}, {{0, 4}, 0.0, ""}},
          {{{{3, 2}, -1.0, ""}, {{1, 2}, -1.0, ""}}}};
}

TEST_CASE("the boundary of a part of one outline is its chains") {
  const Part part{{}, {{"tombstone", tombstone(), {{1, 1}, 0.5}}}};
  const auto arcs = union_boundary(part);
  REQUIRE(arcs.size() == 6);
  for (const BoundaryArc& arc : arcs) {
    CHECK(arc.piece == 0);
    CHECK(arc.begin == 0.0);
    CHECK(arc.end == 1.0);
  }
  CHECK(arcs[3].loop == 0);
  CHECK(arcs[3].element == 3);
  CHECK(arcs[4].loop == 1);
  CHECK(arcs[4].element == 0);
}

TEST_CASE("segments have two points, arcs as many as they turn") {
  const Part part{{{"disc", {1.0, 1.0, 2.0}, {{20, 0}, 0.0}}},
                  {{"tombstone", tombstone(), {{1, 1}, pi / 2.0}}}};
  const auto arcs = union_boundary(part);
  REQUIRE(arcs.size() == 7);
  std::vector<std::vector<Vec2>> points;
  for (const BoundaryArc& arc : arcs) points.push_back(boundary_points(part, arc, 100));
  CHECK(points[0].size() == 102);  // one more step than 100, and both ends
  CHECK(points[1].size() == 2);
  CHECK(points[2].size() == 52);
  for (const Vec2& point : points[2]) {  // the half disc about (4, 2), turned and moved
    CHECK((point - Vec2(-1, 5)).norm() == Approx(2.0).epsilon(1e-14));
    CHECK(point.y() >= 5.0 - 1e-12);
  }
  for (std::size_t k : {1u, 2u, 3u})
    CHECK((points[k].back() - points[k + 1].front()).norm() < 1e-12);
  CHECK((points[4].back() - points[1].front()).norm() < 1e-12);
  for (std::size_t k : {5u, 6u}) {
    for (const Vec2& point : points[k]) CHECK((point - Vec2(-1, 3)).norm() == Approx(1.0));
  }
}

}  // namespace
}  // namespace graspmap
