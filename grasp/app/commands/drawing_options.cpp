#include "grasp/app/commands/drawing_options.hpp"

namespace graspmap {

Options with_drawing_options(std::initializer_list<std::pair<const char*, std::string>> own) {
  Options options = {
      {"layer NAME ...", "read this layer only; may be repeated (default: all that are shown)"},
      {"tolerance-mm T",
       "widest gap that is joined, and largest error of splines and ellipses (default: 0.005)"},
      {"scale S", "multiply all lengths, after the file's unit (default: 1)"},
      {"rotation-rad A", "turn it about the drawing's origin, counter-clockwise"},
      {"origin WHERE",
       "drawn: where the drawing has it (the default); centroid: at the centroid of the area; "
       "X,Y: at this point in mm of the scaled and turned drawing"},
      {"box X0,Y0,X1,Y1", "read only what lies in this box, mm of the scaled and turned drawing"},
      {"view N", "of several outlines apart from each other read this one"},
      {"bodies N", "N outlines apart from each other are one part"},
      {"name-sides", "name elements by the side to which they face: left, right, top, bottom"},
      {"names HOW",
       "layer: elements have the names of their layers; none (default: layer when lines of "
       "several layers were read)"}};
  for (const auto& [form, meaning] : own) options.add_option(form, meaning);
  return options;
}

}  // namespace graspmap
