#include "grasp/base/pictures/shapes.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "tests/support/outline_stories.hpp"
#include "tests/support/xml.hpp"

namespace graspmap {
namespace {

TEST_CASE("a label takes the first place that is free, and others keep off it") {
  LabelPlacer placer({{0, 0}, {100, 100}});
  const Vec2 size(20, 10);
  CHECK(placer.place(size, {{50, 50}, {20, 20}}) == Vec2(50, 50));
  CHECK(placer.place(size, {{60, 55}, {20, 20}}) == Vec2(20, 20));
  CHECK(placer.place(size, {{70, 50}}) == Vec2(70, 50));  // touching is no overlap
  CHECK_FALSE(placer.place(size, {{50, 50}, {20, 20}}));
  CHECK_FALSE(placer.place(size, {}));
}

TEST_CASE("labels stay within their area") {
  LabelPlacer placer({{0, 0}, {100, 100}});
  CHECK_FALSE(placer.place({20, 10}, {{9, 50}}));
  CHECK_FALSE(placer.place({20, 10}, {{50, 96}}));
  CHECK(placer.place({20, 10}, {{10, 5}}));
}

TEST_CASE("labels keep off lines") {
  LabelPlacer placer({{0, 0}, {100, 100}});
  placer.block_path({{0, 0}, {50, 50}, {100, 50}}, 2.0);
  for (double x = 1; x < 50; x += 1) CHECK_FALSE(placer.is_free(box_about({x, x}, {1, 1})));
  for (double x = 50; x < 99; x += 1) CHECK_FALSE(placer.is_free(box_about({x, 51}, {1, 1})));
  CHECK(placer.is_free(box_about({20, 30}, {1, 1})));
  CHECK(placer.is_free(box_about({75, 55}, {1, 1})));
}

using Polygon = std::vector<Vec2>;

/// > 0 counter-clockwise.
double signed_area(const Polygon& polygon) {
  double twice = 0.0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    twice += cross(polygon[k], polygon[(k + 1) % polygon.size()]);
  }
  return 0.5 * twice;
}

const Polygon kSquare = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};

TEST_CASE("a loop of segments has its corners as points") {
  const OutlineLoop loop = testing::polygon_loop(kSquare);
  CHECK(loop_points(loop, 1e-9) == kSquare);
}

TEST_CASE("the chords of an arc are as near to it as they should be, and no nearer") {
  const double tolerance_mm = GENERATE(1.0, 0.1, 1e-3);
  const double bulge = GENERATE(1.0, -1.0);
  const Polygon points = loop_points(testing::circle_loop(50, bulge), tolerance_mm);
  double farthest_mm = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    CHECK(points[k].norm() == Approx(50));
    const Vec2 middle = 0.5 * (points[k] + points[(k + 1) % points.size()]);
    farthest_mm = std::max(farthest_mm, 50.0 - middle.norm());
  }
  CHECK(farthest_mm <= tolerance_mm);
  CHECK(farthest_mm >= 0.5 * tolerance_mm);
  CHECK((signed_area(points) > 0.0) == (bulge > 0.0));
}

TEST_CASE("an outline has a polygon for each loop, the outer one first") {
  const auto polygons = outline_polygons(testing::ring(), 1e-4);
  REQUIRE(polygons.size() == 2);
  CHECK(signed_area(polygons[0]) == Approx(225 * std::numbers::pi).epsilon(1e-4));
  CHECK(signed_area(polygons[1]) == Approx(-64 * std::numbers::pi).epsilon(1e-4));
}

TEST_CASE("a polygon is cut at a box, convex or not") {
  CHECK(clipped(kSquare, {{-1, -1}, {5, 5}}) == kSquare);
  CHECK(signed_area(clipped(kSquare, {{1, -9}, {2, 9}})) == Approx(4));
  CHECK(clipped(kSquare, {{5, 5}, {6, 6}}).empty());
  const Polygon u = {{0, 0}, {6, 0}, {6, 9}, {4, 9}, {4, 2}, {2, 2}, {2, 9}, {0, 9}};
  const Polygon prongs = clipped(u, {{-1, 3}, {7, 5}});
  CHECK(signed_area(prongs) == Approx(8));
  for (const Vec2& p : prongs) {
    CHECK(p.y() >= 3);
    CHECK(p.y() <= 5);
  }
}

TEST_CASE("what reaches far is cut to the box's size") {
  const Box box{{-30, -40}, {30, 20}};
  const auto polygons = clipped(outline_polygons(testing::v_finger(), 0.01), box);
  REQUIRE(polygons.size() == 1);
  CHECK(signed_area(polygons[0]) == Approx(30 * 40 - 0.5 * 6 * 16));
  for (const Vec2& p : polygons[0]) CHECK(box.contains({p, p}));
}

TEST_CASE("polygons outside of a box are left out") {
  CHECK(clipped(std::vector<Polygon>{kSquare, {{9, 9}, {9, 8}, {8, 8}}}, {{-1, -1}, {5, 5}}) ==
        std::vector<Polygon>{kSquare});
}

TEST_CASE("a polygon with holes becomes one polygon of the same area") {
  const Polygon hole = {{1, 1}, {1, 2}, {2, 2}, {2, 1}};
  const Polygon other = {{2.5, 2.5}, {2.5, 3.5}, {3.5, 3.5}, {3.5, 2.5}};
  const Polygon joined = joined_polygon({kSquare, hole, other});
  CHECK(signed_area(joined) == Approx(16 - 1 - 1));
  CHECK(joined.size() == 4 + 2 * (4 + 2));
  CHECK(joined[1] == hole[0]);  // from (0, 0)
  CHECK(joined_polygon({kSquare}) == kSquare);
  CHECK(joined_polygon({}).empty());
}

using testing::xml_problem;

TEST_CASE("the check of XML finds what is wrong") {
  CHECK(xml_problem("<a b=\"1\"><c/>x &lt; y</a>").empty());
  for (const char* wrong : {"<a>", "<a></b>", "<a b=1/>", "<a>x & y</a>", "<a/><a/>",
                            "<a b=\"<\"/>", "<a>\x01</a>", "text", "<a", "<a></a>x"}) {
    CAPTURE(wrong);
    CHECK_FALSE(xml_problem(wrong).empty());
  }
}

TEST_CASE("a picture of all elements is well-formed, whatever its texts") {
  SvgWriter svg({100, 50}, ".a { fill: red; }\n", "");
  svg.open_viewport({1, 2}, {30, 40});
  svg.open_group("a", "1 < 2 & \"3\" > 0\x01");
  svg.line({0, 0}, {1, 1}, "a");
  svg.polyline({{0, 0}, {1, 1}}, "a");
  svg.polygon({}, "a");
  svg.region({{{0, 0}, {9, 0}, {9, 9}}, {{1, 1}, {2, 2}, {2, 1}}, {}}, "a");
  svg.circle({0, 0}, 2, "a");
  svg.rectangle({0, 0}, {1, 1}, "a");
  svg.text({0, 0}, "</text> & <b>", "a");
  svg.centered_text({0, 0}, "µ", "a");
  svg.close_group();
  svg.close_viewport();
  const std::string text = svg.finish();
  CHECK(xml_problem(text) == "");
  CHECK_THAT(text, Catch::Contains(">&lt;/text&gt; &amp; &lt;b&gt;<") &&
                       Catch::Contains("<title>1 &lt; 2 &amp; &quot;3&quot; &gt; 0 </title>"));
}

TEST_CASE("a region is one path of closed polygons, odd ones inside") {
  SvgWriter svg({10, 10}, "", "");
  svg.region({{{0, 0}, {9, 0}, {9, 9}}, {{1, 1}, {2, 2}, {2, 1}}}, "a");
  CHECK_THAT(svg.finish(), Catch::Contains("<path class=\"a\" fill-rule=\"evenodd\" "
                                           "d=\"M0,0 9,0 9,9ZM1,1 2,2 2,1Z\"/>"));
}

TEST_CASE("coordinates have hundredths of a pixel, and no minus zero") {
  SvgWriter svg({10, 10}, "", "");
  svg.circle({-0.001, 12345.678}, 1.0 / 3.0, "a");
  CHECK_THAT(svg.finish(), Catch::Contains("cx=\"0\" cy=\"12345.68\" r=\"0.33\""));
}

}  // namespace

}  // namespace graspmap
