#include "lab/spatial_scenes/spatial_scene_file.hpp"

#include <fmt/format.h>

#include "lab/scenes/scene_keys.hpp"
#include "lab/spatial_scenes/spatial_overlap.hpp"

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

}  // namespace

SpatialSceneFile read_spatial_scene(const SceneDocument& from) {
  const TomlTable document(from.root);
  SpatialSceneFile file;
  file.name = from.name;
  file.toml = from.toml;
  file.title = read_scene_title(from);
  switch (from.kind) {
    case SceneKind::kPlanar:
      document.fail("kind", "is \"planar\"; must be \"spatial\" or \"articulated\"");
    case SceneKind::kSpatial:
      file.simulated = read_rigid_scene(document);
      file.bodies = solids_of(file.rigid().scene);
      break;
    case SceneKind::kArticulated:
      file.simulated = read_articulated_scene(document);
      file.bodies = solids_of(file.articulated().system);
      break;
  }
  file.run = read_scene_time(document);
  check_start(document, file);
  return file;
}

SpatialSceneFile parse_spatial_scene_file(std::string_view text, const std::string& source,
                                          const std::vector<std::string>& overrides) {
  return read_spatial_scene(parse_scene_document(text, source, overrides));
}

SpatialSceneFile read_spatial_scene_file(const std::filesystem::path& file,
                                         const std::vector<std::string>& overrides) {
  return read_spatial_scene(read_scene_document(file, overrides));
}

}  // namespace graspmap
