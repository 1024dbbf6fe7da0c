#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Numbers that a configuration may have, and that are most likely a slip: of a unit, or of what
/// the number means. Each is reported as if it were a fault of the file `source`.
std::vector<ConfigFault> doubts(const SweepConfig& config, const std::string& source);

/// What the fingers can meet, by geometry alone. Where it cannot be decided, they can: `false` and
/// what is named here are certain.

/// How far something reaches in y of the gripper's frame, mm.
struct HeightRange {
  double low = 0.0;
  double high = 0.0;
};

/// A map at none of whose placements a closing finger meets the part.
struct BeyondReach {
  HeightRange fingers;
  HeightRange part;  ///< at all placements
};

/// Nothing when a finger may meet the part somewhere on the map, with its noise.
std::optional<BeyondReach> beyond_reach(const SweepConfig& config);

/// What a success rule wants a finger to touch, and that faces away from it, or is higher or lower
/// than it, at each angle and height that the rule allows.
struct UntouchableTarget {
  JawSide side = JawSide::kLeft;
  std::string name;
  bool other_side_can = false;  ///< the other finger could touch it
};

std::vector<UntouchableTarget> untouchable_targets(const SweepConfig& config);

/// The part's size in x at the middle of the map, mm.
double width_at_middle_mm(const SweepConfig& config);

}  // namespace graspmap
