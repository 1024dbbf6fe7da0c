#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// Shapes of a scenario that are made from numbers.
enum class ShapesOf : std::uint8_t { kNothing, kPart, kFingers };

/// A physical number of a scenario that may differ from trial to trial, by its key. A key is dotted
/// as in a configuration, but a piece stands there by its name, and an element of a list by its
/// index: "part.mass_kg", "part.piece.tooth_1.semi_axes_mm.0".
class ScenarioNumber {
 public:
  /// The number with this key; nothing when the scenario has none.
  static std::optional<ScenarioNumber> find(const Scenario& scenario, std::string_view key);

  /// As it is drawn or given; kFrictionOfTrial of a jaw without friction of its own.
  [[nodiscard]] double value(const Scenario& scenario) const;

  /// The values that it may have by itself, as in a configuration.
  [[nodiscard]] const NumberRange& range() const { return *range_; }

  /// Sets the number and makes the shapes that are made from it. Throws ConfigError when they
  /// cannot be made.
  void set(Scenario& scenario, double value) const;

  /// Sets the number only: `make_shapes` has to follow.
  void put(Scenario& scenario, double value) const;

  /// The shapes that are made from the number.
  [[nodiscard]] ShapesOf shapes() const { return shapes_; }

 private:
  /// The place of the number, in a piece where it belongs to one.
  using Place = double* (*)(Scenario& scenario, std::size_t piece);

  ScenarioNumber(Place place, const NumberRange& range, std::size_t piece, ShapesOf shapes)
      : place_(place), range_(&range), piece_(piece), shapes_(shapes) {}

  static std::optional<ScenarioNumber> find_in_finger(const Scenario& scenario,
                                                      std::string_view key);
  static std::optional<ScenarioNumber> find_in_piece(const Scenario& scenario,
                                                     std::string_view rest);

  Place place_;
  const NumberRange* range_;  ///< a constant of the program
  std::size_t piece_;         ///< among the superellipses, or among the outlines
  ShapesOf shapes_;
};

/// Makes the part from its drawn shapes and its offset, or the fingers from theirs. Throws
/// ConfigError when they cannot be made.
void make_shapes(ShapesOf what, Scenario& scenario);

/// The keys of all numbers of a scenario that may differ, in the order of a configuration.
std::vector<std::string> scenario_number_keys(const Scenario& scenario);

/// The keys that such numbers have in some scenario, "NAME" for a piece, each once.
std::vector<std::string> possible_number_keys();

}  // namespace graspmap
