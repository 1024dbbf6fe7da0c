#pragma once

#include <filesystem>
#include <memory>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/store/run_lock.hpp"
#include "python/errors.hpp"

namespace graspmap::python {

/// A run folder, locked. Throws RunInUse when somebody else writes it, this process included.
inline std::unique_ptr<RunLock> locked_folder(const std::filesystem::path& folder) {
  try {
    return std::make_unique<RunLock>(folder);
  } catch (const ConfigError& error) {
    throw RunInUse(error.what());
  }
}

}  // namespace graspmap::python
