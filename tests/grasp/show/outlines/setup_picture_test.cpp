#include <catch2/catch.hpp>

#include "grasp/show/outlines/drawing_picture.hpp"
#include "grasp/sweep/setup/first_config.hpp"
#include "tests/support/xml.hpp"

namespace graspmap {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a setup's picture has part, fingers, map and axes, and says what success means") {
  FirstGrasp grasp;
  grasp.name = "plate";
  grasp.bodies = {first_shape("rectangle", {40, 20})};
  const SweepConfig config = parse_sweep_config(first_config(grasp), "plate.toml");
  const PictureShapes picture = setup_picture(config);
  const std::string svg = picture_svg(picture);
  CHECK(testing::XmlCheck(svg).problem().empty());
  for (const char* text : {">left finger<", ">right finger<", ">x<", ">y<", ">left: 20<",
                           "(0, 0) mm, open 60 mm", "40 x 20 cells", "Success: both fingers"}) {
    CHECK_THAT(svg, Contains(text));
  }
  // The green rectangle is the map, in the scale of the part's edges: 20 mm of 40 mm.
  const auto width = [&](ShapeStyle style) {
    for (const PictureShape& shape : picture.shapes) {
      if (shape.style == style) return (shape.points_px[1] - shape.points_px[0]).norm();
    }
    return 0.0;
  };
  CHECK(width(ShapeStyle::kMap) == Approx(0.5 * width(ShapeStyle::kEdge)));
}

TEST_CASE("at most 20 elements are labelled, the longest") {
  OutlineLoop gear;
  for (int k = 0; k < 30; ++k) {
    const double angle = 2 * M_PI * k / 30 + (k == 0 ? -0.1 : 0.0);
    gear.push_back({Vec2(40 * std::cos(angle), 40 * std::sin(angle)), 0.0, ""});
  }
  const std::string svg = picture_svg(drawing_picture({{gear, {}}}));
  std::size_t labels = 0;
  for (std::size_t at = svg.find(">edge "); at != std::string::npos;
       at = svg.find(">edge ", at + 1))
    ++labels;
  CHECK(labels == 20);
  CHECK_THAT(svg, Contains(">edge 1: ") && Contains("labels without a place here: 10"));
}

}  // namespace
}  // namespace graspmap
