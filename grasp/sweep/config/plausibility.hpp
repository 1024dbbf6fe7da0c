#pragma once

#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// A number that a configuration may have, and that is most likely a slip: of a unit, or of what
/// the number means.
struct Doubt {
  std::string key;   ///< as in the file: "gripper.closing_force_n"
  std::string what;  ///< "is 0.04; the table holds the part with up to 1.2 N: ..."
};

/// What is doubtful in a configuration, in the order of the file.
std::vector<Doubt> doubts(const SweepConfig& config);

}  // namespace graspmap
