#include "grasp/sweep/config/config_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grasp/sweep/config/config_keys.hpp"
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

/// A list of lists of numbers.
template <typename Rows>
std::string toml_rows(const Rows& rows) {
  return toml_list(rows, [](const auto& row) { return toml_list(row); });
}

std::string distribution_value(const Distribution& d);

/// Writes the rows of a table (config_keys.hpp).
class KeyWriter {
 public:
  void operator()(const KeyRow& row, const double& value) {
    if (row.extras.hidden != value) add(row, toml_value(value));
  }
  void operator()(const KeyRow& row, const double& a, const double& b) {
    if (row.extras.hidden != a || row.extras.hidden != b) add(row, toml_value(Vec2(a, b)));
  }
  void operator()(const KeyRow& row, const Vec2& v) { (*this)(row, v.x(), v.y()); }
  template <std::integral Number>
  void operator()(const KeyRow& row, const Number& value) {
    add(row, std::to_string(value));
  }
  void operator()(const KeyRow& row, const bool& truth) { add(row, truth ? "true" : "false"); }
  void operator()(const KeyRow& row, const std::string& text) { add(row, toml_value(text)); }
  void operator()(const KeyRow& row, const std::vector<std::string>& texts) {
    if (!texts.empty()) add(row, toml_list(texts));
  }
  void operator()(const KeyRow& row, const std::vector<TouchTarget>& targets) {
    add(row, toml_list(targets, [](const TouchTarget& t) { return toml_value(t.name); }));
  }
  void operator()(const KeyRow& row, const std::optional<Window>& window) {
    if (window) add(row, toml_value(Vec2(window->min, window->max)));
  }
  template <typename T>
  void operator()(const KeyRow& row, const std::optional<T>& value) {
    if (value) (*this)(row, *value);
  }
  void operator()(const KeyRow& row, const Distribution& distribution) {
    add(row, distribution_value(distribution));
  }
  template <std::size_t N>
  void operator()(const KeyRow& row, const std::array<double, N>& numbers) {
    add(row, toml_list(numbers));
  }
  template <typename Words, typename Choice>
  void choice(const KeyRow& row, const Words& words, const Choice& choice) {
    // By a pointer: GCC 12 takes words of one length for those of another.
    add(row, toml_value(*(words.data() + static_cast<std::size_t>(choice))));
  }
  static void listed(const KeyRow& /*row*/, KeyKind /*kind*/) {}
  static bool has(bool truth) { return truth; }
  static bool writes(bool truth) { return truth; }

  std::vector<TomlLine> lines = {};

 private:
  void add(const KeyRow& row, std::string value) { lines.emplace_back(row.name, std::move(value)); }
};

template <typename Show>
std::vector<TomlLine> lines_of(const Show& show) {
  KeyWriter writer;
  show(writer);
  return std::move(writer.lines);
}

/// A table with the rows that `show` shows.
template <typename Show>
std::string table_of_keys(std::string_view header, const Show& show) {
  return toml_table(header, lines_of(show));
}

std::string piece_table(const Piece& piece) {
  return table_of_keys("[[part.piece]]", [&](KeyWriter& keys) {
    piece_keys(keys, piece);
    superellipse_keys(keys, piece.shape);
  });
}

std::string piece_table(const OutlinePiece& piece) {
  return table_of_keys("[[part.piece]]", [&](KeyWriter& keys) { piece_keys(keys, piece); }) +
         toml_lines(outline_lines(piece.outline));
}

/// [gripper.finger], and [gripper.left_finger] where it is not the mirror image.
std::string finger_tables(const DrawnScenario& scenario, FingersAs as) {
  const auto lines = [as](const std::optional<FingerShape>& shape, const Outline& outline) {
    return shape && as == FingersAs::kShapes
               ? lines_of([&](KeyWriter& keys) { finger_keys(keys, *shape); })
               : outline_lines(outline);
  };
  const Outline& right = *scenario.gripper.right_finger;
  const std::string finger = toml_table("[gripper.finger]", lines(scenario.right_shape, right));
  const auto left = lines(scenario.left_shape, *scenario.gripper.left_finger);
  const bool has_shape = scenario.right_shape || scenario.left_shape;
  const bool by_outlines = !has_shape || as == FingersAs::kOutlines;
  if (scenario.same_fingers || (by_outlines && left == outline_lines(mirrored(right)))) {
    return finger;
  }
  return finger + toml_table("[gripper.left_finger]", left);
}

/// The keys of a model that are no plain numbers.
std::vector<TomlLine> listed_lines(const PointsSupport& support) {
  const auto list = [&](const auto& of_point) {
    return toml_list(support.points,
                     [&](const SupportPoint& point) { return toml_value(of_point(point)); });
  };
  std::vector<TomlLine> lines = {
      {"points_mm", list([](const SupportPoint& point) { return point.point_P_mm; })},
      {"load_shares", list([](const SupportPoint& point) { return point.load_share; })}};
  const auto has_factor = [](const SupportPoint& point) { return point.friction_factor != 1.0; };
  if (std::any_of(support.points.begin(), support.points.end(), has_factor)) {
    lines.emplace_back("friction_factors",
                       list([](const SupportPoint& point) { return point.friction_factor; }));
  }
  return lines;
}

std::vector<TomlLine> listed_lines(const PartEllipsoidSupport& support) {
  return {{"matrix", toml_rows(support.matrix.rowwise())}};
}

template <typename Model>
std::vector<TomlLine> listed_lines(const Model& /*support*/) {
  return {};
}

std::string part_tables(const DrawnScenario& scenario) {
  std::string text = table_of_keys("[part]", [&](KeyWriter& keys) { part_keys(keys, scenario); });
  for (const Piece& piece : scenario.drawn_part().pieces) text += piece_table(piece);
  for (const OutlinePiece& piece : scenario.drawn_part().outlines) text += piece_table(piece);
  return text;
}

std::string gripper_tables(const DrawnScenario& scenario, FingersAs as) {
  const Gripper& gripper = scenario.gripper;
  std::string text =
      table_of_keys("[gripper]", [&](KeyWriter& keys) { gripper_keys(keys, gripper); });
  if (gripper.right_finger) text += finger_tables(scenario, as);
  if (gripper.right_pad) {
    text += table_of_keys("[gripper.pad]",
                          [&](KeyWriter& keys) { pad_keys(keys, *gripper.right_pad); });
  }
  if (gripper.left_pad && !scenario.same_pads) {
    text += table_of_keys("[gripper.left_pad]",
                          [&](KeyWriter& keys) { pad_keys(keys, *gripper.left_pad); });
  }
  if (gripper.mount) {
    text += table_of_keys("[gripper.mount]",
                          [&](KeyWriter& keys) { mount_keys(keys, *gripper.mount); });
  }
  if (gripper.palm) text += toml_table("[gripper.palm]", outline_lines(*gripper.palm));
  return text;
}

/// The stepper's keys only where they are not the default, so that such configurations read as they
/// always did.
std::string simulation_table(const Scenario& scenario) {
  std::vector<TomlLine> lines = lines_of([&](KeyWriter& keys) { simulation_keys(keys, scenario); });
  if (scenario.other_stepper) {
    for (auto& [key, value] : scenario.other_stepper->settings()) lines.emplace_back(key, value);
  }
  return toml_table("[simulation]", lines);
}

/// Without bounds that do not exist, and without lots where nothing has any.
std::string distribution_value(const Distribution& distribution) {
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

/// Only where there are uncertain numbers, so that other configurations read as they always did.
std::string uncertain_table(const SweepConfig& config) {
  if (config.uncertain.empty()) return "";
  std::vector<TomlLine> lines;
  for (const UncertainNumber& number : config.uncertain) {
    lines.emplace_back(toml_value(number.key), distribution_value(number.distribution));
  }
  return toml_table("[uncertain]", lines);
}

std::string correlated_tables(const std::vector<CorrelatedInputs>& correlated) {
  std::string text;
  for (const CorrelatedInputs& inputs : correlated) {
    text += toml_table("[[correlated]]", {{"keys", toml_list(inputs.keys)},
                                          {"matrix", toml_rows(inputs.correlation.rowwise())}});
  }
  return text;
}

/// Deviations are written point by point, those read from a file too.
std::string robot_table(std::string_view header, const DeviceError& device) {
  std::vector<TomlLine> lines = lines_of([&](KeyWriter& keys) { device_keys(keys, device); });
  if (!device.deviations.empty()) {
    const auto point = [&](const auto& p) {
      const std::size_t numbers = device.deviations_have_angles ? 3 : 2;
      return toml_list(std::vector<double>(p.begin(), p.begin() + numbers));
    };
    lines.emplace_back("deviations", toml_list(device.deviations, point));
  }
  return toml_table(header, lines);
}

/// Only where there is one, so that other configurations read as they always did.
std::string robot_tables(const std::optional<RobotError>& robot) {
  if (!robot) return "";
  return robot_table("[robot]", *robot) +
         (robot->camera ? robot_table("[robot.camera]", *robot->camera) : "");
}

std::string hold_table(const std::optional<HoldRule>& rule) {
  if (!rule) return "";
  std::vector<TomlLine> lines = lines_of([&](KeyWriter& keys) { hold_keys(keys, *rule); });
  if (!rule->directions.empty()) {
    lines.emplace_back("directions", toml_rows(rule->directions));
  }
  return toml_table("[hold]", lines);
}

std::string design_tables(const std::optional<DesignRule>& rule) {
  if (!rule) return "";
  std::vector<TomlLine> lines = lines_of([&](KeyWriter& keys) { design_keys(keys, *rule); });
  if (!rule->placement.empty()) lines.emplace_back("placement", toml_list(rule->placement));
  std::string text = toml_table("[design]", lines);
  for (const DesignVariable& variable : rule->variables) {
    lines = lines_of([&](KeyWriter& keys) { design_variable_keys(keys, variable); });
    if (!variable.values.empty()) lines.emplace_back("values", toml_list(variable.values));
    text += toml_table("[[design.variable]]", lines);
  }
  for (const DesignPart& part : rule->parts) {
    lines = lines_of([&](KeyWriter& keys) { design_part_keys(keys, part); });
    if (!part.config.empty()) lines.emplace_back("config", toml_value(part.config));
    text += toml_table("[[design.part]]", lines);
  }
  return text;
}

std::string sweep_tables(const SweepConfig& config) {
  const std::size_t sampling = config.adaptive ? 1 : 0;
  const std::string sweep =
      table_of_keys("[sweep]", [&](KeyWriter& keys) { trials_keys(keys, config, sampling); });
  if (!config.adaptive) return sweep;
  return sweep + table_of_keys("[sweep.adaptive]",
                               [&](KeyWriter& keys) { adaptive_keys(keys, *config.adaptive); });
}

}  // namespace

std::string support_table(const SupportModel& support) {
  const std::size_t index = support.index();
  const auto table = [&](const auto& model) {
    const std::string plain = table_of_keys("[support]", [&](KeyWriter& keys) {
      support_model_keys(keys, index);
      support_keys(keys, model);
    });
    return plain + toml_lines(listed_lines(model));
  };
  return std::visit(table, support);
}

std::string to_toml(const SweepConfig& config, FingersAs fingers) {
  const DrawnScenario& scenario = config.scenario;
  const PlacementSweep& placement = config.placement;
  std::string program;
  for (const DrawnPhase& phase : scenario.program_as_drawn) {
    program += table_of_keys("[[program]]", [&](KeyWriter& keys) { phase_keys(keys, phase); });
  }
  std::string obstacles;
  for (std::size_t k = 0; k < scenario.obstacles.size(); ++k) {
    const Obstacle& obstacle = scenario.obstacles[k];
    const DrawnObstacle& drawn = scenario.obstacles_as_drawn[k];
    obstacles += table_of_keys("[[obstacle]]",
                               [&](KeyWriter& keys) { obstacle_keys(keys, obstacle.name, drawn); });
    if (!drawn.is_half_plane) obstacles += toml_lines(outline_lines(obstacle.outline));
  }
  std::string success;
  for (const SuccessAlternative& rule : config.success) {
    success += table_of_keys("[[success]]", [&](KeyWriter& keys) { success_keys(keys, rule); });
  }
  return toml_lines(lines_of([&](KeyWriter& keys) { config_keys(keys, config); })) +
         part_tables(scenario) + gripper_tables(scenario, fingers) +
         support_table(scenario.support) +
         table_of_keys("[friction]", [&](KeyWriter& keys) { friction_keys(keys, config); }) +
         uncertain_table(config) + correlated_tables(config.correlated) +
         table_of_keys("[placement]", [&](KeyWriter& keys) { placement_keys(keys, placement); }) +
         table_of_keys("[placement.noise]", [&](KeyWriter& keys) { noise_keys(keys, placement); }) +
         obstacles + program + success + hold_table(config.hold) + design_tables(config.design) +
         robot_tables(config.robot) +
         table_of_keys("[stop]", [&](KeyWriter& keys) { stop_keys(keys, scenario.stop); }) +
         simulation_table(scenario) + sweep_tables(config) +
         table_of_keys("[summary]", [&](KeyWriter& keys) { summary_keys(keys, config); });
}

}  // namespace graspmap
