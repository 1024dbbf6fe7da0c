#include "grasp/app/commands/drawing_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/toml_reader.hpp"

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

namespace {

void read_origin(const Arguments& arguments, DrawingOptions& options) {
  if (!arguments.has("origin") || arguments.text("origin") == "drawn") return;
  if (arguments.text("origin") == "centroid") {
    options.origin = DrawingOrigin::kCentroid;
    return;
  }
  const bool is_point = arguments.text("origin").find(',') != std::string::npos;
  const std::vector<double> point = is_point ? arguments.numbers("origin") : std::vector<double>{};
  if (point.size() != 2) arguments.refuse("origin", "drawn, centroid, or X,Y in mm");
  options.origin = DrawingOrigin::kPoint;
  options.origin_mm = Vec2(point[0], point[1]);
}

DrawingOptions read_drawing_options(const Arguments& arguments) {
  DrawingOptions options;
  options.layers = arguments.texts("layer");
  if (arguments.has("tolerance-mm")) {
    options.tolerance_mm = arguments.positive_number("tolerance-mm");
  }
  if (arguments.has("scale")) options.scale = arguments.positive_number("scale");
  if (arguments.has("rotation-rad")) {
    const std::vector<double> angles = arguments.numbers("rotation-rad");
    if (angles.size() != 1) arguments.fail("--rotation-rad: must be one angle in rad");
    options.rotation_rad = angles[0];
  }
  read_origin(arguments, options);
  if (arguments.has("names"))
    options.name_by_layer = arguments.word("names", {"layer", "none"}) == 0;
  options.view = arguments.count("view", 0, 1, 1'000'000);
  if (arguments.has("box")) {
    const std::vector<double> box = arguments.numbers("box");
    if (box.size() != 4 || box[0] >= box[2] || box[1] >= box[3]) {
      arguments.refuse("box", "X0,Y0,X1,Y1 in mm with X0 < X1 and Y0 < Y1");
    }
    options.box_mm = {Vec2(box[0], box[1]), Vec2(box[2], box[3])};
  }
  return options;
}

}  // namespace

Drawing read_drawing_of(const Arguments& arguments, const std::filesystem::path& file,
                        const ChooseView& choose) {
  const int bodies = arguments.count("bodies", 1, 1, 1'000'000);
  DrawingOptions options = read_drawing_options(arguments);
  Drawing drawing = read_drawing(file, options);
  if (choose && !arguments.has("bodies") && drawing.regions.size() > 1) {
    options.view = choose(drawing.regions);
    drawing = read_drawing(file, options);
  }
  if (bodies != static_cast<int>(drawing.regions.size())) {
    const std::string shows =
        fmt::format("{}: shows {} apart from each other: {}; ", file.string(),
                    counted(drawing.regions.size(), "outline"), regions_text(drawing.regions));
    const char* how = "choose one with --view N, --box X0,Y0,X1,Y1 or --layer";
    if (arguments.has("finger")) throw ConfigError(shows + "a finger must be one: " + how);
    throw ConfigError(shows + fmt::format("must be {}: {}, or say with --bodies {} that they are "
                                          "one part",
                                          bodies == 1 ? "one" : fmt::format("{}", bodies), how,
                                          drawing.regions.size()));
  }
  if (arguments.has("name-sides")) {
    for (Outline& region : drawing.regions) name_sides(region);
  }
  return drawing;
}

std::string piece_name(const std::filesystem::path& file, const std::vector<Outline>& regions) {
  std::string name = file.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_name(std::string("_") + c); }, '_');
  if (!is_name(name)) name.insert(0, "part_");
  constexpr std::size_t kLongest = 60;
  name = name.substr(0, kLongest);
  for (const Outline& region : regions) {
    for (const OutlineElement& element : region.outer) {
      if (element.name == name) return name + "_part";
    }
  }
  return name;
}

}  // namespace graspmap
