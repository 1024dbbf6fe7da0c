#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {

/// The phases of the simulation that these are, with their openings and timeouts filled in.
GripperProgram program_of(const std::vector<DrawnPhase>& phases);

/// What the gripper does in a phase: "the gripper moves by (0, 20) mm", and the same with its speed
/// and jaws: "the gripper moves by (0, 20) mm at 50 mm/s, its jaws held".
std::string brief_phase_words(const Phase& phase);
std::string phase_words(const Phase& phase);

/// Reads the tables [[program]] into a scenario whose gripper and stop rule are there. Throws
/// ConfigError.
void read_program(const std::vector<TomlTable>& tables, DrawnScenario& scenario);

}  // namespace graspmap
