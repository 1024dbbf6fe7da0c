#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "geometry/mass_properties.hpp"
#include "geometry/outline.hpp"
#include "tests/support/outline_shapes.hpp"

namespace graspmap {
namespace {

using std::numbers::pi;

// Area, first moments and polar moment about the axes' origin: these add up.
struct Sums {
  double area = 0.0;
  Vec2 first{0, 0};
  double polar = 0.0;

  Sums& add(double sign, double of_area, const Vec2& centroid, double own_polar) {
    area += sign * of_area;
    first += sign * of_area * centroid;
    polar += sign * (own_polar + of_area * centroid.squaredNorm());
    return *this;
  }
  Sums& disc(double sign, const Vec2& center, double r) {
    return add(sign, pi * r * r, center, pi * std::pow(r, 4) / 2.0);
  }
  Sums& rectangle(double sign, const Vec2& center, double w, double h) {
    return add(sign, w * h, center, w * h * (w * w + h * h) / 12.0);
  }
  // What a fillet of radius r leaves of, or adds to, a right corner whose edges run along -u and
  // -v: the square without its quarter disc.
  Sums& spandrel(double sign, const Vec2& corner, const Vec2& u, const Vec2& v, double r) {
    const Vec2 center = corner - r * (u + v);
    rectangle(sign, corner - 0.5 * r * (u + v), r, r);
    const double quarter = pi * r * r / 4.0;
    const Vec2 centroid = center + 4.0 * r / (3.0 * pi) * (u + v);
    return add(-sign, quarter, centroid,
               pi * std::pow(r, 4) / 8.0 - quarter * (centroid - center).squaredNorm());
  }
};

// Checks the integrals of an outline against sums about its axes' origin, wherever it is placed,
// and wherever the axes are that it is drawn in.
void check_sums(const Outline& outline, const Sums& expected) {
  const Vec2 centroid = expected.first / expected.area;
  const double polar = expected.polar - expected.area * centroid.squaredNorm();
  const double size = std::sqrt(expected.area);
  for (const Pose2& pose : {Pose2{}, Pose2{{3, -8}, 0.7}, Pose2{{-2e4, 1e4}, 2.5}}) {
    CAPTURE(pose.position_mm.x(), pose.angle_rad);
    for (const bool moved : {false, true}) {
      const Part part = moved ? Part{{}, {{"outline", placed(outline, pose), {}}}}
                              : Part{{}, {{"outline", outline, pose}}};
      const AreaIntegrals found = area_integrals(part);
      CHECK(found.area_mm2 == Approx(expected.area).epsilon(1e-9));
      CHECK((found.centroid_P_mm - transform(pose, centroid)).norm() <= 1e-9 * size);
      CHECK(found.polar_moment_mm4 == Approx(polar).epsilon(1e-9));
    }
  }
}

TEST_CASE("the mass of rings and plates with holes") {
  check_sums({circle_loop({0, 0}, 5), {}}, Sums().disc(1, {0, 0}, 5));
  check_sums({circle_loop({7, 1}, 5), {reversed(circle_loop({7, 1}, 3))}},
             Sums().disc(1, {7, 1}, 5).disc(-1, {7, 1}, 3));
  check_sums({rectangle_loop(30, 20),
              {reversed(circle_loop({9, 5}, 3)), reversed(circle_loop({-8, -6}, 2)),
               reversed(rectangle_loop(4, 1, {-6, 4}))}},
             Sums()
                 .rectangle(1, {0, 0}, 30, 20)
                 .disc(-1, {9, 5}, 3)
                 .disc(-1, {-8, -6}, 2)
                 .rectangle(-1, {-6, 4}, 4, 1));
}

TEST_CASE("the mass of polygons") {
  const double a = 24.0 / std::sqrt(3.0);  // the side of a hexagon 24 across its flats
  const double area = 1.5 * std::sqrt(3.0) * a * a;
  check_sums({regular_polygon_loop(6, 24.0), {}},
             Sums().add(1, area, {0, 0}, area * 5 * a * a / 12));
  const double legs = 0.5 * 3 * 4;  // a right triangle: polar moment area (3^2 + 4^2) / 18
  check_sums({polygon_loop({{0, 0}, {3, 0}, {0, 4}}), {}},
             Sums().add(1, legs, {1, 4.0 / 3.0}, legs * 25.0 / 18.0));
  check_sums({rectangle_loop(50, 1, {10, 0}), {}}, Sums().rectangle(1, {10, 0}, 50, 1));
  check_sums({polygon_loop({{0, 0}, {50, -0.5}, {50, 0.5}}), {}},
             Sums().add(1, 25.0, {100.0 / 3.0, 0}, 25.0 * (2500.0 / 18.0 + 1.0 / 24.0)));
}

TEST_CASE("the mass of what has fillets") {
  Sums rectangle;
  rectangle.rectangle(1, {0, 0}, 8, 6);
  for (const Vec2& sign : {Vec2(1, 1), Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)}) {
    rectangle.spandrel(-1, {4 * sign.x(), 3 * sign.y()}, {sign.x(), 0}, {0, sign.y()}, 1.2);
  }
  check_sums({*rounded(rectangle_loop(8, 6), 1.2), {}}, rectangle);

  Sums slot;  // half discs: the sum of two is a disc, moved apart
  const double half = pi / 2.0;
  const double off = 4.0 / (3.0 * pi);
  slot.rectangle(1, {0, 0}, 4, 2);
  slot.add(1, half, {2 + off, 0}, pi / 4.0 - half * off * off);
  slot.add(1, half, {-2 - off, 0}, pi / 4.0 - half * off * off);
  check_sums({*rounded(rectangle_loop(6, 2), 1.0), {}}, slot);

  const OutlineLoop bracket = polygon_loop({{0, 0}, {30, 0}, {30, 5}, {5, 5}, {5, 40}, {0, 40}});
  check_sums({*filleted(bracket, 3, 4.0), {}}, Sums()
                                                   .rectangle(1, {15, 2.5}, 30, 5)
                                                   .rectangle(1, {2.5, 22.5}, 5, 35)
                                                   .spandrel(1, {5, 5}, {-1, 0}, {0, -1}, 4.0));
}

TEST_CASE("the mass of a connecting rod's eye") {
  // A ring with a shank of width 2 w from its centre to x = l: of the shank counts what is beyond
  // the ring. What the disc covers of it is a rectangle and a circular segment's two halves.
  const double R = 6.0;
  const double w = 2.5;
  const double l = 20.0;
  const double c = std::sqrt(R * R - w * w);
  const double bulge = std::tan((2.0 * pi - 2.0 * std::asin(w / R)) / 4.0);
  const Outline eye{
      {{{c, w}, bulge, ""}, {{c, -w}, 0.0, ""}, {{l, -w}, 0.0, ""}, {{l, w}, 0.0, ""}},
      {reversed(circle_loop({0, 0}, 4))}};
  // The segment of half-angle alpha beyond x = c.
  const double alpha = std::asin(w / R);
  const double segment = R * R * (alpha - std::sin(alpha) * std::cos(alpha));
  const double first = 2.0 / 3.0 * std::pow(R * std::sin(alpha), 3);
  const double sector_polar = std::pow(R, 4) * alpha / 2.0;
  const double triangle_polar = c * w * (c * c / 2.0 + w * w / 6.0);
  Sums sums;
  sums.disc(1, {0, 0}, R).disc(-1, {0, 0}, 4).rectangle(1, {(c + l) / 2, 0}, l - c, 2 * w);
  sums.area -= segment;
  sums.first.x() -= first;
  sums.polar -= sector_polar - triangle_polar;
  check_sums(eye, sums);
}

TEST_CASE("the mean radius of rings, squares and shapes beside the point") {
  const Part ring{{}, {{"ring", {circle_loop({1, 2}, 5), {reversed(circle_loop({1, 2}, 3))}}, {}}}};
  CHECK(mean_radius_mm(ring, {1, 2}) == Approx(2.0 / 3.0 * 98.0 / 16.0).epsilon(1e-12));
  const Part disc{{}, {{"disc", {circle_loop({0, 0}, 5), {}}, {{4, 4}, 1.0}}}};
  CHECK(mean_radius_mm(disc, {9, 4}) == Approx(32.0 * 5.0 / (9.0 * pi)).epsilon(1e-9));
  const Part square{{}, {{"square", {rectangle_loop(4, 4), {}}, {{1, 1}, 0.3}}}};
  const double half_diagonal = (std::sqrt(2.0) + std::asinh(1.0)) / 3.0;
  CHECK(mean_radius_mm(square, {1, 1}) == Approx(2.0 * half_diagonal).epsilon(1e-12));
  // From a corner, and from the middle of a side: sums of triangles with their apex there.
  const Vec2 corner = transform({{1, 1}, 0.3}, {2, 2});
  CHECK(mean_radius_mm(square, corner) == Approx(4.0 * half_diagonal).epsilon(1e-9));
  const auto triangle = [](double h, double b) {  // integral of r, apex to a leg b at distance h
    return h * h * h / 6.0 * (b / h * std::hypot(1, b / h) + std::asinh(b / h));
  };
  const Vec2 side = transform({{1, 1}, 0.3}, {2, 0});
  CHECK(mean_radius_mm(square, side) ==
        Approx((2.0 * triangle(2, 4) + 2.0 * triangle(4, 2)) / 16.0).epsilon(1e-9));
}

TEST_CASE("the mass of an outline and a superellipse that overlap") {
  // Three quarters of a disc about the corner of a square are outside of the square.
  Sums sums;
  sums.rectangle(1, {2.5, 2.5}, 5, 5).disc(1, {0, 0}, 2);
  sums.area -= pi;  // the quarter, about the corner
  sums.first -= pi * 8.0 / (3.0 * pi) * Vec2(1, 1);
  sums.polar -= 2.0 * pi;
  const Vec2 centroid = sums.first / sums.area;
  const double around_corner =  // of r over the square, and over three quarters of the disc
      125.0 * (std::sqrt(2.0) + std::asinh(1.0)) / 3.0 + 4.0 * pi;
  for (const Pose2& X : {Pose2{}, Pose2{{30, -80}, 0.7}, Pose2{{1, 2}, -2.5}}) {
    const Part part{{{"disc", {2.0, 2.0, 2.0}, X}},
                    {{"square", {rectangle_loop(5, 5, {2.5, 2.5}), {}}, X}}};
    const AreaIntegrals found = area_integrals(part);
    CHECK(found.area_mm2 == Approx(sums.area).epsilon(1e-11));
    CHECK((found.centroid_P_mm - transform(X, centroid)).norm() <= 1e-10);
    CHECK(found.polar_moment_mm4 ==
          Approx(sums.polar - sums.area * centroid.squaredNorm()).epsilon(1e-11));
    CHECK(mean_radius_mm(part, X.position_mm) == Approx(around_corner / sums.area).epsilon(1e-9));
  }
}

TEST_CASE("a drawn circle weighs as much as a disc") {
  const MassProperties drawn =
      mass_properties(Part{{}, {{"circle", {circle_loop({3, 4}, 20.75), {}}, {}}}}, 2.7e-6, 5.0);
  const MassProperties disc =
      mass_properties(Part{{{"disc", {20.75, 20.75, 2.0}, {{3, 4}, 0}}}}, 2.7e-6, 5.0);
  CHECK(drawn.mass_kg == Approx(disc.mass_kg).epsilon(1e-14));
  CHECK((drawn.center_of_mass_P_mm - disc.center_of_mass_P_mm).norm() <= 1e-13);
  CHECK(drawn.inertia_kg_mm2 == Approx(disc.inertia_kg_mm2).epsilon(1e-13));
}

TEST_CASE("a part contains the points of its outlines, and not their holes") {
  const Part part{
      {{"disc", {1.0, 1.0, 2.0}, {{20, 0}, 0}}},
      {{"ring", {circle_loop({0, 0}, 5), {reversed(circle_loop({0, 0}, 3))}}, {{3, 4}, 1}},
       {"bar", {rectangle_loop(8, 1), {}}, {{0, 20}, pi / 2}}}};
  CHECK(contains(part, Vec2(20.5, 0.5)));
  CHECK(contains(part, Vec2(3, 0)));
  CHECK_FALSE(contains(part, Vec2(3, 4)));
  CHECK(contains(part, Vec2(-1.1, 4)));
  CHECK(contains(part, Vec2(0.4, 23.9)));
  CHECK_FALSE(contains(part, Vec2(3.9, 20.4)));
}

TEST_CASE("the bounding radius of outlines is exact") {
  const auto radius = [](const OutlineLoop& loop, const Pose2& pose, const Vec2& center) {
    return bounding_radius_mm(Part{{}, {{"outline", {loop, {}}, pose}}}, center);
  };
  CHECK(radius(circle_loop({0, 0}, 2), {{3, 4}, 0.4}, {0, 0}) == Approx(7.0).epsilon(1e-14));
  CHECK(radius(rectangle_loop(6, 8), {{1, 1}, 0.4}, {1, 1}) == Approx(5.0).epsilon(1e-14));
  const OutlineLoop half{{{0, -1}, 1.0, ""}, {{0, 1}, 0.0, ""}};  // the disc's right half
  CHECK(radius(half, {}, {-3, 0}) == Approx(4.0).epsilon(1e-14));
  CHECK(radius(half, {}, {3, 0}) == Approx(std::sqrt(10.0)).epsilon(1e-14));
  CHECK(radius(half, {{0, 0}, pi}, {3, 0}) == Approx(4.0).epsilon(1e-14));
}

}  // namespace
}  // namespace graspmap
