#include "lab/scenes/scene_shapes.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

using namespace graspmap;

namespace {

constexpr double kPi = std::numbers::pi;

void check_integrals(const AreaIntegrals& plate, double area, const Vec2& centroid, double polar) {
  CHECK(plate.area_mm2 == Approx(area).epsilon(1e-12));
  CHECK(plate.centroid_P_mm.x() == Approx(centroid.x()).margin(1e-10));
  CHECK(plate.centroid_P_mm.y() == Approx(centroid.y()).margin(1e-10));
  CHECK(plate.polar_moment_mm4 == Approx(polar).epsilon(1e-11));
}

}  // namespace

TEST_CASE("the plate of a rectangle has b h (b^2 + h^2) / 12 about its centre", "[scenes]") {
  const RoundedPolygon box = polygon({{1, 2}, {7, 2}, {7, 6}, {1, 6}});
  check_integrals(plate_integrals(box), 24.0, {4, 4}, 24.0 * (36.0 + 16.0) / 12.0);
}

TEST_CASE("the plate of a triangle has its centroid at the mean of its vertices", "[scenes]") {
  const RoundedPolygon triangle = polygon({{0, 0}, {6, 0}, {0, 3}});
  // Polar moment of a triangle about its centroid: area (a^2 + b^2 + c^2) / 36.
  check_integrals(plate_integrals(triangle), 9.0, {2, 1}, 9.0 * (36.0 + 9.0 + 45.0) / 36.0);
}

TEST_CASE("the plate of a regular polygon has the textbook moment", "[scenes]") {
  const int n = 7;
  const double R = 3.0;
  const double area = 0.5 * n * R * R * std::sin(2 * kPi / n);
  // m R^2 (2 + cos(2 pi/n)) / 6
  check_integrals(plate_integrals(regular_polygon(n, R, 0.3)), area, {0, 0},
                  area * R * R * (2.0 + std::cos(2 * kPi / n)) / 6.0);
}

TEST_CASE("the plate of a rod is a rectangle with two half discs", "[scenes]") {
  const double L = 10.0;
  const double r = 2.0;
  const double rectangle = 2 * r * L * (L * L + 4 * r * r) / 12.0;
  const double half_discs =
      0.5 * kPi * std::pow(r, 4) + 4.0 / 3.0 * L * std::pow(r, 3) + 0.25 * kPi * r * r * L * L;
  check_integrals(plate_integrals(rod(L, r)), 2 * r * L + kPi * r * r, {0, 0},
                  rectangle + half_discs);
}

TEST_CASE("the plate of a rounded square agrees with a sum over small squares", "[scenes]") {
  RoundedPolygon shape = polygon({{0, 0}, {3, 0}, {4, 2}, {0, 2}});
  shape.radius_mm = 1.5;
  const int n = 1200;
  const double h = 8.0 / n;
  double area = 0.0;
  Vec2 first = Vec2::Zero();
  double polar = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Vec2 x(-2.0 + (i + 0.5) * h, -2.0 + (j + 0.5) * h);
      if (project_to_core(shape, x).distance_mm > shape.radius_mm) continue;
      area += h * h;
      first += h * h * x;
      polar += h * h * x.squaredNorm();
    }
  }
  const AreaIntegrals plate = plate_integrals(shape);
  CHECK(plate.area_mm2 == Approx(area).epsilon(1e-3));
  CHECK((plate.centroid_P_mm - first / area).norm() < 2e-3);
  CHECK(plate.polar_moment_mm4 == Approx(polar - first.squaredNorm() / area).epsilon(2e-3));
}

TEST_CASE("placed plates add up about their common centroid", "[scenes]") {
  // Two squares of side 2 with centres 6 apart, one of them turned.
  const RoundedPolygon square = polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  const std::vector<PlacedShape> pair = {{square, {{0, 1}, 0.7}}, {square, {{6, 1}, 0.0}}};
  check_integrals(plate_integrals(pair), 8.0, {3, 1}, 8.0 * (8.0 / 12.0 + 9.0));
}

TEST_CASE("superellipses that overlap count once", "[scenes]") {
  const Superellipse disc{5, 5, 2};
  const std::vector<PlacedShape> twice = {{disc, {{1, 2}, 0.0}}, {disc, {{1, 2}, 0.5}}};
  check_integrals(plate_integrals(twice), 25 * kPi, {1, 2}, 0.5 * kPi * 625);
}

TEST_CASE("scaled shapes have areas as the square of the factor", "[scenes]") {
  for (const ConvexShape& shape : {ConvexShape(rod(4, 1)), ConvexShape(Superellipse{3, 2, 4}),
                                   ConvexShape(polygon({{0, 0}, {6, 0}, {0, 3}}))}) {
    const AreaIntegrals plain = plate_integrals(std::vector<PlacedShape>{{shape, {}}});
    const AreaIntegrals large = plate_integrals(std::vector<PlacedShape>{{scaled(shape, 3), {}}});
    check_integrals(large, 9 * plain.area_mm2, 3 * plain.centroid_P_mm,
                    81 * plain.polar_moment_mm4);
  }
}

TEST_CASE("a half-plane is open and other shapes are not", "[scenes]") {
  CHECK(is_open(half_plane_shape()));
  CHECK_FALSE(is_open(rod(1, 1)));
  CHECK_FALSE(is_open(Superellipse{1, 1, 2}));
}

TEST_CASE("the overlap of shapes is that of the closest points", "[scenes]") {
  const Superellipse disc{5, 5, 2};
  const RoundedPolygon box = polygon({{-2, -1}, {2, -1}, {2, 1}, {-2, 1}});
  CHECK(overlap_mm({disc, {}}, {disc, {{9, 0}, 0}}) == Approx(1.0));
  CHECK(overlap_mm({disc, {}}, {disc, {{10.5, 0}, 0}}) == 0.0);
  CHECK(overlap_mm({box, {{0, 0.75}, 0}}, {half_plane_shape(), {}}) == Approx(0.25));
  CHECK(overlap_mm({box, {}}, {box, {{3.5, 0.5}, 0}}) == Approx(0.5));
  CHECK(overlap_mm({box, {}}, {box, {{4.5, 0}, 0}}) == 0.0);
}

TEST_CASE("crossing bars overlap without a vertex of one in the other", "[scenes]") {
  const RoundedPolygon bar = polygon({{-5, -1}, {5, -1}, {5, 1}, {-5, 1}});
  CHECK(overlap_mm({bar, {}}, {bar, {{0, 0}, kPi / 2}}) == Approx(6.0));
  CHECK(overlap_mm({rod(10, 1), {}}, {rod(10, 1), {{0, 0}, kPi / 2}}) > 1.0);
  // Two rods one behind the other, with room in between.
  CHECK(overlap_mm({rod(10, 1), {}}, {rod(10, 1), {{12.5, 0}, 0}}) == 0.0);
}
