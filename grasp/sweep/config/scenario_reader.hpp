#pragma once

#include <filesystem>

#include "grasp/base/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// The tables of a document that describe a scenario.
struct ScenarioTables {
  explicit ScenarioTables(const TomlTable& document);

  TomlTable part;
  TomlTable gripper;
  TomlTable support;
  TomlTable simulation;  ///< may be left out, as may `stop`
  TomlTable stop;
};

/// Reads a scenario; `folder` is where drawings are. Mass properties and support radii that are
/// left out are computed from the part. Throws ConfigError.
Scenario read_scenario(const ScenarioTables& tables, const std::filesystem::path& folder);

/// The time-stepper that the key `stepper` of a table names. Throws ConfigError.
StepperKind read_stepper_kind(const TomlTable& table);

}  // namespace graspmap
