#pragma once

#include <array>
#include <optional>
#include <string>

#include "grasp/commands/options.hpp"
#include "grasp/store/run_store.hpp"
#include "grasp/trials/outcome.hpp"

/// What the commands share that ask for a placement, its error, or an outcome.

namespace graspmap {

/// --position-sigma-mm: "SX,SY", or one number for both; >= 0.
std::array<double, 2> read_position_sigma(const Arguments& arguments);

/// --angle-sigma-rad, >= 0; 0 when it is not there. It is refused when the sweep has one angle
/// only.
double read_angle_sigma(const Arguments& arguments, bool sweep_has_angles);

/// --outcome: a word of an outcome; nothing when it is not there.
std::optional<Outcome> read_outcome(const Arguments& arguments);

/// A line that says that a run is not complete; empty when it is.
std::string missing_trials_note(const RunStore& store, std::size_t trials);

}  // namespace graspmap
