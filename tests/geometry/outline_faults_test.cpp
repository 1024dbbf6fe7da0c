#include "geometry/outline_faults.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "geometry/outline.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/random.hpp"

namespace graspmap {
namespace {

using std::numbers::pi;
using Kind = OutlineFaultKind;

// What is said about an outline first, with its kind checked; "" when it has no fault.
std::string first_fault(const Outline& outline, Kind kind) {
  const auto faults = outline_faults(outline);
  if (faults.empty()) return "";
  CHECK(faults.front().kind == kind);
  return describe(faults.front());
}

std::string first_fault(const OutlineLoop& loop, Kind kind) {
  return first_fault(Outline{loop, {}}, kind);
}

// A star-shaped chain of arcs and segments, without faults.
OutlineLoop gear(int teeth) {
  OutlineLoop loop;
  for (int k = 0; k < 2 * teeth; ++k) {
    const double angle = pi * k / teeth;
    const double r = k % 2 == 0 ? 50.0 : 50.0 - 60.0 / teeth;
    loop.push_back({r * Vec2(std::cos(angle), std::sin(angle)), k % 3 == 0 ? 0.2 : 0.0, ""});
  }
  return loop;
}

TEST_CASE("good outlines have no faults, whichever way they run") {
  const std::vector<OutlineLoop> loops = {
      rectangle_loop(50, 1),
      circle_loop({1000, 1000}, 3),
      *rounded(rectangle_loop(6, 2), 1.0),
      *rounded(polygon_loop({{0, 0}, {6, 0}, {6, 2}, {2, 2}, {2, 6}, {0, 6}}), 0.5),
      {{{0, 0}, 0.3, ""}, {{5, 0}, 0.3, ""}},                     // a lens
      {{{0, 0}, 0.0, ""}, {{5, 0}, 1.0, ""}},                     // a half disc
      polygon_loop({{0, 0}, {50, -0.01}, {50, 0.01}}),            // a needle's tip
      polygon_loop({{0, 0}, {4, 0}, {4, 3}, {2, 1e-3}, {0, 3}}),  // nearly touching
      gear(40)};
  for (const OutlineLoop& loop : loops) {
    for (double angle : {0.0, 0.4, 2.0}) {
      const Outline outline = placed(Outline{loop, {}}, {{30, -7}, angle});
      CHECK(outline_faults(outline).empty());
      CHECK(outline_faults({reversed(outline.outer), {}}).empty());
    }
  }
  CHECK(outline_faults({rectangle_loop(9, 9), {circle_loop({2, 2}, 1), circle_loop({-2, 2}, 1)}})
            .empty());
}

TEST_CASE("elements that bound nothing") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(first_fault({{{0, 0}, 1.0, ""}}, Kind::kTooFew) ==
        "the outer chain has fewer than two elements: it cannot close");
  CHECK(first_fault(OutlineLoop{}, Kind::kTooFew) != "");
  CHECK(first_fault({rectangle_loop(4, 4), {{}}}, Kind::kTooFew) ==
        "hole 1 has fewer than two elements: it cannot close");
  CHECK(first_fault(polygon_loop({{0, 0}, {nan, 3}, {1, 1}}), Kind::kNotFinite) ==
        "edge 2 has a coordinate or a bulge that is not finite or beyond 1 km: "
        "it begins at (nan, 3) mm");
  CHECK(first_fault(polygon_loop({{0, 0}, {1e9, 3}, {1, 1}}), Kind::kNotFinite) != "");
  OutlineLoop square = rectangle_loop(4, 4);
  square[2].bulge = std::numeric_limits<double>::infinity();
  CHECK(first_fault(square, Kind::kNotFinite) != "");
  CHECK(first_fault(polygon_loop({{0, 0}, {1, 0}, {1, 0}, {0, 2}}), Kind::kZeroLength) ==
        "edge 2 has no length: it begins and ends at (1, 0) mm");
  for (double bulge : {1e-9, -1e-9, 1e8, -1e8}) {
    square[2] = {{2, 2}, bulge, "lid"};
    CHECK(first_fault(square, Kind::kBulge) ==
          "lid, which begins at (2, 2) mm, has a bulge so small that it is a segment (give 0), or "
          "so large that it is a circle (give two half circles)");
  }
}

TEST_CASE("elements that cross") {
  CHECK(first_fault(polygon_loop({{0, 0}, {4, 4}, {4, 0}, {0, 4}}), Kind::kCrossing) ==
        "edge 1 and edge 3 cross at (2, 2) mm");
  // The half circle about (2, 0) dips through the opposite edge at y = -1, x = 2 -+ sqrt 3.
  const OutlineLoop dip{
      {{0, -1}, 0.0, ""}, {{4, -1}, 0.0, ""}, {{4, 0}, -1.0, ""}, {{0, 0}, 0.0, ""}};
  CHECK(first_fault(dip, Kind::kCrossing) == "edge 1 and arc 3 cross at (0.267949, -1) mm");
  // Neighbours: an arc that comes back through the edge after it.
  const OutlineLoop neighbours{{{0, 0}, 1.6, ""}, {{1, 0}, 0.0, ""}, {{-2, -0.5}, 0.0, ""}};
  const auto faults = outline_faults({neighbours, {}});
  REQUIRE_FALSE(faults.empty());
  CHECK(faults.front().kind == Kind::kCrossing);
  const OutlineCurve edge = outline_curve({1, 0}, {-2, -0.5}, 0.0);
  CHECK(std::abs(cross(edge.end_mm - edge.begin_mm, faults.front().point_mm - edge.begin_mm)) <
        1e-12);
  // Two large arcs that cross far from the points that they share with others.
  const OutlineLoop arcs{
      {{0, 0}, 0.3, ""}, {{6, 0}, 0.0, ""}, {{6, 1}, -0.9, ""}, {{0, 1}, 0.0, ""}};
  CHECK(first_fault(arcs, Kind::kCrossing).substr(0, 22) == "arc 1 and arc 3 cross ");
}

TEST_CASE("elements that touch where they should not") {
  CHECK(first_fault(polygon_loop({{0, 0}, {4, 0}, {4, 3}, {2, 0}, {0, 3}}), Kind::kTouching) ==
        "edge 1 and edge 3 touch at (2, 0) mm");
  // A half circle that just reaches the edge opposite.
  const OutlineLoop tangent{
      {{0, -2}, 0.0, ""}, {{4, -2}, 0.0, ""}, {{4, 0}, -1.0, ""}, {{0, 0}, 0.0, ""}};
  CHECK(first_fault(tangent, Kind::kTouching) == "edge 1 and arc 3 touch at (2, -2) mm");
  // Two squares joined by a point, and by a stretch.
  CHECK(first_fault(polygon_loop({{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}}),
                    Kind::kTouching) == "edge 2 and edge 6 touch at (1, 1) mm");
  CHECK(first_fault(polygon_loop({{0, 0}, {1, 0}, {1, 2}, {3, 2}, {3, 1}, {1, 1}, {0, 1}}),
                    Kind::kTouching) != "");
}

TEST_CASE("elements that run back") {
  CHECK(first_fault(polygon_loop({{0, 0}, {4, 0}, {4, 4}, {4, 2}, {0, 2}}), Kind::kSpike) ==
        "edge 2 and edge 3 run back along each other at (4, 2) mm");
  // Along an arc: the half circle over (0, 0) .. (4, 0), and a quarter of it back.
  const double quarter = std::tan(pi / 8.0);
  const OutlineLoop arcs{
      {{4, 0}, 1.0, ""}, {{0, 0}, -quarter, ""}, {{2, 2}, 0.0, ""}, {{2, -3}, 0.0, ""}};
  CHECK(first_fault(arcs, Kind::kSpike) ==
        "arc 1 and arc 2 run back along each other at (2, 2) mm");
}

TEST_CASE("chains without area") {
  CHECK(first_fault(polygon_loop({{0, 1}, {4, 0}}), Kind::kZeroArea) ==
        "the outer chain, which begins at (0, 1) mm, encloses no area");
  CHECK(first_fault({{{0, 0}, 0.3, ""}, {{5, 0}, -0.3, ""}}, Kind::kZeroArea) != "");
  CHECK(first_fault(polygon_loop({{0, 0}, {5, 1e-6}, {10, 0}, {5, -1e-6}}), Kind::kZeroArea) == "");
}

TEST_CASE("holes where they should not be") {
  const OutlineLoop plate = rectangle_loop(10, 6);
  const auto with = [&](const std::vector<OutlineLoop>& holes) { return Outline{plate, holes}; };
  CHECK(first_fault(with({circle_loop({0, 0}, 1), circle_loop({20, 0}, 1)}), Kind::kHoleOutside) ==
        "hole 2, which begins at (21, 0) mm, lies outside of the outer chain");
  CHECK(first_fault(with({rectangle_loop(20, 20)}), Kind::kHoleOutside) != "");
  CHECK(first_fault(with({circle_loop({0, 0}, 2), circle_loop({0.5, 0}, 1)}), Kind::kHoleInHole) ==
        "hole 2, which begins at (1.5, 0) mm, lies within hole 1");
  CHECK(first_fault(with({circle_loop({4, 0}, 2)}), Kind::kCrossing) ==
        "edge 2 and arc 1 of hole 1 cross at (5, 1.73205) mm");
  CHECK(first_fault(with({circle_loop({4, 0}, 1)}), Kind::kTouching) ==
        "edge 2 and arc 1 of hole 1 touch at (5, 0) mm");
  CHECK(first_fault(with({rectangle_loop(2, 2), rectangle_loop(2, 2, {1, 1})}), Kind::kCrossing) ==
        "edge 2 of hole 1 and edge 1 of hole 2 cross at (1, 0) mm");
}

TEST_CASE("fillets drawn with three digits are no faults") {
  // Ends of the arcs rounded to 0.001 mm: tangent to as much, on either side.
  const double bulge = std::tan(pi / 8.0);
  for (double off : {-1e-3, -5e-4, 0.0, 5e-4, 1e-3}) {
    for (double on : {-1e-3, 0.0, 1e-3}) {
      const OutlineLoop loop{{{0, 0}, 0.0, ""},          {{10 + on, 0}, bulge, ""},
                             {{13, 3 + off}, 0.0, ""},   {{13, 20}, 0.0, ""},
                             {{6 + on, 20}, -bulge, ""}, {{3, 17 + off}, 0.0, ""},
                             {{3, 5}, 0.0, ""},          {{0, 5}, 0.0, ""}};
      CAPTURE(off, on);
      CHECK(first_fault(loop, Kind::kCrossing) == "");
    }
  }
}

// How many different winding numbers a chain has about the points of a grid: two when it does not
// cross itself; at a crossing three meet.
std::size_t winding_numbers(const std::vector<OutlineCurve>& chain) {
  std::vector<Vec2> points;
  for (const OutlineCurve& curve : chain) {
    for (int k = 0; k < 20; ++k) points.push_back(point_at(curve, k / 20.0));
  }
  std::set<int> numbers;
  constexpr int kGrid = 40;
  for (int k = 0; k < kGrid * kGrid; ++k) {
    const Vec2 x(3.0 * (k % kGrid) / kGrid - 1.5, 3.0 * std::floor(1.0 * k / kGrid) / kGrid - 1.5);
    double angle = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 u = points[i] - x;
      const Vec2 v = points[(i + 1) % points.size()] - x;
      angle += std::atan2(cross(u, v), u.dot(v));
    }
    numbers.insert(static_cast<int>(std::lround(angle / (2 * pi))));
  }
  return numbers.size();
}

// Which side of a curve's line or circle a point is on.
bool is_left_of(const OutlineCurve& curve, const Vec2& x) {
  if (!curve.is_arc()) return cross(curve.end_mm - curve.begin_mm, x - curve.begin_mm) > 0.0;
  return ((x - curve.center_mm).norm() < curve.radius_mm) == (curve.turn_rad > 0.0);
}

TEST_CASE("random chains are faulty where they cross themselves") {
  testing::Random random(8);
  int crossing = 0;
  int simple = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    OutlineLoop loop;
    const int n = 3 + random.index(4);
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * pi * (k + random.uniform(-0.9, 0.9)) / n;
      loop.push_back({random.uniform(0.4, 1) * Vec2(std::cos(angle), std::sin(angle)),
                      random.index(2) == 0 ? 0.0 : random.uniform(-0.8, 0.8), ""});
    }
    const auto chain = outline_curves(loop);
    const auto faults = outline_faults({loop, {}});
    if (winding_numbers(chain) > 2) {
      ++crossing;
      CHECK_FALSE(faults.empty());
    }
    simple += faults.empty();
    for (const OutlineFault& fault : faults) {
      REQUIRE(fault.kind == Kind::kCrossing);
      const OutlineCurve& a = chain[fault.elements[0].element];
      const OutlineCurve& b = chain[fault.elements[1].element];
      CHECK(distance_mm(a, fault.point_mm) <= 1e-12 * (1.0 + a.radius_mm));
      CHECK(distance_mm(b, fault.point_mm) <= 1e-12 * (1.0 + b.radius_mm));
      const double at = closest_share(a, fault.point_mm);
      CHECK(is_left_of(b, point_at(a, at - 1e-6)) != is_left_of(b, point_at(a, at + 1e-6)));
    }
  }
  CHECK(crossing > 50);
  CHECK(simple > 50);
}

TEST_CASE("faults of 5,000 elements are found at once") {
  OutlineLoop loop = gear(2500);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(outline_faults({loop, {}}).empty());
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  CHECK(passed.count() < 1.0);  // 5 ms, with a wide margin for slow machines
  std::swap(loop[1000].begin_mm, loop[3000].begin_mm);
  CHECK_FALSE(outline_faults({loop, {}}).empty());
}

}  // namespace
}  // namespace graspmap
