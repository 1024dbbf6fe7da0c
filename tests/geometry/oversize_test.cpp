#include <catch2/catch.hpp>
#include <cmath>

#include "geometry/mass_properties.hpp"
#include "geometry/outline.hpp"
#include "geometry/outline_faults.hpp"
#include "geometry/part.hpp"
#include "tests/support/outlines.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

Part part_of(const OutlineLoop& loop) { return Part{{}, {OutlinePiece{"plate", {loop, {}}, {}}}}; }

OutlineLoop grown_loop(const OutlineLoop& loop, double offset_mm) {
  Part grown;
  CHECK(oversize(part_of(loop), offset_mm, grown) == "");
  return grown.outlines[0].outline.outer;
}

void check_same(const OutlineLoop& a, const OutlineLoop& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK((a[k].begin_mm - b[k].begin_mm).norm() < 1e-12);
    CHECK(a[k].bulge == Approx(b[k].bulge).margin(1e-13));
  }
}

/// An L with fillets, an arc that is not tangent to its neighbours, and a hollow one.
OutlineLoop odd_loop() {
  return {{{0, 0}, 0.0, "base"}, {{30, 0}, 0.2, ""},      {{30, 12}, 0.0, ""},
          {{14, 13}, -0.3, ""},  {{11, 22}, 0.0, "side"}, {{0, 20}, 0.0, ""}};
}

}  // namespace

TEST_CASE("oversize of a rectangle, a rounded one and a circle is the same drawn larger") {
  check_same(grown_loop(rectangle_loop(20.0, 10.0, {1.0, 2.0}), 0.75),
             rectangle_loop(21.5, 11.5, {1.0, 2.0}));
  check_same(grown_loop(rectangle_loop(20.0, 10.0, {1.0, 2.0}), -0.75),
             rectangle_loop(18.5, 8.5, {1.0, 2.0}));
  const auto rounded = [](double half_mm, double radius_mm) {
    return rounded_chain(
        {{-half_mm, -half_mm}, {half_mm, -half_mm}, {half_mm, half_mm}, {-half_mm, half_mm}},
        radius_mm);
  };
  check_same(grown_loop(rounded(10.0, 3.0), 0.5), rounded(10.5, 3.5));
  check_same(grown_loop(rounded(10.0, 3.0), -0.5), rounded(9.5, 2.5));
  const OutlineLoop circle = {{{-4, 0}, 1.0, ""}, {{4, 0}, 1.0, ""}};
  check_same(grown_loop(circle, 1.0), {{{-5, 0}, 1.0, ""}, {{5, 0}, 1.0, ""}});
}

TEST_CASE("each element of an oversized outline is a parallel curve") {
  for (const double offset : {0.8, -0.8}) {
    const OutlineLoop loop = odd_loop();
    const OutlineLoop grown = grown_loop(loop, offset);
    CHECK(outline_faults({grown, {}}).empty());
    CHECK(grown[0].name == "base");
    const std::vector<OutlineCurve> before = outline_curves(loop);
    const std::vector<OutlineCurve> after = outline_curves(grown);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      if (before[k].is_arc()) {
        const double sign = before[k].turn_rad > 0.0 ? 1.0 : -1.0;
        CHECK((after[k].center_mm - before[k].center_mm).norm() < 1e-10);
        CHECK(after[k].radius_mm == Approx(before[k].radius_mm + sign * offset).epsilon(1e-12));
      } else {
        const Vec2 t = tangent_at(before[k], 0.0);
        CHECK((tangent_at(after[k], 0.0) - t).norm() < 1e-12);
        CHECK(cross(after[k].begin_mm - before[k].begin_mm, t) == Approx(offset).epsilon(1e-11));
      }
    }
  }
}

TEST_CASE("holes of an oversized part get smaller, poses and names stay, discs grow") {
  Outline plate{rectangle_loop(20.0, 10.0, {0.0, 0.0}), {}};
  plate.holes.push_back({{{-2, 0}, -1.0, ""}, {{2, 0}, -1.0, ""}});
  const Part drawn{{Piece{"disc", {3.0, 3.0, 2.0}, {{1, 1}, 0.5}, 0.7}},
                   {OutlinePiece{"plate", plate, {{3, 4}, 0.2}}}};
  Part grown;
  REQUIRE(oversize(drawn, 0.5, grown) == "");
  CHECK(grown.pieces[0].shape.a_mm == 3.5);
  CHECK(grown.pieces[0].shape.b_mm == 3.5);
  CHECK(grown.pieces[0].friction_factor == 0.7);
  CHECK(grown.outlines[0].pose.position_mm == Vec2(3, 4));
  CHECK(grown.outlines[0].outline.holes[0][1].begin_mm.x() == Approx(1.5));
  REQUIRE(oversize(drawn, 0.0, grown) == "");
  CHECK(grown.outlines[0].outline.outer[0].begin_mm == plate.outer[0].begin_mm);
}

TEST_CASE("what an offset makes vanish is named") {
  Part grown;
  CHECK(oversize(part_of(rectangle_loop(20.0, 10.0, {0.0, 0.0})), -5.1, grown) ==
        "edge 2 of \"plate\"");
  const OutlineLoop rounded = rounded_chain({{-10, -10}, {10, -10}, {10, 10}, {-10, 10}}, 1.0);
  CHECK(oversize(part_of(rounded), -1.5, grown) == "arc 1 of \"plate\"");
  Outline plate{rectangle_loop(20.0, 10.0, {0.0, 0.0}), {}};
  plate.holes.push_back({{{-2, 0}, -1.0, ""}, {{2, 0}, -1.0, ""}});
  CHECK(oversize(Part{{}, {OutlinePiece{"plate", plate, {}}}}, 2.5, grown) ==
        "arc 1 of hole 1 of \"plate\"");
  CHECK(oversize(Part{{Piece{"disc", {3.0, 3.0, 2.0}, {}}}, {}}, -3.0, grown) == "\"disc\"");
}
