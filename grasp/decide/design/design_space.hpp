#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grasp/sweep/config/design_rule.hpp"

namespace graspmap {

/// A design: a shape, and of each variable a number, or the place of its text.
struct Design {
  std::size_t shape = 0;
  std::vector<double> values;  ///< of variables that its shape does not have: 0
  friend bool operator==(const Design&, const Design&) = default;
};

/// The designs that [design] admits.
class DesignSpace {
 public:
  /// `has_key` says whether the configuration, as it is written, has a key: what a shape does not
  /// have is taken out of it.
  DesignSpace(DesignRule rule, const std::function<bool(const std::string&)>& has_key);

  [[nodiscard]] const DesignRule& rule() const { return rule_; }
  [[nodiscard]] std::size_t variables() const { return rule_.variables.size(); }
  /// The coordinates of a point that a design is made from: one for the shape, one each.
  [[nodiscard]] std::size_t dimensions() const { return 1 + variables(); }
  [[nodiscard]] std::size_t shapes() const { return shapes_.size(); }
  /// Whether designs of this shape have a variable.
  [[nodiscard]] bool has(std::size_t shape, std::size_t variable) const {
    return shapes_[shape].has[variable];
  }

  /// The design at a point of the unit cube.
  [[nodiscard]] Design at(std::span<const double> point) const;
  /// A design near another one: `moves`, numbers in (0, 1), say how far each variable goes, up to
  /// `reach` of its range, by a step at least, and whether its text or value changes.
  [[nodiscard]] Design near(const Design& design, double reach,
                            std::span<const double> moves) const;
  /// The design with one variable at the level 0 <= u <= 1 of its range.
  [[nodiscard]] Design with_level(Design design, std::size_t variable, double u) const;
  /// Where in its range a variable is, 0 to 1.
  [[nodiscard]] double level(const Design& design, std::size_t variable) const;

  /// What makes the configuration that of the design, as --set takes it.
  [[nodiscard]] std::vector<std::string> overrides(const Design& design) const;
  /// The name of its shape; "" where there is only the one that is.
  [[nodiscard]] const std::string& shape_name(std::size_t shape) const {
    return shapes_[shape].name;
  }
  /// "110", or a text.
  [[nodiscard]] std::string value_text(const Design& design, std::size_t variable) const;
  /// "v_groove; groove angle 110 degrees, groove depth 4 mm".
  [[nodiscard]] std::string words(const Design& design) const;

 private:
  struct Shape {
    std::string name;
    std::vector<std::string> overrides;
    std::vector<bool> has;  ///< each variable
  };

  DesignRule rule_;
  std::vector<Shape> shapes_;
};

/// "groove depth" of "gripper.finger.groove_depth_mm", "friction jaw" of "friction.jaw".
std::string variable_name(const std::string& key);
/// A number with its unit: "110 degrees", "4 mm".
std::string quantity_text(const std::string& key, double value);

}  // namespace graspmap
