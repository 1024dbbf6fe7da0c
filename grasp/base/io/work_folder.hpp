#pragma once

#include <filesystem>

#include "grasp/base/process/orderly_end.hpp"

namespace graspmap {

/// A folder for files in the making. It is removed at the end, with all that is in it, also when a
/// signal ends the process.
class WorkFolder {
 public:
  /// Makes it, empty: what has its name is removed. The folder that it lies in must be there.
  /// Throws IoError.
  explicit WorkFolder(std::filesystem::path path);
  /// One with a name of its own where the system keeps temporary files. Throws IoError.
  static WorkFolder with_own_name();

  [[nodiscard]] const std::filesystem::path& path() const { return temporary_.path(); }

  /// Gives every file its place in `folder`, which is made if need be. Throws IoError.
  void move_files_to(const std::filesystem::path& folder) const;

 private:
  explicit WorkFolder(TemporaryPath temporary);

  TemporaryPath temporary_;
};

}  // namespace graspmap
