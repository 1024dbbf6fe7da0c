#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "geometry/outline.hpp"
#include "geometry/outline_faults.hpp"
#include "geometry/outline_shapes.hpp"
#include "geometry/part.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/outline_toml.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

using PieceNames = std::vector<std::string>;

/// The names of the pieces, each once.
PieceNames read_piece_names(const std::vector<TomlTable>& tables) {
  PieceNames names;
  for (const TomlTable& table : tables) {
    std::string name = table.name("name");
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      table.fail("name", fmt::format("\"{}\" is the name of two pieces; must be unique", name));
    }
    names.push_back(std::move(name));
  }
  return names;
}

/// Success rules name pieces and elements alike.
void check_element_names(const TomlTable& table, const Outline& outline, const PieceNames& pieces) {
  for (const OutlineElement& element : outline.outer) {
    if (std::find(pieces.begin(), pieces.end(), element.name) == pieces.end()) continue;
    table.fail(table.has("names") ? "names" : "file",
               fmt::format("\"{}\" is the name of a piece and of an element; must be of one of "
                           "them, because success rules name both",
                           element.name));
  }
}

Outline read_piece_outline(const TomlTable& table, const std::filesystem::path& folder,
                           const PieceNames& pieces) {
  const std::string_view key = outline_key(table);
  if (table.has("semi_axes_mm")) {
    table.fail(key, "does not go with semi_axes_mm; give one of semi_axes_mm, outline_mm and file");
  }
  Outline outline = read_table_outline(table, folder);
  check_element_names(table, outline, pieces);
  return outline;
}

/// What is wrong with a superellipse that is so thin or small beside what the part reaches to that
/// double precision does not resolve its shape; "" of others.
std::string length_fault(const Part& part, const Superellipse& shape) {
  double largest_mm = 0.0;
  for (const Piece& piece : part.pieces) {
    largest_mm =
        std::max({largest_mm, piece.shape.a_mm, piece.shape.b_mm, piece.pose.position_mm.norm()});
  }
  if (std::min(shape.a_mm, shape.b_mm) * limits::kMostLengthRatio >= largest_mm) return "";
  return fmt::format(
      "is [{}, {}], beside a largest length of the part of {:.6g} mm; must be at most {:g} times "
      "smaller",
      shape.a_mm, shape.b_mm, largest_mm, limits::kMostLengthRatio);
}

Part read_pieces(const TomlTable& part_table, const ScenarioSource& source) {
  Part part;
  const std::vector<TomlTable> tables = part_table.tables("piece");
  const PieceNames names = read_piece_names(tables);
  std::vector<std::size_t> of_superellipse;  // the table of each
  for (std::size_t i = 0; i < tables.size(); ++i) {
    KeyReader keys(tables[i], source.folder, &source.inputs, "part.piece." + names[i]);
    if (outline_key(tables[i]).empty()) {
      Piece& piece = part.pieces.emplace_back();
      piece_keys(keys, piece);
      superellipse_keys(keys, piece.shape);
      of_superellipse.push_back(i);
    } else {
      OutlinePiece& piece = part.outlines.emplace_back();
      piece_keys(keys, piece);
      piece.outline = read_piece_outline(tables[i], source.folder, names);
    }
  }
  for (std::size_t k = 0; k < part.pieces.size(); ++k) {
    const std::string fault = length_fault(part, part.pieces[k].shape);
    if (!fault.empty()) tables[of_superellipse[k]].fail("semi_axes_mm", fault);
  }
  return part;
}

/// density_kg_mm3, or that of the material.
double read_density_kg_mm3(const TomlTable& table, const std::filesystem::path& folder) {
  const bool given = table.has("density_kg_mm3");
  if (given && table.has("material")) {
    table.fail("material", "does not go with density_kg_mm3; give one of them");
  }
  if (given) return table.number("density_kg_mm3", kPositive);
  std::size_t material = kMaterials.size();
  KeyReader keys(table, folder);
  material_keys(keys, material);
  if (material == kMaterials.size()) {
    table.fail("density_kg_mm3",
               fmt::format("missing; must be {}, or material given", kPositive.text()));
  }
  return kMaterials[material].density_kg_mm3;
}

/// The mass properties of a plate, where its density and thickness are given.
void read_mass(const TomlTable& table, const ScenarioSource& source, DrawnScenario& scenario) {
  const auto given = table.first_present({"mass_kg", "center_of_mass_mm", "inertia_kg_mm2"});
  const auto uniform = table.first_present({"density_kg_mm3", "material"});
  if (uniform.empty() && (!given.empty() || !scenario.thickness_mm)) return;
  if (!given.empty()) {
    table.fail(uniform, fmt::format("does not go with {}; give either mass_kg, center_of_mass_mm "
                                    "and inertia_kg_mm2, or density_kg_mm3 or material, and "
                                    "thickness_mm",
                                    given));
  }
  const double density = read_density_kg_mm3(table, source.folder);
  scenario.mass = mass_properties(scenario.part, density, table.number("thickness_mm", kPositive));
  if (limits::kMasses_kg.contains(scenario.mass.mass_kg)) return;
  table.fail(uniform, fmt::format("with {} kg/mm3 makes a mass of {:.4g} kg; must make {}", density,
                                  scenario.mass.mass_kg, limits::kMasses_kg.text()));
}

}  // namespace

void read_part(const TomlTable& table, const ScenarioSource& source, DrawnScenario& scenario) {
  scenario.part = read_pieces(table, source);
  KeyReader keys(table, source.folder, &source.inputs);
  part_keys(keys, scenario);
  if (table.has("offset_mm")) {
    scenario.part_as_drawn = scenario.part;
    const std::string vanishes =
        oversize(*scenario.part_as_drawn, scenario.part_offset_mm, scenario.part);
    if (!vanishes.empty()) {
      table.fail("offset_mm", fmt::format("is {}, by which {} vanishes; must leave all pieces and "
                                          "elements as they follow each other",
                                          scenario.part_offset_mm, vanishes));
    }
  }
  read_mass(table, source, scenario);
}

void check_part(const DrawnScenario& scenario, const FailAtKey& fail) {
  const Part& drawn = scenario.drawn_part();
  for (const Piece& piece : drawn.pieces) {
    const std::string fault = length_fault(drawn, piece.shape);
    if (!fault.empty()) fail("part.piece." + piece.name + ".semi_axes_mm", fault);
  }
  for (const OutlinePiece& piece : scenario.part.outlines) {
    if (!scenario.part_as_drawn) break;
    const std::vector<OutlineFault> faults = outline_faults(piece.outline);
    if (faults.empty()) continue;
    fail("part.offset_mm", fmt::format("is {}, by which in \"{}\" {}; must leave closed chains "
                                       "that do not touch or cross",
                                       scenario.part_offset_mm, piece.name, describe(faults[0])));
  }
  const MassProperties& mass = scenario.mass;
  const double gyration_mm = std::sqrt(mass.inertia_kg_mm2 / mass.mass_kg);
  if (limits::kLengths_mm.contains(gyration_mm)) return;
  fail("part.inertia_kg_mm2",
       fmt::format("is {}, with mass_kg = {} a radius of gyration of {:.4g} mm; must be {}",
                   mass.inertia_kg_mm2, mass.mass_kg, gyration_mm, limits::kLengths_mm.text()));
}

namespace {

/// The names of the rows that it is shown.
struct RowNames {
  void operator()(const KeyRow& row, const double& /*value*/) { names.push_back(row.name); }
  static bool has(bool /*truth*/) { return true; }

  std::vector<std::string_view> names = {};
};

/// What a shape may have, as messages list it.
std::string shape_keys() {
  RowNames rows;
  const FingerShape shape;
  finger_keys(rows, shape);
  return fmt::format("{}", fmt::join(rows.names, ", "));
}

/// What the depth of a finger is called.
const char* depth_key(const FingerShape& shape) {
  return shape.is_pad() ? "pad_depth_mm" : "width_mm";
}

/// Throws unless tip and step leave a piece of the finger's width, and of a pad's inside.
void check_tip(const TomlTable& table, const FingerShape& shape) {
  const double room_mm = shape.depth_mm() - shape.step_depth_mm;
  const double tip_mm = std::max(shape.tip_radius_mm, shape.tip_chamfer_mm);
  const char* tip = shape.tip_radius_mm > 0.0 ? "tip_radius_mm" : "tip_chamfer_mm";
  if (tip_mm > room_mm) {
    table.fail(
        tip, fmt::format("is {}; must be at most {}, the width of the fingertip", tip_mm, room_mm));
  }
  const double height_mm = shape.tip_height_mm();
  if (height_mm > quantities::kMostFinger_mm) {
    table.fail("tip_chamfer_rad", fmt::format("is {}: the chamfer would be {} mm high; must be "
                                              "larger",
                                              shape.tip_chamfer_rad, height_mm));
  }
  if (shape.is_pad() && 2.0 * height_mm > shape.pad_width_mm) {
    table.fail(tip, fmt::format("is {}: takes {} mm at each end of the pad's inside; must be at "
                                "most half of pad_width_mm = {} there",
                                tip_mm, height_mm, shape.pad_width_mm));
  }
  if (shape.step_depth_mm > 0.0 && height_mm > shape.step_height_mm) {
    table.fail(
        "step_height_mm",
        fmt::format("is {}; must be at least {}, the height of the tip's {}", shape.step_height_mm,
                    height_mm, shape.tip_radius_mm > 0.0 ? "arc" : "chamfer"));
  }
}

/// Throws unless the groove lies within the finger, below tip and step.
void check_groove(const TomlTable& table, const FingerShape& shape) {
  const std::string angle = table.given("groove_angle_rad");
  const bool has_angle = !angle.empty();
  if (has_angle == (shape.groove_radius_mm > 0.0)) {
    table.fail(has_angle ? angle : "groove_angle_rad",
               has_angle ? "does not go with groove_radius_mm; give one of them"
                         : "missing; give it for a V, or groove_radius_mm for "
                           "a round groove");
  }
  if (shape.groove_depth_mm >= shape.depth_mm()) {
    table.fail("groove_depth_mm",
               fmt::format("is {}; must be below the finger's {} = {}", shape.groove_depth_mm,
                           depth_key(shape), shape.depth_mm()));
  }
  if (!has_angle && shape.groove_depth_mm > shape.groove_radius_mm) {
    table.fail("groove_radius_mm", fmt::format("is {}; must be at least groove_depth_mm = {}",
                                               shape.groove_radius_mm, shape.groove_depth_mm));
  }
  const double half_mm = shape.groove_half_height_mm();
  // The inside edge begins below the step, or below the arc or chamfer of the tip.
  const double height_mm = shape.step_depth_mm > 0.0 ? shape.step_height_mm : shape.tip_height_mm();
  const double inside_mm = shape.top_mm() - height_mm;
  const double y_mm = shape.groove_position_mm;
  if (shape.is_pad()) {
    if (y_mm + half_mm <= inside_mm && y_mm - half_mm >= shape.inside_end_mm()) return;
    table.fail("groove_position_mm",
               fmt::format("is {}: the groove reaches from y = {} to {}; must lie within the pad's "
                           "inside, {} to {}",
                           y_mm, y_mm - half_mm, y_mm + half_mm, shape.inside_end_mm(), inside_mm));
  }
  if (!table.has("groove_position_mm") || y_mm > 0.0) {
    const std::string is = table.has("groove_position_mm") ? fmt::format("is {}", y_mm) : "missing";
    table.fail("groove_position_mm",
               fmt::format("{}; must be a number from {} to 0", is, -quantities::kMostFinger_mm));
  }
  if (y_mm + half_mm <= inside_mm) return;
  table.fail("groove_position_mm",
             fmt::format("is {}: the groove reaches up to y = {}; must be at most {}, so that it "
                         "begins at y = {} or below, where the inside edge does",
                         y_mm, y_mm + half_mm, inside_mm - half_mm, inside_mm));
}

/// Throws unless the features go together and fit: tip, step and groove follow each other from top
/// to bottom.
void check_shape(const TomlTable& table, const FingerShape& shape) {
  if (shape.tip_radius_mm > 0.0 && shape.tip_chamfer_mm > 0.0) {
    table.fail("tip_chamfer_mm", "does not go with tip_radius_mm; give one of them");
  }
  for (const char* key : {"width_mm", "step_depth_mm"}) {
    if (!shape.is_pad() || !table.has(key)) continue;
    table.fail(key, "does not go with pad_width_mm; a pad's width is pad_depth_mm, without a step");
  }
  if (shape.step_depth_mm >= shape.depth_mm()) {
    table.fail("step_depth_mm", fmt::format("is {}; must be below the finger's width_mm = {}",
                                            shape.step_depth_mm, shape.width_mm));
  }
  check_tip(table, shape);
  if (shape.groove_depth_mm > 0.0) check_groove(table, shape);
}

/// A finger's outline in its frame: as it is drawn there, or a shape, which is that of a right
/// finger and mirrored for the left one.
Outline read_finger(const TomlTable& table, const ScenarioSource& source, bool is_left,
                    std::optional<FingerShape>& shape) {
  const std::string_view drawn = outline_key(table);
  KeyReader keys(table, source.folder, &source.inputs);
  FingerShape dimensions;
  finger_keys(keys, dimensions);
  const std::string& shaped = keys.first();
  if (drawn.empty() && shaped.empty()) {
    table.fail("outline_mm",
               fmt::format("missing; give outline_mm, file, or a shape by {}", shape_keys()));
  }
  if (!drawn.empty() && !shaped.empty()) {
    table.fail(shaped, fmt::format("does not go with {}; give one of outline_mm, file, or a shape "
                                   "by {}",
                                   drawn, shape_keys()));
  }
  if (!drawn.empty()) return read_table_outline(table, source.folder);
  check_shape(table, dimensions);
  shape = dimensions;
  return is_left ? mirrored(finger_outline(*shape)) : finger_outline(*shape);
}

/// How far an outline reaches to the left of x = 0.
double reach_to_left_mm(const Outline& outline) {
  double reach_mm = 0.0;
  for (const OutlineCurve& curve : outline_curves(outline.outer)) {
    reach_mm = std::max(reach_mm, -box_of(curve).min().x());
  }
  return reach_mm;
}

}  // namespace

void read_fingers(const TomlTable& gripper_table, const ScenarioSource& source,
                  DrawnScenario& scenario) {
  Gripper& gripper = scenario.gripper;
  const bool has_left = gripper_table.has("left_finger");
  if (gripper_table.has("finger")) {
    gripper.right_finger =
        read_finger(gripper_table.table("finger"), source, false, scenario.right_shape);
    scenario.same_fingers = !has_left;
    gripper.left_finger = has_left ? read_finger(gripper_table.table("left_finger"), source, true,
                                                 scenario.left_shape)
                                   : mirrored(*gripper.right_finger);
  } else if (has_left) {
    gripper_table.fail("finger", "missing; must be given with left_finger, for the right one");
  }
  if (gripper_table.has("palm")) {
    gripper.palm = read_table_outline(gripper_table.table("palm"), source.folder);
  }
}

void check_fingers_apart(const Gripper& gripper, double closed_opening_mm, const FailAtKey& fail) {
  if (!gripper.right_finger) return;
  const double reach_mm =
      reach_to_left_mm(*gripper.right_finger) + reach_to_left_mm(mirrored(*gripper.left_finger));
  if (reach_mm <= closed_opening_mm) return;
  fail(
      "gripper.finger",
      fmt::format("the fingers reach {} mm beyond their frames towards each other; must be at most "
                  "stop.closed_opening_mm = {}, at which the jaws count as closed",
                  reach_mm, closed_opening_mm));
}

}  // namespace graspmap
