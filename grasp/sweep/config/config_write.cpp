#include "grasp/sweep/config/config_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grasp/sweep/config/laws.hpp"
#include "grasp/sweep/config/outline_toml.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "sim/closing/grasp_stepper.hpp"

namespace graspmap {

std::string toml_value(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_value(const Vec2& v) {
  return fmt::format("[{}, {}]", toml_value(v.x()), toml_value(v.y()));
}

std::string toml_value(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string toml_lines(const std::vector<TomlLine>& keys) {
  std::string text;
  for (const auto& [key, value] : keys) text += fmt::format("{} = {}\n", key, value);
  return text;
}

std::string toml_table(std::string_view header, const std::vector<TomlLine>& keys) {
  return fmt::format("\n{}\n{}", header, toml_lines(keys));
}

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

/// The features that a shape has.
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
std::string shaped_finger_tables(const DrawnScenario& scenario) {
  const auto lines = [](const std::optional<FingerShape>& shape, const Outline& outline) {
    return shape ? shape_lines(*shape) : outline_lines(outline);
  };
  const Gripper& gripper = scenario.gripper;
  const std::string finger =
      toml_table("[gripper.finger]", lines(scenario.right_shape, *gripper.right_finger));
  if (scenario.same_fingers) return finger;
  return finger +
         toml_table("[gripper.left_finger]", lines(scenario.left_shape, *gripper.left_finger));
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

/// A list of numbers or texts.
template <typename Values>
std::string toml_list(const Values& values) {
  return toml_list(values, [](const auto& value) { return toml_value(value); });
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
  const auto row = [&](int k) { return toml_list(std::array{A(k, 0), A(k, 1), A(k, 2)}); };
  return {{"model", toml_value("part-ellipsoid")},
          {"length_mm", toml_value(support.length_mm)},
          {"matrix", toml_list(std::array{0, 1, 2}, row)}};
}

std::vector<TomlLine> support_keys(const FourthOrderSupport& support) {
  return {{"model", toml_value("fourth-order")},
          {"length_mm", toml_value(support.length_mm)},
          {"coefficients", toml_list(support.coefficients)}};
}

std::string part_tables(const DrawnScenario& scenario) {
  std::vector<TomlLine> lines = {
      {"mass_kg", toml_value(scenario.mass.mass_kg)},
      {"center_of_mass_mm", toml_value(scenario.mass.center_of_mass_P_mm)},
      {"inertia_kg_mm2", toml_value(scenario.mass.inertia_kg_mm2)}};
  if (scenario.part_as_drawn) {
    lines.emplace_back("offset_mm", toml_value(scenario.part_offset_mm));
  }
  std::string text = toml_table("[part]", lines);
  for (const Piece& piece : scenario.drawn_part().pieces) text += piece_table(piece);
  for (const OutlinePiece& piece : scenario.drawn_part().outlines) text += piece_table(piece);
  return text;
}

/// `by_shape`: fingers that have a shape are written by its numbers, else all by their outlines.
std::string gripper_tables(const DrawnScenario& scenario, bool by_shape) {
  const Gripper& gripper = scenario.gripper;
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
    text += by_shape ? shaped_finger_tables(scenario)
                     : finger_tables(*gripper.right_finger, *gripper.left_finger);
  }
  if (gripper.palm) text += toml_table("[gripper.palm]", outline_lines(*gripper.palm));
  return text;
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
  if (scenario.other_stepper) {
    for (auto& [key, value] : scenario.other_stepper->settings()) keys.emplace_back(key, value);
  }
  return toml_table("[simulation]", keys);
}

/// Without bounds that do not exist, and without lots where nothing has any.
std::string law_value(const Distribution& distribution) {
  std::string text = fmt::format("{{ distribution = \"{}\"", distribution.word());
  distribution.each_number([&](const char* key, double number, NumberRole role) {
    if (!std::isfinite(number) || (role == NumberRole::kLotWidth && number == 0)) return;
    text += fmt::format(", {} = {}", key, toml_value(number));
  });
  distribution.each_list(
      [&](const char* key, const std::vector<double>& list, NumberRole /*role*/) {
        text += fmt::format(", {} = {}", key, toml_list(list));
      });
  return text + " }";
}

std::string friction_table(const SweepConfig& config) {
  std::vector<TomlLine> lines = {{"jaw", law_value(config.mu_jaw)},
                                 {"support", law_value(config.mu_support)}};
  const Gripper& gripper = config.scenario.gripper;
  if (gripper.mu_right >= 0.0) lines.emplace_back("right_jaw", toml_value(gripper.mu_right));
  if (gripper.mu_left >= 0.0) lines.emplace_back("left_jaw", toml_value(gripper.mu_left));
  return toml_table("[friction]", lines);
}

/// Only where there are uncertain numbers, so that other configurations read as they always did.
std::string uncertain_table(const SweepConfig& config) {
  if (config.uncertain.empty()) return "";
  std::vector<TomlLine> lines;
  for (const UncertainNumber& number : config.uncertain) {
    lines.emplace_back(toml_value(number.key), law_value(number.law));
  }
  return toml_table("[uncertain]", lines);
}

std::string correlated_tables(const std::vector<CorrelatedInputs>& correlated) {
  std::string text;
  for (const CorrelatedInputs& inputs : correlated) {
    const auto row_text = [](const auto& row) { return toml_list(row); };
    text += toml_table("[[correlated]]",
                       {{"keys", toml_list(inputs.keys)},
                        {"matrix", toml_list(inputs.correlation.rowwise(), row_text)}});
  }
  return text;
}

bool has_uncertain_fingers(const SweepConfig& config) {
  return std::any_of(
      config.uncertain.begin(), config.uncertain.end(),
      [](const UncertainNumber& number) { return number.number.shapes() == ShapesOf::kFingers; });
}

std::string axis_keys(const std::string& name, const Axis& axis) {
  return toml_lines({{name + "_min_mm", toml_value(axis.min)},
                     {name + "_max_mm", toml_value(axis.max)},
                     {name + "_cells", std::to_string(axis.cells)}});
}

std::string angle_keys(const Axis& axis) {
  if (axis.is_fixed()) return toml_lines({{"theta_rad", toml_value(axis.min)}});
  return toml_lines({{"theta_min_rad", toml_value(axis.min)},
                     {"theta_max_rad", toml_value(axis.max)},
                     {"theta_cells", std::to_string(axis.cells)}});
}

std::string placement_tables(const PlacementSweep& placement) {
  return toml_table("[placement]", {}) + axis_keys("x", placement.x_mm) +
         axis_keys("y", placement.y_mm) + angle_keys(placement.theta_rad) +
         toml_table("[placement.noise]", {{"x_mm", law_value(placement.noise_x_mm)},
                                          {"y_mm", law_value(placement.noise_y_mm)},
                                          {"theta_rad", law_value(placement.noise_theta_rad)}});
}

std::string touched_value(const std::vector<TouchTarget>& targets) {
  return toml_list(targets, [](const TouchTarget& target) { return toml_value(target.name); });
}

/// The keys besides left and right only where they are not the default, so that such configurations
/// read as they always did.
std::string success_table(const SuccessAlternative& rule) {
  std::vector<TomlLine> lines = {{"left", touched_value(rule.left)},
                                 {"right", touched_value(rule.right)}};
  const auto add_window = [&](const char* key, const std::optional<Window>& window) {
    if (window) lines.emplace_back(key, toml_value(Vec2(window->min, window->max)));
  };
  if (!rule.palm.empty()) lines.emplace_back("palm", touched_value(rule.palm));
  add_window("x_mm", rule.x_mm);
  add_window("y_mm", rule.y_mm);
  add_window("theta_rad", rule.theta_rad);
  if (rule.theta_rad) lines.emplace_back("theta_period_rad", toml_value(rule.theta_period_rad));
  add_window("opening_mm", rule.opening_mm);
  if (rule.at_rest) lines.emplace_back("at_rest", "true");
  return toml_table("[[success]]", lines);
}

std::string adaptive_table(const AdaptiveSampling& adaptive) {
  const char* goal = kAdaptiveGoalWords[static_cast<std::size_t>(adaptive.goal)];
  return toml_table("[sweep.adaptive]",
                    {{"first_trials", std::to_string(adaptive.first_trials)},
                     {"round_trials", std::to_string(adaptive.round_trials)},
                     {"most_trials", std::to_string(adaptive.most_trials)},
                     {"goal", toml_value(goal)},
                     {"sweet_spot_within_mm", toml_value(adaptive.sweet_spot_within_mm)},
                     {"confidence", toml_value(adaptive.confidence)},
                     {"interval_width", toml_value(adaptive.interval_width)}});
}

std::string sweep_tables(const SweepConfig& config) {
  const std::string sweep =
      toml_table("[sweep]", {{"trials_per_cell", std::to_string(config.trials_per_cell)},
                             {"seed", std::to_string(config.seed)},
                             {"sampling", toml_value(config.adaptive ? "adaptive" : "uniform")}});
  return config.adaptive ? sweep + adaptive_table(*config.adaptive) : sweep;
}

std::string summary_table(const SweepConfig& config) {
  return toml_table("[summary]",
                    {{"sweet_spot_half_width_mm", toml_value(config.sweet_spot_half_width_mm)},
                     {"plateau_probability", toml_value(config.plateau_probability)}});
}

}  // namespace

std::string support_table(const SupportModel& support) {
  return std::visit([](const auto& model) { return toml_table("[support]", support_keys(model)); },
                    support);
}

std::string to_toml(const SweepConfig& config) {
  const DrawnScenario& scenario = config.scenario;
  std::string success;
  for (const SuccessAlternative& rule : config.success) success += success_table(rule);
  return toml_lines({{"name", toml_value(config.name)}}) + part_tables(scenario) +
         gripper_tables(scenario, has_uncertain_fingers(config)) + support_table(scenario.support) +
         friction_table(config) + uncertain_table(config) + correlated_tables(config.correlated) +
         placement_tables(config.placement) + success + stop_table(scenario.stop) +
         simulation_table(scenario) + sweep_tables(config) + summary_table(config);
}

}  // namespace graspmap
