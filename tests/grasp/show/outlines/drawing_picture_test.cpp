#include "grasp/show/outlines/drawing_picture.hpp"

#include <catch2/catch.hpp>

#include "tests/support/drawn.hpp"
#include "tests/support/xml.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using Catch::Matchers::Contains;

namespace {

std::string picture_of(const std::vector<Outline>& regions) {
  return picture_svg(drawing_picture(regions));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t number = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++number;
  }
  return number;
}

}  // namespace

TEST_CASE("a picture names each element with its length or radius, and the size") {
  const std::string picture = picture_of(
      drawn("a.dxf", dxf("0 LWPOLYLINE 90 4 70 1 10 -10 20 -5 10 10 20 -5 42 1 10 10 20 5 "
                         "10 -10 20 5 0 CIRCLE 10 0 20 0 40 1.25"))
          .regions);
  CHECK(XmlCheck(picture).problem().empty());
  for (const char* label : {">edge 1: 20<", ">arc 2: R5<", ">edge 3: 20<", ">edge 4: 10<",
                            ">hole 1: \u00d82.5<", ">25<", ">10<"}) {
    INFO(label);
    CHECK(count(picture, label) == 1);
  }
  CHECK_THAT(picture, !Contains("without a place"));
}

TEST_CASE(
    "a picture has a red cross where the origin is in it, and says so, or else that it is not") {
  const auto square_at = [](double x) {
    return picture_of(drawn("a.dxf", dxf(dxf_rectangle(x, 0, x + 20, 20))).regions);
  };
  CHECK_THAT(square_at(0), Contains("The red cross is the origin."));
  CHECK_THAT(square_at(1000),
             Contains("The origin lies outside of the picture.") && !Contains("red cross"));
}

TEST_CASE("a picture of many elements says how many labels have no place") {
  std::string words = "0 LWPOLYLINE 90 150 70 1";
  for (int k = 0; k < 150; ++k) {
    const double angle = 2 * M_PI * k / 150;
    words += fmt::format(" 10 {} 20 {}", 20 * std::cos(angle), 20 * std::sin(angle));
  }
  const std::string picture = picture_of(drawn("a.dxf", dxf(words)).regions);
  CHECK(XmlCheck(picture).problem().empty());
  const std::size_t at = picture.find("labels without a place here: ");
  REQUIRE(at != std::string::npos);
  const std::size_t left_out = std::stoul(picture.substr(at + 29));
  CHECK(count(picture, ">edge ") + left_out == 150);
}

TEST_CASE("the many arcs of an ellipse have its name once, without radii") {
  const std::string picture = picture_of(read_drawing(data_file("ellipses.dxf"), {}).regions);
  CHECK(count(picture, ">ellipse_1<") == 1);
  CHECK_THAT(picture, !Contains("ellipse_1: R") && !Contains("without a place"));
}

TEST_CASE("pictures of the drawings of other programs are well-formed") {
  for (const char* name : {"blocks.dxf", "ellipses.dxf", "nut_inkscape.svg", "nut_openscad.dxf"}) {
    const std::string picture = picture_of(read_drawing(data_file(name), {}).regions);
    CHECK(XmlCheck(picture).problem().empty());
  }
}
