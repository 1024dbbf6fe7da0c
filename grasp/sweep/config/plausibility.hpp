#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Numbers that a configuration may have, and that are most likely a slip: of a unit, or of what
/// the number means. Each is reported as if it were a fault of the file `source`.
std::vector<ConfigFault> doubts(const SweepConfig& config, const std::string& source);

/// What a success rule wants a finger to touch, and that faces away from it, or is higher or lower
/// than it, at each angle and height that the rule allows.
struct UntouchableTarget {
  JawSide side = JawSide::kLeft;
  std::string name;
  bool other_side_can = false;  ///< the other finger could touch it
};

/// By geometry alone. Where it cannot be decided, fingers can touch: what is named is certain.
std::vector<UntouchableTarget> untouchable_targets(const SweepConfig& config);

}  // namespace graspmap
