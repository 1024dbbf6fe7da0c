#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {

/// What a design is to be good at.
enum class DesignObjective : std::uint8_t {
  kSuccess,        ///< success under the robot's error at the best placement
  kWorstCell,      ///< success in the worst cell of the map
  kPoseSpread,     ///< the spread of the pose in hand, where success reaches `probability`
  kToleratedError  ///< how many times the robot's error is tolerated at `probability`
};
inline constexpr std::array<const char*, 4> kDesignObjectiveWords{"success", "worst-cell",
                                                                  "pose-spread", "tolerated-error"};
inline constexpr std::array<const char*, 5> kSecondObjectiveWords{"none", "success", "worst-cell",
                                                                  "pose-spread", "tolerated-error"};

/// A coordinate of the pose in hand.
enum class SpreadOf : std::uint8_t { kX, kY, kTheta };
inline constexpr std::array<const char*, 3> kSpreadOfWords{"x_mm", "y_mm", "theta_rad"};

/// How the values of several parts become one.
enum class PartsRule : std::uint8_t { kMean, kWorst };
inline constexpr std::array<const char*, 2> kPartsRuleWords{"mean", "worst"};

/// A number or text of the configuration that a design chooses: [[design.variable]].
struct DesignVariable {
  std::string key;                  ///< as --set takes it: "gripper.finger.groove_depth_mm"
  std::vector<std::string> linked;  ///< other keys that get the same value
  std::optional<double> min, max;   ///< with both: any number between them
  std::optional<double> step;       ///< > 0: of these only min, min + step, ...
  std::vector<double> values;       ///< or one of these
  std::vector<std::string> texts;   ///< or one of these

  /// Between two numbers, in steps or not.
  [[nodiscard]] bool is_range() const { return min.has_value(); }
  /// In how many steps, values or texts there are; 0: any number of a range.
  [[nodiscard]] std::size_t choices() const;
  friend bool operator==(const DesignVariable&, const DesignVariable&) = default;
};

/// Another part that the same gripper is to grasp: [[design.part]].
struct DesignPart {
  std::string name;
  std::string config;            ///< relative to this one's folder; empty: this one
  std::vector<std::string> set;  ///< what is different in it: KEY=VALUE
  double weight = 1.0;
  friend bool operator==(const DesignPart&, const DesignPart&) = default;
};

/// What `graspmap design` may choose, and by what it judges: [design]. It changes no trial.
struct DesignRule {
  DesignObjective objective = DesignObjective::kSuccess;
  std::size_t second = 0;  ///< place in kSecondObjectiveWords; 0 or a front is asked for
  double probability = 0.95;
  SpreadOf spread_of = SpreadOf::kTheta;
  std::vector<std::string> shapes;  ///< words of finger_features() joined by '+', or drawings
  std::vector<DesignVariable> variables;
  std::vector<DesignPart> parts;  ///< besides the configuration's own
  PartsRule parts_rule = PartsRule::kMean;
  double weight = 1.0;                  ///< of the configuration's own part
  std::vector<double> placement;        ///< (x, y) or (x, y, theta); empty: the best one
  std::optional<double> clearance_mm;   ///< of the open fingers, at least
  std::optional<double> most_width_mm;  ///< of a finger, inside edge to outside

  /// One, or two of a front.
  [[nodiscard]] std::vector<DesignObjective> objectives() const;
  friend bool operator==(const DesignRule&, const DesignRule&) = default;
};

/// Whether the word of a shape is a drawing.
bool is_drawing_file(const std::string& shape);

/// Reads [design]. Throws ConfigError. Whether its keys are there is not known before a design is
/// made.
DesignRule read_design(const TomlTable& table);

}  // namespace graspmap
