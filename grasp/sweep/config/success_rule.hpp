#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/number.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// A name in a success rule, and what it stands for.
struct TouchTarget {
  std::string name;           ///< of a piece, or of elements of outlines
  std::vector<int> features;  ///< of the part (Part), ascending: any of them may be touched
  int obstacle = -1;          ///< that has to touch it; -1: any, or a finger or the palm
};

/// The numbers from `min` to `max`, with unit of what holds it; min < max.
struct Window {
  double min = 0.0;
  double max = 0.0;

  [[nodiscard]] bool contains(double value) const { return value >= min && value <= max; }
};

/// One way to succeed: all of its conditions hold at the end of a trial (classify).
struct SuccessAlternative {
  std::vector<TouchTarget> left = {};   ///< all are touched by the left finger; others may be too
  std::vector<TouchTarget> right = {};  ///< by the right finger
  std::vector<TouchTarget> palm = {};   ///< by the palm
  std::vector<TouchTarget> obstacle = {};  ///< by obstacles
  /// Of the part frame P in the gripper frame G.
  std::optional<Window> x_mm = {};
  std::optional<Window> y_mm = {};
  std::optional<Window> theta_rad = {};      ///< at most theta_period_rad wide
  double theta_period_rad = kWholeTurn_rad;  ///< angles this far apart are the same
  std::optional<Window> opening_mm = {};     ///< of x_r - x_l
  bool at_rest = false;                      ///< the jaws stopped before the timeout
  std::optional<double> hold_factor = {};    ///< least safety factor of [hold], > 0
};

/// Reads the tables [[success]] of a scenario. Throws ConfigError.
std::vector<SuccessAlternative> read_success(const std::vector<TomlTable>& tables,
                                             const Scenario& scenario);

/// The conditions for a person: "the left finger touches a and b, all is at rest; or ...".
std::string success_words(const std::vector<SuccessAlternative>& success);

/// What is wrong with a window of openings at which no trial can succeed; "" of others.
std::string opening_fault(const SuccessAlternative& rule, const Scenario& scenario);

}  // namespace graspmap
