#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/closing/model.hpp"

namespace graspmap {

/// A physical number of a scenario that may differ from trial to trial, by its key. A key is dotted
/// as in a configuration, but a piece stands there by its name, and an element of a list by its
/// index: "part.mass_kg", "part.piece.tooth_1.semi_axes_mm.0".
class ScenarioNumber {
 public:
  /// The number with this key; nothing when the scenario has none.
  static std::optional<ScenarioNumber> find(const Scenario& scenario, std::string_view key);

  [[nodiscard]] double value(const Scenario& scenario) const;
  void set(Scenario& scenario, double value) const;

 private:
  /// The place of the number, in a piece where it belongs to one.
  using Place = double* (*)(Scenario& scenario, std::size_t piece);

  ScenarioNumber(Place place, std::size_t piece) : place_(place), piece_(piece) {}

  static std::optional<ScenarioNumber> find_in_piece(const Scenario& scenario,
                                                     std::string_view rest);

  Place place_;
  std::size_t piece_;  ///< among the superellipses, or among the outlines
};

/// The keys of all numbers of a scenario that may differ, in the order of a configuration.
std::vector<std::string> scenario_number_keys(const Scenario& scenario);

/// The keys that such numbers have in some scenario, "NAME" for a piece, each once.
std::vector<std::string> possible_number_keys();

}  // namespace graspmap
