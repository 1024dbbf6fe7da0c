#pragma once

#include "lab/scenes/scene_reader.hpp"
#include "lab/scenes/scene_recording.hpp"
#include "tests/support/ballistic_stepper.hpp"

namespace graspmap::testing {

/// A scene that `stepper` simulates, of which every `every`-th step is kept.
inline SceneResult recorded_scene(const SceneFile& file, BallisticStepper& stepper,
                                  std::int64_t every) {
  SceneRecorder recorder(file.scene, file.run.step_s, every);
  SceneResult result;
  result.run = simulate_scene(file.scene, stepper, file.run,
                              [&](const PlanarState& state, const PlanarStep* step) {
                                recorder.observe(state, step);
                                return true;
                              });
  result.recording = recorder.finish();
  return result;
}

}  // namespace graspmap::testing
