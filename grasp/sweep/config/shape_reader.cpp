#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/outline.hpp"
#include "geometry/outline_faults.hpp"
#include "geometry/outline_shapes.hpp"
#include "geometry/part.hpp"
#include "grasp/sweep/config/outline_toml.hpp"
#include "grasp/sweep/config/scenario_number.hpp"
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

Pose2 read_pose(const TomlTable& table) {
  Pose2 pose;
  if (table.has("center_mm")) pose.position_mm = read_vec2(table, "center_mm");
  pose.angle_rad = table.number_or(0.0, "angle_rad", kAnyNumber);
  check_limits(table, "angle_rad", pose.angle_rad, limits::kAngles_rad);
  return pose;
}

double read_friction_factor(const TomlTable& table) {
  const double factor = table.number_or(1.0, "friction_factor", kNonNegative);
  check_limits(table, "friction_factor", factor, {.min = 0.0, .max = limits::kMostFriction});
  return factor;
}

Superellipse read_superellipse(const TomlTable& table) {
  const auto [a, b] = table.numbers<2>("semi_axes_mm");
  const double exponent = table.number_or(2.0, "exponent", kExponents);
  table.check_keys();
  if (a <= 0 || b <= 0) {
    table.fail("semi_axes_mm", fmt::format("is [{}, {}]; both must be > 0", a, b));
  }
  check_limits(table, "semi_axes_mm", a, limits::kLengths_mm);
  check_limits(table, "semi_axes_mm", b, limits::kLengths_mm);
  return {a, b, exponent};
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
  table.ask_for({"semi_axes_mm", "exponent"});
  table.check_keys();
  if (table.has("semi_axes_mm")) {
    table.fail(key, "does not go with semi_axes_mm; give one of semi_axes_mm, outline_mm and file");
  }
  Outline outline = read_table_outline(table, folder);
  check_element_names(table, outline, pieces);
  return outline;
}

/// Throws when a superellipse is so thin or small beside what the part reaches to that double
/// precision does not tell its shape.
void check_lengths(const std::vector<TomlTable>& tables, const Part& part) {
  double largest_mm = 0.0;
  for (const Piece& piece : part.pieces) {
    largest_mm =
        std::max({largest_mm, piece.shape.a_mm, piece.shape.b_mm, piece.pose.position_mm.norm()});
  }
  for (const TomlTable& table : tables) {
    if (!table.has("semi_axes_mm")) continue;
    const auto [a, b] = table.numbers<2>("semi_axes_mm");
    const double least_mm = std::min(a, b);
    if (least_mm * limits::kMostLengthRatio >= largest_mm) continue;
    table.fail("semi_axes_mm",
               fmt::format("is [{}, {}], beside a largest length of the part of {:.6g} mm; must be "
                           "at most {:g} times smaller",
                           a, b, largest_mm, limits::kMostLengthRatio));
  }
}

}  // namespace

Part read_part(const TomlTable& table, const std::filesystem::path& folder) {
  Part part;
  const std::vector<TomlTable> tables = table.tables("piece");
  const PieceNames names = read_piece_names(tables);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Pose2 pose = read_pose(tables[i]);
    const double factor = read_friction_factor(tables[i]);
    if (outline_key(tables[i]).empty()) {
      part.pieces.push_back({names[i], read_superellipse(tables[i]), pose, factor});
    } else {
      part.outlines.push_back(
          {names[i], read_piece_outline(tables[i], folder, names), pose, factor});
    }
  }
  check_lengths(tables, part);
  return part;
}

void read_part_offset(const TomlTable& table, DrawnScenario& scenario) {
  if (!table.has("offset_mm")) return;
  const double offset_mm = table.number("offset_mm", limits::kPositions_mm);
  scenario.part_offset_mm = offset_mm;
  scenario.part_as_drawn = scenario.part;
  const std::string vanishes = oversize(*scenario.part_as_drawn, offset_mm, scenario.part);
  if (!vanishes.empty()) {
    table.fail("offset_mm", fmt::format("is {}, by which {} vanishes; must leave all pieces and "
                                        "elements as they follow each other",
                                        offset_mm, vanishes));
  }
  for (const OutlinePiece& piece : scenario.part.outlines) {
    const std::vector<OutlineFault> faults = outline_faults(piece.outline);
    if (faults.empty()) continue;
    table.fail("offset_mm", fmt::format("is {}, by which in \"{}\" {}; must leave closed chains "
                                        "that do not touch or cross",
                                        offset_mm, piece.name, describe(faults[0])));
  }
}

MassProperties read_mass(const TomlTable& table, const Part& part) {
  constexpr std::string_view kEither =
      "give either mass_kg, center_of_mass_mm and inertia_kg_mm2, or density_kg_mm3 and "
      "thickness_mm";
  const auto given = table.first_present({"mass_kg", "center_of_mass_mm", "inertia_kg_mm2"});
  const auto uniform = table.first_present({"density_kg_mm3", "thickness_mm"});
  table.check_keys();
  if (given.empty() && uniform.empty()) table.fail("mass_kg", fmt::format("missing; {}", kEither));
  if (!given.empty() && !uniform.empty()) {
    table.fail(uniform, fmt::format("does not go with {}; {}", given, kEither));
  }
  if (!uniform.empty()) {
    const double density = table.number("density_kg_mm3", kPositive);
    const MassProperties mass =
        mass_properties(part, density, positive_within(table, "thickness_mm", limits::kLengths_mm));
    if (!limits::kMasses_kg.contains(mass.mass_kg)) {
      table.fail("density_kg_mm3",
                 fmt::format("is {}, which makes a mass of {:.4g} kg; must make {}", density,
                             mass.mass_kg, limits::kMasses_kg.text()));
    }
    return mass;
  }
  MassProperties mass;
  mass.mass_kg = positive_within(table, "mass_kg", limits::kMasses_kg);
  mass.center_of_mass_P_mm = read_vec2(table, "center_of_mass_mm");
  mass.inertia_kg_mm2 = table.number("inertia_kg_mm2", kPositive);
  const double gyration_mm = std::sqrt(mass.inertia_kg_mm2 / mass.mass_kg);
  if (!limits::kLengths_mm.contains(gyration_mm)) {
    table.fail(
        "inertia_kg_mm2",
        fmt::format("is {}, with mass_kg = {} a radius of gyration of {:.4g} mm; must be {}",
                    mass.inertia_kg_mm2, mass.mass_kg, gyration_mm, limits::kLengths_mm.text()));
  }
  return mass;
}

namespace {

constexpr std::string_view kShapeKeys =
    "width_mm, tip_radius_mm, tip_chamfer_mm, step_depth_mm with step_height_mm, or "
    "groove_angle_rad, groove_depth_mm and groove_position_mm";

/// The key of a shape that a table has; "" when it has none. Asks for all of them.
std::string_view shape_key(const TomlTable& table) {
  return table.first_present({"width_mm", "tip_radius_mm", "tip_chamfer_mm", "tip_chamfer_rad",
                              "step_depth_mm", "step_height_mm", "groove_angle_rad",
                              "groove_depth_mm", "groove_position_mm"});
}

/// Reads the keys of a shape; those that belong together must all be there.
FingerShape read_shape(const TomlTable& table) {
  FingerShape shape;
  const auto length = [&](const char* key) { return table.number(key, kFingerLengths); };
  if (table.has("width_mm")) shape.width_mm = length("width_mm");
  if (table.has("tip_radius_mm")) shape.tip_radius_mm = length("tip_radius_mm");
  if (table.has("tip_chamfer_mm")) {
    shape.tip_chamfer_mm = length("tip_chamfer_mm");
    shape.tip_chamfer_rad =
        table.number_or(shape.tip_chamfer_rad, "tip_chamfer_rad", kChamferAngles);
  }
  if (!table.first_present({"step_depth_mm", "step_height_mm"}).empty()) {
    shape.step_depth_mm = length("step_depth_mm");
    shape.step_height_mm = length("step_height_mm");
  }
  if (!table.first_present({"groove_angle_rad", "groove_depth_mm", "groove_position_mm"}).empty()) {
    shape.groove_angle_rad = table.number("groove_angle_rad", kGrooveAngles);
    shape.groove_depth_mm = length("groove_depth_mm");
    shape.groove_position_mm = table.number("groove_position_mm", kGroovePositions);
  }
  return shape;
}

/// Throws unless the features fit: tip and step leave a piece of the finger's width; tip, step and
/// groove follow each other from top to bottom.
void check_features(const TomlTable& table, const FingerShape& shape) {
  if (shape.step_depth_mm >= shape.width_mm) {
    table.fail("step_depth_mm", fmt::format("is {}; must be below the finger's width_mm = {}",
                                            shape.step_depth_mm, shape.width_mm));
  }
  const double room_mm = shape.width_mm - shape.step_depth_mm;
  const double tip_mm = std::max(shape.tip_radius_mm, shape.tip_chamfer_mm);
  if (tip_mm > room_mm) {
    table.fail(
        shape.tip_radius_mm > 0.0 ? "tip_radius_mm" : "tip_chamfer_mm",
        fmt::format("is {}; must be at most {}, the width of the fingertip", tip_mm, room_mm));
  }
  if (shape.groove_depth_mm >= shape.width_mm) {
    table.fail("groove_depth_mm", fmt::format("is {}; must be below the finger's width_mm = {}",
                                              shape.groove_depth_mm, shape.width_mm));
  }
  const double height_mm = shape.tip_height_mm();
  if (height_mm > kMostFinger_mm) {
    table.fail("tip_chamfer_rad", fmt::format("is {}: the chamfer would be {} mm high; must be "
                                              "larger",
                                              shape.tip_chamfer_rad, height_mm));
  }
  if (shape.step_depth_mm > 0.0 && height_mm > shape.step_height_mm) {
    table.fail(
        "step_height_mm",
        fmt::format("is {}; must be at least {}, the height of the tip's {}", shape.step_height_mm,
                    height_mm, shape.tip_radius_mm > 0.0 ? "arc" : "chamfer"));
  }
  const double inside_mm = shape.step_depth_mm > 0.0 ? -shape.step_height_mm : -height_mm;
  const double mouth_mm = shape.groove_position_mm + shape.groove_half_height_mm();
  if (shape.groove_depth_mm > 0.0 && mouth_mm > inside_mm) {
    table.fail("groove_position_mm",
               fmt::format("is {}: the groove reaches up to y = {}; must be at most {}, so that it "
                           "begins at y = {} or below, where the inside edge does",
                           shape.groove_position_mm, mouth_mm,
                           inside_mm - shape.groove_half_height_mm(), inside_mm));
  }
}

FingerShape read_checked_shape(const TomlTable& table) {
  const FingerShape shape = read_shape(table);
  if (shape.tip_radius_mm > 0.0 && shape.tip_chamfer_mm > 0.0) {
    table.fail("tip_chamfer_mm", "does not go with tip_radius_mm; give one of them");
  }
  check_features(table, shape);
  return shape;
}

/// A finger's outline in its frame: as it is drawn there, or a shape, which is that of a right
/// finger and mirrored for the left one.
Outline read_finger(const TomlTable& table, const std::filesystem::path& folder, bool is_left,
                    std::optional<FingerShape>& shape) {
  const std::string_view drawn = outline_key(table);
  const std::string_view shaped = shape_key(table);
  table.check_keys();
  if (drawn.empty() && shaped.empty()) {
    table.fail("outline_mm",
               fmt::format("missing; give outline_mm, file, or a shape by {}", kShapeKeys));
  }
  if (!drawn.empty() && !shaped.empty()) {
    table.fail(shaped, fmt::format("does not go with {}; give one of outline_mm, file, or a shape "
                                   "by {}",
                                   drawn, kShapeKeys));
  }
  if (!drawn.empty()) return read_table_outline(table, folder);
  shape = read_checked_shape(table);
  return is_left ? mirrored(finger_outline(*shape)) : finger_outline(*shape);
}

Outline read_palm(const TomlTable& table, const std::filesystem::path& folder) {
  const std::string_view drawn = outline_key(table);
  table.check_keys();
  if (drawn.empty()) table.fail("outline_mm", "missing; give outline_mm or file");
  return read_table_outline(table, folder);
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

void read_fingers(const TomlTable& gripper_table, const std::filesystem::path& folder,
                  DrawnScenario& scenario) {
  Gripper& gripper = scenario.gripper;
  const bool has_left = gripper_table.has("left_finger");
  if (gripper_table.has("finger")) {
    gripper.right_finger =
        read_finger(gripper_table.table("finger"), folder, false, scenario.right_shape);
    scenario.same_fingers = !has_left;
    gripper.left_finger = has_left ? read_finger(gripper_table.table("left_finger"), folder, true,
                                                 scenario.left_shape)
                                   : mirrored(*gripper.right_finger);
  } else if (has_left) {
    gripper_table.fail("finger", "missing; must be given with left_finger, for the right one");
  }
  if (gripper_table.has("palm")) gripper.palm = read_palm(gripper_table.table("palm"), folder);
}

void check_fingers_apart(const TomlTable& gripper_table, const Gripper& gripper,
                         double closed_opening_mm) {
  if (!gripper.right_finger) return;
  const double reach_mm =
      reach_to_left_mm(*gripper.right_finger) + reach_to_left_mm(mirrored(*gripper.left_finger));
  if (reach_mm <= closed_opening_mm) return;
  gripper_table.fail(
      "finger",
      fmt::format("the fingers reach {} mm beyond their frames towards each other; must be at most "
                  "stop.closed_opening_mm = {}, at which the jaws count as closed",
                  reach_mm, closed_opening_mm));
}

}  // namespace graspmap
