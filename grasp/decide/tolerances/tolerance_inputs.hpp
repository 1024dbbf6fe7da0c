#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Where the gripper is sent and how exactly the robot gets there.
struct AimAndRobot {
  std::array<double, 3> at{};     ///< x (mm), y (mm), theta (rad)
  std::array<double, 3> sigma{};  ///< standard deviations of the robot's error, normal; 0: exact
  bool fixed_angle = true;        ///< the sweep has one angle only: it need not be told
};

/// The number that tells how wide a law is.
enum class WidthMeasure {
  kHalfWidth,  ///< of a uniform law
  kSigma       ///< of others: the law's sigma, else the standard deviation
};

/// A random input of a grasp, whose law can be made wider and narrower.
struct ToleranceInput {
  std::string key;  ///< as in the configuration; "robot.x_mm", "robot.y_mm", "robot.theta_rad"
  Distribution law;
  WidthMeasure measure = WidthMeasure::kSigma;
  double width = 0.0;  ///< today's, in the unit of the key
  /// What the number can be at all: a wider law's draws beyond it become its ends.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  /// The law whose width is `factor` times today's, with the same mean: narrowed_law; for 0 fixed.
  [[nodiscard]] Distribution law_of(double factor) const;
};

/// The inputs of a configuration whose laws are not fixed, in the order of TrialDraw: its uncertain
/// numbers, friction, noise of the placement; last the robot's errors.
std::vector<ToleranceInput> tolerance_inputs(const SweepConfig& config, const AimAndRobot& aim);

/// An input of this law, whose number may have the values in `range`; one that must be positive
/// keeps at least a hundredth of the law's mean.
ToleranceInput tolerance_input(const std::string& key, const Distribution& law,
                               const NumberRange& range = kAnyNumber);

/// The unit of a key's number: "mm" for "gripper.opening_mm"; "" for a number without one.
std::string unit_of_key(const std::string& key);

/// A width as it is printed: "±0.15 mm" or "σ 0.15 mm".
std::string width_text(const ToleranceInput& input, double width);

}  // namespace graspmap
