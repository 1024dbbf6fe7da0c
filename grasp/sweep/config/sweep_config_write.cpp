#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "grasp/sweep/config/distribution_words.hpp"
#include "grasp/sweep/config/scenario_write.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/config/toml_lines.hpp"

namespace graspmap {
namespace {

std::string list_value(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + toml_value(number);
  return "[" + text + "]";
}

/// The keys of a distribution besides its bounds.
std::string center_keys(const Distribution& d) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return fmt::format(", value = {}", toml_value(d.mean));
    case DistributionKind::kUniform:
      return "";
    case DistributionKind::kNormal:
    case DistributionKind::kTruncatedNormal:
    case DistributionKind::kLognormal: {
      const std::string lot =
          d.lot_sigma > 0 ? fmt::format(", lot_sigma = {}", toml_value(d.lot_sigma)) : "";
      return fmt::format(", mean = {}, sigma = {}{}", toml_value(d.mean), toml_value(d.sigma), lot);
    }
    case DistributionKind::kTriangular:
      return fmt::format(", mode = {}", toml_value(d.mode));
    case DistributionKind::kDiscrete:
      return fmt::format(", values = {}, weights = {}", list_value(d.values),
                         list_value(d.weights));
    case DistributionKind::kHistogram:
      return fmt::format(", edges = {}, counts = {}", list_value(d.values), list_value(d.weights));
  }
  return "";
}

std::string law_value(const Distribution& d) {
  std::string text = fmt::format("{{ distribution = \"{}\"{}", word(d.kind), center_keys(d));
  const bool is_listed =
      d.kind == DistributionKind::kDiscrete || d.kind == DistributionKind::kHistogram;
  if (!is_listed && std::isfinite(d.min)) text += fmt::format(", min = {}", toml_value(d.min));
  if (!is_listed && std::isfinite(d.max)) text += fmt::format(", max = {}", toml_value(d.max));
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
    std::vector<std::string> keys;
    for (const std::string& key : inputs.keys) keys.push_back(toml_value(key));
    std::vector<std::string> rows;
    for (const auto& row : inputs.correlation.rowwise()) {
      rows.push_back(list_value({row.begin(), row.end()}));
    }
    text += toml_table("[[correlated]]", {{"keys", fmt::format("[{}]", fmt::join(keys, ", "))},
                                          {"matrix", fmt::format("[{}]", fmt::join(rows, ", "))}});
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
  std::vector<std::string> names;
  for (const TouchTarget& target : targets) names.push_back(toml_value(target.name));
  return fmt::format("[{}]", fmt::join(names, ", "));
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

std::string success_tables(const std::vector<SuccessAlternative>& success) {
  std::string text;
  for (const SuccessAlternative& alternative : success) text += success_table(alternative);
  return text;
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

std::string to_toml(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  return toml_lines({{"name", toml_value(config.name)}}) + part_tables(scenario) +
         gripper_tables(scenario.gripper, has_uncertain_fingers(config)) +
         support_table(scenario.support) + friction_table(config) + uncertain_table(config) +
         correlated_tables(config.correlated) + placement_tables(config.placement) +
         success_tables(config.success) + stop_table(scenario.stop) + simulation_table(scenario) +
         sweep_tables(config) + summary_table(config);
}

}  // namespace graspmap
