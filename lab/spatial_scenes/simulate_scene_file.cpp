#include "lab/spatial/simulate_spatial.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {

SceneRun simulate(const SpatialSceneFile& file, const SnapshotObserver& observer) {
  if (file.is_articulated()) {
    const ArticulatedScene& scene = file.articulated();
    return simulate_articulated(scene.system, scene.settings, file.run, observer);
  }
  const RigidScene& scene = file.rigid();
  const auto stepper = make_spatial_stepper(scene.stepper, scene.settings);
  return simulate_spatial(scene.scene, *stepper, file.run, observer);
}

}  // namespace graspmap
