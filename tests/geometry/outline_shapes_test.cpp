#include "geometry/outline_shapes.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>

#include "geometry/outline.hpp"
#include "geometry/outline_faults.hpp"
#include "tests/support/outline_shapes.hpp"

namespace graspmap {
namespace {

using std::numbers::pi;

bool is_faultless(const OutlineLoop& loop) { return outline_faults({loop, {}}).empty(); }

TEST_CASE("circles, rectangles and regular polygons have their areas") {
  CHECK(signed_area_mm2(circle_loop({3, -2}, 1.5)) == Approx(2.25 * pi).epsilon(1e-14));
  CHECK(signed_area_mm2(rectangle_loop(3, 2, {7, 7})) == Approx(6.0).epsilon(1e-14));
  const OutlineLoop hexagon = regular_polygon_loop(6, 24.0, {1, 2});
  CHECK(signed_area_mm2(hexagon) == Approx(std::sqrt(3.0) / 2.0 * 576.0).epsilon(1e-14));
  CHECK(hexagon[0].begin_mm.x() == Approx(13.0).epsilon(1e-14));
  CHECK(hexagon[1].begin_mm.x() == Approx(13.0).epsilon(1e-14));
  CHECK(hexagon[1].begin_mm.y() > hexagon[0].begin_mm.y());
  CHECK(signed_area_mm2(polygon_loop({{0, 0}, {0, 1}, {1, 0}})) == -0.5);
}

TEST_CASE("a fillet is tangent to both edges and takes the area that it should") {
  const OutlineLoop square = rectangle_loop(4, 4);
  for (std::size_t corner : {0u, 1u, 2u, 3u}) {
    CAPTURE(corner);
    const auto loop = filleted(square, corner, 0.5);
    REQUIRE(loop);
    REQUIRE(loop->size() == 5);
    const auto curves = outline_curves(*loop);
    const OutlineCurve& arc = curves[corner];
    CHECK(arc.radius_mm == Approx(0.5).epsilon(1e-13));
    const OutlineCurve& before = curves[(corner + 4) % 5];
    const OutlineCurve& after = curves[(corner + 1) % 5];
    CHECK((tangent_at(before, 1) - tangent_at(arc, 0)).norm() <= 1e-13);
    CHECK((tangent_at(arc, 1) - tangent_at(after, 0)).norm() <= 1e-13);
    CHECK(signed_area_mm2(*loop) == Approx(16.0 - 0.25 * (1.0 - pi / 4.0)).epsilon(1e-13));
    CHECK(is_faultless(*loop));
  }
}

TEST_CASE("an inner corner's fillet adds area") {
  const OutlineLoop bracket = polygon_loop({{0, 0}, {6, 0}, {6, 2}, {2, 2}, {2, 6}, {0, 6}});
  const auto loop = filleted(bracket, 3, 1.0);
  REQUIRE(loop);
  CHECK((*loop)[3].bulge == Approx(-std::tan(pi / 8.0)).epsilon(1e-13));
  CHECK(signed_area_mm2(*loop) == Approx(20.0 + (1.0 - pi / 4.0)).epsilon(1e-13));
  const auto all = rounded(bracket, 1.0);
  REQUIRE(all);
  CHECK(all->size() == 10);  // both arms end in half circles
  CHECK(signed_area_mm2(*all) == Approx(20.0 - 4.0 * (1.0 - pi / 4.0)).epsilon(1e-13));
  CHECK(is_faultless(*all));
}

TEST_CASE("a chamfer cuts its length off both edges") {
  const auto loop = chamfered(rectangle_loop(4, 2), 2, 0.5);
  REQUIRE(loop);
  CHECK(((*loop)[2].begin_mm - Vec2(2, 0.5)).norm() <= 1e-15);
  CHECK(((*loop)[3].begin_mm - Vec2(1.5, 1)).norm() <= 1e-15);
  CHECK(signed_area_mm2(*loop) == Approx(8.0 - 0.125).epsilon(1e-14));
}

TEST_CASE("fillets that do not fit, or have no corner, are refused") {
  const OutlineLoop square = rectangle_loop(4, 4);
  CHECK(filleted(square, 0, 4.0));
  CHECK_FALSE(filleted(square, 0, 4.001));
  CHECK_FALSE(chamfered(square, 0, 4.001));
  CHECK(rounded(square, 1.999));
  CHECK_FALSE(rounded(square, 2.001));
  CHECK_FALSE(filleted(circle_loop({0, 0}, 1), 0, 0.1));
  CHECK_FALSE(filleted({{{0, 0}, 0.5, ""}, {{4, 0}, 0.0, ""}, {{0, 4}, 0.0, ""}}, 1, 0.1));
  CHECK_FALSE(filleted(polygon_loop({{0, 0}, {1, 0}, {2, 0}, {2, 2}}), 1, 0.1));
}

TEST_CASE("edges that fillets use up go: a slot, a circle") {
  const auto slot = rounded(rectangle_loop(6, 2), 1.0);
  REQUIRE(slot);
  CHECK(slot->size() == 6);  // two edges, four quarter circles
  CHECK(signed_area_mm2(*slot) == Approx(8.0 + pi).epsilon(1e-13));
  CHECK(is_faultless(*slot));
  const auto circle = rounded(rectangle_loop(2, 2), 1.0);
  REQUIRE(circle);
  CHECK(circle->size() == 4);
  CHECK(signed_area_mm2(*circle) == Approx(pi).epsilon(1e-13));
}

TEST_CASE("rounding leaves corners at arcs and straight joints alone") {
  const OutlineLoop d{{{0, -1}, 0.0, ""},
                      {{1, -1}, 1.0, ""},
                      {{1, 1}, 0.0, ""},
                      {{0, 1}, 0.0, ""},
                      {{0, 0}, 0.0, ""}};
  const auto loop = rounded(d, 0.25);
  REQUIRE(loop);
  CHECK(loop->size() == 7);
  CHECK(signed_area_mm2(*loop) ==
        Approx(2.0 + pi / 2.0 - 2.0 * 0.0625 * (1.0 - pi / 4.0)).epsilon(1e-13));
}

TEST_CASE("a loop reversed is the same curve with the same names") {
  OutlineLoop loop = *filleted(rectangle_loop(4, 2), 1, 0.5);
  loop[3].name = "top";
  const OutlineLoop back = reversed(loop);
  CHECK(signed_area_mm2(back) == Approx(-signed_area_mm2(loop)).epsilon(1e-14));
  CHECK((back[0].begin_mm - loop[0].begin_mm).norm() == 0.0);
  CHECK(back[0].name == "edge 5");
  CHECK(back[1].name == "top");
  CHECK(back[3].name == "arc 2");
  const auto curves = outline_curves(loop);
  const auto back_curves = outline_curves(back);
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK((point_at(back_curves[k], 0.3) - point_at(curves[4 - k], 0.7)).norm() <= 1e-14);
  }
}

TEST_CASE("outlines are oriented: outer chains counter-clockwise, holes clockwise") {
  const Outline wrong{reversed(rectangle_loop(9, 9)), {circle_loop({0, 0}, 1)}};
  const Outline right = oriented(wrong);
  CHECK(signed_area_mm2(right.outer) == Approx(81.0));
  CHECK(signed_area_mm2(right.holes[0]) == Approx(-pi));
  const Outline again = oriented(right);
  CHECK(again.outer[1].begin_mm == right.outer[1].begin_mm);
  CHECK(again.holes[0][0].bulge == -1.0);
}

TEST_CASE("a mirrored outline holds the mirror images, under the same names") {
  // An L with a round back: bottom, end, an arc inwards, top, a straight back.
  const OutlineLoop loop{{{0, 0}, 0.0, "bottom"},
                         {{10, 0}, 0.0, "end"},
                         {{10, 4}, -0.4, "hollow"},
                         {{4, 10}, 0.0, "top"},
                         {{0, 10}, 0.0, "back"}};
  const Outline outline{loop, {reversed(circle_loop({2, 2}, 1))}};
  const Outline image = mirrored(outline);
  CHECK(signed_area_mm2(image.outer) == Approx(signed_area_mm2(outline.outer)));
  CHECK(signed_area_mm2(image.holes[0]) == Approx(signed_area_mm2(outline.holes[0])));
  for (double x = -0.75; x < 11.0; x += 0.5) {
    for (double y = -0.75; y < 11.0; y += 0.5) {
      CHECK(contains(image, {-x, y}) == contains(outline, {x, y}));
    }
  }
  const std::vector<OutlineCurve> curves = outline_curves(image.outer);
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const Vec2 middle = point_at(curves[k], 0.5);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      if (loop[i].name != image.outer[k].name) continue;
      CHECK(distance_mm(outline_curves(loop)[i], {-middle.x(), middle.y()}) < 1e-12);
    }
  }
}

TEST_CASE("elements and corners without names keep their numbers in the mirror image") {
  const Outline outline{{{{0, 0}, 0.0, ""}, {{9, 0}, 0.3, ""}, {{9, 5}, 0.0, "top"}}, {}};
  const Outline image = mirrored(outline);
  std::map<std::string, Vec2> corners;
  std::set<std::string> elements;
  for (std::size_t k = 0; k < image.outer.size(); ++k) {
    corners[corner_name(image.outer, k)] = image.outer[k].begin_mm;
    elements.insert(element_name(image.outer, k));
  }
  CHECK(elements == std::set<std::string>{"edge 1", "arc 2", "top"});
  REQUIRE(corners.size() == 3);
  for (std::size_t k = 0; k < outline.outer.size(); ++k) {
    const Vec2& drawn_mm = outline.outer[k].begin_mm;
    const Vec2& image_mm = corners.at(corner_name(outline.outer, k));
    CHECK(image_mm == Vec2(-drawn_mm.x(), drawn_mm.y()));
  }
}

/// A pad of 22 x 8 mm.
FingerShape pad(double tip_radius_mm = 0.0) {
  FingerShape shape{.tip_radius_mm = tip_radius_mm};
  shape.pad_width_mm = 22;
  shape.pad_depth_mm = 8;
  return shape;
}

TEST_CASE("a pad is a finite rectangle about y = 0, its inside corners rounded") {
  const Outline plain = finger_outline(pad());
  CHECK(signed_area_mm2(plain.outer) == 22.0 * 8.0);
  CHECK(box_of(plain.outer).min() == Vec2(0, -11));
  CHECK(box_of(plain.outer).max() == Vec2(8, 11));
  const Outline round = finger_outline(pad(2));
  // A fillet takes r^2 (1 - pi / 4) from each of the two corners.
  CHECK(signed_area_mm2(round.outer) == Approx(176.0 - 2.0 * 4.0 * (1.0 - pi / 4)).epsilon(1e-14));
  CHECK(is_faultless(round.outer));
  CHECK(round.outer[1].name == "tip");
  CHECK(round.outer[3].name == "tip_lower");
  FingerShape bevelled = pad();
  bevelled.tip_chamfer_mm = 3;
  bevelled.tip_chamfer_rad = std::atan(0.5);
  const OutlineLoop loop = finger_outline(bevelled).outer;
  CHECK(loop[3].name == "chamfer_lower");
  CHECK((loop[3].begin_mm - Vec2(0, -5)).norm() < 1e-14);
  CHECK(signed_area_mm2(loop) == Approx(176.0 - 2.0 * 0.5 * 3.0 * 6.0).epsilon(1e-14));
}

TEST_CASE("a round groove is the arc of its radius and depth") {
  FingerShape shape = pad(1);
  shape.groove_radius_mm = 5;
  shape.groove_depth_mm = 2;
  shape.groove_position_mm = 3;
  const OutlineLoop loop = finger_outline(shape).outer;
  CHECK(is_faultless(loop));
  REQUIRE(loop[3].name == "groove");
  const OutlineCurve arc = outline_curve(loop, 3);
  CHECK(arc.radius_mm == Approx(5).epsilon(1e-14));
  CHECK((point_at(arc, 0.5) - Vec2(2, 3)).norm() < 1e-14);
  CHECK((arc.center_mm - Vec2(-3, 3)).norm() < 1e-14);
  FingerShape shaft{.groove_depth_mm = 2, .groove_position_mm = -7, .groove_radius_mm = 5};
  CHECK(finger_outline(shaft).outer[2].name == "groove");
}

TEST_CASE("a pad has room for its tips and its groove, or does not fit") {
  FingerShape shape = pad(11);
  shape.pad_depth_mm = 12;
  REQUIRE(fits(shape));
  CHECK(finger_outline(shape).outer[2].name == "tip_lower");  // no inside is left between the arcs
  CHECK_FALSE(fits(pad(8.1)));
  shape = pad(2);
  shape.groove_depth_mm = 4;  // a V of 90 degrees: 8 mm of the 18 mm between the arcs
  shape.groove_position_mm = -5;
  CHECK(fits(shape));
  shape.groove_position_mm = -5.01;
  CHECK_FALSE(fits(shape));
  shape.groove_position_mm = 5.01;
  CHECK_FALSE(fits(shape));
  shape.groove_position_mm = 0;
  shape.groove_radius_mm = 3.9;
  CHECK_FALSE(fits(shape));
}

}  // namespace
}  // namespace graspmap
