#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "geometry/outline.hpp"
#include "tests/support/drawn.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

Drawing read(const std::string& name, const DrawingOptions& options = {}) {
  return read_drawing(data_file(name), options);
}

/// A curve's area lies within its length times the error of its arcs.
void check_area(const Drawing& drawing, double exact_mm2, double boundary_mm) {
  CHECK(drawing.curve_error_mm <= 0.005);
  CHECK(drawing.area_mm2 == within(exact_mm2, 0.005 * boundary_mm));
}

bool has_ignored(const Drawing& drawing, const std::string& kind, const std::string& reason) {
  for (const IgnoredEntities& entry : drawing.ignored) {
    if (entry.kind == kind && entry.reason == reason) return entry.first_line > 0;
  }
  return false;
}

}  // namespace

TEST_CASE("a bracket of lines, an arc and circles is read as it was drawn") {
  const Drawing drawing = read("bracket.dxf");
  REQUIRE(drawing.regions.size() == 1);
  const Outline& outline = drawing.regions[0];
  REQUIRE(outline.outer.size() == 7);
  CHECK(outline.outer[3].begin_mm == Vec2(15, 10));
  CHECK(outline.outer[3].bulge == within(-std::tan(M_PI / 8), 1e-15));
  REQUIRE(outline.holes.size() == 2);
  for (const OutlineLoop& hole : outline.holes) {
    REQUIRE(hole.size() == 2);
    CHECK(hole[0].bulge == -1.0);
    CHECK(hole[1].bulge == -1.0);
  }
  // The L, the fillet, two holes.
  const double area = 60 * 10 + 10 * 30 + (25 - 25 * M_PI / 4) - 2 * M_PI * 2.5 * 2.5;
  CHECK(drawing.area_mm2 == Approx(area).epsilon(1e-12));
  CHECK(drawing.min_mm == Vec2(0, 0));
  CHECK(drawing.max_mm == Vec2(60, 40));
  CHECK(drawing.entities == std::map<std::string, int>{{"ARC", 1}, {"CIRCLE", 2}, {"LINE", 6}});
  CHECK(drawing.units == "mm ($INSUNITS 4)");
  CHECK(has_ignored(drawing, "TEXT", "is a note"));
  CHECK(has_ignored(drawing, "POINT", "has no length"));
  CHECK(has_ignored(drawing, "CIRCLE on layer 'old'", "the layer is off"));
}

TEST_CASE("elements of several layers have their names") {
  const Drawing drawing = read("bracket.dxf");
  CHECK(drawing.layers == std::vector<std::string>{"contact", "part"});
  const OutlineLoop& loop = drawing.regions[0].outer;
  CHECK(loop[0].name == "contact");
  for (std::size_t k = 1; k < loop.size(); ++k) CHECK(loop[k].name == "part");
  DrawingOptions unnamed;
  unnamed.name_by_layer = false;
  CHECK(read("bracket.dxf", unnamed).regions[0].outer[0].name.empty());
}

TEST_CASE("a layer's name becomes one that a configuration may have") {
  const std::string text = dxf("0 LWPOLYLINE 8 my_layer/1 90 3 70 1 10 0 20 0 10 9 20 0 10 0 20 9");
  DrawingOptions named;
  named.name_by_layer = true;
  CHECK(drawn("a.dxf", text, named).regions[0].outer[0].name == "my_layer_1");
  CHECK(drawn("a.dxf", text).regions[0].outer[0].name.empty());
}

TEST_CASE("layers whose names come out the same are told apart, and a note says how") {
  // Four lines, each on a layer of its own.
  const auto names = [](const std::vector<std::string>& layers) {
    const std::vector<Vec2> corners = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
    std::string text;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec2& p = corners[k];
      const Vec2& q = corners[(k + 1) % 4];
      text += fmt::format("0 LINE 8 {} 10 {} 20 {} 11 {} 21 {} ", layers[k], p.x(), p.y(), q.x(),
                          q.y());
    }
    text.pop_back();
    const Drawing drawing = drawn("a.dxf", dxf(text));
    std::vector<std::string> found;
    for (const OutlineElement& element : drawing.regions.at(0).outer) found.push_back(element.name);
    return std::pair(found, drawing.notes);
  };
  using Names = std::vector<std::string>;
  // '_' stands for a blank.
  const auto [sides, notes] = names({"a_b", "a/b", "a:b", "a"});
  CHECK(sides == Names{"a_b", "a_b_2", "a_b_3", "a"});
  CHECK(notes ==
        Names{"elements of layer 'a/b' are called a_b_2, since a_b are those of layer 'a b'",
              "elements of layer 'a:b' are called a_b_3, since a_b are those of layer "
              "'a b'"});
  CHECK(names({"a/b_2", "a/b", "a:b", "a"}).first == Names{"a_b_2", "a_b", "a_b_3", "a"});
  CHECK(names({"\u4e0a\u9762", "\u53f3\u9762", "\u4e0a", "x"}).first ==
        Names{"__", "___2", "_", "x"});
  CHECK(names({"a", "b", "c", "d"}).second.empty());
}

TEST_CASE("names of layers in Latin-1 and in UTF-8 are the same") {
  DrawingOptions options;
  options.layers = {"Ma\u00dfe"};
  for (const char* name : {"Ma\xDF"
                           "e",
                           "Ma\u00dfe"}) {
    const Drawing drawing =
        drawn("a.dxf", dxf(fmt::format("0 CIRCLE 8 {} 10 0 20 0 40 5", name)), options);
    CHECK(drawing.layers == std::vector<std::string>{"Ma\u00dfe"});
  }
  options.layers = {};
  CHECK(drawn("a.dxf", dxf("0 CIRCLE 8 a\x01\x85 10 0 20 0 40 5")).layers.at(0) == "a??");
}

TEST_CASE("only layers that are asked for are read") {
  DrawingOptions options;
  options.layers = {"PART"};
  CHECK_THAT(drawing_error("a.dxf", dxf(dxf_rectangle(0, 0, 9, 9)), options),
             Catch::Equals("a.dxf: layer 'PART': the drawing shows no lines on it; layers with "
                           "lines: '0'"));
  options.layers = {"contact", "part"};
  CHECK(read("bracket.dxf", options).regions[0].outer.size() == 7);
  options.layers = {"Part"};
  CHECK_THAT(config_error([&] { read("bracket.dxf", options); }),
             Contains("the outline is open") && Contains("(60, 0)") && Contains("(0, 0)"));
}

TEST_CASE("bulges of both kinds of polylines, in inches") {
  const Drawing drawing = read("slot_inch.dxf");
  REQUIRE(drawing.regions.size() == 1);
  REQUIRE(drawing.regions[0].holes.size() == 1);
  CHECK(drawing.units == "inch ($INSUNITS 1)");
  const double area = 20 * 20 + M_PI * 100 - M_PI * 16;
  CHECK(drawing.area_mm2 == Approx(area).epsilon(1e-12));
  CHECK((drawing.max_mm - Vec2(20, 10)).norm() < 1e-12);
  CHECK(drawing.entities == std::map<std::string, int>{{"LWPOLYLINE", 1}, {"POLYLINE", 1}});
}

TEST_CASE("ellipses, whole and in halves, become arcs within the tolerance") {
  const Drawing drawing = read("ellipses.dxf");
  REQUIRE(drawing.regions.size() == 1);
  REQUIRE(drawing.regions[0].holes.size() == 1);
  check_area(drawing, M_PI * 20 * 8 - M_PI * 4 * 2, 120);
  CHECK((drawing.centroid_mm - Vec2(5, 3)).norm() < 1e-9);
  // Each joint of arcs lies on the ellipse, or within the tolerance of it.
  const Rotation2 turn(-M_PI / 6);
  for (const OutlineCurve& curve : outline_curves(drawing.regions[0].outer)) {
    for (const double s : {0.0, 0.25, 0.5, 0.75}) {
      const Vec2 p = turn * Vec2(point_at(curve, s) - Vec2(5, 3));
      // The distance from the ellipse, to first order.
      const Vec2 gradient(2 * p.x() / 400, 2 * p.y() / 64);
      const double level = p.x() * p.x() / 400 + p.y() * p.y() / 64 - 1;
      CHECK(std::abs(level) / gradient.norm() < 0.0051);
    }
  }
}

TEST_CASE("a rational spline that is a circle becomes that circle") {
  const Drawing drawing = read("splines.dxf");
  REQUIRE(drawing.regions.size() == 1);
  REQUIRE(drawing.regions[0].outer.size() == 2);
  for (const OutlineCurve& arc : outline_curves(drawing.regions[0].outer)) {
    CHECK(arc.radius_mm == Approx(10).epsilon(1e-9));
    CHECK(arc.center_mm.norm() < 1e-8);
  }
  CHECK(drawing.regions[0].holes.size() == 1);
}

TEST_CASE("a closed cubic spline has the area of its Bezier pieces") {
  const Drawing drawing = read("splines.dxf");
  // The spline's points by its basis functions.
  std::vector<Vec2> c;
  for (int k = 0; k < 8; ++k)
    c.emplace_back(5 * std::cos(k * M_PI / 4), 3 * std::sin(k * M_PI / 4));
  const auto point = [&](int k, double t) {
    const auto at = [&](int i) { return c[static_cast<std::size_t>((k + i) % 8)]; };
    const double s = 1 - t;
    return Vec2((s * s * s * at(0) + (3 * t * t * t - 6 * t * t + 4) * at(1) +
                 (-3 * t * t * t + 3 * t * t + 3 * t + 1) * at(2) + t * t * t * at(3)) /
                6);
  };
  double area = 0.0;
  const int steps = 2000;
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < steps; ++i) {
      area += 0.5 * cross(point(k, double(i) / steps), point(k, double(i + 1) / steps));
    }
  }
  check_area(drawing, M_PI * 100 - area, 25);
}

TEST_CASE("nested blocks are scaled, turned, mirrored and repeated") {
  const Drawing drawing = read("blocks.dxf");
  REQUIRE(drawing.regions.size() == 1);
  CHECK(drawing.regions[0].holes.size() == 9);
  const double d = M_PI * 9 / 2;
  CHECK(drawing.area_mm2 == within(4000 - 6 * M_PI * 4 - 4 * d, 0.05));
  int circles = 0;
  for (const OutlineLoop& hole : drawing.regions[0].holes) {
    if (hole.size() == 2 && hole[0].bulge == -1.0 && hole[1].bulge == -1.0) {
      const OutlineCurve arc = outline_curves(hole)[0];
      CHECK(arc.radius_mm == Approx(2).epsilon(1e-12));
      // At (10 + 15 i, 10 + 20 j).
      CHECK(std::abs(std::remainder(arc.center_mm.x() - 10, 15)) < 1e-9);
      CHECK(std::abs(std::remainder(arc.center_mm.y() - 10, 20)) < 1e-9);
      ++circles;
    }
  }
  CHECK(circles == 6);
  const auto is_hole = [&](const Vec2& p) { return !contains(drawing.regions[0], p); };
  CHECK(is_hole({58, 20}));  // mirrored: the half circle is on the left
  CHECK_FALSE(is_hole({61, 20}));
  CHECK(is_hole({75, 22}));  // turned by 90 degrees: above
  CHECK_FALSE(is_hole({75, 19}));
  CHECK(is_hole({90.5, 25.5}));  // twice as high
  CHECK(is_hole({92.9, 20}));
  CHECK_FALSE(is_hole({90.5, 26.5}));
}

TEST_CASE("the extrusion (0, 0, -1) mirrors") {
  const Drawing drawing = read("mirrored_r12.dxf");
  REQUIRE(drawing.regions.size() == 1);
  REQUIRE(drawing.regions[0].holes.size() == 1);
  CHECK(contains(drawing.regions[0], {-9, 0}));
  CHECK_FALSE(contains(drawing.regions[0], {9, 0}));
  // The polyline's half circle of radius 2 about (2, 0), to its right, is about (-2, 0), to its
  // left.
  CHECK_FALSE(contains(drawing.regions[0], {-3.5, 0}));
  CHECK(contains(drawing.regions[0], {-1, 0}));
  CHECK(drawing.area_mm2 == Approx(M_PI * 50 - M_PI * 2).epsilon(1e-12));
  CHECK_THAT(drawing.units, Contains("names no unit"));
}

TEST_CASE("an ellipse under another scale in x and y, and an arc that becomes one") {
  const std::string block =
      "0 SECTION 2 BLOCKS 0 BLOCK 2 B 10 0 20 0 "
      "0 LWPOLYLINE 90 2 70 1 10 -1 20 0 42 1 10 1 20 0 42 1 0 ENDBLK 0 ENDSEC";
  const Drawing drawing = drawn("a.dxf", dxf("0 INSERT 2 b 10 5 20 6 41 10 42 4 50 90", block));
  check_area(drawing, M_PI * 40, 46);
  CHECK((drawing.centroid_mm - Vec2(5, 6)).norm() < 1e-9);
  CHECK((drawing.max_mm - Vec2(9, 16)).norm() < 1e-9);
}

TEST_CASE("drawings by Inkscape and OpenSCAD") {
  // A hexagon, 24 mm across flats, with a hole of radius 7; a rounded rectangle with an ellipse.
  const double hexagon = 2 * std::sqrt(3.0) * 144;
  const double plate = 18 * 20 - (4 - M_PI) * 16 - M_PI * 15;
  const Drawing inkscape = read("nut_inkscape.dxf");
  REQUIRE(inkscape.regions.size() == 3);  // its writer of DXF draws hidden layers, too
  CHECK(inkscape.area_mm2 == within(hexagon - M_PI * 49 + plate + M_PI * 4, 1.0));
  const Drawing scad = read("nut_openscad.dxf");
  REQUIRE(scad.regions.size() == 2);
  CHECK(scad.regions[0].outer.size() == 6);
  CHECK(scad.regions[0].holes.at(0).size() == 12);
  CHECK(scad.regions[1].outer.size() == 3);
  const double dodecagon = 12 * 0.5 * 49 * std::sin(M_PI / 6);
  CHECK(scad.area_mm2 == within(hexagon - dodecagon + 0.5 * 12.5 * 7.25, 0.01));
}

TEST_CASE("whole turns are whole up to the digits of a file") {
  for (const char* end : {"360", "360.0000001", "359.9999999", "0"}) {
    const Drawing drawing =
        drawn("a.dxf", dxf(fmt::format("0 ARC 10 0 20 0 40 5 50 0 51 {}", end)));
    CHECK(drawing.area_mm2 == Approx(25 * M_PI).epsilon(1e-12));
  }
  for (const char* end : {"6.283185307179586", "6.2831853", "6.2831854"}) {
    const Drawing drawing =
        drawn("a.dxf", dxf(fmt::format("0 ELLIPSE 10 0 20 0 11 5 21 0 40 1 41 0 42 {}", end)));
    CHECK(drawing.regions[0].outer.size() == 2);
  }
}

TEST_CASE("the sides of an ellipse thinner than the tolerance are no duplicates") {
  DrawingOptions coarse;
  coarse.tolerance_mm = 0.05;
  const Drawing drawing = drawn("a.dxf", dxf("0 ELLIPSE 10 0 20 0 11 10 21 0 40 0.002"), coarse);
  CHECK(drawing.duplicates == 0);
  CHECK(drawing.area_mm2 == within(M_PI * 10 * 0.02, 0.05 * 40));
}

TEST_CASE("a bulge of nothing but rounding errors is a segment") {
  const Drawing drawing =
      drawn("a.dxf", dxf("0 LWPOLYLINE 90 3 70 1 10 0 20 0 42 1e-12 10 9 20 0 42 -1e-9 10 0 20 9"));
  for (const OutlineElement& element : drawing.regions[0].outer) CHECK(element.bulge == 0.0);
}

TEST_CASE("angles of any size are read") {
  const Drawing drawing =
      drawn("a.dxf", dxf("0 ELLIPSE 10 0 20 0 11 5 21 0 40 0.5 41 1e20 42 1e20"));
  CHECK(drawing.area_mm2 == within(12.5 * M_PI, 0.12));
}

TEST_CASE("a size that few grippers hold raises the question of the unit") {
  CHECK(drawn("a.dxf", dxf(dxf_rectangle(0, 0, 5, 9))).notes.empty());
  CHECK(drawn("a.dxf", dxf(dxf_rectangle(0, 0, 0.5, 0.9))).notes.at(0) ==
        "it is 0.9 mm large: is the unit right?");
  CHECK(drawn("a.dxf", dxf(dxf_rectangle(0, 0, 5, 2000))).notes.size() == 1);
}

TEST_CASE("frozen layers, paper space, invisible entities and missing blocks are ignored") {
  const std::string tables =
      "0 SECTION 2 TABLES 0 TABLE 2 LAYER 0 LAYER 2 ice 70 1 62 7 0 ENDTAB 0 ENDSEC";
  const Drawing drawing =
      drawn("a.dxf", dxf(dxf_rectangle(0, 0, 9, 9) + " 0 CIRCLE 8 ICE 10 1 20 1 40 1" +
                             " 0 CIRCLE 67 1 10 1 20 1 40 1 0 CIRCLE 60 1 10 1 20 1 40 1" +
                             " 0 INSERT 2 gone 10 0 20 0 0 HATCH 8 0 0 XLINE 8 0 0 ACME 8 0" +
                             " 0 CIRCLE 10 1 20 1 40 1 210 1 220 0 230 0",
                         tables));
  CHECK(drawing.area_mm2 == Approx(81));
  CHECK(has_ignored(drawing, "CIRCLE on layer 'ICE'", "the layer is frozen"));
  CHECK(has_ignored(drawing, "CIRCLE", "is in paper space"));
  CHECK(has_ignored(drawing, "CIRCLE", "is invisible"));
  CHECK(has_ignored(drawing, "CIRCLE", "lies in another plane than the drawing"));
  CHECK(has_ignored(drawing, "INSERT", "its block 'GONE' is not in the file"));
  CHECK(has_ignored(drawing, "HATCH", "fills or covers, and bounds nothing"));
  CHECK(has_ignored(drawing, "XLINE", "has no end"));
  CHECK(has_ignored(drawing, "ACME", "is no kind of entity that is read"));
}

TEST_CASE("lines and polylines that rise out of the plane are ignored") {
  const std::string part = dxf_rectangle(0, 0, 60, 40);
  const auto ignored = [&](const std::string& entity, const char* kind) {
    return has_ignored(drawn("a.dxf", dxf(part + " " + entity)), kind,
                       "lies in another plane than the drawing");
  };
  const auto polyline = [](double z) {
    return fmt::format(
        "0 POLYLINE 66 1 70 9 0 VERTEX 70 32 10 5 20 5 30 {0} 0 VERTEX 70 32 10 15 20 5 30 {0} 0 "
        "VERTEX 70 32 10 15 20 15 30 2 0 SEQEND",
        z);
  };
  CHECK(ignored("0 LINE 10 5 20 5 30 0 11 25 21 5 31 12", "LINE"));
  CHECK(ignored(polyline(0), "POLYLINE"));
  const Drawing level = drawn("a.dxf", dxf(part + " " + polyline(2.000001)));
  CHECK(level.ignored.empty());
  CHECK(level.regions.at(0).holes.size() == 1);
}

TEST_CASE("centre lines of any program are no outlines; other dashes are, and a note says so") {
  const auto read_with = [](const std::string& linetype) {
    std::string text = dxf(dxf_rectangle(0, 0, 60, 40) + " 0 CIRCLE 6 LINETYPE 10 20 20 20 40 5");
    return drawn("a.dxf", text.replace(text.find("LINETYPE"), 8, linetype));
  };
  for (const char* linetype :
       {"DashDot2", "ACAD_ISO04W100", "ACAD_ISO08W100", "Centre", "CENTER"}) {
    INFO(linetype);
    CHECK(read_with(linetype).regions.at(0).holes.empty());
  }
  const Drawing dashed = read_with("DASHED");
  CHECK(dashed.regions.at(0).holes.size() == 1);
  CHECK(dashed.notes ==
        std::vector<std::string>{"DASHED lines count as outlines: choose layers if they must not"});
  CHECK(read_with("Continuous").notes.empty());
}

TEST_CASE("a layer that is asked for and frozen is told as such") {
  DrawingOptions options;
  options.layers = {"Ice"};
  CHECK(drawing_error("a.dxf",
                      dxf(dxf_rectangle(0, 0, 9, 9) + " 0 CIRCLE 8 ICE 10 1 20 1 40 1",
                          "0 SECTION 2 TABLES 0 LAYER 2 ice 70 1 62 7 0 ENDSEC"),
                      options) ==
        "a.dxf: layer 'Ice': is frozen; show it in the drawing, or choose another one");
}

TEST_CASE("what is on layer 0 of a block is on the layer of its insertion") {
  const std::string block =
      "0 SECTION 2 BLOCKS 0 BLOCK 2 B 10 0 20 0 0 CIRCLE 8 0 10 0 20 0 40 3 "
      "0 CIRCLE 8 own 10 0 20 0 40 1 0 ENDBLK 0 ENDSEC";
  const Drawing drawing = drawn("a.dxf", dxf("0 INSERT 8 outer 2 B 10 0 20 0", block));
  CHECK(drawing.layers == std::vector<std::string>{"outer", "own"});
}

TEST_CASE("scale and rotation are about the drawing's origin, before the origin moves") {
  DrawingOptions options;
  options.scale = 2.0;
  options.rotation_rad = M_PI / 2;
  const std::string text = dxf(dxf_rectangle(1, 0, 4, 2));
  const Drawing turned = drawn("a.dxf", text, options);
  CHECK((turned.min_mm - Vec2(-4, 2)).norm() < 1e-12);
  CHECK((turned.max_mm - Vec2(0, 8)).norm() < 1e-12);
  options.origin = DrawingOrigin::kCentroid;
  const Drawing centered = drawn("a.dxf", text, options);
  CHECK(centered.centroid_mm.norm() < 1e-12);
  CHECK((centered.max_mm - Vec2(2, 3)).norm() < 1e-12);
  options.origin = DrawingOrigin::kPoint;
  options.origin_mm = Vec2(-4, 2);
  CHECK(drawn("a.dxf", text, options).min_mm.norm() < 1e-12);
}

TEST_CASE("DXF: what cannot be read is said with its line") {
  const auto error = [](const std::string& entities, const std::string& sections = "") {
    return drawing_error("a.dxf", dxf(entities, sections));
  };
  CHECK(error("0 CIRCLE 10 0 20 0 40 -1") == "a.dxf:16: CIRCLE: radius -1; must be > 0");
  CHECK(error("0 CIRCLE 10 0 20 0") == "a.dxf:16: CIRCLE: group 40 is missing");
  CHECK(error("0 CIRCLE 10 nan 20 0 40 1") ==
        "a.dxf:18: CIRCLE: group 10: 'nan'; must be a finite number");
  CHECK(error("0 CIRCLE 10 1e999 20 0 40 1") ==
        "a.dxf:18: CIRCLE: group 10: '1e999'; must be a finite number");
  CHECK_THAT(error("0 CIRCLE 10 1e300 20 0 40 1"),
             Contains("a.dxf:16: CIRCLE: reaches (1e+300, 0) mm; must lie within 1000000 mm"));
  CHECK_THAT(error("0 CIRCLE 10 0 20 0 40 1e308"), Contains("must lie within 1000000 mm"));
  CHECK_THAT(error("0 LWPOLYLINE 90 2 70 1 10 0 20 0 42 1e200 10 1 20 0"),
             Contains("LWPOLYLINE: reaches"));
  CHECK(error("0 LWPOLYLINE 90 3 70 1 10 0 20 0 10 1 20 0") ==
        "a.dxf:16: LWPOLYLINE: has 2 vertices; group 90 says 3");
  CHECK(error("0 SPLINE 71 3 74 2 11 0 21 0 11 1 21 1") ==
        "a.dxf:16: SPLINE: has fit points only; save it with control points and knots");
  CHECK(error("0 SPLINE 71 3 40 0 40 1 10 0 20 0") ==
        "a.dxf:16: SPLINE: has 1 control points; degree 3 needs at least 4");
  CHECK(error("0 SPLINE 71 1 40 0 40 1 10 0 20 0 10 1 20 1") ==
        "a.dxf:16: SPLINE: has 2 knots; 2 control points of degree 1 need 4");
  CHECK_THAT(error("0 SPLINE 71 1 40 0 40 0 40 0 40 0 10 0 20 0 10 1 20 1"),
             Contains("must not all be the same"));
  CHECK_THAT(error("0 SPLINE 71 1 40 0 40 0 40 1 40 1 41 1 41 0 10 0 20 0 10 1 20 1"),
             Contains("a weight that is not > 0"));
  CHECK_THAT(error("0 SPLINE 71 99"), Contains("degree 99; must be from 1 to 15"));
  CHECK(error("0 TEXT 8 0") == "a.dxf: shows no lines; ignored: 1 TEXT (is a note)");
  CHECK(error("") == "a.dxf: shows no lines");
  CHECK(error("0 LINE 10 1 20 1 11 1 21 1") == "a.dxf: shows only lines without length");
  CHECK_THAT(error("0 INSERT 2 A 10 0 20 0",
                   "0 SECTION 2 BLOCKS 0 BLOCK 2 A 0 INSERT 2 B 10 0 20 0 0 ENDBLK "
                   "0 BLOCK 2 B 0 INSERT 2 A 10 0 20 0 0 ENDBLK 0 ENDSEC"),
             Contains("INSERT: block 'A' contains itself"));
  CHECK_THAT(error("0 INSERT 2 A 10 0 20 0 70 100000 71 100000",
                   "0 SECTION 2 BLOCKS 0 BLOCK 2 A 0 ENDBLK 0 ENDSEC"),
             Contains("more than 500000 entities"));
  CHECK_THAT(drawing_error("a.dxf", groups("0 SECTION 2 HEADER 9 $INSUNITS 70 20 0 ENDSEC "
                                           "0 SECTION 2 ENTITIES 0 ENDSEC 0 EOF")),
             Contains("a.dxf:8: $INSUNITS: '20'; must be 0 (none), 1 (inch), 4 (mm)"));
}

TEST_CASE("DXF: other files are told from it") {
  const auto error = [](const std::string& text) { return drawing_error("a.dxf", text); };
  const std::string good = dxf(dxf_rectangle(0, 0, 9, 9));
  CHECK(error("") == "a.dxf: is empty; give a DXF or SVG file");
  CHECK(error(" \r\n\n") == "a.dxf: is empty; give a DXF or SVG file");
  CHECK(error(std::string("AutoCAD Binary DXF\r\n\x1a\0abc", 24)) ==
        "a.dxf: is a binary DXF file; save it as an ASCII DXF file");
  CHECK(error("AC1015\1\2") == "a.dxf: is a DWG file; save it as an ASCII DXF file");
  CHECK(error("\xFF\xFEx") == "a.dxf: is in UTF-16; save it in UTF-8");
  CHECK_THAT(error(std::string("0\nSECT\0", 7)), Contains("is no text: byte 6 is zero"));
  CHECK_THAT(error("hello\nworld\n"), Contains("a.dxf:1: 'hello' is no group code"));
  CHECK_THAT(error("0\nEOF\n"), Contains("has no section ENTITIES"));
  CHECK_THAT(error(good.substr(0, good.size() - 5)), Contains("the file ends in the middle"));
  CHECK(drawing_error("a.txt", good) ==
        "a.txt: must be a .dxf or a .svg file, or for graspmap import and init a .step, .stp or "
        ".stl file");
  CHECK_THAT(config_error([] { read_drawing("no/such.dxf", {}); }),
             Contains("no/such.dxf: cannot be read: No such file"));
  CHECK_THAT(config_error([] { read_drawing("/", {}); }), Contains("/: is a folder"));
}

TEST_CASE("DXF: line ends of old Macintoshes") {
  std::string text = dxf(dxf_rectangle(0, 0, 60, 40));
  std::replace(text.begin(), text.end(), '\n', '\r');
  CHECK(drawn("a.dxf", text).area_mm2 == Approx(2400));
  CHECK_THAT(drawing_error("a.dxf", "0\rSECTION\rx\r"), Contains("a.dxf:3: 'x' is no group code"));
}

TEST_CASE("DXF: line ends of Windows, a byte order mark, and upper case of the file's name") {
  std::string text;
  for (const char c : dxf(dxf_rectangle(0, 0, 9, 9))) {
    if (c == '\n') text += '\r';
    text += c;
  }
  CHECK(drawn("A.DXF", "\xEF\xBB\xBF" + text).area_mm2 == Approx(81));
}
