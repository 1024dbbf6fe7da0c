#include <catch2/catch.hpp>
#include <cmath>

#include "geometry/outline.hpp"
#include "tests/support/drawn.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

/// The drawing of elements on a page of 100 x 100 mm.
Drawing elements(const std::string& text) { return drawn("a.svg", svg(text)); }

/// The drawing of one path.
Drawing path(const std::string& data) { return elements("<path d=\"" + data + "\"/>"); }

/// The drawing of a file with attributes of its own, and a square of 10 units.
Drawing page(const std::string& attributes) {
  return drawn("a.svg",
               "<svg xmlns=\"x\" " + attributes + "><path d=\"M10 20h10v10h-10z\"/></svg>");
}

}  // namespace

TEST_CASE("path data, absolute and relative, is a square each time") {
  for (const char* data : {
           "M10,10 L20,10 L20,20 L10,20 Z",
           "M10 10 20 10 20 20 10 20z",
           "m10 10 10 0 0 10-10 0z",
           "M10 10H20V20H10Z",
           "m10,10h10v10h-10z",
           "M1e1 10.0.5e1 10 5 20 10 20z m0 0",
           "M 20 20 L 10 20 l 0 -10 H 20 V 20",
       }) {
    const Drawing drawing = path(data);
    INFO(data);
    CHECK(drawing.regions.size() == 1);
    CHECK(drawing.regions[0].outer.size() == 4);
  }
  // The page is 100 mm high, y points up.
  const Drawing drawing = path("M10,10 h10 v5 h-10 z");
  CHECK((drawing.min_mm - Vec2(10, 85)).norm() < 1e-9);
  CHECK((drawing.max_mm - Vec2(20, 90)).norm() < 1e-9);
  CHECK(drawing.area_mm2 == Approx(50));
}

TEST_CASE("Bezier curves of both degrees have their areas") {
  // Between a cubic with the control points of a square and its chord: 3/5 of the square.
  CHECK(path("M10,50 C10,60 20,60 20,50 Z").area_mm2 == within(60, 0.15));
  // S reflects the control point: an S-shape with twice the lobe.
  const Drawing s = path("M10,50 C10,60 20,60 20,50 S30,40 30,50 L30,80 H10 Z");
  CHECK(s.area_mm2 == within(20 * 30, 0.3));
  // A parabola's segment is 2/3 of chord times sagitta.
  CHECK(path("M10,50 Q15,60 20,50 Z").area_mm2 == within(2.0 / 3 * 10 * 5, 0.1));
  const Drawing t = path("M10,50 q5,10 10,0 t10,0 V80 H10 z");
  CHECK(t.area_mm2 == within(20 * 30, 0.3));
}

TEST_CASE("arcs by their ends are exact where they are circles") {
  const Drawing half = path("M10,50 A5,5 0 0 1 20,50 Z");
  CHECK(half.area_mm2 == Approx(M_PI * 12.5).epsilon(1e-9));
  CHECK((half.max_mm - Vec2(20, 55)).norm() < 1e-9);  // sweep 1: over the top in the file
  CHECK(path("M10,50 A5,5 0 0 0 20,50 Z").min_mm.y() == Approx(45));
  // Large and small, flags without blanks between them.
  const double r = 10;
  const double segment = r * r / 2 * (M_PI / 3 - std::sin(M_PI / 3));
  CHECK(path("M20,50a10,10 0 01 10,0z").area_mm2 == Approx(segment).epsilon(1e-9));
  CHECK(path("M20,50a10,10 0 11 10,0z").area_mm2 == Approx(M_PI * 100 - segment).epsilon(1e-9));
  // Radii that are too small grow; radius 0 is a line.
  CHECK(path("M10,50 A1,1 0 0 1 20,50 Z").area_mm2 == Approx(M_PI * 12.5).epsilon(1e-9));
  CHECK(path("M10,50 A0,1 0 0 1 20,50 V60 Z").regions[0].outer.size() == 3);
  // An ellipse of 8 x 4, turned by 30 degrees, in two halves.
  const Vec2 u(8 * std::cos(M_PI / 6), 8 * std::sin(M_PI / 6));
  const Drawing whole =
      path(fmt::format("M{},{} A8,4 30 0 1 {},{} A8,4 30 0 1 {},{}", 50 - u.x(), 50 - u.y(),
                       50 + u.x(), 50 + u.y(), 50 - u.x(), 50 - u.y()));
  CHECK(whole.area_mm2 == within(M_PI * 32, 0.2));
}

TEST_CASE("basic shapes") {
  CHECK(elements("<rect x='10' y='10' width='30' height='20'/>").area_mm2 == Approx(600));
  const double rounded = 600 - (4 - M_PI) * 25;
  for (const char* radii : {"rx='5'", "ry='5'", "rx='5' ry='5'", "rx='5' ry='auto'"}) {
    const Drawing drawing =
        elements(fmt::format("<rect x='10' y='10' width='30' height='20' {}/>", radii));
    CHECK(drawing.area_mm2 == Approx(rounded).epsilon(1e-9));
    CHECK(drawing.regions[0].outer.size() == 8);
  }
  // Radii that are too large are cut: a stadium.
  CHECK(elements("<rect width='30' height='20' rx='99' ry='10'/>").area_mm2 ==
        within(M_PI * 15 * 10, 0.3));
  CHECK(elements("<circle cx='50' cy='30' r='7'/>").area_mm2 == Approx(49 * M_PI).epsilon(1e-12));
  CHECK(elements("<circle cx='50' cy='30' r='7'/>").regions[0].outer.size() == 2);
  CHECK(elements("<ellipse cx='50' cy='30' rx='7' ry='3'/>").area_mm2 == within(21 * M_PI, 0.17));
  CHECK(elements("<polygon points='0,0 10,0 0,10'/>").area_mm2 == Approx(50));
  CHECK(elements("<polyline points='0,0 10,0 0,10 0,0'/>").area_mm2 == Approx(50));
  CHECK(elements("<line x1='0' y1='0' x2='10' y2='0'/><line x1='10' x2='0' y2='10'/>"
                 "<line y1='10'/>")
            .area_mm2 == Approx(50));
}

TEST_CASE("transforms are applied from the inside to the outside") {
  const auto corner = [](const std::string& transform) {
    const Drawing drawing = elements(
        "<g transform='translate(50 50)'><rect width='4' height='2' "
        "transform='" +
        transform + "'/></g>");
    return std::pair(drawing.min_mm, drawing.max_mm);
  };
  const auto check = [&](const std::string& transform, const Vec2& min, const Vec2& max) {
    INFO(transform);
    CHECK((corner(transform).first - min).norm() < 1e-9);
    CHECK((corner(transform).second - max).norm() < 1e-9);
  };
  check("translate(3)", {53, 48}, {57, 50});
  check("scale(2)", {50, 46}, {58, 50});
  check("scale(2,-1)", {50, 50}, {58, 52});
  check("rotate(90)", {48, 46}, {50, 50});
  check("rotate(90, 4, 0)", {52, 50}, {54, 54});
  check("translate(3,1) , scale(2)", {53, 45}, {61, 49});
  check("matrix(1 0 0 1 3 1)", {53, 47}, {57, 49});
  check("skewX(45)", {50, 48}, {56, 50});
  check("skewY(45)", {50, 44}, {54, 50});
}

TEST_CASE("transforms in a style, and about an origin") {
  const auto box = [](const std::string& text) {
    const Drawing drawing = elements(text);
    return Eigen::Vector4d(drawing.min_mm.x(), drawing.min_mm.y(), drawing.max_mm.x(),
                           drawing.max_mm.y());
  };
  const auto check = [&](const std::string& text, const Eigen::Vector4d& expected) {
    INFO(text);
    CHECK((box(text) - expected).norm() < 1e-9);
  };
  const std::string rect = "<rect x='20' y='20' width='10' height='4' ";
  check(rect + "style='transform:translate(0,10px) scale(0.5)'/>", {10, 78, 15, 80});
  check(rect + "transform='scale(9)' style='transform: translateX(5px)'/>", {25, 76, 35, 80});
  check(rect + "style='transform:translateY(5px) scaleX(2) scaleY(1)'/>", {40, 71, 60, 75});
  check(rect + "transform='rotate(90)' transform-origin='25 22'/>", {23, 73, 27, 83});
  check(rect + "style='transform:rotate(90deg);transform-origin:25% 22px'/>", {23, 73, 27, 83});
  check(rect + "transform='none'/>", {20, 76, 30, 80});
  const auto error = [](const std::string& style) {
    return drawing_error(
        "a.svg", svg("<rect width='9' height='9' style='transform:rotate(5);" + style + "'/>"));
  };
  CHECK(error("transform-origin:center") ==
        "a.svg:2: rect: transform-origin='center'; must be two lengths");
  CHECK(error("transform-box:fill-box") ==
        "a.svg:2: rect: transform-box='fill-box'; must be view-box");
  CHECK_THAT(error("transform:rotate(1rad)"),
             Contains("a.svg:2: rect: transform='rotate(1rad)'; must be matrix"));
  CHECK(error("scale:2") ==
        "a.svg:2: rect: style has scale: '2'; must have it as an attribute, transform");
  CHECK_THAT(drawing_error("a.svg", "<svg transform='scale(2)'><rect width='9' height='9'/></svg>"),
             Contains("a.svg:1: svg: transform='scale(2)'; programs differ"));
}

TEST_CASE("sizes in a style, and percentages of the view box") {
  const Drawing styled =
      elements("<rect width='9' height='9' style='x:5px; width:50px; height:30px !important'/>");
  CHECK(styled.area_mm2 == Approx(1500));
  CHECK(styled.min_mm.x() == Approx(5));
  CHECK_THAT(drawing_error("a.svg", svg("<rect style='width:5em' height='1'/>")),
             Contains("a.svg:2: rect: width='5em'; must be a number"));
  const auto in_page = [](const std::string& text) {
    return drawn("a.svg",
                 "<svg width='200mm' height='100mm' viewBox='0 0 400 200'>" + text + "</svg>");
  };
  const Drawing rect = in_page("<rect x='50%' y='10%' width='25%' height='50%'/>");
  CHECK((rect.min_mm - Vec2(100, 40)).norm() < 1e-9);
  CHECK((rect.max_mm - Vec2(150, 90)).norm() < 1e-9);
  CHECK(in_page("<circle r='10%'/>").max_mm.x() == Approx(std::sqrt(25000.0) / 10));
  CHECK(
      in_page("<svg width='50%' viewBox='0 0 4 4'><rect width='50%' height='1'/></svg>").area_mm2 ==
      Approx(50 * 25));
  CHECK_THAT(drawing_error("a.svg", "<svg><rect width='50%' height='9'/></svg>"),
             Contains("rect: width='50%'; must be a number"));
  const Drawing page =
      elements("<rect width='100%' height='100%' fill='#fff'/><rect width='30' height='20'/>");
  CHECK(page.area_mm2 == Approx(600));
  CHECK(page.ignored.at(0).reason == "is as large as the page: its background");
}

TEST_CASE("what is drawn neither filled nor stroked is no outline, unless a style sheet draws it") {
  const std::string part = "<rect width='30' height='20'/>";
  const auto count = [&](const std::string& text) {
    return elements(part + text).regions.size() - 1;
  };
  const auto circle = [](const std::string& more) {
    return "<circle cx='50' cy='50' r='5' " + more + "/>";
  };
  for (const std::string& hidden : {
           circle("fill='none'"),
           circle("fill='none' stroke='none'"),
           circle("style='fill:none;stroke:none' stroke='red'"),
           circle("opacity='0'"),
           "<g fill='none'>" + circle("") + "</g>",
           "<g fill='none' stroke='red'>" + circle("stroke='none'") + "</g>",
           "<g style='opacity: 0.0'>" + circle("") + "</g>",
       }) {
    INFO(hidden);
    CHECK(count(hidden) == 0);
    CHECK(elements(part + hidden).ignored.size() == 1);
  }
  for (const std::string& shown : {
           circle(""),
           circle("fill='none' stroke='red'"),
           circle("fill='none' style='stroke:#000'"),
           "<g stroke='red'>" + circle("fill='none'") + "</g>",
           circle("fill='none' class='line'"),
           "<g class='line'>" + circle("fill='none'") + "</g>",
           "<style>circle { stroke: red }</style>" + circle("fill='none'"),
           circle("opacity='0.5'"),
       }) {
    INFO(shown);
    CHECK(count(shown) == 1);
  }
  CHECK(elements(part + circle("fill='none'")).ignored.at(0).reason ==
        "is drawn neither filled nor stroked");
}

TEST_CASE("a circle under another scale in x and y is an ellipse") {
  const Drawing drawing = elements("<circle r='5' transform='translate(50,50) scale(4,1)'/>");
  CHECK(drawing.area_mm2 == within(M_PI * 100, 0.4));
  CHECK((drawing.max_mm - Vec2(70, 55)).norm() < 1e-9);
}

TEST_CASE("units: mm, cm, in, px, pt, view boxes, and none") {
  CHECK(page("width='100mm' height='50mm' viewBox='0 0 100 50'").area_mm2 == Approx(100));
  CHECK(page("width='10cm' height='5cm' viewBox='0 0 200 100'").area_mm2 == Approx(25));
  CHECK(page("width='1in' height='1in' viewBox='0 0 1 1'").area_mm2 == Approx(25.4 * 25.4 * 100));
  CHECK(page("width='72pt' viewBox='0 0 1 1'").area_mm2 == Approx(25.4 * 25.4 * 100));
  const double pixel = 25.4 / 96;
  CHECK(page("width='500' height='500'").area_mm2 == Approx(100 * pixel * pixel));
  CHECK(page("width='500px' height='500px'").area_mm2 == Approx(100 * pixel * pixel));
  CHECK(page("viewBox='0 0 100 50'").area_mm2 == Approx(100 * pixel * pixel));
  CHECK(page("width='100%' height='100%' viewBox='0 0 9 9'").area_mm2 ==
        Approx(100 * pixel * pixel));
  CHECK(page("").area_mm2 == Approx(100 * pixel * pixel));
  CHECK(page("").units ==
        "1 unit is a pixel, 0.264583333 mm (1/96 inch), since the file has no "
        "viewBox");
  CHECK(page("width='100mm' height='50mm' viewBox='0 0 100 50'").units ==
        "1 unit is 1 mm (width '100mm', viewBox '0 0 100 50')");
  // The smaller scale, in the middle of the page.
  const Drawing meet = page("width='200mm' height='50mm' viewBox='0 0 100 50'");
  CHECK(meet.area_mm2 == Approx(100));
  CHECK(meet.min_mm.x() == Approx(60));
  CHECK(page("width='200mm' height='50mm' viewBox='0 0 100 50' preserveAspectRatio='none'")
            .area_mm2 == Approx(200));
}

TEST_CASE("y points up, from the page's lower left corner, and a note says so") {
  const Drawing drawing = page("width='100mm' height='50mm' viewBox='0 0 100 50'");
  CHECK((drawing.min_mm - Vec2(10, 20)).norm() < 1e-9);
  REQUIRE(drawing.notes.size() == 1);
  CHECK_THAT(drawing.notes[0], Contains("y points up here"));
  const Drawing without = page("");
  CHECK(without.max_mm.y() == Approx(-20 * 25.4 / 96));
  CHECK_THAT(without.notes.at(0), Contains("the page has no height"));
}

TEST_CASE("groups are layers, by label or id; what is not displayed is ignored") {
  const std::string text =
      "<g id='g1' inkscape:label='nut'><g id='inner'><circle cx='20' cy='20' r='5'/></g></g>"
      "<g id='g2'><circle cx='50' cy='20' r='4'/></g>"
      "<g style='fill:red; display: none'><circle r='9'/></g>"
      "<g visibility='hidden'><circle visibility='inherit' r='9'/></g>"
      "<text>M5</text><defs><circle r='9'/></defs>";
  const Drawing all = elements(text);
  CHECK(all.layers == std::vector<std::string>{"nut", "g2"});
  REQUIRE(all.regions.size() == 2);
  CHECK(all.regions[0].outer[0].name == "nut");
  CHECK(all.regions[1].outer[0].name == "g2");
  REQUIRE(all.ignored.size() == 3);
  CHECK(all.ignored[0].reason == "is not displayed");
  CHECK(all.ignored[1].reason == "is hidden");
  CHECK_THAT(all.ignored[2].reason, Contains("is a note"));
  DrawingOptions options;
  for (const char* layer : {"nut", "g1", "inner"}) {
    options.layers = {layer};
    CHECK(drawn("a.svg", svg(text), options).area_mm2 == Approx(M_PI * 25));
  }
  options.layers = {"bolt"};
  CHECK_THAT(drawing_error("a.svg", svg(text), options),
             Contains("layer 'bolt'") && Contains("'nut'"));
}

TEST_CASE("use, symbols and nested svg") {
  const Drawing drawing = elements(
      "<defs><circle id='c' r='2'/><symbol id='s' viewBox='0 0 2 1'><rect width='2' height='1'/>"
      "</symbol></defs><use href='#c' x='20' y='20'/><use xlink:href='#c' "
      "transform='translate(40,20) scale(2)'/><use href='#s' x='60' y='20' width='8' height='4'/>"
      "<svg x='10' y='60' width='10' height='10' viewBox='0 0 1 1'><rect width='1' height='1'/>"
      "</svg><use href='#gone'/>");
  REQUIRE(drawing.regions.size() == 4);
  CHECK(drawing.area_mm2 == Approx(M_PI * 4 + M_PI * 16 + 32 + 100));
  REQUIRE(drawing.ignored.size() == 1);
  CHECK(drawing.ignored[0].reason == "'#gone' is not in the file");
}

TEST_CASE("files by Inkscape and OpenSCAD") {
  const double hexagon = 2 * std::sqrt(3.0) * 144;
  const double plate = 18 * 20 - (4 - M_PI) * 16 - M_PI * 15;
  for (const char* name : {"nut_source.svg", "nut_inkscape.svg"}) {
    const Drawing drawing = read_drawing(data_file(name), {});
    REQUIRE(drawing.regions.size() == 2);
    CHECK(drawing.regions[0].outer.size() == 6);
    CHECK(drawing.regions[0].holes.at(0).size() == 2);
    // A rounded corner is one cubic in Inkscape, which is off by 0.03 % of the radius.
    CHECK(drawing.area_mm2 == within(hexagon - M_PI * 49 + plate, 0.3));
  }
  const Drawing scad = read_drawing(data_file("nut_openscad.svg"), {});
  REQUIRE(scad.regions.size() == 2);
  CHECK(scad.area_mm2 == within(hexagon - 147 + 0.5 * 12.5 * 7.25, 0.01));
}

TEST_CASE("SVG: what cannot be read is said with its line") {
  const auto error = [](const std::string& text) { return drawing_error("a.svg", svg(text)); };
  CHECK(error("<path d='L1,2'/>") == "a.svg:2: path: d: path data begins with M at character 1");
  CHECK(error("<path d='M1,2 L3'/>") == "a.svg:2: path: d: a number is missing at character 7");
  CHECK(error("<path d='M1,2 X3'/>") ==
        "a.svg:2: path: d: 'X' is no command of a path at character 6");
  CHECK(error("<path d='M1,2 Z 3'/>") ==
        "a.svg:2: path: d: '3' where a command must be at character 7");
  CHECK_THAT(error("<path d='M1,2 A1,1 0 2 0 3,3'/>"), Contains("a flag 0 or 1 is missing"));
  CHECK_THAT(error("<path d='M nan,0'/>"), Contains("a number is missing"));
  CHECK_THAT(error("<path d='M0,0 L1e999,0'/>"), Contains("a number is missing"));
  CHECK_THAT(error("<path d='M0,0 L1e200,0'/>"), Contains("path: reaches (1e+200, "));
  CHECK_THAT(error("<rect width='5em' height='1'/>"),
             Contains("rect: width='5em'; must be a number"));
  CHECK_THAT(error("<circle r='-1'/>"), Contains("circle: r='-1'; must be > 0"));
  CHECK_THAT(error("<polygon points='1,2 3'/>"), Contains("points='1,2 3'; must be pairs"));
  CHECK_THAT(error("<g transform='turn(3)'/>"), Contains("g: transform='turn(3)'; must be matrix"));
  CHECK_THAT(error("<g id='a'><use href='#a'/></g>"), Contains("use: '#a' contains itself"));
  CHECK(error("<text>hello</text>") ==
        "a.svg: shows no lines; ignored: 1 text (is a note; convert it to paths if it is part of "
        "the outline)");
  CHECK_THAT(error("<circle r='1'>"), Contains("a.svg:3: is no valid XML"));
  std::string deep;
  for (int k = 0; k < 5000; ++k) deep += "<g>";
  for (int k = 0; k < 5000; ++k) deep += "</g>";
  CHECK_THAT(error(deep), Contains("nested more than 100 deep"));
  std::string bomb = "<defs><g id='a20'/>";
  for (int k = 0; k < 20; ++k) {
    bomb += fmt::format("<g id='a{}'><use href='#a{}'/><use href='#a{}'/><use href='#a{}'/></g>", k,
                        k + 1, k + 1, k + 1);
  }
  CHECK_THAT(error(bomb + "</defs><use href='#a0'/>"), Contains("more than 500000 entities"));
  CHECK_THAT(drawing_error("a.svg", "<html></html>"), Contains("the first element is 'html'"));
  CHECK_THAT(drawing_error("a.svg", "hello"), Contains("is no valid XML"));
  CHECK_THAT(drawing_error("a.svg", "<svg viewBox='0 0 0 0'/>"), Contains("viewBox='0 0 0 0'"));
}
