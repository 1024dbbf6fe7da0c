#pragma once

#include <cstdint>

#include "lab/scenes/scene_recording.hpp"
#include "tests/support/ballistic_stepper.hpp"

namespace graspmap::testing {

/// A scene stepped to its end, with a sample of every `every`-th step.
inline PlanarResult recorded_scene(const SceneFile& file, BallisticStepper& stepper,
                                   std::int64_t every) {
  PlanarRecorder recorder(file, every);
  PlanarResult result;
  result.run = simulate_planar(file.scene, stepper, file.run, [&](const PlanarSnapshot& shown) {
    recorder.observe(shown);
    return true;
  });
  result.recording = recorder.finish();
  return result;
}

}  // namespace graspmap::testing
