#pragma once

#include <filesystem>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {

/// Reads [gripper.pad] and [gripper.left_pad] into a scenario, distributions in the places of
/// numbers into `inputs`. Throws ConfigError.
void read_pads(const TomlTable& gripper, const std::filesystem::path& folder,
               std::vector<WrittenInput>& inputs, DrawnScenario& scenario);

/// The same of [gripper.mount].
void read_mount(const TomlTable& gripper, const std::filesystem::path& folder,
                std::vector<WrittenInput>& inputs, DrawnScenario& scenario);

}  // namespace graspmap
