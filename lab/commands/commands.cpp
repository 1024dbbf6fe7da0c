#include "lab/commands/commands.hpp"

namespace graspmap {

std::vector<Command> lab_commands() {
  return {
      {"simulate", "simulate a scene of bodies in the plane or in space and draw it",
       simulate_command},
      {"validate", "run the papers' examples and compare them with what is known",
       validate_command},
      {"study-steppers", "compare the time-steppers on the trials of a sweep",
       study_steppers_command},
  };
}

}  // namespace graspmap
