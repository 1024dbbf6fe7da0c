#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/scenes/scene_reader.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap::testing {

/// A planar scene from its text; `source` is the file that errors name.
inline SceneFile parse_scene_file(std::string_view text, const std::string& source,
                                  const std::vector<std::string>& overrides = {}) {
  return read_planar_scene(parse_scene_document(text, source, overrides));
}

/// The same for a scene in space.
inline SpatialSceneFile parse_spatial_scene_file(std::string_view text, const std::string& source,
                                                 const std::vector<std::string>& overrides = {}) {
  return read_spatial_scene(parse_scene_document(text, source, overrides));
}

}  // namespace graspmap::testing
