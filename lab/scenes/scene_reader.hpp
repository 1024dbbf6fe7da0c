#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/planar/stepper.hpp"
#include "lab/scenes/scene_body_reader.hpp"
#include "lab/scenes/scene_keys.hpp"

namespace graspmap {

/// A scene as a person describes it, checked: what moves, and how it is to be simulated.
struct SceneFile {
  std::string name;  ///< of the file, without its folder and ".toml"
  std::string title;
  std::string toml;  ///< the file's text; with overrides the document that they made of it
  PlanarScene scene;
  std::vector<SceneBlock> blocks;
  StepperKind stepper = StepperKind::kImplicit;
  StepperSettings stepper_settings;
  SceneRunSettings run;

  /// A body's index into `blocks`.
  [[nodiscard]] std::size_t block_of(int body) const;
};

/// The time-stepper that the key `stepper` of a table names. Throws ConfigError.
StepperKind read_stepper_kind(const TomlTable& table);

/// Reads and checks a planar scene, docs/lab/scenes.md "Scene files". Throws ConfigError,
/// also for a document of another kind.
SceneFile read_planar_scene(const SceneDocument& document);

/// The keys that reading a planar scene asks for, until an error.
std::vector<AskedKey> keys_asked_by_planar_scene(const SceneDocument& document);

/// The same as `read_planar_scene` for a file (TOML). `overrides` as for `read_sweep_config`.
SceneFile read_scene_file(const std::filesystem::path& file,
                          const std::vector<std::string>& overrides);

}  // namespace graspmap
