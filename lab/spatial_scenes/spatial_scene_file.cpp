#include "lab/spatial_scenes/spatial_scene_file.hpp"

#include <fmt/format.h>

#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "lab/spatial_scenes/spatial_overlap.hpp"
#include "lab/spatial_scenes/spatial_scales.hpp"

namespace graspmap {
namespace {

std::vector<SceneSolid> solids_of(const SpatialScene& scene) {
  std::vector<SceneSolid> solids;
  for (const SpatialBody& body : scene.bodies) {
    solids.push_back({body.name, body.solid, body.is_fixed});
  }
  return solids;
}

std::vector<SceneSolid> solids_of(const ArticulatedSystem& system) {
  std::vector<SceneSolid> solids;
  for (const Link& link : system.links) {
    solids.push_back({link.name, Sphere{link.ball ? link.ball->radius_mm : 0.0}, false});
  }
  for (const Obstacle& obstacle : system.obstacles) {
    solids.push_back({obstacle.name, HalfSpace{}, true});
  }
  return solids;
}

SpatialSceneFile read_root(const TomlTable& document, const SceneDocument& from) {
  const SceneKind kind = read_scene_kind(document);
  if (kind == SceneKind::kPlanar) {
    document.fail("kind", "is \"planar\"; must be \"spatial\" or \"articulated\"");
  }
  SpatialSceneFile file;
  file.name = from.name;
  file.toml = from.toml;
  file.title = document.has("title") ? document.text("title") : from.name;
  const TomlTable time = document.table("time");
  if (kind == SceneKind::kSpatial) {
    file.simulated = read_rigid_scene(document);
    file.bodies = solids_of(file.rigid().scene);
  } else {
    file.simulated = read_articulated_scene(document);
    file.bodies = solids_of(file.articulated().system);
  }
  file.run = read_scene_time(time);
  check_scales(document, file);
  check_start(document, file);
  return file;
}

}  // namespace

SpatialSceneFile read_spatial_scene(const SceneDocument& from) {
  return read_toml(from.root, [&](const TomlTable& document) { return read_root(document, from); });
}

std::vector<AskedKey> keys_asked_by_scene(const SceneDocument& from) {
  if (from.kind == SceneKind::kPlanar) return keys_asked_by_planar_scene(from);
  return keys_asked_for(from.root, [&](const TomlTable& document) { read_root(document, from); });
}

SpatialSceneFile read_spatial_scene_file(const std::filesystem::path& file,
                                         const std::vector<std::string>& overrides) {
  return read_spatial_scene(read_scene_document(file, overrides));
}

}  // namespace graspmap
