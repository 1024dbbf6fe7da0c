#pragma once

#include <string>
#include <vector>

#include "grasp/app/commands/commands.hpp"

namespace graspmap {

/// The commands that graspmap-lab has besides those of graspmap, in the order of its help.
std::vector<Command> lab_commands();

/// Simulates a scene; writes tables, figures and an animation. Exit code 1 when a step could not be
/// solved.
Command simulate_command();

/// Compares the papers' examples with what is known of them. Exit code 3 when a check fails.
Command validate_command();

/// To how many digits simulations find ends that are known. Exit code 1 when a problem has fewer
/// than its file promises.
Command certify_command();

/// The time-steppers of the papers on a sweep's trials: outcomes, poses, times.
Command study_steppers_command();

}  // namespace graspmap
