#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/drawing_options.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/show/outlines/drawing_picture.hpp"
#include "grasp/sweep/config/materials.hpp"
#include "grasp/sweep/config/outline_toml.hpp"
#include "grasp/sweep/setup/first_answers.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

/// What a part's mass follows from.
struct PartMass {
  std::optional<double> density_kg_mm3;
  std::optional<double> thickness_mm;
};

PartMass read_mass(const Arguments& arguments, bool is_solid) {
  PartMass mass;
  if (arguments.has("density-kg-mm3") && arguments.has("material")) {
    arguments.fail("give one of --density-kg-mm3 and --material");
  }
  if (arguments.has("density-kg-mm3")) {
    mass.density_kg_mm3 = arguments.positive_number("density-kg-mm3");
  } else if (arguments.has("material")) {
    FirstGrasp named;
    read_first_answers(arguments, named);
    mass.density_kg_mm3 = density_of(named.material);
  }
  if (arguments.has("thickness-mm")) {
    if (is_solid) arguments.fail("--thickness-mm is for drawings; a solid has its own");
    mass.thickness_mm = arguments.positive_number("thickness-mm");
  }
  if (!is_solid && mass.density_kg_mm3.has_value() != mass.thickness_mm.has_value()) {
    arguments.fail(fmt::format("--{} and --thickness-mm go together; give both or none",
                               arguments.has("material") ? "material" : "density-kg-mm3"));
  }
  if (mass.density_kg_mm3 && arguments.has("finger")) {
    arguments.fail("--density-kg-mm3 does not go with --finger; the gripper has its own masses");
  }
  return mass;
}

std::string plate_table(const PartMass& mass) {
  if (!mass.density_kg_mm3) {
    return toml_table("[part]", {}) +
           "# density_kg_mm3 and thickness_mm are still to be given here.\n";
  }
  return toml_table("[part]", {{"density_kg_mm3", toml_value(*mass.density_kg_mm3)},
                               {"thickness_mm", toml_value(*mass.thickness_mm)}});
}

/// Mass properties are those of the solid, not of a plate with its section.
std::string solid_table(const SolidDrawing& solid, const PartMass& mass) {
  const double density = mass.density_kg_mm3.value_or(1.0);
  const Vec3& center = solid.center_of_mass_mm;
  std::vector<TomlLine> lines = {
      {"mass_kg", toml_value(density * solid.volume_mm3)},
      {"center_of_mass_mm",
       fmt::format("[{}, {}]", toml_value(center.x()), toml_value(center.y()))},
      {"inertia_kg_mm2", toml_value(density * solid.inertia_mm5)}};
  std::string text = toml_table("[part]", mass.density_kg_mm3 ? lines : std::vector{lines[1]});
  if (!mass.density_kg_mm3) {
    text += fmt::format(
        "# mass_kg and inertia_kg_mm2 are still to be given here: {} and {} times the density in "
        "kg/mm^3.\n",
        lines[0].second, lines[2].second);
  }
  return text + hold_comment(solid);
}

std::string piece_tables(const fs::path& file, const std::vector<Outline>& regions) {
  const std::string name = piece_name(file, regions);
  std::string text;
  for (std::size_t k = 0; k < regions.size(); ++k) {
    const std::string own = regions.size() == 1 ? name : fmt::format("{}_{}", name, k + 1);
    text += toml_table("[[part.piece]]", {{"name", toml_value(own)}}) +
            toml_lines(outline_lines(regions[k]));
  }
  return text;
}

void check_outputs(const Arguments& arguments) {
  if (arguments.has("finger") && arguments.has("bodies")) {
    arguments.fail("--bodies does not go with --finger; a finger is one outline");
  }
  if (arguments.has("out")) {
    const fs::path out = arguments.text("out");
    if (fs::is_regular_file(out)) {
      arguments.fail(fmt::format("--out: {} is there already; give a new file", out.string()));
    }
    check_writable(out);
  }
  if (!arguments.has("draw")) return;
  const fs::path picture = arguments.text("draw");
  if (!is_picture_file(picture)) {
    arguments.refuse("draw", "FILE.svg or FILE.png");
  }
  std::error_code ignored;
  if (fs::equivalent(picture, arguments.operand(), ignored)) {
    arguments.fail("--draw is the drawing itself; give another file");
  }
  const auto full = [](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path)); };
  if (arguments.has("out") && full(picture) == full(arguments.text("out"))) {
    arguments.fail("--draw and --out name the same file; give two");
  }
  check_writable(picture);
}

int import_outlines(const Arguments& arguments) {
  const fs::path file = arguments.operand();
  const bool is_solid = is_solid_file(file);
  if (!is_solid) refuse_solid_options(arguments);
  const PartMass mass = read_mass(arguments, is_solid);
  check_outputs(arguments);
  Drawing drawing;
  std::string part;
  if (is_solid) {
    // What was read goes to stderr: stdout has nothing but the tables.
    SolidDrawing solid = read_solid_of(arguments, file);
    std::cerr << solid_text(solid, file.string(), mass.density_kg_mm3);
    part = solid_table(solid, mass);
    drawing = std::move(solid.drawing);
    if (arguments.has("finger") && drawing.regions.size() > 1) {
      throw config_error(
          {file.string()}, "",
          fmt::format("shows {}: {}; a finger must be one: choose one with --view N",
                      counted(drawing.regions.size(), "outline"), regions_text(drawing.regions)));
    }
  } else {
    drawing = read_drawing_of(arguments, file);
    part = plate_table(mass);
    std::cerr << drawing_text(drawing, file.string(),
                              mass.density_kg_mm3
                                  ? std::optional(*mass.density_kg_mm3 * *mass.thickness_mm)
                                  : std::nullopt);
  }
  const std::string text =
      fmt::format("# Read from {} by graspmap import.\n", printable(file.filename().string())) +
      (arguments.has("finger")
           ? toml_table("[gripper.finger]", outline_lines(drawing.regions.at(0)))
           : part + piece_tables(file, drawing.regions));
  if (arguments.has("draw")) {
    write_picture(arguments.text("draw"), drawing_picture(drawing.regions));
    std::cerr << fmt::format("Drawn in {}\n", arguments.text("draw"));
  }
  if (!arguments.has("out")) {
    std::cout << text;
    return 0;
  }
  write_file_atomically(arguments.text("out"), text);
  std::cerr << fmt::format("Tables in {}\n", arguments.text("out"));
  return 0;
}

}  // namespace

Command import_command() {
  return {
      {"import", "read a part or a finger from a drawing, DXF or SVG",
       "FILE.dxf|FILE.svg|FILE.step|FILE.stl",
       "Reads a part or a finger from a drawing or a solid, and writes the tables of a "
       "configuration for it:\n"
       "[part] with a [[part.piece]] for each outline, or [gripper.finger]. It prints what it\n"
       "understood on standard error: elements, unit, size, area, joined gaps, and what it\n"
       "ignored, and why.\n\n"
       "The lines of the drawing must make closed outlines. Ends that are no farther apart than\n"
       "the tolerance are joined; a wider gap is an error that says where it is. Outlines within\n"
       "an outline are its holes. Arcs and circles stay what they are; splines and ellipses "
       "become\n"
       "arcs that are off by the tolerance at most.\n\n"
       "DXF: LINE, ARC, CIRCLE, LWPOLYLINE, POLYLINE, ELLIPSE, SPLINE, and INSERT of blocks with\n"
       "these, in an ASCII file. SVG: paths, basic shapes, groups, use, transforms. Layers of an\n"
       "SVG file are its groups, by their labels or ids. In SVG files y points down; here it\n"
       "points up, and the origin is the lower left corner of the page.\n\n"
       "STEP (.step, .stp) and STL: the solid is laid onto the table, and cut at the height at "
       "which\n"
       "the fingers hold it, or seen from above. It lists how the solid can rest, the most stable\n"
       "first, and says what lies above the fingers' reach. Planes and cylinders give exact lines "
       "and\n"
       "arcs. Mass, centre of mass and inertia are those of the solid.\n",
       "  graspmap import key.dxf\n"
       "  graspmap import key.dxf --layer outline --origin centroid --draw key.svg --out key.toml\n"
       "  graspmap import key.svg --density-kg-mm3 2.7e-6 --thickness-mm 5 > part.toml\n"
       "  graspmap import finger.dxf --finger --names layer\n"
       "  graspmap import bushing.step --section-mm 4 --material brass --draw bushing.svg\n"
       "  graspmap import bracket.stl --silhouette --rest 2\n",
       with_drawing_options(
           {{"finger", "write [gripper.finger], the right finger in its frame, in place of [part]"},
            {"density-kg-mm3 D", "the part's density, for its mass"},
            {"material NAME", "instead of it: steel, aluminium, ... (graspmap init lists them)"},
            {"thickness-mm H", "the part's thickness, for its mass; a solid has its own"},
            {"draw FILE.svg|png",
             "draw what was read, with names and dimensions; PNG needs gnuplot"},
            {"out FILE.toml", "write the tables into this new file (default: standard output)"}})},
      parsed(import_outlines)};
}

namespace {

/// The first sentence of the comment at the beginning of a file, or "".
std::string title_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  for (std::string line; std::getline(stream, line) && line.starts_with("# ");) {
    text += line.substr(2) + " ";
    const std::size_t end = text.find_first_of(".:?");
    for (std::size_t i = end; i < text.size(); i = text.find_first_of(".:?", i + 1)) {
      if (text[i + 1] == ' ') return text.substr(0, text[i] == ':' ? i : i + 1);
    }
  }
  return text;
}

void list_examples(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::cout << fmt::format("{}\n    {}\n", file.string(), title_of(file));
  }
}

void copy_examples(const fs::path& folder, const fs::path& to) {
  std::error_code error;
  if (fs::exists(to, error) && (!fs::is_directory(to, error) || !fs::is_empty(to, error))) {
    throw config_error({to.string()}, "",
                       "is there already; --out must name a folder that is new or empty");
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path file = to / fs::relative(entry.path(), folder);
    fs::create_directories(file.parent_path());
    const std::optional<std::string> content = file_bytes(entry.path());
    if (!content) throw IoError(fmt::format("{}: cannot be read", entry.path().string()));
    write_file_atomically(file, *content);
  }
  std::cout << fmt::format("Examples in {}\n", to.string());
}

int give_examples(const Arguments& arguments) {
  const std::optional<fs::path> folder = examples_folder();
  if (!folder) {
    throw IoError(
        "the examples were not found: they are in share/graspmap/configs beside the folder of an "
        "installed graspmap");
  }
  if (arguments.has("out")) {
    copy_examples(*folder, arguments.text("out"));
  } else {
    list_examples(*folder);
  }
  return 0;
}

}  // namespace

Command examples_command() {
  return {
      {"examples",
       "list the examples that come with graspmap, or copy them",
       "",
       "Lists the example configurations that came with graspmap, each with its path and the\n"
       "first sentence of its text. They can be run where they are: results go to outputs/ in the\n"
       "current folder. With --out, copies all of them, with drawings, scenes and experiments, to\n"
       "a new folder, to be changed there.\n",
       "  graspmap examples\n"
       "  graspmap examples --out configs   # then: graspmap run configs/lock_piece.toml\n",
       {{"out DIR", "copy the examples to DIR, a folder that is new or empty"}}},
      parsed(give_examples)};
}

}  // namespace graspmap
