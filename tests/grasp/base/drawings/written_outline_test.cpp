#include "grasp/base/drawings/written_outline.hpp"

#include <catch2/catch.hpp>

#include "geometry/outline_shapes.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "tests/support/random_outlines.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// Whether each corner of a loop is one of the other, with the same element after it.
void check_same_loop(const OutlineLoop& a, const OutlineLoop& b, double within_mm) {
  REQUIRE(a.size() == b.size());
  std::size_t shift = 0;
  while (shift < b.size() && (a[0].begin_mm - b[shift].begin_mm).norm() > within_mm) ++shift;
  REQUIRE(shift < b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const OutlineElement& other = b[(k + shift) % b.size()];
    CHECK((a[k].begin_mm - other.begin_mm).norm() <= within_mm);
    CHECK(a[k].bulge == within(other.bulge, 1e-9));
  }
}

Vec2 lowest(const Outline& outline) {
  Vec2 low = outline.outer.front().begin_mm;
  for (const OutlineElement& element : outline.outer) low = low.cwiseMin(element.begin_mm);
  return low;
}

void check_read_back(const Outline& outline) {
  const TemporaryFolder folder;
  for (const bool is_dxf : {true, false}) {
    const auto file = folder.path() / (is_dxf ? "outline.dxf" : "outline.svg");
    StagedFile(file, is_dxf ? dxf_text(outline) : svg_text(outline)).commit();
    const Drawing drawing = read_drawing(file, {});
    REQUIRE(drawing.regions.size() == 1);
    Outline read = drawing.regions[0];
    // A page's origin is its lower left corner, 2 mm from the outline.
    if (!is_dxf) read = placed(read, {lowest(outline) - lowest(read), 0.0});
    check_same_loop(outline.outer, read.outer, 1e-9);
    REQUIRE(read.holes.size() == outline.holes.size());
    for (std::size_t k = 0; k < read.holes.size(); ++k) {
      check_same_loop(outline.holes[k], read.holes[k], 1e-9);
    }
  }
}

}  // namespace

TEST_CASE("a finger's drawing reads back as the finger") {
  FingerShape shape;
  shape.pad_width_mm = 22;
  shape.pad_depth_mm = 8;
  shape.tip_radius_mm = 1.5;
  shape.groove_angle_rad = 2.0;
  shape.groove_depth_mm = 4;
  check_read_back(finger_outline(shape));
}

TEST_CASE("an outline with a round hole reads back") {
  Outline plate;
  plate.outer = {{{0, 0}, 0, ""},
                 {{40, 0}, 0, ""},
                 {{40, 15}, 0.41421356237309503, ""},
                 {{35, 20}, 0, ""},
                 {{0, 20}, 0, ""}};
  plate.holes = {{{{7, 10}, -1, ""}, {{13, 10}, -1, ""}}};
  check_read_back(plate);
}
