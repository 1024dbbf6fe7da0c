#include "geometry/mass_properties.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tests/support/parts.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;

using std::numbers::pi;

Part single(const Superellipse& shape, const Pose2& pose = {}) {
  return {{{"piece", shape, pose}}};
}

Piece disc(double radius, const Vec2& center) {
  return {"disc", {radius, radius, 2.0}, {center, 0.0}};
}

void check_equal(const AreaIntegrals& actual, const AreaIntegrals& expected, double tolerance) {
  const double size = std::sqrt(expected.area_mm2);
  CHECK(actual.area_mm2 == Approx(expected.area_mm2).epsilon(tolerance));
  CHECK((actual.centroid_P_mm - expected.centroid_P_mm).norm() <= tolerance * size);
  CHECK(actual.polar_moment_mm4 == Approx(expected.polar_moment_mm4).epsilon(tolerance));
}

// Integral of |x|^m |y|^n over a superellipse, m and n even (Dirichlet's integral).
double dirichlet(const Superellipse& s, double m, double n) {
  const double p = (m + 1.0) / s.exponent;
  const double q = (n + 1.0) / s.exponent;
  const double factor = 4.0 * std::pow(s.a_mm, m + 1.0) * std::pow(s.b_mm, n + 1.0);
  return factor / (s.exponent * s.exponent) * std::tgamma(p) * std::tgamma(q) /
         std::tgamma(p + q + 1.0);
}

AreaIntegrals closed_form(const Superellipse& shape, const Vec2& center) {
  return {dirichlet(shape, 0, 0), center, dirichlet(shape, 2, 0) + dirichlet(shape, 0, 2)};
}

// The union of two parts that do not overlap, by the parallel-axis theorem.
AreaIntegrals combine(const AreaIntegrals& a, const AreaIntegrals& b, double sign = 1.0) {
  AreaIntegrals sum;
  sum.area_mm2 = a.area_mm2 + sign * b.area_mm2;
  sum.centroid_P_mm =
      (a.area_mm2 * a.centroid_P_mm + sign * b.area_mm2 * b.centroid_P_mm) / sum.area_mm2;
  const auto about_sum = [&](const AreaIntegrals& part) {
    return part.polar_moment_mm4 +
           part.area_mm2 * (part.centroid_P_mm - sum.centroid_P_mm).squaredNorm();
  };
  sum.polar_moment_mm4 = about_sum(a) + sign * about_sum(b);
  return sum;
}

TEST_CASE("the integrals of a disc and an ellipse") {
  const AreaIntegrals of_disc = area_integrals(single({3.0, 3.0, 2.0}));
  check_equal(of_disc, {9.0 * pi, {0, 0}, 81.0 * pi / 2.0}, 1e-13);
  const AreaIntegrals of_ellipse = area_integrals(single({3.0, 2.0, 2.0}));
  check_equal(of_ellipse, {6.0 * pi, {0, 0}, 6.0 * pi * (9.0 + 4.0) / 4.0}, 1e-13);
}

TEST_CASE("the integrals of superellipses of every exponent") {
  for (double exponent : {2.0, 2.1, 2.5, 3.0, 4.0, 5.5, 8.0, 20.0, 60.0}) {
    const Superellipse shape{2.3, 1.1, exponent};
    CAPTURE(exponent);
    const double gamma_ratio =
        std::pow(std::tgamma(1.0 + 1.0 / exponent), 2) / std::tgamma(1.0 + 2.0 / exponent);
    CHECK(area_integrals(single(shape)).area_mm2 ==
          Approx(4.0 * 2.3 * 1.1 * gamma_ratio).epsilon(1e-11));
    check_equal(area_integrals(single(shape)), closed_form(shape, {0, 0}), 1e-11);
  }
}

TEST_CASE("the integrals move with the piece") {
  for (const Superellipse& shape : sample_shapes()) {
    CAPTURE(shape.a_mm, shape.b_mm, shape.exponent);
    const Vec2 center(31.0, -17.0);
    check_equal(area_integrals(single(shape, {center, 0.77})), closed_form(shape, center), 1e-11);
  }
}

// The lens of two unit discs at distance d.
double lens_area(double d) { return 2.0 * std::acos(d / 2.0) - d / 2.0 * std::sqrt(4.0 - d * d); }

TEST_CASE("two overlapping discs count their lens once") {
  for (double d : {1e-6, 1e-3, 0.3, 1.0, 1.9, 1.9999, 2.0 - 1e-9}) {
    CAPTURE(d);
    const AreaIntegrals both = area_integrals(Part{{disc(1.0, {0, 0}), disc(1.0, {d, 0})}});
    CHECK(both.area_mm2 == Approx(2.0 * pi - lens_area(d)).epsilon(1e-12));
    CHECK((both.centroid_P_mm - Vec2(d / 2.0, 0)).norm() <= 1e-12);
  }
}

TEST_CASE("two teeth that cross like a plus sign") {
  const Superellipse bar{3.0, 1.0, 4.0};
  const AreaIntegrals plus = area_integrals(Part{{{"h", bar, {}}, {"v", bar, {{0, 0}, pi / 2.0}}}});
  // Both boundaries meet where |x| = |y| = c, c^4 (1/81 + 1) = 1. The common part is eight times
  // the triangle 0 <= y <= x bounded by the vertical bar's side x = (1 - y^4/81)^(1/4).
  const double c = std::pow(81.0 / 82.0, 0.25);
  const int n = 20000;
  double eighth = 0.0;
  for (int k = 0; k < n; ++k) {
    const double y = c * (k + 0.5) / n;
    eighth += (std::pow(1.0 - std::pow(y, 4) / 81.0, 0.25) - y) * c / n;
  }
  CHECK(plus.area_mm2 == Approx(2.0 * dirichlet(bar, 0, 0) - 8.0 * eighth).epsilon(1e-9));
  CHECK(plus.centroid_P_mm.norm() <= 1e-13);
}

TEST_CASE("duplicates and contained pieces add nothing") {
  const Superellipse shape{2.3, 1.1, 8.0};
  const Pose2 pose{{4.0, 1.0}, 0.4};
  const Pose2 half_turned{{4.0, 1.0}, 0.4 + pi};
  const AreaIntegrals once = area_integrals(single(shape, pose));
  Part part{{{"a", shape, pose}, {"b", shape, pose}, {"c", shape, half_turned}}};
  check_equal(area_integrals(part), once, 1e-12);
  part.pieces.push_back({"inside", {1.0, 0.5, 2.0}, pose});
  check_equal(area_integrals(part), once, 1e-12);
  std::reverse(part.pieces.begin(), part.pieces.end());
  check_equal(area_integrals(part), once, 1e-12);
}

TEST_CASE("a piece that touches another from inside adds nothing") {
  const AreaIntegrals outer = area_integrals(Part{{disc(2.0, {0, 0})}});
  for (double angle : {0.0, 0.3, 1.2, 2.9}) {
    CAPTURE(angle);
    const Vec2 center(std::cos(angle), std::sin(angle));
    check_equal(area_integrals(Part{{disc(2.0, {0, 0}), disc(1.0, center)}}), outer, 1e-12);
    check_equal(area_integrals(Part{{disc(1.0, center), disc(2.0, {0, 0})}}), outer, 1e-12);
  }
  const Piece inscribed{"ellipse", {2.0, 1.0, 2.0}, {{0, 0}, 0.3}};
  check_equal(area_integrals(Part{{inscribed, disc(2.0, {0, 0})}}), outer, 1e-12);
  const Piece square{"square", {2.0, 2.0, 20.0}, {}};
  check_equal(area_integrals(Part{{disc(2.0, {0, 0}), square}}), area_integrals(Part{{square}}),
              1e-12);
}

TEST_CASE("rounded squares that share the line of their flat sides") {
  const Superellipse square{1.0, 1.0, 20.0};
  const double area = dirichlet(square, 0, 0);
  // Shifted by 2 eps along its side, a square gains nearly 2 height * shift.
  for (double shift : {1e-10, 1e-5, 0.02, 0.3}) {
    CAPTURE(shift);
    const Part part{{{"a", square, {}}, {"b", square, {{shift, 0}, 0}}}};
    CHECK(area_integrals(part).area_mm2 == Approx(area + 2.0 * shift).epsilon(1e-10));
  }
}

TEST_CASE("disjoint pieces combine by the parallel-axis theorem") {
  const Superellipse bar{2.3, 1.1, 4.0};
  const Part part{{disc(1.0, {10, 2}), {"bar", bar, {{-5, 1}, 1.0}}}};
  const AreaIntegrals expected =
      combine(closed_form({1.0, 1.0, 2.0}, {10, 2}), closed_form(bar, {-5, 1}));
  check_equal(area_integrals(part), expected, 1e-12);
}

TEST_CASE("a needle across a disc is not overlooked") {
  // The disc covers the needle's strip |x| < 1, the disc's edge being vertical there to 1e-6: the
  // integral of 2 b sqrt(1 - x^2 / a^2).
  const Superellipse needle{50.0, 1e-3, 2.0};
  const double s = 1.0 / needle.a_mm;
  const double covered =
      2.0 * needle.b_mm * needle.a_mm * (std::asin(s) + s * std::sqrt(1.0 - s * s));
  const Part part{{disc(1.0, {0, 0}), {"needle", needle, {{0, 0}, 0.4}}}};
  const double outside = area_integrals(part).area_mm2 - pi;
  CHECK(outside == Approx(dirichlet(needle, 0, 0) - covered).epsilon(1e-7));
}

// Midpoint rule over a grid of n x n cells of the square of half-width w.
struct GridIntegrals {
  AreaIntegrals integrals;
  double mean_radius = 0.0;
};

GridIntegrals grid_integrals(const Part& part, double w, int n) {
  double count = 0.0;
  double square_sum = 0.0;
  double radius_sum = 0.0;
  Vec2 first = Vec2::Zero();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Vec2 x(w * ((2.0 * i + 1.0) / n - 1.0), w * ((2.0 * j + 1.0) / n - 1.0));
      if (!contains(part, x)) continue;
      count += 1.0;
      first += x;
      square_sum += x.squaredNorm();
      radius_sum += x.norm();
    }
  }
  const double cell = 4.0 * w * w / n / n;
  const Vec2 centroid = first / count;
  return {{count * cell, centroid, cell * (square_sum - count * centroid.squaredNorm())},
          radius_sum / count};
}

TEST_CASE("the lock piece agrees with a fine grid") {
  const Part part = lock_piece();
  const AreaIntegrals exact = area_integrals(part);
  const GridIntegrals grid = grid_integrals(part, 23.5, 700);
  CHECK(exact.area_mm2 == Approx(grid.integrals.area_mm2).epsilon(1e-4));
  CHECK((exact.centroid_P_mm - grid.integrals.centroid_P_mm).norm() <= 2e-3);
  CHECK(exact.polar_moment_mm4 == Approx(grid.integrals.polar_moment_mm4).epsilon(2e-4));
  CHECK(mean_radius_mm(part, Vec2(0, 0)) == Approx(grid.mean_radius).epsilon(1e-4));
}

TEST_CASE("overlaps of the lock piece's teeth with its disc, piece by piece") {
  // The teeth do not overlap each other, so what each adds to the disc adds up.
  const Part part = lock_piece();
  const AreaIntegrals only_disc = area_integrals(Part{{part.pieces[0]}});
  AreaIntegrals sum = only_disc;
  for (std::size_t i = 1; i < part.pieces.size(); ++i) {
    const AreaIntegrals with_tooth = area_integrals(Part{{part.pieces[0], part.pieces[i]}});
    sum = combine(sum, combine(with_tooth, only_disc, -1.0));
  }
  check_equal(area_integrals(part), sum, 1e-11);
}

TEST_CASE("the integrals follow a rotation and a shift of the whole part") {
  const Part part = lock_piece();
  const AreaIntegrals before = area_integrals(part);
  const Pose2 X{{120.0, -45.0}, 1.3};
  Part moved = part;
  for (Piece& piece : moved.pieces) piece.pose = compose(X, piece.pose);
  const AreaIntegrals expected{before.area_mm2, transform(X, before.centroid_P_mm),
                               before.polar_moment_mm4};
  check_equal(area_integrals(moved), expected, 1e-11);
  const Vec2 center(1.0, 2.0);
  CHECK(mean_radius_mm(moved, transform(X, center)) ==
        Approx(mean_radius_mm(part, center)).epsilon(1e-11));
}

TEST_CASE("mass properties scale with density and thickness") {
  const double density = 2.7e-6;
  const double thickness = 5.0;
  const MassProperties plate = mass_properties(Part{{disc(20.0, {3, 4})}}, density, thickness);
  const double mass = density * thickness * 400.0 * pi;
  CHECK(plate.mass_kg == Approx(mass).epsilon(1e-13));
  CHECK((plate.center_of_mass_P_mm - Vec2(3, 4)).norm() <= 1e-12);
  CHECK(plate.inertia_kg_mm2 == Approx(mass * 400.0 / 2.0).epsilon(1e-13));
}

TEST_CASE("the mean radius of a disc") {
  const double R = 20.75;
  const Part part{{disc(R, {1, 2})}};
  CHECK(mean_radius_mm(part, Vec2(1, 2)) == Approx(2.0 * R / 3.0).epsilon(1e-13));
  // From a point of its edge: the mean of a disc's chords through it, 32 R / (9 pi).
  CHECK(mean_radius_mm(part, Vec2(1 + R, 2)) == Approx(32.0 * R / (9.0 * pi)).epsilon(1e-10));
  // From far away: d + R^2 / (8 d) to leading order.
  const double d = 1e4;
  CHECK(mean_radius_mm(part, Vec2(1 - d, 2)) == Approx(d + R * R / (8.0 * d)).epsilon(1e-9));
}

TEST_CASE("the mean radius of a square of nearly sharp corners") {
  // A square of half-side w: w (sqrt 2 + asinh 1) / 3.
  const Part part = single({2.0, 2.0, 400.0});
  const double expected = 2.0 * (std::sqrt(2.0) + std::asinh(1.0)) / 3.0;
  CHECK(mean_radius_mm(part, Vec2(0, 0)) == Approx(expected).epsilon(1e-4));
}

Piece disc_piece(double radius, const Vec2& center) {
  return {"disc", {radius, radius, 2.0}, {center, 0.0}};
}

Vec2 point_on(const Part& part, const BoundaryArc& arc, double t) {
  const Piece& piece = part.pieces[arc.piece];
  return transform(piece.pose, boundary_point(piece.shape, t).position_mm);
}

TEST_CASE("a single piece has one whole arc") {
  const auto arcs = union_boundary(Part{{disc_piece(2.0, {1, 1})}});
  REQUIRE(arcs.size() == 1);
  CHECK(arcs[0].piece == 0);
  CHECK(arcs[0].begin == 0.0);
  CHECK(arcs[0].end == 2.0 * pi);
}

TEST_CASE("two unit discs at distance one cross at 60 degrees") {
  const auto arcs = union_boundary(Part{{disc_piece(1.0, {0, 0}), disc_piece(1.0, {1, 0})}});
  REQUIRE(arcs.size() == 3);  // the second disc's arc passes through parameter zero
  CHECK(arcs[0].begin == within(pi / 3.0, 1e-14));
  CHECK(arcs[0].end == within(5.0 * pi / 3.0, 1e-14));
  CHECK(arcs[1].begin == 0.0);
  CHECK(arcs[1].end == within(2.0 * pi / 3.0, 1e-14));
  CHECK(arcs[2].begin == within(4.0 * pi / 3.0, 1e-14));
  CHECK(arcs[2].end == 2.0 * pi);
}

TEST_CASE("a contained piece and a duplicate have no arc") {
  const Part part{{disc_piece(1.0, {0.2, 0}), disc_piece(3.0, {0, 0}), disc_piece(3.0, {0, 0})}};
  const auto arcs = union_boundary(part);
  REQUIRE(arcs.size() == 1);
  CHECK(arcs[0].piece == 1);
}

TEST_CASE("disjoint pieces and discs that touch from outside keep their whole boundaries") {
  for (double distance : {2.0, 2.5, 1e3}) {
    const auto arcs =
        union_boundary(Part{{disc_piece(1.0, {0, 0}), disc_piece(1.0, {distance, 0})}});
    double total = 0.0;
    for (const BoundaryArc& arc : arcs) total += arc.end - arc.begin;
    CHECK(total == within(4.0 * pi, 1e-6));
  }
}

TEST_CASE("crossings between two samples of a boundary are found") {
  // A needle of 10^-4 of the disc's radius, and a cap of the same height.
  const Part needle{{disc_piece(1.0, {0, 0}), {"needle", {0.5, 1e-4, 4.0}, {{0.9, 0.3}, 0.7}}}};
  CHECK(union_boundary(needle).size() == 4);  // both outer arcs pass through parameter zero
}

TEST_CASE("a cap that reaches out between two samples of a boundary is found") {
  // The large disc covers the small one except for a cap of 2 x 1.7e-3 rad; and the other way
  // around.
  const Vec2 towards(std::cos(0.0123), std::sin(0.0123));
  const Piece small = disc_piece(1.0, {0, 0});
  const Piece large = disc_piece(3.0, -(2.0 + 1e-6) * towards);
  for (const Part& part : {Part{{small, large}}, Part{{large, small}}}) {
    const std::size_t small_index = part.pieces[0].shape.a_mm == 1.0 ? 0 : 1;
    const auto arcs = union_boundary(part);
    const auto cap = std::find_if(arcs.begin(), arcs.end(),
                                  [&](const BoundaryArc& arc) { return arc.piece == small_index; });
    REQUIRE(cap != arcs.end());
    CHECK(0.5 * (cap->begin + cap->end) == within(0.0123, 1e-9));
    // Law of cosines in the triangle of the two centres and a crossing.
    const double d = 2.0 + 1e-6;
    CHECK(std::cos(0.5 * (cap->end - cap->begin)) ==
          within((9.0 - 1.0 - d * d) / (2.0 * d), 1e-14));
  }
}

// The arcs of a union are closed curves: each arc's end is another arc's beginning.
TEST_CASE("the arcs of the lock piece join up and no piece covers them") {
  const Part part = lock_piece();
  const auto arcs = union_boundary(part);
  REQUIRE(arcs.size() > 12);  // six teeth, and the disc between them
  for (const BoundaryArc& arc : arcs) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const BoundaryArc& other : arcs) {
      const Vec2 gap = point_on(part, arc, arc.end) - point_on(part, other, other.begin);
      nearest = std::min(nearest, gap.norm());
    }
    CHECK(nearest <= 1e-13);
    for (double share : {0.01, 0.3, 0.7, 0.99}) {
      const double t = arc.begin + share * (arc.end - arc.begin);
      const Vec2 x = point_on(part, arc, t);
      const Vec2 outward = Rotation2(part.pieces[arc.piece].pose.angle_rad) *
                           boundary_point(part.pieces[arc.piece].shape, t).normal;
      CHECK_FALSE(contains(part, x + 1e-9 * outward));
      CHECK(contains(part, x - 1e-9 * outward));
    }
  }
}

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
