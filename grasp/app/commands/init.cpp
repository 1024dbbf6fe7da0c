#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "geometry/outline_faults.hpp"
#include "geometry/outline_shapes.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/drawing_options.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/show/outlines/drawing_picture.hpp"
#include "grasp/sweep/config/gripper_models.hpp"
#include "grasp/sweep/config/materials.hpp"
#include "grasp/sweep/config/plausibility.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/setup/first_answers.hpp"
#include "grasp/sweep/setup/first_config.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

namespace {

std::string shapes_text() {
  std::vector<std::string> shapes;
  for (const FirstShape& s : kFirstShapes) shapes.push_back(fmt::format("{} {}", s.name, s.sizes));
  return fmt::format("{}", fmt::join(shapes, ", "));
}

/// Asks a person, where one sits there.
class Questions {
 public:
  explicit Questions(const Arguments& arguments)
      : arguments_(arguments), on_(isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) {}

  /// Asks for an option that is not there, until `take` accepts the answer; "" takes the default.
  template <typename Take>
  void ask(const char* option, const std::string& question, const std::string& fallback,
           const Take& take) {
    if (!on_ || arguments_.has(option)) return;
    for (std::string answer;;) {
      std::cout << fmt::format("{} [{}]: ", question, fallback) << std::flush;
      if (!std::getline(std::cin, answer)) {
        on_ = false;
        return;
      }
      if (answer.empty() || take(answer)) return;
      std::cout << "That cannot be. ";
    }
  }

  void ask_number(const char* option, const std::string& question, double& value) {
    ask(option, question, fmt::format("{}", value), [&](const std::string& answer) {
      const std::optional<double> number = parse_number(answer);
      if (!number || *number <= 0.0) return false;
      value = *number;
      return true;
    });
  }

 private:
  const Arguments& arguments_;
  bool on_;
};

void ask_answers(const Arguments& arguments, FirstGrasp& grasp) {
  Questions questions(arguments);
  questions.ask("material", fmt::format("Material: {}", fmt::join(kMaterialNames, ", ")),
                grasp.material, [&](const std::string& answer) {
                  if (!is_material(answer)) return false;
                  grasp.material = answer;
                  return true;
                });
  if (!grasp.solid) {
    questions.ask_number("thickness-mm", "Thickness of the part in mm", grasp.thickness_mm);
  }
  questions.ask("gripper", fmt::format("Gripper: {}", fmt::join(gripper_model_names(), ", ")),
                "none", [&](const std::string& answer) {
                  grasp.gripper = gripper_named(answer);
                  return grasp.gripper != nullptr || answer == "none";
                });
  if (grasp.robot_repeatability_mm || grasp.robot_range_mm) return;
  questions.ask_number("robot-sigma-mm", "The robot's error of position, sigma in mm",
                       grasp.robot_sigma_mm);
}

/// A part from its corners; in columns "bulge" and "name" its elements have more than edges.
Outline read_corners(const std::string& file) {
  OutlineLoop loop;
  const CsvTable table = read_csv(file);
  const std::size_t x = table.column("x_mm");
  const std::size_t y = table.column("y_mm");
  const std::optional<std::size_t> bulge = table.find_column("bulge");
  const std::optional<std::size_t> name = table.find_column("name");
  for (const CsvRow& row : table.rows) {
    loop.push_back({{table.number(row, x), table.number(row, y)},
                    bulge ? table.number(row, *bulge) : 0.0,
                    name ? row.fields[*name] : ""});
    if (!loop.back().name.empty() && !is_name(loop.back().name)) {
      table.fail(row, *name, fmt::format("is '{}'; must be {}", loop.back().name, kNameText));
    }
  }
  if (loop.size() < 2)
    throw config_error({file}, "", "must have a row for each corner, 3 at least");
  const std::vector<OutlineFault> faults = outline_faults({loop, {}});
  if (!faults.empty()) {
    throw config_error(
        {file}, "",
        fmt::format("{}; must be the corners of a closed chain that does not touch or cross itself",
                    describe(faults[0])));
  }
  return oriented({loop, {}});
}

/// What a configuration is made from.
struct Source {
  std::filesystem::path file;  ///< whose name it gets; of a shape its name
  std::string report = {};     ///< what was read
};

std::string read_solid_body(const Arguments& arguments, const std::filesystem::path& file,
                            FirstGrasp& grasp) {
  if (arguments.has("thickness-mm")) {
    arguments.fail("--thickness-mm is for drawings; a solid has its own");
  }
  const SolidDrawing solid = read_solid_of(arguments, file);
  grasp.bodies = solid.drawing.regions;
  grasp.thickness_mm = solid.height_mm;
  grasp.solid = {solid.volume_mm3, solid.center_of_mass_mm.head<2>(), solid.inertia_mm5};
  grasp.solid_comment = hold_comment(solid);
  return solid_text(solid, file.string(), std::nullopt);
}

/// Reads or makes the part.
Source read_bodies(const Arguments& arguments, FirstGrasp& grasp) {
  const bool has_file = !arguments.operands().empty();
  if (static_cast<int>(has_file) + static_cast<int>(arguments.has("shape")) +
          static_cast<int>(arguments.has("points")) !=
      1) {
    arguments.fail("give one of FILE (.dxf, .svg, .step, .stl), --shape, --points");
  }
  if (arguments.has("size-mm") && !arguments.has("shape")) {
    arguments.fail("--size-mm goes with --shape only");
  }
  const Options of_drawings = with_drawing_options({});
  for (const auto& option : of_drawings.options()) {
    if (has_file || !arguments.has(option->long_name().c_str())) continue;
    arguments.fail(fmt::format("--{} goes with a file only", option->long_name()));
  }
  if (arguments.has("shape")) {
    const std::string& shape = arguments.text("shape");
    const bool two = shape == "rectangle" || shape == "ring" || shape == "slot";
    const std::vector<double> fallback = two ? std::vector{40.0, 20.0} : std::vector{40.0};
    grasp.bodies = {
        first_shape(shape, arguments.has("size-mm") ? arguments.numbers("size-mm") : fallback)};
    grasp.source = fmt::format("made by --shape {}", shape);
    return {shape};
  }
  const std::filesystem::path file = has_file ? arguments.operand() : arguments.text("points");
  grasp.source = fmt::format("read from {}", printable(file.filename().string()));
  if (!has_file) {
    grasp.bodies = {read_corners(file.string())};
    return {file};
  }
  if (is_solid_file(file)) return {file, read_solid_body(arguments, file, grasp)};
  refuse_solid_options(arguments);
  const Drawing drawing =
      read_drawing_of(arguments, file, [&](const std::vector<Outline>& regions) {
        int view = 0;
        Questions(arguments).ask("view", fmt::format("Which view? {}", regions_text(regions)),
                                 "none of them", [&](const std::string& answer) {
                                   view = static_cast<int>(parse_integer(answer).value_or(0));
                                   return view >= 1 && view <= static_cast<int>(regions.size());
                                 });
        return view;
      });
  grasp.bodies = drawing.regions;
  return {file, drawing_text(drawing, file.string(), std::nullopt)};
}

void check_new(const Arguments& arguments, const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !arguments.has("force")) {
      arguments.fail(fmt::format("{} is there already; --force overwrites it, --out names another",
                                 file.string()));
    }
    check_writable(file);
  }
}

/// Draws the setup; a missing gnuplot is a warning.
void draw(const SweepConfig& config, const std::filesystem::path& svg,
          const std::filesystem::path& png) {
  const PictureShapes picture = setup_picture(config);
  write_picture(svg, picture);
  std::string files = svg.string();
  try {
    write_picture(png, picture);
    files = fmt::format("{} and {}", png.string(), svg.string());
  } catch (const IoError& error) {
    std::cerr << fmt::format("graspmap: warning: {}\n", error.what());
  }
  std::cout << fmt::format("How it was understood: {}\n", files);
}

std::string summary(const SweepConfig& config, const FirstGrasp& grasp) {
  const PlacementSweep& map = config.placement;
  std::string text = fmt::format(
      "{}: {} {:.6g} mm {}, {:.3g} kg\nGripper open {} mm, {} N on each jaw\n"
      "Map: x {} to {} mm, y {} to {} mm, {} x {} cells of {} trials\n",
      config.name, grasp.material, grasp.thickness_mm, grasp.solid ? "high" : "thick",
      config.scenario.mass.mass_kg, config.scenario.gripper.opening_mm,
      config.scenario.gripper.closing_force_n, map.x_mm.min, map.x_mm.max, map.y_mm.min,
      map.y_mm.max, map.x_mm.cells, map.y_mm.cells, config.trials_per_cell);
  return text + fmt::format("Success: {}.\n", success_words(config.success));
}

/// What a grasp at the map's middle, with average friction and no error, lacks to be a success, and
/// what may be done about it; nothing where it succeeds.
std::vector<ConfigFault> doubts_of_middle(const SweepConfig& config, const Arguments& arguments,
                                          const std::string& file) {
  const auto middle = [](const Axis& axis) { return 0.5 * (axis.min + axis.max); };
  const TrialParameters parameters{middle(config.placement.x_mm), middle(config.placement.y_mm),
                                   middle(config.placement.theta_rad), config.mu_jaw.mean(),
                                   config.mu_support.mean()};
  Workspace workspace;
  SimulationResult result;
  const TrialRow row = run_trial(config, parameters, workspace, result);
  if (row.outcome == Outcome::kSuccess) return {};
  const std::string at = fmt::format("{},{}", parameters.placement_x_mm, parameters.placement_y_mm);
  std::string mend = fmt::format("graspmap trial {} --placement {} shows it", shell_word(file), at);
  std::vector<std::string> lacking;
  if (row.outcome == Outcome::kWedged || row.outcome == Outcome::kTimeout) {
    for (const UnmetCondition& unmet :
         unmet_conditions(config.success, config.scenario.part, result, row.final_pose,
                          asked_hold_factor(config, config.scenario, row))) {
      lacking.push_back(unmet_sentence(unmet));
      if (unmet.key != "theta_rad") continue;
      const double turn_rad = row.final_pose.angle_rad;
      const double drawn_rad =
          arguments.has("rotation-rad") ? arguments.number("rotation-rad") : 0.0;
      mend = fmt::format("the jaws turn the part by {:.3f} rad: ", turn_rad) +
             (arguments.operands().empty()
                  ? "give it turned so"
                  : fmt::format("draw it as they hold it, --rotation-rad {:.3f}",
                                drawn_rad + turn_rad));
    }
  }
  return {ConfigFault::of({file}, "placement",
                          fmt::format("a grasp at the map's middle, ({}) mm, with average friction "
                                      "is no success but {}{}{}; {}",
                                      at, name(row.outcome), lacking.empty() ? "" : ": ",
                                      fmt::join(lacking, ", "), mend))};
}

int write_first_config(const Arguments& arguments) {
  FirstGrasp grasp;
  read_first_answers(arguments, grasp);
  const Source source = read_bodies(arguments, grasp);
  grasp.name = piece_name(source.file, grasp.bodies);
  const std::filesystem::path out =
      arguments.has("out") ? arguments.text("out") : grasp.name + ".toml";
  if (out.extension() != ".toml") arguments.fail("--out: must be FILE.toml");
  std::filesystem::path stem = out;
  stem.replace_extension("");
  const std::filesystem::path svg = stem.string() + "_setup.svg";
  const std::filesystem::path png = stem.string() + "_setup.png";
  std::vector<std::filesystem::path> files = {out};
  if (!arguments.has("no-plots")) files.insert(files.end(), {svg, png});
  check_new(arguments, files);
  std::cerr << source.report;
  ask_answers(arguments, grasp);
  const std::string text = first_config(grasp);
  const SweepConfig config = parse_sweep_config(text, out.string());
  write_file_atomically(out, text);
  warn_of(doubts(config, out.string()));
  warn_of(doubts_of_middle(config, arguments, out.string()));
  std::cout << summary(config, grasp) << fmt::format("Configuration in {}\n", out.string());
  if (!arguments.has("no-plots")) draw(config, svg, png);
  std::cout << fmt::format(
      "Next: graspmap run {}\nThen: graspmap plan outputs/{} --required-probability 0.99\n",
      out.string(), config.name);
  return 0;
}

}  // namespace

Command init_command() {
  return {
      {"init", "write a configuration that runs, from a drawing, and draw how it was understood",
       "[FILE.dxf|FILE.svg|FILE.step|FILE.stl]",
       "Writes a configuration that runs as it is, from a drawing or a solid, from a list of "
       "points, or from\n"
       "a shape, with a comment above each key; draws how it was understood: the part with names\n"
       "and dimensions, the fingers, the map, and what success means; and prints what to run "
       "next.\n"
       "The map, the cells, the opening and the pads follow from the part's size.\n\n"
       "The gripper is seen from above, and its jaws close along x: turn the drawing with\n"
       "--rotation-rad. A grasp succeeds when the part comes to rest within --within-mm of where\n"
       "the map's middle puts it, or held by the elements that --hold-by names.\n\n"
       "In a terminal it asks for what no option says, and Enter takes the default. Without one "
       "it\n"
       "never asks.\n",
       "  graspmap init bracket.dxf\n"
       "  graspmap init bracket.dxf --hold-by back,inside --material aluminium --thickness-mm 6\n"
       "  graspmap init bushing.step --section-mm 4 --material brass\n"
       "  graspmap init --shape disc --size-mm 40 --out coin.toml\n"
       "  graspmap init --points corners.csv   # then: graspmap run corners.toml\n",
       with_drawing_options(
           {{"shape SHAPE", "a part without a drawing: " + shapes_text()},
            {"size-mm A[,B]", "its sizes in mm (default: 40, or 40,20)"},
            {"points FILE.csv", "a part from its corners, in columns x_mm and y_mm"},
            {"material NAME", "of the part (default: steel)"},
            {"thickness-mm H", "of the part (default: 10); a solid has its own"},
            {"hold-by NAMES", "pieces or elements that the fingers must touch, by commas"},
            {"within-mm D",
             "how far the held part may lie from where it should (default: a twentieth of its "
             "size, at least 3 of the robot's sigma)"},
            {"gripper MODEL",
             "fills in opening, force, speed and pads (graspmap grippers lists the models)"},
            {"opening-mm D", "between the pads at the start (default: from the part's width)"},
            {"pad-mm W,D",
             "a pad's width along y and depth along x (default: from the part, at most 20,10)"},
            {"force-n F", "on each jaw (default: 20)"},
            {"speed-mm-s V", "of each jaw (default: 50)"},
            {"jaw-friction A,B", "between part and pads, uniform in A to B (default: 0.1,0.3)"},
            {"table-friction A,B", "between part and table, uniform in A to B (default: 0.1,0.4)"},
            {"robot-sigma-mm S", "the robot's error of position (default: 0.5)"},
            {"robot-repeatability-mm RP",
             "instead: the repeatability of its data sheet (ISO 9283)"},
            {"robot-range-mm A", "instead: at most +-A, uniform"},
            {"robot-sigma-rad S", "the robot's error of angle (default: 0.01)"},
            {"trials-per-cell N", "simulated in each cell (default: 150)"},
            {"out FILE.toml", "the configuration (default: the drawing's or shape's name, here)"},
            {"force", "overwrite files that are there"},
            {"no-plots", "draw nothing"}})},
      parsed(write_first_config)};
}

}  // namespace graspmap
