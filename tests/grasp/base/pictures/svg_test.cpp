#include "grasp/base/pictures/svg.hpp"

#include <catch2/catch.hpp>

#include "tests/support/xml.hpp"

namespace graspmap {
namespace {

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
