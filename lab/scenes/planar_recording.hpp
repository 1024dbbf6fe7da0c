#pragma once

#include "lab/planar/stepper.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "lab/scenes/scene_recording.hpp"

namespace graspmap {

using PlanarSample = SceneSample<PlanarSnapshot>;
using PlanarRecording = SceneRecording<PlanarSnapshot>;
using PlanarResult = SceneResult<PlanarSnapshot>;

/// Keeps the samples of a run in the plane: the observer of `simulate_planar`.
class PlanarRecorder : public SceneRecorder<PlanarSnapshot> {
 public:
  using Result = PlanarResult;
  /// The file is kept by reference.
  PlanarRecorder(const SceneFile& file, std::int64_t every);
};

/// Runs a scene from its start to its end, with its own stepper.
SceneRun simulate(const SceneFile& file, const PlanarSnapshotObserver& observer);

/// How contact `k` of a snapshot holds. Impulses of less than 1e-9 of the snapshot's largest count
/// as none.
ContactHold contact_hold(const PlanarSnapshot& snapshot, std::size_t k);

/// Describes a scene for summaries, warnings and figures.
SceneFacts facts_of(const SceneFile& file);

/// Describes its tables; keeps the file by reference.
SceneTables<PlanarSnapshot> tables_of(const SceneFile& file);

}  // namespace graspmap
