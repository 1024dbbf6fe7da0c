#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/measured_pushes/push_data.hpp"

namespace graspmap {

/// A row of a run's log. Poses are on the table.
struct HandSample {
  double time_s = 0.0;
  Pose2 hand;                 ///< its origin midway between the fingers, which lie on its y axis
  std::optional<Pose2> part;  ///< nothing where the camera had lost it
};

/// One run of a plan: pushes with two fingers, without a look at the part in between.
struct RepeatedRun {
  std::string id;
  std::string object;  ///< a shape
  std::string plan;
  std::int64_t repeat = 0;
  Pose2 start;  ///< of the part, as measured
  Pose2 end;
  /// The hand's path in each push. Between pushes it goes over the part.
  std::vector<std::vector<HandSample>> pushes;

  /// Laws are fitted on every other run.
  [[nodiscard]] bool is_fitted_on() const { return repeat % 2 != 0; }
};

struct RepeatedPushes {
  std::map<std::string, PushedShape> shapes;
  std::vector<RepeatedRun> runs;  ///< those of a plan one after the other
};

/// Reads shapes.toml, runs.csv and paths.csv of a folder, whose columns and units
/// docs/lab/measured-pushes.md has. Throws ConfigError.
RepeatedPushes read_repeated_pushes(const std::filesystem::path& folder);

}  // namespace graspmap
