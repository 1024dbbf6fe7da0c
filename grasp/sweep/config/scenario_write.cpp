#include "grasp/sweep/config/scenario_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

#include "grasp/sweep/config/outline_write.hpp"
#include "grasp/sweep/config/toml_lines.hpp"

namespace graspmap {
namespace {

/// What pieces of all kinds have in common. The factor only where it is not 1, so that other
/// configurations read as they always did.
template <typename AnyPiece>
std::vector<TomlLine> piece_lines(const AnyPiece& piece) {
  std::vector<TomlLine> lines = {{"name", toml_value(piece.name)},
                                 {"center_mm", toml_value(piece.pose.position_mm)},
                                 {"angle_rad", toml_value(piece.pose.angle_rad)}};
  if (piece.friction_factor != 1.0) {
    lines.emplace_back("friction_factor", toml_value(piece.friction_factor));
  }
  return lines;
}

std::string piece_table(const Piece& piece) {
  std::vector<TomlLine> lines = piece_lines(piece);
  lines.emplace_back("semi_axes_mm", toml_value(Vec2(piece.shape.a_mm, piece.shape.b_mm)));
  lines.emplace_back("exponent", toml_value(piece.shape.exponent));
  return toml_table("[[part.piece]]", lines);
}

std::string piece_table(const OutlinePiece& piece) {
  return toml_table("[[part.piece]]", piece_lines(piece)) +
         toml_lines(outline_lines(piece.outline));
}

/// A shape's features that there are.
std::vector<TomlLine> shape_lines(const FingerShape& shape) {
  std::vector<TomlLine> lines = {{"width_mm", toml_value(shape.width_mm)}};
  const auto add = [&](const char* key, double value) {
    lines.emplace_back(key, toml_value(value));
  };
  if (shape.tip_radius_mm > 0.0) add("tip_radius_mm", shape.tip_radius_mm);
  if (shape.tip_chamfer_mm > 0.0) {
    add("tip_chamfer_mm", shape.tip_chamfer_mm);
    add("tip_chamfer_rad", shape.tip_chamfer_rad);
  }
  if (shape.step_depth_mm > 0.0) {
    add("step_depth_mm", shape.step_depth_mm);
    add("step_height_mm", shape.step_height_mm);
  }
  if (shape.groove_depth_mm > 0.0) {
    add("groove_angle_rad", shape.groove_angle_rad);
    add("groove_depth_mm", shape.groove_depth_mm);
    add("groove_position_mm", shape.groove_position_mm);
  }
  return lines;
}

/// [gripper.finger] and [gripper.left_finger], those that have a shape by its numbers.
std::string shaped_finger_tables(const Gripper& gripper) {
  const auto lines = [](const std::optional<FingerShape>& shape, const Outline& outline) {
    return shape ? shape_lines(*shape) : outline_lines(outline);
  };
  const std::string finger =
      toml_table("[gripper.finger]", lines(gripper.right_shape, *gripper.right_finger));
  if (gripper.same_fingers) return finger;
  return finger +
         toml_table("[gripper.left_finger]", lines(gripper.left_shape, *gripper.left_finger));
}

/// [gripper.finger], and [gripper.left_finger] where it is not the mirror image.
std::string finger_tables(const Outline& right, const Outline& left) {
  const std::vector<TomlLine> lines = outline_lines(left);
  const std::string finger = toml_table("[gripper.finger]", outline_lines(right));
  if (lines == outline_lines(mirrored(right))) return finger;
  return finger + toml_table("[gripper.left_finger]", lines);
}

std::vector<TomlLine> support_keys(const EllipsoidSupport& support) {
  return {{"model", toml_value("ellipsoid")},
          {"e_t", toml_value(support.e_t)},
          {"e_o", toml_value(support.e_o)},
          {"e_r_mm", toml_value(support.e_r_mm)}};
}

std::vector<TomlLine> support_keys(const TripodSupport& support) {
  const auto& [first, second, third] = support.angles_rad;
  return {{"model", toml_value("tripod")},
          {"radius_mm", toml_value(support.radius_mm)},
          {"angles_rad",
           fmt::format("[{}, {}, {}]", toml_value(first), toml_value(second), toml_value(third))}};
}

/// A list of what `text` makes of each value.
template <typename Values, typename Text>
std::string toml_list(const Values& values, const Text& text) {
  std::string list;
  for (const auto& value : values) list += (list.empty() ? "" : ", ") + text(value);
  return "[" + list + "]";
}

std::vector<TomlLine> support_keys(const PointsSupport& support) {
  const auto list = [&](const auto& of_point) {
    return toml_list(support.points,
                     [&](const SupportPoint& point) { return toml_value(of_point(point)); });
  };
  std::vector<TomlLine> keys = {
      {"model", toml_value("points")},
      {"points_mm", list([](const SupportPoint& point) { return point.point_P_mm; })},
      {"load_shares", list([](const SupportPoint& point) { return point.load_share; })}};
  const auto has_factor = [](const SupportPoint& point) { return point.friction_factor != 1.0; };
  if (std::any_of(support.points.begin(), support.points.end(), has_factor)) {
    keys.emplace_back("friction_factors",
                      list([](const SupportPoint& point) { return point.friction_factor; }));
  }
  return keys;
}

std::vector<TomlLine> support_keys(const PartEllipsoidSupport& support) {
  const Eigen::Matrix3d& A = support.matrix;
  const auto number = [](double value) { return toml_value(value); };
  const auto row = [&](int k) { return toml_list(std::array{A(k, 0), A(k, 1), A(k, 2)}, number); };
  return {{"model", toml_value("part-ellipsoid")},
          {"length_mm", toml_value(support.length_mm)},
          {"matrix", toml_list(std::array{0, 1, 2}, row)}};
}

std::vector<TomlLine> support_keys(const FourthOrderSupport& support) {
  const auto number = [](double value) { return toml_value(value); };
  return {{"model", toml_value("fourth-order")},
          {"length_mm", toml_value(support.length_mm)},
          {"coefficients", toml_list(support.coefficients, number)}};
}

}  // namespace

std::string part_tables(const Scenario& scenario) {
  std::vector<TomlLine> lines = {
      {"mass_kg", toml_value(scenario.mass.mass_kg)},
      {"center_of_mass_mm", toml_value(scenario.mass.center_of_mass_P_mm)},
      {"inertia_kg_mm2", toml_value(scenario.mass.inertia_kg_mm2)}};
  if (scenario.part_as_drawn) {
    lines.emplace_back("offset_mm", toml_value(scenario.part_offset_mm));
  }
  std::string text = toml_table("[part]", lines);
  const Part& part = drawn_part(scenario);
  for (const Piece& piece : part.pieces) text += piece_table(piece);
  for (const OutlinePiece& piece : part.outlines) text += piece_table(piece);
  return text;
}

std::string gripper_tables(const Gripper& gripper, bool by_shape) {
  const bool is_symmetric = gripper.coupling == Coupling::kSymmetric;
  std::vector<TomlLine> lines = {
      {"jaw_mass_kg", toml_value(gripper.jaw_mass_kg)},
      {"closing_force_n", toml_value(gripper.closing_force_n)},
      {"closing_speed_mm_s", toml_value(gripper.closing_speed_mm_s)},
      {"opening_mm", toml_value(gripper.opening_mm)},
      {"coupling", toml_value(is_symmetric ? "symmetric" : "independent")}};
  if (gripper.offset_mm != Vec2::Zero()) {
    lines.emplace_back("offset_mm", toml_value(gripper.offset_mm));
  }
  std::string text = toml_table("[gripper]", lines);
  if (gripper.right_finger) {
    text += by_shape ? shaped_finger_tables(gripper)
                     : finger_tables(*gripper.right_finger, *gripper.left_finger);
  }
  if (gripper.palm) text += toml_table("[gripper.palm]", outline_lines(*gripper.palm));
  return text;
}

std::string support_table(const SupportModel& support) {
  return std::visit([](const auto& model) { return toml_table("[support]", support_keys(model)); },
                    support);
}

std::string stop_table(const StopRule& stop) {
  return toml_table("[stop]", {{"stopped_speed_mm_s", toml_value(stop.stopped_speed_mm_s)},
                               {"stopped_time_s", toml_value(stop.stopped_time_s)},
                               {"closed_opening_mm", toml_value(stop.closed_opening_mm)},
                               {"timeout_s", toml_value(stop.timeout_s)},
                               {"contact_gap_mm", toml_value(stop.contact_gap_mm)}});
}

/// The order of steps always, since what is the default depends on other keys. The stepper's keys
/// only where they are not the default, so that such configurations read as they always did.
std::string simulation_table(const Scenario& scenario) {
  std::vector<TomlLine> keys = {{"order", std::to_string(scenario.order)},
                                {"step_s", toml_value(scenario.step_s)},
                                {"gravity_mm_s2", toml_value(scenario.gravity_mm_s2)}};
  if (scenario.tolerance_mm > 0.0) {
    keys.emplace_back("tolerance_mm", toml_value(scenario.tolerance_mm));
  }
  if (scenario.stepper != StepperKind::kImplicit) {
    keys.emplace_back("stepper", toml_value(name(scenario.stepper)));
  }
  if (scenario.polygon_vertices > 0) {
    keys.emplace_back("polygon_vertices", std::to_string(scenario.polygon_vertices));
  }
  return toml_table("[simulation]", keys);
}

}  // namespace graspmap
