#include <catch2/catch.hpp>

#include "grasp/base/drawings/drawing.hpp"
#include "tests/support/drawn.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

/// A line on a layer, with more groups.
std::string line_on(const std::string& layer, double x1, double y1, double x2, double y2,
                    const std::string& more = "") {
  return fmt::format("0 LINE 8 {} {}10 {} 20 {} 11 {} 21 {} ", layer, more, x1, y1, x2, y2);
}

std::string read_error(const std::string& entities, const DrawingOptions& options = {}) {
  return drawing_error("a.dxf", dxf(entities), options);
}

const std::string kTwoViews = dxf_rectangle(0, 0, 40, 20) + " " + dxf_rectangle(100, 0, 110, 20);

TEST_CASE("a drawing that fails lists its layers with what is on them and where") {
  const std::string open = line_on("part", 0, 0, 10, 0) + line_on("part", 10, 0, 10, 5) +
                           "0 CIRCLE 8 holes 10 5 20 2 40 1";
  CHECK_THAT(read_error(open), Contains("; layers: 'part': 2 LINE from (0, 0) to (10, 5); 'holes': "
                                        "1 CIRCLE from (4, 1) to (6, 3)"));
  CHECK_THAT(read_error("0 LINE 8 part 10 0 20 0 11 9 21 0"), !Contains("layers: "));
}

TEST_CASE("centre lines and hidden edges are no outlines") {
  const std::string part = dxf_rectangle(0, 0, 9, 9) + " ";
  for (const char* linetype : {"CENTER", "Center2", "HIDDEN", "PHANTOM2"}) {
    const std::string entity = line_on("0", -1, 4, 12, 4, fmt::format("6 {} ", linetype));
    const Drawing drawing = drawn("a.dxf", dxf(part + entity.substr(0, entity.size() - 1)));
    CHECK(drawing.area_mm2 == Approx(81));
    REQUIRE(drawing.ignored.size() == 1);
    CHECK_THAT(drawing.ignored[0].reason, Contains("is drawn as a "));
  }
  const std::string drawn_on = line_on("0", -1, 4, 12, 4, "6 CONTINUOUS ");
  CHECK_THAT(read_error(part + drawn_on.substr(0, drawn_on.size() - 1)), Contains("open"));
}

TEST_CASE("a layer's line type counts for what says none, unless the layer is asked for") {
  const std::string layers =
      "0 SECTION 2 TABLES 0 TABLE 2 LAYER 0 LAYER 2 AXES 70 0 62 1 6 CENTER 0 ENDTAB 0 ENDSEC";
  const std::string text =
      dxf(dxf_rectangle(0, 0, 9, 9) + " 0 CIRCLE 8 AXES 10 4 20 4 40 2", layers);
  CHECK(drawn("a.dxf", text).regions.at(0).holes.empty());
  DrawingOptions asked;
  asked.layers = {"AXES"};
  CHECK(drawn("a.dxf", text, asked).area_mm2 == Approx(4 * M_PI));
}

TEST_CASE("a line drawn again on a longer one is a duplicate") {
  const std::string part = dxf_rectangle(0, 0, 10, 10);
  // In the middle of the edge; from its corner; and on an arc.
  CHECK(drawn("a.dxf", dxf(part + " 0 LINE 10 3 20 0 11 6 21 0")).duplicates == 1);
  const Drawing corner = drawn("a.dxf", dxf(part + " 0 LINE 10 10 20 0 11 6 21 0"));
  CHECK(corner.duplicates == 1);
  CHECK(corner.area_mm2 == Approx(100));
  CHECK(
      drawn("a.dxf", dxf("0 CIRCLE 10 0 20 0 40 5 0 ARC 10 0 20 0 40 5 50 10 51 60")).duplicates ==
      1);
  CHECK_THAT(read_error(part + " 0 LINE 10 3 20 0.1 11 6 21 0.1"), Contains("open"));
}

TEST_CASE("of several views one is read, by its number or by a box") {
  CHECK(drawn("a.dxf", dxf(kTwoViews)).regions.size() == 2);
  CHECK(regions_text(drawn("a.dxf", dxf(kTwoViews)).regions) ==
        "1: 40 x 20 mm at (20, 10), 2: 10 x 20 mm at (105, 10)");
  DrawingOptions second;
  second.view = 2;
  const Drawing narrow = drawn("a.dxf", dxf(kTwoViews), second);
  CHECK(narrow.area_mm2 == Approx(200));
  CHECK(narrow.min_mm == Vec2(100, 0));
  second.view = 3;
  CHECK_THAT(read_error(kTwoViews, second), Contains("has no view 3; must be among 1: 40 x 20"));
  DrawingOptions boxed;
  boxed.box_mm = {Vec2(90, -5), Vec2(120, 30)};
  const Drawing inside = drawn("a.dxf", dxf(kTwoViews), boxed);
  CHECK(inside.area_mm2 == Approx(200));
  CHECK_THAT(inside.notes.at(0), Contains("left out what is not in the box: 4 elements"));
  boxed.box_mm = {Vec2(50, 50), Vec2(60, 60)};
  CHECK_THAT(read_error(kTwoViews, boxed), Contains("shows no lines in the box (50, 50) to"));
}

TEST_CASE("layers name elements where outer outlines have several, not for their holes") {
  const std::string hole = " 0 CIRCLE 8 holes 10 4 20 4 40 2";
  const OutlineLoop one = drawn("a.dxf", dxf(dxf_rectangle(0, 0, 9, 9) + hole)).regions[0].outer;
  CHECK(one[0].name.empty());
  std::string two =
      line_on("base", 0, 0, 9, 0) + line_on("side", 9, 0, 9, 9) + line_on("side", 9, 9, 0, 0);
  two.pop_back();
  CHECK(drawn("a.dxf", dxf(two)).regions[0].outer[0].name == "base");
}

TEST_CASE("the arcs of a curve share its name") {
  const OutlineLoop loop = drawn("a.dxf", dxf("0 ELLIPSE 10 0 20 0 11 20 21 0 40 0.5 41 0 42 "
                                              "6.283185307179586"))
                               .regions[0]
                               .outer;
  REQUIRE(loop.size() > 4);
  for (const OutlineElement& element : loop) CHECK(element.name == "ellipse_1");
}

TEST_CASE("sides are named by where they face") {
  Outline outline = drawn("a.dxf", dxf(dxf_rectangle(0, 0, 40, 20))).regions[0];
  name_sides(outline);
  const std::vector<OutlineCurve> curves = outline_curves(outline.outer);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec2 middle = point_at(curves[k], 0.5);
    const std::string& name = outline.outer[k].name;
    CHECK((name == "left") == (middle.x() == 0));
    CHECK((name == "right") == (middle.x() == 40));
    CHECK((name == "bottom") == (middle.y() == 0));
    CHECK((name == "top") == (middle.y() == 20));
  }
}

TEST_CASE("a small drawing without a unit may be in inches") {
  const auto notes = [](const std::string& header, double size) {
    const std::string text = groups(header + "0 SECTION 2 ENTITIES") +
                             groups(dxf_rectangle(0, 0, size, 2)) + groups("0 ENDSEC 0 EOF");
    return drawn("a.dxf", text).notes;
  };
  REQUIRE(notes("", 3).size() == 1);
  CHECK(notes("", 3)[0] ==
        "no unit is named, and it is 3 x 2 large: if these are inches, --scale 25.4");
  CHECK(notes("", 30).empty());
  CHECK(notes("0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC ", 3).empty());
}

}  // namespace
