#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/mass_properties.hpp"
#include "geometry/outline_faults.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/random.hpp"

namespace graspmap {
namespace {

using namespace testing;
using std::numbers::pi;

OutlinePiece drawn(const OutlineLoop& outer, const Pose2& pose = {},
                   const std::vector<OutlineLoop>& holes = {}) {
  return {"outline", oriented({outer, holes}), pose};
}

// A boundary point of P and the unit tangent there.
std::pair<Vec2, Vec2> point_and_tangent(const Part& part, const BoundaryArc& arc, double t) {
  if (arc.piece < part.pieces.size()) {
    const Piece& piece = part.pieces[arc.piece];
    const BoundaryPoint point = boundary_point(piece.shape, t);
    return {transform(piece.pose, point.position_mm),
            Rotation2(piece.pose.angle_rad) * point.tangent_mm.normalized()};
  }
  const OutlinePiece& piece = part.outlines[arc.piece - part.pieces.size()];
  const OutlineCurve curve = outline_curve(*loops_of(piece.outline)[arc.loop], arc.element);
  return {transform(piece.pose, point_at(curve, t)),
          Rotation2(piece.pose.angle_rad) * tangent_at(curve, t)};
}

double length_of(const Part& part, const BoundaryArc& arc) {
  const auto points = boundary_points(part, arc, 20000);
  double length = 0.0;
  for (std::size_t k = 1; k < points.size(); ++k) length += (points[k] - points[k - 1]).norm();
  return length;
}

double boundary_length(const Part& part) {
  double length = 0.0;
  for (const BoundaryArc& arc : union_boundary(part)) length += length_of(part, arc);
  return length;
}

// Arcs join up, and have the part on their left and nothing on their right.
void check_boundary(const Part& part) {
  const auto arcs = union_boundary(part);
  const double size = bounding_radius_mm(part, Vec2(0, 0));
  REQUIRE_FALSE(arcs.empty());
  for (const BoundaryArc& arc : arcs) {
    CAPTURE(arc.piece, arc.loop, arc.element, arc.begin, arc.end);
    double nearest = std::numeric_limits<double>::infinity();
    const Vec2 end = point_and_tangent(part, arc, arc.end).first;
    for (const BoundaryArc& other : arcs) {
      const Vec2 begin = point_and_tangent(part, other, other.begin).first;
      nearest = std::min(nearest, (begin - end).norm());
    }
    CHECK(nearest <= 4e-12 * size);
    if (length_of(part, arc) < 1e-5 * size) continue;
    for (double share : {0.021, 0.317, 0.513, 0.983}) {  // where grids do not touch
      const double t = arc.begin + share * (arc.end - arc.begin);
      const auto [x, tangent] = point_and_tangent(part, arc, t);
      CHECK(contains(part, x + 1e-8 * size * perp(tangent)));
      CHECK_FALSE(contains(part, x - 1e-8 * size * perp(tangent)));
    }
  }
}

Part moved_part(Part part, const Pose2& X) {
  for (Piece& piece : part.pieces) piece.pose = compose(X, piece.pose);
  for (OutlinePiece& piece : part.outlines) piece.pose = compose(X, piece.pose);
  return part;
}

// Checks the boundary and the area of a part, under rotations and translations, and in the other
// order of its outlines.
void check_area(const Part& part, double area) {
  for (const Pose2& X : {Pose2{}, Pose2{{7, -3}, 0.6}, Pose2{{-400, 300}, pi / 2}}) {
    CAPTURE(X.angle_rad);
    Part moved = moved_part(part, X);
    check_boundary(moved);
    CHECK(area_integrals(moved).area_mm2 == Approx(area).epsilon(1e-9));
    std::reverse(moved.outlines.begin(), moved.outlines.end());
    check_boundary(moved);
    CHECK(area_integrals(moved).area_mm2 == Approx(area).epsilon(1e-9));
  }
}

// The area of a part within the square of half-width w, on a grid of n x n cells.
double area_on_grid(const Part& part, double w, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      count += contains(part, w * Vec2((2.0 * i + 1.0) / n - 1.0, (2.0 * j + 1.0) / n - 1.0));
    }
  }
  return 4.0 * w * w * count / n / n;
}

double lens_of(double r, double d) {  // of two discs of radius r
  return 2.0 * r * r * std::acos(d / 2.0 / r) - d / 2.0 * std::sqrt(4.0 * r * r - d * d);
}

TEST_CASE("outlines that cross count what they share once") {
  check_area(Part{{}, {drawn(rectangle_loop(6, 2)), drawn(rectangle_loop(2, 6))}}, 20.0);
  check_area(Part{{}, {drawn(rectangle_loop(4, 4)), drawn(rectangle_loop(4, 4), {{1, 1.5}, 0})}},
             32.0 - 3.0 * 2.5);
  check_area(Part{{}, {drawn(circle_loop({0, 0}, 2)), drawn(circle_loop({1, 0.5}, 2))}},
             8.0 * pi - lens_of(2.0, std::hypot(1.0, 0.5)));
  // A square on its corner: an octagon of excess 4 (sqrt 2 - 1)^2 over the square of side 2.
  check_area(Part{{}, {drawn(rectangle_loop(2, 2)), drawn(rectangle_loop(2, 2), {{0, 0}, pi / 4})}},
             4.0 + 4.0 * std::pow(std::sqrt(2.0) - 1.0, 2));
}

TEST_CASE("a quarter of a drawn disc is within a rectangle") {
  const Part part{{}, {drawn(circle_loop({0, 0}, 2)), drawn(rectangle_loop(5, 5, {2.5, 2.5}))}};
  check_area(part, 25.0 + 3.0 * pi);
  CHECK(boundary_length(part) == Approx(2.0 * 5 + 2.0 * 3 + 3.0 * pi).epsilon(1e-7));
}

TEST_CASE("outlines that lie side by side share nothing of the boundary") {
  const Part halves{{}, {drawn(rectangle_loop(3, 2)), drawn(rectangle_loop(5, 2), {{4, 0}, 0})}};
  check_area(halves, 16.0);
  CHECK(boundary_length(halves) == Approx(20.0).epsilon(1e-12));
  const Part bracket{{},
                     {drawn(rectangle_loop(6, 2)), drawn(rectangle_loop(2, 3), {{-2, 2.5}, 0})}};
  check_area(bracket, 18.0);
  CHECK(boundary_length(bracket) == Approx(22.0).epsilon(1e-12));
  // A drawn disc that fills a hole of a plate, and one that fills a rounded notch.
  const Part plug{
      {},
      {drawn(rectangle_loop(6, 6), {}, {circle_loop({1, 1}, 1)}), drawn(circle_loop({1, 1}, 1))}};
  check_area(plug, 36.0);
  CHECK(boundary_length(plug) == Approx(24.0).epsilon(1e-12));
  const OutlineLoop notched{{{-3, -3}, 0.0, ""}, {{3, -3}, 0.0, ""}, {{3, 0}, 0.0, ""},
                            {{1, 0}, -1.0, ""},  {{-1, 0}, 0.0, ""}, {{-3, 0}, 0.0, ""}};
  check_area(Part{{}, {drawn(notched), drawn(circle_loop({0, 0}, 1))}}, 18.0 + pi / 2.0);
}

TEST_CASE("of outlines that coincide the first keeps the arc") {
  const OutlineLoop slot = *rounded(rectangle_loop(6, 2), 1.0);
  const Part twice{{}, {drawn(slot), drawn(slot)}};
  check_area(twice, 8.0 + pi);
  for (const BoundaryArc& arc : union_boundary(twice)) CHECK(arc.piece == 0);
  // Turned by half, elements coincide with others; as placed by different axes, to rounding.
  const OutlineLoop turned = placed(Outline{slot, {}}, {{4, 3}, 1.1}).outer;
  const Vec2 back = -(Rotation2(pi - 1.1) * Vec2(4, 3));
  check_area(Part{{}, {drawn(slot), drawn(turned, {back, pi - 1.1})}}, 8.0 + pi);
  // Sides in one line, and a rounded end in a circle of the same radius.
  check_area(Part{{}, {drawn(rectangle_loop(6, 2)), drawn(rectangle_loop(6, 2), {{2, 0}, 0})}},
             16.0);
  check_area(Part{{}, {drawn(slot), drawn(circle_loop({2, 0}, 1))}}, 8.0 + pi);
  check_area(Part{{}, {drawn(circle_loop({2, 0}, 1)), drawn(slot)}}, 8.0 + pi);
}

TEST_CASE("outlines within others, and in their holes") {
  const OutlineLoop hole = circle_loop({0, 0}, 3);
  const OutlinePiece plate = drawn(rectangle_loop(10, 10), {}, {hole});
  const double area = 100.0 - 9.0 * pi;
  check_area(Part{{}, {plate, drawn(rectangle_loop(1, 1), {{4, 4}, 0.2})}}, area);
  check_area(Part{{}, {plate, drawn(circle_loop({0.3, 0}, 1))}}, area + pi);
  check_area(Part{{}, {plate, drawn(rectangle_loop(2, 8))}},
             area + 2.0 * (std::sqrt(8.0) + 9.0 * std::asin(1.0 / 3.0)));
  check_area(Part{{}, {plate, drawn(rectangle_loop(8, 8))}}, 100.0);
  CHECK(union_boundary(Part{{}, {plate, drawn(rectangle_loop(8, 8))}}).size() == 4);
}

TEST_CASE("outlines and superellipses that overlap") {
  const Piece disc{"disc", {2.0, 2.0, 2.0}, {}};
  check_area(Part{{disc}, {drawn(rectangle_loop(5, 5, {2.5, 2.5}))}}, 25.0 + 3.0 * pi);
  check_area(Part{{disc}, {drawn(circle_loop({1, 0.5}, 2))}},
             8.0 * pi - lens_of(2.0, std::hypot(1.0, 0.5)));
  check_area(Part{{disc}, {drawn(circle_loop({0, 0}, 2))}}, 4.0 * pi);
  check_area(Part{{disc}, {drawn(*rounded(rectangle_loop(8, 4), 2.0), {{2, 0}, 0})}},
             16.0 + 4.0 * pi);
  check_area(Part{{disc}, {drawn(rectangle_loop(9, 9), {}, {circle_loop({0, 0}, 2)})}}, 81.0);
  check_area(Part{{disc}, {drawn(rectangle_loop(9, 9), {}, {circle_loop({0, 0}, 3)})}},
             81.0 - 5.0 * pi);
  check_area(Part{{disc}, {drawn(rectangle_loop(2, 1))}}, 4.0 * pi);
  check_area(Part{{disc}, {drawn(rectangle_loop(8, 8))}}, 64.0);
  // What is beyond x = c of |x/a|^4 + |y/b|^4 <= 1, with x = a (1 - v^4) along the tip.
  const double a = 3.0;
  const double b = 1.5;
  const double c = 0.4;
  const int n = 2000;
  const double v_end = std::pow(1.0 - c / a, 0.25);
  double beyond = 0.0;  // Simpson's rule
  for (int k = 0; k <= n; ++k) {
    const double v = v_end * k / n;
    const double u = 1.0 - std::pow(v, 4);
    const double f = 2.0 * b * std::pow(1.0 - std::pow(u, 4), 0.25) * a * 4.0 * std::pow(v, 3);
    beyond += f * (k == 0 || k == n ? 1.0 : (k % 2 == 0 ? 2.0 : 4.0)) * v_end / n / 3.0;
  }
  const Piece tooth{"tooth", {a, b, 4.0}, {{0, 0}, 0.0}};
  check_area(Part{{tooth}, {drawn(rectangle_loop(4, 4, {c - 2.0, 0}))}}, 16.0 + beyond);
}

TEST_CASE("random outlines and superellipses have boundaries that close") {
  Random random(5);
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    Part part;
    const auto pose = [&] {
      return Pose2{{random.uniform(-3, 3), random.uniform(-3, 3)}, random.uniform(-4, 4)};
    };
    for (int k = random.index(3); k > 0; --k) {
      const double exponent = k == 1 ? 2.0 : random.uniform(2, 12);
      part.pieces.push_back(
          {"piece", {random.uniform(0.3, 3), random.uniform(0.3, 3), exponent}, pose()});
    }
    for (int k = 1 + random.index(3); k > 0; --k) {
      OutlineLoop star;
      const int corners = 3 + random.index(6);
      for (int c = 0; c < corners; ++c) {
        const double angle = 2 * pi * c / corners;
        star.push_back({random.uniform(1, 3) * Vec2(std::cos(angle), std::sin(angle)),
                        random.index(2) == 0 ? 0.0 : random.uniform(-0.3, 0.3), ""});
      }
      const double hole_radius = random.uniform(0.1, 0.4);
      OutlinePiece piece = drawn(star, pose(), {circle_loop({0, 0}, hole_radius)});
      if (outline_faults(piece.outline).empty()) part.outlines.push_back(piece);
    }
    if (part.outlines.empty()) continue;
    check_boundary(part);
    const double w = bounding_radius_mm(part, Vec2(0, 0));
    const double grid = area_on_grid(part, w, 200);
    CHECK(area_integrals(part).area_mm2 == Approx(grid).margin(0.003 * w * w));
  }
}

// Rectangles with corners on a grid touch in every way: sides, corners, whole edges.
TEST_CASE("random rectangles on a grid cover the cells that they should") {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    Part part;
    std::vector<bool> covered(36, false);
    for (int k = 2 + random.index(3); k > 0; --k) {
      const int x = random.index(4);
      const int y = random.index(4);
      const int w = 1 + random.index(3);
      const int h = 1 + random.index(3);
      for (int cell = 0; cell < 36; ++cell) {
        const int column = cell % 6;
        const int row = cell / 6;
        if (column >= x && column < x + w && row >= y && row < y + h) {
          covered[static_cast<std::size_t>(cell)] = true;
        }
      }
      const OutlineLoop loop = rectangle_loop(w, h, {x + 0.5 * w, y + 0.5 * h});
      part.outlines.push_back(drawn(loop, {}, {}));
    }
    const auto cells = static_cast<double>(std::count(covered.begin(), covered.end(), true));
    const auto is_covered_cell = [&](int column, int row) {
      return column >= 0 && column < 6 && row >= 0 && row < 6 &&
             covered[static_cast<std::size_t>(6 * row + column)];
    };
    int sides = 0;  // of cells, between covered and uncovered ones
    for (int row = -1; row < 6; ++row) {
      for (int column = -1; column < 6; ++column) {
        sides += is_covered_cell(column, row) != is_covered_cell(column + 1, row);
        sides += is_covered_cell(column, row) != is_covered_cell(column, row + 1);
      }
    }
    check_area(part, cells);
    const Part moved = moved_part(part, {{1, 2}, random.uniform(-4, 4)});
    CHECK(boundary_length(moved) == Approx(sides).epsilon(1e-9));
  }
}

// Slots, discs and rings of radius 1 and 2 on a grid are tangent to each other and share arcs.
TEST_CASE("random slots and discs on a grid have boundaries that close") {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    Part part;
    for (int k = 2 + random.index(3); k > 0; --k) {
      const Pose2 pose{{1.0 * random.index(4), 1.0 * random.index(4)}, pi / 2 * random.index(4)};
      switch (random.index(4)) {
        case 0:
          part.outlines.push_back(drawn(*rounded(rectangle_loop(4, 2), 1.0), pose));
          break;
        case 1:
          part.outlines.push_back(drawn(circle_loop({0, 0}, 2), pose, {circle_loop({0, 0}, 1)}));
          break;
        case 2:
          part.outlines.push_back(drawn(rectangle_loop(2, 2), pose));
          break;
        default:
          if (part.pieces.empty()) {  // one only: outlines are tested here
            part.pieces.push_back({"disc", {1.0, 1.0, 2.0}, pose});
          } else {
            part.outlines.push_back(drawn(circle_loop({0, 0}, 1), pose));
          }
      }
    }
    if (part.outlines.empty()) continue;
    const Part moved = moved_part(part, {{1, 2}, random.uniform(-4, 4)});
    check_boundary(part);
    check_boundary(moved);
    const double area = area_integrals(part).area_mm2;
    CHECK(area_integrals(moved).area_mm2 == Approx(area).epsilon(1e-9));
    CHECK(area == Approx(area_on_grid(part, 8.0, 200)).margin(0.2));
  }
}

}  // namespace
}  // namespace graspmap
