#include "grasp/app/commands/drawing_options.hpp"

#include <fmt/format.h>

#include "grasp/sweep/setup/first_answers.hpp"

namespace graspmap {

Options with_drawing_options(std::initializer_list<std::pair<const char*, std::string>> own) {
  Options options = {
      {"layer NAME ...", "read this layer only; may be repeated (default: all that are shown)"},
      {"tolerance-mm T",
       "widest gap that is joined, and largest error of splines and ellipses (default: 0.005)"},
      {"scale S", "multiply all lengths, after the file's unit (default: 1)"},
      {"rotation-rad A", "turn it about the drawing's origin, counter-clockwise"},
      {"origin WHERE",
       "drawn: where the drawing has it (the default); centroid: at the centroid of the area; X,Y: "
       "at this point in mm of the scaled and turned drawing"},
      {"box X0,Y0,X1,Y1", "read only what lies in this box, mm of the scaled and turned drawing"},
      {"view N", "of several outlines apart from each other read this one"},
      {"bodies N", "N outlines apart from each other are one part"},
      {"name-sides", "name elements by the side to which they face: left, right, top, bottom"},
      {"names HOW",
       "layer: elements have the names of their layers; none (default: layer when lines of several "
       "layers were read)"},
      {"section-mm H", "of a solid, the outline is its section at this height above the table"},
      {"silhouette", "of a solid, the outline is what is seen of it from above"},
      {"rest N", "how the solid lies on the table, of the rests that are listed (default: 1)"},
      {"up X,Y,Z", "instead of --rest: this direction of the solid's file points up"},
      {"finger-height-mm H",
       "the fingers reach from the section this far up (default: to the top)"},
      {"solid N", "of several solids in a STEP file take this one"}};
  for (const auto& [form, meaning] : own) options.add_option(form, meaning);
  return options;
}

SolidDrawing read_solid_of(const Arguments& arguments, const std::filesystem::path& file) {
  arguments.refuse_any({"layer", "names", "bodies"},
                       "is for drawings; a solid is one part without layers");
  if (arguments.has("section-mm") == arguments.has("silhouette")) {
    arguments.fail(
        "a solid needs either --section-mm H, the height at which the fingers hold it, or "
        "--silhouette");
  }
  SolidOptions options;
  options.drawing = read_drawing_options(arguments);
  if (arguments.has("section-mm")) options.section_mm = arguments.positive_number("section-mm");
  if (arguments.has("finger-height-mm")) {
    if (!options.section_mm) arguments.fail("--finger-height-mm goes with --section-mm");
    options.finger_height_mm = arguments.positive_number("finger-height-mm");
  }
  options.rest = arguments.count("rest", 1, 1, 1'000'000);
  options.solid = arguments.count("solid", 0, 1, 1'000'000);
  if (arguments.has("up")) {
    if (arguments.has("rest")) arguments.fail("give one of --rest and --up");
    const std::vector<double> up = arguments.numbers("up");
    if (up.size() != 3 || !(Vec3(up[0], up[1], up[2]).norm() > 0.0)) {
      arguments.refuse("up", "X,Y,Z, not all of them 0");
    }
    options.up = Vec3(up[0], up[1], up[2]);
  }
  SolidDrawing solid = read_solid(file, options);
  if (arguments.has("name-sides")) {
    for (Outline& region : solid.drawing.regions) name_sides(region);
  }
  return solid;
}

std::string hold_comment(const SolidDrawing& solid) {
  const auto mm = [](double value) { return fmt::format("{:.9g}", value); };
  return fmt::format("# For [hold]: part_height_mm = {}, center_of_mass_height_mm = {}{}\n",
                     mm(solid.height_mm), mm(solid.center_of_mass_mm.z()),
                     solid.section_mm ? ", contact_height_mm = " + mm(*solid.section_mm) : "");
}

void refuse_solid_options(const Arguments& arguments) {
  arguments.refuse_any({"section-mm", "silhouette", "rest", "up", "finger-height-mm", "solid"},
                       "is for solids only");
}

}  // namespace graspmap
