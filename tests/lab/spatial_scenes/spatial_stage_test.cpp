#include <algorithm>
#include <catch2/catch.hpp>
#include <numbers>

#include "lab/spatial_scenes/solid_drawing.hpp"
#include "lab/spatial_scenes/spatial_picture.hpp"

using namespace graspmap;

namespace {

using Order = std::vector<std::size_t>;

PaintedSolid painted(const Solid& solid, const Vec3& at, int moment = 0) {
  return {solid, {at, Eigen::Quaterniond::Identity()}, moment};
}

/// The half-space below a plane through a point.
Pose3 half_space(const Vec3& at, const Vec3& normal) { return {at, turn_from_z(normal)}; }

}  // namespace

TEST_CASE("the farther of two solids is painted first", "[spatial_scenes]") {
  const SpatialView view = view_from({0, -1, 0.2});
  const PaintedSolid far = painted(Sphere{1}, {0, 5, 0});
  const PaintedSolid near = painted(Box3{{1, 1, 1}}, {0.5, 0, 0});
  CHECK(painting_order({near, far}, view) == Order{1, 0});
  CHECK(painting_order({far, near}, view) == Order{0, 1});
}

TEST_CASE("what is before a large solid is painted after it although its middle is farther",
          "[spatial_scenes]") {
  // A small ball on top of a large one, seen from above: the plane between them decides.
  const SpatialView view = view_from({0, -1, 1});
  const PaintedSolid large = painted(Sphere{100}, {0, 0, 0});
  const Vec3 beside = Vec3(0, 0.8, 0.6) * 101.0;
  const PaintedSolid small = painted(Sphere{1}, beside);
  CHECK(small.pose.position_mm.dot(view.toward) < large.pose.position_mm.dot(view.toward));
  // That far behind the top the plane between them faces away.
  CHECK(painting_order({small, large}, view) == Order{0, 1});
  const PaintedSolid on_top = painted(Sphere{1}, Vec3(0, 0.6, 0.8) * 101.0);
  CHECK(painting_order({on_top, large}, view) == Order{1, 0});
}

TEST_CASE("a long solid is painted after what is behind it all along", "[spatial_scenes]") {
  // The plank's middle is farther from the eye than the ball behind its near end.
  const SpatialView view = view_from({1, -1, 0.1});
  const PaintedSolid plank = painted(Box3{{100, 1, 10}}, {0, 0, 0});
  const PaintedSolid ball = painted(Sphere{2}, {80, 5, 0});
  CHECK(plank.pose.position_mm.dot(view.toward) < ball.pose.position_mm.dot(view.toward));
  CHECK(painting_order({plank, ball}, view) == Order{1, 0});
}

TEST_CASE("moments are painted one after the other about what is always there",
          "[spatial_scenes]") {
  const SpatialView view = view_from({0, -1, 0.2});
  const PaintedSolid post = painted(Box3{{1, 1, 10}}, {0, 0, 0}, -1);
  const PaintedSolid first = painted(Sphere{1}, {0, 5, 0}, 0);   // behind the post
  const PaintedSolid second = painted(Sphere{1}, {3, 0, 0}, 1);  // beside it
  const PaintedSolid third = painted(Sphere{1}, {0, -5, 0}, 2);  // before it
  const Order order = painting_order({third, second, first, post}, view);
  CHECK(order == Order{2, 3, 1, 0});
}

TEST_CASE("solids that hide each other in a ring are all painted", "[spatial_scenes]") {
  // Three planks, each over the next one's end.
  const SpatialView view = view_from({0.001, 0, 1});
  std::vector<PaintedSolid> planks;
  for (int k = 0; k < 3; ++k) {
    const double turn = 2.0 * std::numbers::pi * k / 3.0;
    const Eigen::Quaterniond q = Eigen::Quaterniond(Eigen::AngleAxisd(turn, Vec3::UnitZ())) *
                                 Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
    const Vec3 at = q * Vec3(0, -8, 0);
    planks.push_back({Box3{{25, 1, 1}}, {Vec3(at.x(), at.y(), 0), q}, 0});
  }
  Order order = painting_order(planks, view);
  std::sort(order.begin(), order.end());
  CHECK(order == Order{0, 1, 2});
}

TEST_CASE("a floor is a grid about all that moves", "[spatial_scenes]") {
  GrowingBox3 moving;
  moving.add({0, 0, 0}, {1000, 400, 300});
  const SpatialView view = view_from({0, -0.001, 1});
  const auto grids = ground_grids({half_space({0, 0, 0}, {0, 0, 1})}, moving, view);
  REQUIRE(grids.size() == 1);
  CHECK(grids[0].faces_eye);
  CHECK(grids[0].spacing_mm == 200.0);
  CHECK(grids[0].outline.size() == 4);
  // -200 to 1200 and -200 to 600 in whole cells: 8 and 5 lines.
  CHECK(grids[0].lines.size() == 8 + 5);
  Vec2 low = grids[0].outline[0];
  Vec2 high = low;
  for (const Vec2& point : grids[0].outline) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  CHECK(low.x() == Approx(-200));
  CHECK(high.x() == Approx(1200));
}

TEST_CASE("floor and wall end where they meet", "[spatial_scenes]") {
  GrowingBox3 moving;
  moving.add({-500, -500, 0}, {500, 500, 800});
  const SpatialView view = view_from({1, -0.5, 0.7});
  const std::vector<Pose3> planes = {half_space({0, 0, 0}, {0, 0, 1}),
                                     half_space({0, 500, 0}, {0, -1, 0})};
  const auto grids = ground_grids(planes, moving, view);
  REQUIRE(grids.size() == 2);
  CHECK(grids[0].faces_eye);
  CHECK(grids[1].faces_eye);
  const double edge = view.flat({0, 500, 0}).dot(Vec2(0, 1));
  for (const Vec2& point : grids[1].outline) {
    CHECK(point.y() >= edge - 0.7 * 800);  // nothing below the floor's far edge but by slant
  }
  // The wall stands on the floor: its lowest points are at z = 0, which are those of the floor's
  // far edge.
  int common = 0;
  for (const Vec2& a : grids[0].outline) {
    for (const Vec2& b : grids[1].outline) common += (a - b).norm() < 1e-9 ? 1 : 0;
  }
  CHECK(common == 2);
}

TEST_CASE("a wall seen from behind does not face the eye", "[spatial_scenes]") {
  GrowingBox3 moving;
  moving.add({-500, -500, 0}, {500, 500, 800});
  const auto grids =
      ground_grids({half_space({0, -500, 0}, {0, 1, 0})}, moving, view_from({1, -1, 1}));
  CHECK_FALSE(grids[0].faces_eye);
}
