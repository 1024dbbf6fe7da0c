#pragma once

#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {

/// The phases of the simulation that these are, with their openings and timeouts filled in.
GripperProgram program_of(const std::vector<DrawnPhase>& phases);

/// Reads the tables [[program]] into a scenario whose gripper and stop rule are there. Throws
/// ConfigError.
void read_program(const std::vector<TomlTable>& tables, DrawnScenario& scenario);

}  // namespace graspmap
