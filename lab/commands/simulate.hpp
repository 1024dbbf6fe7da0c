#pragma once

#include <cstdint>

#include "lab/scenes/scene_reader.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {

/// What a simulation is expected to take. The estimate is a count, not a measurement: the same for
/// the same scene on every machine. docs/lab/scenes.md "What a simulation takes" has the
/// formula and what was measured.
struct ExpectedWork {
  std::int64_t steps = 0;
  std::int64_t moving_bodies = 0;
  double seconds = 0.0;  ///< on the machine of docs/explanation/performance.md, to a factor of 7
};

ExpectedWork expected_work(const SceneFile& file);
ExpectedWork expected_work(const SpatialSceneFile& file);

/// A simulation that is expected to take longer must be asked for.
inline constexpr double kMostExpected_s = 3600.0;

/// Throws ConfigError, in one line, for a simulation that is expected to take more than an hour.
void check_expected_work(const std::string& file, const ExpectedWork& work);

}  // namespace graspmap
