#pragma once

#include <filesystem>

#include "grasp/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// Reads the tables finger, left_finger and palm of [gripper], where there are any; `folder` is
/// where drawings are. Without left_finger, the left finger is the mirror image. Throws
/// ConfigError.
void read_fingers(const TomlTable& gripper_table, const std::filesystem::path& folder,
                  Gripper& gripper);

/// Throws ConfigError when fingers that reach beyond the inner edges of their frames would cross
/// each other before the jaws count as closed: nothing else stops them from it.
void check_fingers_apart(const TomlTable& gripper_table, const Gripper& gripper,
                         double closed_opening_mm);

}  // namespace graspmap
