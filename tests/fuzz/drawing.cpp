#include "grasp/base/drawings/drawing.hpp"

#include <cmath>

#include "geometry/mass_properties.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/solids/mesh.hpp"
#include "grasp/base/solids/solid_drawing.hpp"
#include "grasp/show/outlines/drawing_picture.hpp"
#include "grasp/sweep/config/outline_toml.hpp"
#include "tests/fuzz/readers.hpp"

namespace graspmap::fuzz {
namespace {

constexpr std::size_t kMostElementsDrawn = 60;

/// What `graspmap import` prints must be read as the same outline.
void write_and_read_outline_again(const Outline& region) {
  const std::string written = toml_lines(outline_lines(region));
  const Outline again = read_toml(parse_toml(written, "outline.toml"), [](const TomlTable& table) {
    static_cast<void>(outline_key(table));
    table.ask_for({"holes_mm", "names"});
    table.check_keys();
    return read_table_outline(table, ".");
  });
  expect(toml_lines(outline_lines(again)) == written, "the written outline is another one");
}

/// What a configuration does with the part of a drawing.
void use(const Drawing& drawing, const std::string& file) {
  expect(!drawing.regions.empty(), "no region");
  expect(std::isfinite(drawing.area_mm2) && drawing.area_mm2 > 0, "the area is no area");
  expect(!drawing_text(drawing, file, 1e-6).empty(), "nothing is told");
  std::size_t elements = 0;
  for (const Outline& region : drawing.regions) elements += region.outer.size();
  if (elements > kMostElementsDrawn) return;
  expect(!picture_svg(drawing_picture(drawing.regions)).empty(), "nothing is drawn");
  for (const Outline& region : drawing.regions) {
    must_accept([&] { write_and_read_outline_again(region); });
  }
}

void read(std::string_view text, const std::string& file) {
  use(parse_drawing(std::string(text), file, {}), file);
  DrawingOptions options;
  options.tolerance_mm = 0.2;
  options.scale = 25.4;
  options.rotation_rad = 0.3;
  options.origin = DrawingOrigin::kCentroid;
  options.name_by_layer = true;
  use(parse_drawing(std::string(text), file, options), file);
}

}  // namespace

void read_dxf(std::string_view text) { read(text, "fuzzed.dxf"); }
void read_svg(std::string_view text) { read(text, "fuzzed.svg"); }

void read_stl(std::string_view bytes) {
  const std::unique_ptr<SolidBody> solid = parse_stl(bytes, "fuzzed.stl", 1.0);
  SolidOptions options;
  use(solid_drawing(*solid, "fuzzed.stl", options).drawing, "fuzzed.stl");
  options.up = Vec3(1, 2, 3);
  options.section_mm = 0.5 * rest_with_up(*solid, *options.up).height_mm;
  options.drawing.tolerance_mm = 0.2;
  const SolidDrawing section = solid_drawing(*solid, "fuzzed.stl", options);
  use(section.drawing, "fuzzed.stl");
  expect(!solid_text(section, "fuzzed.stl", 1e-6).empty(), "nothing is told");
}

}  // namespace graspmap::fuzz
