#include "grasp/sweep/config/finger_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "geometry/finger_shape.hpp"
#include "geometry/outline_boundary.hpp"
#include "grasp/sweep/config/outline_reader.hpp"

namespace graspmap {
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

/// Throws unless tip and step leave a piece of the finger's width.
void check_width(const TomlTable& table, const FingerShape& shape) {
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
}

/// Throws unless tip, step and groove follow each other from top to bottom.
void check_heights(const TomlTable& table, const FingerShape& shape) {
  const double tip_mm = shape.tip_height_mm();
  if (tip_mm > kMostFinger_mm) {
    table.fail("tip_chamfer_rad", fmt::format("is {}: the chamfer would be {} mm high; must be "
                                              "larger",
                                              shape.tip_chamfer_rad, tip_mm));
  }
  if (shape.step_depth_mm > 0.0 && tip_mm > shape.step_height_mm) {
    table.fail(
        "step_height_mm",
        fmt::format("is {}; must be at least {}, the height of the tip's {}", shape.step_height_mm,
                    tip_mm, shape.tip_radius_mm > 0.0 ? "arc" : "chamfer"));
  }
  const double inside_mm = shape.step_depth_mm > 0.0 ? -shape.step_height_mm : -tip_mm;
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
  check_width(table, shape);
  check_heights(table, shape);
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
                  Gripper& gripper) {
  const bool has_left = gripper_table.has("left_finger");
  if (gripper_table.has("finger")) {
    gripper.right_finger =
        read_finger(gripper_table.table("finger"), folder, false, gripper.right_shape);
    gripper.same_fingers = !has_left;
    gripper.left_finger =
        has_left ? read_finger(gripper_table.table("left_finger"), folder, true, gripper.left_shape)
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
