#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/design/design_race.hpp"

namespace graspmap {

/// One variable of the best design, all others as they are.
struct VariableProfile {
  std::size_t variable = 0;
  std::string key;
  std::vector<std::string> levels;  ///< "110", or a text
  std::vector<double> numbers;      ///< the same; none of texts
  std::vector<double> values;  ///< of the first objective, placements chosen anew; NaN: no design
  double worth = 0.0;          ///< the best value less the worst
  bool matters = false;
  /// How far the variable may be off, down and up, until the first objective loses `kDesignLoss`
  /// with the placement unchanged; nothing where it loses less at half of its range.
  std::optional<double> down, up;
  bool has_tolerance = false;  ///< a number
};

/// Moves each variable of the best design alone: through its range, with a placement of its own for
/// each level, and off its value, with the placement unchanged.
std::vector<VariableProfile> variable_profiles(DesignRace& race, const Candidate& best);

}  // namespace graspmap
