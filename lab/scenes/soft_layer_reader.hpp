#pragma once

#include "grasp/base/io/toml_reader.hpp"
#include "lab/scene_model/soft_layer.hpp"

namespace graspmap {

/// Reads `soft` of a [[contact]]: the layer of the second body of `between`, or a list of two, of
/// the first and the second one; neither when the key is left out. Matrices have `directions` rows
/// and columns: 2 (n, t) in the plane, 3 (n, t, o) in space. Throws ConfigError.
SoftLayers read_soft_layers(const TomlTable& contact, std::size_t directions);

}  // namespace graspmap
