#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "grasp/config/sweep_config.hpp"

namespace graspmap {
namespace {

/// A TOML float: the shortest digits that read back as the same double.
std::string toml(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml(const Vec2& v) { return fmt::format("[{}, {}]", toml(v.x()), toml(v.y())); }

const char* kind_word(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::kFixed:
      return "fixed";
    case DistributionKind::kUniform:
      return "uniform";
    case DistributionKind::kNormal:
      return "normal";
    case DistributionKind::kTruncatedNormal:
      return "truncated_normal";
  }
  return "";
}

/// The keys of a distribution's value and spread, those of its bounds left out.
std::string center_keys(const Distribution& d) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return fmt::format(", value = {}", toml(d.mean));
    case DistributionKind::kUniform:
      return "";
    case DistributionKind::kNormal:
    case DistributionKind::kTruncatedNormal:
      return fmt::format(", mean = {}, sigma = {}", toml(d.mean), toml(d.sigma));
  }
  return "";
}

std::string toml(const Distribution& d) {
  std::string text = fmt::format("{{ distribution = \"{}\"{}", kind_word(d.kind), center_keys(d));
  if (std::isfinite(d.min)) text += fmt::format(", min = {}", toml(d.min));
  if (std::isfinite(d.max)) text += fmt::format(", max = {}", toml(d.max));
  return text + " }";
}

std::string text_value(std::string_view text) { return fmt::format("\"{}\"", text); }

/// A key and its value as TOML.
using KeyValue = std::pair<std::string, std::string>;

std::string key_lines(const std::vector<KeyValue>& keys) {
  std::string text;
  for (const auto& [key, value] : keys) text += fmt::format("{} = {}\n", key, value);
  return text;
}

/// A table after an empty line; `header` is "[name]".
std::string table(std::string_view header, const std::vector<KeyValue>& keys) {
  return fmt::format("\n{}\n{}", header, key_lines(keys));
}

std::string part_tables(const Scenario& scenario) {
  std::string text =
      table("[part]", {{"mass_kg", toml(scenario.mass.mass_kg)},
                       {"center_of_mass_mm", toml(scenario.mass.center_of_mass_P_mm)},
                       {"inertia_kg_mm2", toml(scenario.mass.inertia_kg_mm2)}});
  for (const Piece& piece : scenario.part.pieces) {
    text +=
        table("[[part.piece]]", {{"name", text_value(piece.name)},
                                 {"center_mm", toml(piece.pose.position_mm)},
                                 {"angle_rad", toml(piece.pose.angle_rad)},
                                 {"semi_axes_mm", toml(Vec2(piece.shape.a_mm, piece.shape.b_mm))},
                                 {"exponent", toml(piece.shape.exponent)}});
  }
  return text;
}

std::string gripper_table(const Gripper& gripper) {
  const bool is_symmetric = gripper.coupling == Coupling::kSymmetric;
  return table("[gripper]", {{"jaw_mass_kg", toml(gripper.jaw_mass_kg)},
                             {"closing_force_n", toml(gripper.closing_force_n)},
                             {"closing_speed_mm_s", toml(gripper.closing_speed_mm_s)},
                             {"opening_mm", toml(gripper.opening_mm)},
                             {"coupling", text_value(is_symmetric ? "symmetric" : "independent")}});
}

std::vector<KeyValue> support_keys(const EllipsoidSupport& support) {
  return {{"model", text_value("ellipsoid")},
          {"e_t", toml(support.e_t)},
          {"e_o", toml(support.e_o)},
          {"e_r_mm", toml(support.e_r_mm)}};
}

std::vector<KeyValue> support_keys(const TripodSupport& support) {
  const auto& [first, second, third] = support.angles_rad;
  return {{"model", text_value("tripod")},
          {"radius_mm", toml(support.radius_mm)},
          {"angles_rad", fmt::format("[{}, {}, {}]", toml(first), toml(second), toml(third))}};
}

std::string support_table(const SupportModel& support) {
  return std::visit([](const auto& model) { return table("[support]", support_keys(model)); },
                    support);
}

std::string friction_table(const SweepConfig& config) {
  return table("[friction]", {{"jaw", toml(config.mu_jaw)}, {"support", toml(config.mu_support)}});
}

std::string axis_keys(const std::string& name, const Axis& axis) {
  return key_lines({{name + "_min_mm", toml(axis.min)},
                    {name + "_max_mm", toml(axis.max)},
                    {name + "_cells", std::to_string(axis.cells)}});
}

std::string angle_keys(const Axis& axis) {
  if (axis.is_fixed()) return key_lines({{"theta_rad", toml(axis.min)}});
  return key_lines({{"theta_min_rad", toml(axis.min)},
                    {"theta_max_rad", toml(axis.max)},
                    {"theta_cells", std::to_string(axis.cells)}});
}

std::string placement_tables(const PlacementSweep& placement) {
  return table("[placement]", {}) + axis_keys("x", placement.x_mm) +
         axis_keys("y", placement.y_mm) + angle_keys(placement.theta_rad) +
         table("[placement.noise]", {{"x_mm", toml(placement.noise_x_mm)},
                                     {"y_mm", toml(placement.noise_y_mm)},
                                     {"theta_rad", toml(placement.noise_theta_rad)}});
}

std::string toml_names(const std::vector<int>& pieces, const Part& part) {
  std::vector<std::string> names;
  for (const int i : pieces)
    names.push_back('"' + part.pieces[static_cast<std::size_t>(i)].name + '"');
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string success_tables(const SweepConfig& config) {
  std::string text;
  for (const SuccessAlternative& alternative : config.success) {
    text += table("[[success]]", {{"left", toml_names(alternative.left, config.scenario.part)},
                                  {"right", toml_names(alternative.right, config.scenario.part)}});
  }
  return text;
}

std::string stop_table(const StopRule& stop) {
  return table("[stop]", {{"stopped_speed_mm_s", toml(stop.stopped_speed_mm_s)},
                          {"stopped_time_s", toml(stop.stopped_time_s)},
                          {"closed_opening_mm", toml(stop.closed_opening_mm)},
                          {"timeout_s", toml(stop.timeout_s)},
                          {"contact_gap_mm", toml(stop.contact_gap_mm)}});
}

/// The stepper's keys only where they are not the default, so that such configurations read as they
/// always did.
std::string simulation_table(const Scenario& scenario) {
  std::vector<KeyValue> keys = {{"step_s", toml(scenario.step_s)},
                                {"gravity_mm_s2", toml(scenario.gravity_mm_s2)}};
  if (scenario.tolerance_mm > 0.0) {
    keys.emplace_back("tolerance_mm", toml(scenario.tolerance_mm));
  }
  if (scenario.stepper != StepperKind::kImplicit) {
    keys.emplace_back("stepper", text_value(name(scenario.stepper)));
  }
  if (scenario.polygon_vertices > 0) {
    keys.emplace_back("polygon_vertices", std::to_string(scenario.polygon_vertices));
  }
  return table("[simulation]", keys);
}

std::string adaptive_table(const AdaptiveSampling& adaptive) {
  const char* goal = kAdaptiveGoalWords[static_cast<std::size_t>(adaptive.goal)];
  return table("[sweep.adaptive]", {{"first_trials", std::to_string(adaptive.first_trials)},
                                    {"round_trials", std::to_string(adaptive.round_trials)},
                                    {"most_trials", std::to_string(adaptive.most_trials)},
                                    {"goal", text_value(goal)},
                                    {"sweet_spot_within_mm", toml(adaptive.sweet_spot_within_mm)},
                                    {"confidence", toml(adaptive.confidence)},
                                    {"interval_width", toml(adaptive.interval_width)}});
}

std::string sweep_tables(const SweepConfig& config) {
  const std::string sweep =
      table("[sweep]", {{"trials_per_cell", std::to_string(config.trials_per_cell)},
                        {"seed", std::to_string(config.seed)},
                        {"sampling", text_value(config.adaptive ? "adaptive" : "uniform")}});
  return config.adaptive ? sweep + adaptive_table(*config.adaptive) : sweep;
}

std::string summary_table(const SweepConfig& config) {
  return table("[summary]", {{"sweet_spot_half_width_mm", toml(config.sweet_spot_half_width_mm)},
                             {"plateau_probability", toml(config.plateau_probability)}});
}

}  // namespace

std::string to_toml(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  return key_lines({{"name", text_value(config.name)}}) + part_tables(scenario) +
         gripper_table(scenario.gripper) + support_table(scenario.support) +
         friction_table(config) + placement_tables(config.placement) + success_tables(config) +
         stop_table(scenario.stop) + simulation_table(scenario) + sweep_tables(config) +
         summary_table(config);
}

}  // namespace graspmap
