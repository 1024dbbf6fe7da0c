#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/drawn.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

std::string error(const std::string& entities, double tolerance_mm = 0.005) {
  DrawingOptions options;
  options.tolerance_mm = tolerance_mm;
  return drawing_error("a.dxf", dxf(entities), options);
}

}  // namespace

TEST_CASE("an untidy square is joined, and what was done is told") {
  const Drawing drawing = read_drawing(data_file("untidy.dxf"), {});
  REQUIRE(drawing.regions.size() == 1);
  CHECK(drawing.regions[0].outer.size() == 4);
  REQUIRE(drawing.joined_gaps.size() == 2);
  CHECK(drawing.joined_gaps[0].width_mm == Approx(0.004));
  CHECK((drawing.joined_gaps[0].at_mm - Vec2(0.002, 10)).norm() < 1e-12);
  CHECK(drawing.joined_gaps[1].width_mm == Approx(0.002));
  CHECK(drawing.duplicates == 2);
  CHECK(drawing.zero_length == 1);
  CHECK(drawing.merged == 1);
  CHECK(drawing.area_mm2 == within(100, 0.05));
}

TEST_CASE("a gap above the tolerance is named with both ends") {
  const std::string open = dxf_line(0, 0, 10, 0) + dxf_line(10, 0.25, 10, 10) +
                           dxf_line(10, 10, 0, 10) + "0 LINE 10 0 20 10 11 0 21 0";
  CHECK(
      error(open) ==
      "a.dxf:16: the outline is open: LINE (0, 0) to (10, 0) on layer '0' ends at (10, 0) mm, the "
      "nearest open end is 0.25 mm away, at (10, 0.25) mm, of LINE (10, 0.25) to (10, 10) on "
      "layer '0'; up to 0.005 mm would be joined (tolerance)");
  DrawingOptions wide;
  wide.tolerance_mm = 0.3;
  CHECK(drawn("a.dxf", dxf(open), wide).joined_gaps.at(0).width_mm == Approx(0.25));
}

TEST_CASE("the narrowest of several gaps is named, and how many ends are open") {
  const std::string two = dxf_line(0, 0, 10, 0) + dxf_line(10, 0.5, 10, 10) +
                          dxf_line(10, 10, 0, 10) + "0 LINE 10 0 20 10 11 0 21 2";
  CHECK_THAT(error(two), Contains("is 0.5 mm away") && Contains("; 4 ends are open"));
  CHECK_THAT(error("0 LINE 10 0 20 0 11 5 21 0"), Contains("the nearest open end is 5 mm away"));
}

TEST_CASE("an arc keeps its circle where a gap is joined") {
  // A half circle and its diameter, which is short by 0.004 mm at one end.
  const Drawing drawing =
      drawn("a.dxf", dxf("0 ARC 10 0 20 0 40 10 50 0 51 180 0 LINE 10 -9.996 20 0 11 10 21 0"));
  const OutlineCurve arc = outline_curves(drawing.regions[0].outer)[0];
  CHECK(arc.radius_mm == Approx(10).epsilon(1e-14));
  CHECK(arc.end_mm.x() == Approx(-10).epsilon(1e-14));
}

TEST_CASE("more than two ends at a point are an error that names them") {
  CHECK(error(dxf_rectangle(0, 0, 9, 9) + " 0 LINE 10 9 20 9 11 20 21 20") ==
        "a.dxf:56: 3 ends meet at (9, 9) mm: LINE (9, 0) to (9, 9) on layer '0', LINE (9, 9) to "
        "(0, 9) on layer '0', LINE (9, 9) to (20, 20) on layer '0'; an outline passes each corner "
        "once: remove what is no outline, or choose layers");
}

TEST_CASE("an end on the middle of another element is told as such") {
  CHECK_THAT(
      error(dxf_rectangle(0, 0, 9, 9) + " 0 LINE 10 4 20 9 11 4 21 20"),
      Contains("LINE (4, 9) to (4, 20) on layer '0' ends at (4, 9) mm, on LINE (9, 9) to (0, 9) on "
               "layer '0': trim that one there"));
}

TEST_CASE("outlines that cross or touch are named") {
  CHECK_THAT(error("0 LWPOLYLINE 90 4 70 1 10 0 20 0 10 9 20 9 10 9 20 0 10 0 20 7"),
             Contains("a.dxf:16:") && Contains("cross") && Contains("LWPOLYLINE (0, 0) to (9, 9)"));
  CHECK_THAT(error("0 CIRCLE 10 0 20 0 40 5 0 CIRCLE 10 4 20 0 40 5"),
             Contains("CIRCLE (-5, 0) to (5, 0) on layer '0' and CIRCLE ") &&
                 Contains("cross or touch at (2, "));
  CHECK_THAT(error("0 CIRCLE 10 0 20 0 40 5 0 CIRCLE 10 0 20 10 40 5"), Contains("touch"));
}

TEST_CASE("chains within chains are holes, and regions in holes") {
  const Drawing drawing = drawn("a.dxf", dxf("0 CIRCLE 10 0 20 0 40 2 0 CIRCLE 10 0 20 0 40 10 "
                                             "0 CIRCLE 10 0 20 0 40 6 0 CIRCLE 10 30 20 0 40 3 "
                                             "0 CIRCLE 10 8 20 0 40 1"));
  REQUIRE(drawing.regions.size() == 3);
  CHECK(drawing.regions[0].holes.size() == 2);
  CHECK(drawing.regions[1].outer[0].begin_mm.x() > 20);
  CHECK(drawing.regions[2].holes.empty());
  CHECK(drawing.area_mm2 == Approx(M_PI * (100 - 36 - 1 + 4 + 9)));
}

TEST_CASE("one region is wanted: several are an error that says where they are") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.dxf", dxf("0 CIRCLE 10 0 20 0 40 5 0 CIRCLE 10 30 20 0 40 3"));
  CHECK_THAT(
      config_error([&] { read_outline(file, {}); }),
      Contains("shows 2 outlines apart from each other: 1: 10 x 10 mm at (0, 0), 2: 6 x 6 mm at "
               "(30, 0); must be one: choose layers"));
  CHECK(read_outline(data_file("bracket.dxf"), {}).holes.size() == 2);
}

TEST_CASE("outlines in holes are told as such, with the layers") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("a.dxf", dxf("0 CIRCLE 8 a 10 1e-16 20 0 40 30 0 CIRCLE 8 b 10 0 20 0 40 20 "
                                "0 CIRCLE 8 a 10 0 20 -1e-17 40 10"));
  CHECK(config_error([&] { read_outline(file, {}); }) ==
        file.string() +
            ": shows 2 outlines: 1: 60 x 60 mm at (0, 0), 2: 20 x 20 mm at (0, 0) in a hole of 1; "
            "layers: 'a', 'b'; must be one: choose layers");
}

TEST_CASE("a wall that is nowhere thicker than the tolerance is noted") {
  const auto notes = [](double x, double radius) {
    return drawn("a.dxf",
                 dxf(fmt::format("0 CIRCLE 10 0 20 0 40 10 0 CIRCLE 10 {} 20 0 40 {}", x, radius)))
        .notes;
  };
  CHECK(notes(0, 9.999) ==
        std::vector<std::string>{"the wall around the hole at (0, 0) mm is nowhere thicker than "
                                 "0.005 mm (tolerance): is the outline there twice?"});
  CHECK(notes(0, 9.99).empty());
  CHECK(notes(4.999, 5).empty());      // thin at one place only
  CHECK(notes(9.996, 0.003).empty());  // a tiny hole near the edge
}

TEST_CASE("segments in a line and arcs of a circle become one, on the same layer") {
  const std::string pieces =
      "0 LWPOLYLINE 90 6 70 1 10 0 20 0 10 3 20 0 10 7 20 0 10 9 20 0 10 9 20 9 10 0 20 9";
  CHECK(drawn("a.dxf", dxf(pieces)).regions[0].outer.size() == 4);
  CHECK(drawn("a.dxf", dxf(pieces)).merged == 2);
  // Four quarters of a circle are two halves: a whole circle is no element.
  const Drawing circle = drawn("a.dxf", dxf("0 ARC 10 0 20 0 40 5 50 0 51 90 "
                                            "0 ARC 10 0 20 0 40 5 50 90 51 180 "
                                            "0 ARC 10 0 20 0 40 5 50 180 51 270 "
                                            "0 ARC 10 0 20 0 40 5 50 270 51 360"));
  REQUIRE(circle.regions[0].outer.size() == 2);
  CHECK(circle.regions[0].outer[0].bulge == within(1, 1e-14));
  // Not across layers.
  const Drawing layers =
      drawn("a.dxf", dxf("0 LINE 8 a 10 0 20 0 11 5 21 0 0 LINE 8 b 10 5 20 0 11 9 21 0 "
                         "0 LINE 8 b 10 9 20 0 11 9 21 9 0 LINE 8 b 10 9 20 9 11 0 21 0"));
  CHECK(layers.regions[0].outer.size() == 4);
}

TEST_CASE("points of a circle, however close, are not taken for a line") {
  std::string words = "0 LWPOLYLINE 90 20000 70 1";
  for (int k = 0; k < 20000; ++k) {
    const double angle = 2 * M_PI * k / 20000;
    words += fmt::format(" 10 {} 20 {}", 10 * std::cos(angle), 10 * std::sin(angle));
  }
  const Drawing drawing = drawn("a.dxf", dxf(words));
  CHECK(drawing.area_mm2 == Approx(100 * M_PI).epsilon(1e-6));
}

TEST_CASE("a drawing of lines shorter than the tolerance is kept") {
  std::string words = "0 LWPOLYLINE 90 400 70 1";
  for (int k = 0; k < 400; ++k) {
    const double angle = 2 * M_PI * k / 400;
    words += fmt::format(" 10 {} 20 {}", 0.2 * std::cos(angle), 0.2 * std::sin(angle));
  }
  CHECK(drawn("a.dxf", dxf(words)).area_mm2 == Approx(0.04 * M_PI).epsilon(1e-3));
}

TEST_CASE("options that no drawing can have are refused") {
  DrawingOptions options;
  options.tolerance_mm = 0;
  CHECK_THAT(drawing_error("a.dxf", "", options), Contains("tolerance (mm) 0; must be from"));
  options = {};
  options.scale = -1;
  CHECK_THAT(drawing_error("a.dxf", "", options), Contains("scale -1; must be from"));
}
