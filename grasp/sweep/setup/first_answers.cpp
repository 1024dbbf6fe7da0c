#include "grasp/sweep/setup/first_answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/gripper_models.hpp"
#include "grasp/sweep/config/materials.hpp"
#include "grasp/sweep/config/robot_error.hpp"

namespace graspmap {

namespace {

void read_origin(const RequestValues& values, DrawingOptions& options) {
  if (!values.has("origin") || values.text("origin") == "drawn") return;
  if (values.text("origin") == "centroid") {
    options.origin = DrawingOrigin::kCentroid;
    return;
  }
  const bool is_point = values.text("origin").find(',') != std::string::npos;
  const std::vector<double> point = is_point ? values.numbers("origin") : std::vector<double>{};
  if (point.size() != 2) values.refuse("origin", "drawn, centroid, or X,Y in mm");
  options.origin = DrawingOrigin::kPoint;
  options.origin_mm = Vec2(point[0], point[1]);
}

}  // namespace

DrawingOptions read_drawing_options(const RequestValues& values) {
  DrawingOptions options;
  options.layers = values.texts("layer");
  if (values.has("tolerance-mm")) {
    options.tolerance_mm = values.positive_number("tolerance-mm");
  }
  if (values.has("scale")) options.scale = values.positive_number("scale");
  if (values.has("rotation-rad")) {
    const std::vector<double> angles = values.numbers("rotation-rad");
    if (angles.size() != 1) values.fail("--rotation-rad: must be one angle in rad");
    options.rotation_rad = angles[0];
  }
  read_origin(values, options);
  if (values.has("names")) options.name_by_layer = values.word("names", {"layer", "none"}) == 0;
  options.view = values.count("view", 0, 1, 1'000'000);
  if (values.has("box")) {
    const std::vector<double> box = values.numbers("box");
    if (box.size() != 4 || box[0] >= box[2] || box[1] >= box[3]) {
      values.refuse("box", "X0,Y0,X1,Y1 in mm with X0 < X1 and Y0 < Y1");
    }
    options.box_mm = {Vec2(box[0], box[1]), Vec2(box[2], box[3])};
  }
  return options;
}

Drawing read_drawing_of(const RequestValues& values, const std::filesystem::path& file,
                        const ChooseView& choose) {
  const int bodies = values.count("bodies", 1, 1, 1'000'000);
  DrawingOptions options = read_drawing_options(values);
  Drawing drawing = read_drawing(file, options);
  if (choose && !values.has("bodies") && drawing.regions.size() > 1) {
    options.view = choose(drawing.regions);
    drawing = read_drawing(file, options);
  }
  if (bodies != static_cast<int>(drawing.regions.size())) {
    const std::string shows = fmt::format("{}: {}; ", file.string(), outlines_text(drawing));
    const char* how = "choose one with --view N, --box X0,Y0,X1,Y1 or --layer";
    if (values.has("finger")) throw ConfigError(shows + "a finger must be one: " + how);
    throw ConfigError(shows + fmt::format("must be {}: {}, or say with --bodies {} that they are "
                                          "one part",
                                          bodies == 1 ? "one" : fmt::format("{}", bodies), how,
                                          drawing.regions.size()));
  }
  if (values.has("name-sides")) {
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
  const auto is_element = [&](const Outline& region) {
    return std::any_of(region.outer.begin(), region.outer.end(),
                       [&](const OutlineElement& element) { return element.name == name; });
  };
  while (std::any_of(regions.begin(), regions.end(), is_element)) name += "_part";
  return name;
}

namespace {

std::array<double, 2> read_pair(const RequestValues& values, const char* option, bool ordered) {
  const std::vector<double> pair = values.numbers(option);
  const auto are_numbers = [&] {
    return ordered ? pair[0] >= 0.0 && pair[0] < pair[1] : pair[0] > 0.0 && pair[1] > 0.0;
  };
  if (pair.size() != 2 || !are_numbers()) {
    values.refuse(option, ordered ? "A,B with 0 <= A < B" : "two numbers > 0");
  }
  return {pair[0], pair[1]};
}

void read_numbers(const RequestValues& values, FirstGrasp& grasp) {
  const auto positive = [&](const char* option, auto& value) {
    if (values.has(option)) value = values.positive_number(option);
  };
  positive("thickness-mm", grasp.thickness_mm);
  positive("within-mm", grasp.within_mm);
  positive("opening-mm", grasp.opening_mm);
  positive("force-n", grasp.force_n);
  positive("speed-mm-s", grasp.speed_mm_s);
  positive("robot-repeatability-mm", grasp.robot_repeatability_mm);
  positive("robot-range-mm", grasp.robot_range_mm);
  constexpr std::array kErrors{"robot-sigma-mm", "robot-repeatability-mm", "robot-range-mm"};
  const auto is_given = [&](const char* option) { return values.has(option); };
  if (std::count_if(kErrors.begin(), kErrors.end(), is_given) > 1) {
    values.fail("give one of --robot-sigma-mm, --robot-repeatability-mm, --robot-range-mm");
  }
  if (grasp.robot_repeatability_mm) {
    grasp.robot_sigma_mm = *grasp.robot_repeatability_mm / repeatability_in_sigmas();
  } else if (grasp.robot_range_mm) {
    grasp.robot_sigma_mm = *grasp.robot_range_mm / std::sqrt(3.0);
  }
  if (values.has("robot-sigma-mm")) {
    grasp.robot_sigma_mm = values.number_at_least("robot-sigma-mm", 0.0);
  }
  if (values.has("robot-sigma-rad")) {
    grasp.robot_sigma_rad = values.number_at_least("robot-sigma-rad", 0.0);
  }
  if (values.has("pad-mm")) grasp.pad_mm = read_pair(values, "pad-mm", false);
  if (values.has("jaw-friction")) {
    grasp.jaw_friction = read_pair(values, "jaw-friction", true);
  }
  if (values.has("table-friction")) {
    grasp.table_friction = read_pair(values, "table-friction", true);
  }
  grasp.trials_per_cell = values.count("trials-per-cell", grasp.trials_per_cell, 1, 1'000'000);
}

}  // namespace

bool is_material(const std::string& name) {
  return std::find(kMaterialNames.begin(), kMaterialNames.end(), name) != kMaterialNames.end();
}

void read_first_answers(const RequestValues& values, FirstGrasp& grasp) {
  if (values.has("material")) {
    grasp.material = values.text("material");
    if (!is_material(grasp.material)) {
      values.refuse("material", fmt::format("one of {}", fmt::join(kMaterialNames, ", ")));
    }
  }
  read_numbers(values, grasp);
  if (values.has("gripper") && values.text("gripper") != "none") {
    grasp.gripper = gripper_named(values.text("gripper"));
    if (grasp.gripper == nullptr) {
      values.refuse("gripper",
                    fmt::format("none, or one of {}", fmt::join(gripper_model_names(), ", ")));
    }
  }
  if (values.has("hold-by")) {
    std::istringstream names(values.text("hold-by"));
    for (std::string name; std::getline(names, name, ',');) grasp.hold_by.push_back(name);
  }
}

}  // namespace graspmap
