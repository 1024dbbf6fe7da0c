#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {

/// What a scene file describes, its key `kind`.
enum class SceneKind : std::uint8_t {
  kPlanar,      ///< rigid bodies in the plane, the default
  kSpatial,     ///< rigid bodies in space
  kArticulated  ///< links on joints, in space
};
const char* name(SceneKind kind);

/// Reads `kind`, "planar" when it is left out. Throws ConfigError.
SceneKind read_scene_kind(const TomlTable& document);

/// A scene file as TOML. Only its `kind` has been read.
struct SceneDocument {
  std::string name;  ///< of the file, without its folder and ".toml"
  std::string toml;  ///< the file's text; with overrides the document that they made of it
  toml::table root;
  SceneKind kind = SceneKind::kPlanar;
};

/// Reads a scene file of any kind. `overrides` as for `read_sweep_config`. Throws ConfigError.
SceneDocument read_scene_document(const std::filesystem::path& file,
                                  const std::vector<std::string>& overrides);

/// The same for a text; `source` is the file that errors name.
SceneDocument parse_scene_document(std::string_view text, const std::string& source,
                                   const std::vector<std::string>& overrides = {});

}  // namespace graspmap
