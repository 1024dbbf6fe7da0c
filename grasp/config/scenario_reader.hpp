#pragma once

#include "grasp/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// Reads the tables [part], [gripper], [support], [simulation] and [stop] of a document. Mass
/// properties and support radii that are left out are computed from the part. Throws ConfigError.
Scenario read_scenario(const TomlTable& document);

/// The time-stepper that the key `stepper` of a table names. Throws ConfigError.
StepperKind read_stepper_kind(const TomlTable& table);

}  // namespace graspmap
