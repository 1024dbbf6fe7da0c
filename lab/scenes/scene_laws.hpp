#pragma once

#include <vector>

#include "lab/scenes/scene_body_reader.hpp"

namespace graspmap {

/// Reads the [[contact]] and [[joint]] tables of a scene into it: laws of contact and pins. Two
/// bodies of a joint pass through each other unless the joint, or a contact between them, says
/// otherwise. Throws ConfigError.
void read_scene_laws(const std::vector<TomlTable>& contacts, const std::vector<TomlTable>& joints,
                     const std::vector<SceneBlock>& blocks, PlanarScene& scene);

}  // namespace graspmap
