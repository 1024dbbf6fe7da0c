#include "geometry/union_boundary.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "tests/support/parts.hpp"
#include "tests/support/within.hpp"

namespace graspmap {
namespace {

using namespace testing;

using std::numbers::pi;

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
  // The large disc covers the small one but for a cap of 2 x 1.7e-3 rad; and the other way around.
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

}  // namespace
}  // namespace graspmap
