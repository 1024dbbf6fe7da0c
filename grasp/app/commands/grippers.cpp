#include <fmt/format.h>

#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/show/outlines/drawing_picture.hpp"
#include "grasp/sweep/config/gripper_models.hpp"

namespace graspmap {

namespace {

Object fields(const GripperModel& model) {
  return {{"model", model.id},
          {"product", model.product},
          {"opening_mm", model.opening_mm},
          {"closing_force_n", model.force_n},
          {"closing_speed_mm_s", model.speed_mm_s},
          {"jaw_mass_kg", usual_jaw_mass_kg(model.force_n)},
          {"pad_width_mm", model.pad_width_mm},
          {"pad_depth_mm", model.pad_depth_mm},
          {"source", model.source},
          {"estimated", model.estimated}};
}

std::string text() {
  std::string lines = fmt::format("{:<22}{:>8}{:>8}{:>8}{:>12}  {}\n", "gripper.model", "mm", "N",
                                  "mm/s", "pads, mm", "product");
  for (const GripperModel& m : gripper_models()) {
    lines += fmt::format("{:<22}{:>8}{:>8}{:>8}{:>12}  {}\n", m.id, m.opening_mm, m.force_n,
                         m.speed_mm_s, fmt::format("{} x {}", m.pad_width_mm, m.pad_depth_mm),
                         m.product);
  }
  lines +=
      "\nThe largest opening; the largest force and speed of each jaw; pads along and across the "
      "part.\n\nSources, as transcribed in public unless read, and estimates\n";
  for (const GripperModel& m : gripper_models()) {
    lines += fmt::format("  {}: {}. Estimated: {}.\n", m.id, m.source, m.estimated);
  }
  return lines;
}

int show_grippers(const Arguments& arguments) {
  if (arguments.has("draw")) {
    const std::filesystem::path file = arguments.text("draw");
    if (!is_picture_file(file)) arguments.refuse("draw", "FILE.svg or FILE.png");
    check_writable(file);
    write_picture(file, gripper_picture(gripper_models()));
    std::cerr << fmt::format("Drawn in {}\n", file.string());
  }
  const Object list = {{"grippers", list_of(gripper_models(), fields)}};
  std::cout << (arguments.has("json") ? json_document(list) : text());
  return 0;
}

}  // namespace

Command grippers_command() {
  return {
      {"grippers",
       "list the grippers that a configuration may name, or draw them",
       "",
       "Lists the grippers that a configuration may name, gripper.model = \"robotiq_2f85\": what\n"
       "they fill in, the document that says it, and which numbers are estimates. Keys of the\n"
       "configuration override those of the model. Forces and speeds are the largest, on each\n"
       "jaw; check them against the data sheet of your gripper.\n",
       "  graspmap grippers\n"
       "  graspmap grippers --draw grippers.png\n"
       "  graspmap grippers --json\n",
       {{"draw FILE.svg|png", "draw them from above, open, to one scale; PNG needs gnuplot"},
        {"json", "print them as JSON"}}},
      parsed(show_grippers)};
}

}  // namespace graspmap
