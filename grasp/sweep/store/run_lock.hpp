#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grasp/base/process/orderly_end.hpp"

namespace graspmap {

/// Says that this process writes a run folder: the file run.lock in it, locked with flock and
/// holding the process id and the host. The lock ends with the process, however it ends; a file
/// that a crash left behind is recognised by not being locked.
class RunLock {
 public:
  /// Locks a folder that exists. Throws ConfigError, naming process and host, when another process
  /// has it; IoError when the file cannot be written.
  explicit RunLock(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// "process 4711 on host lab3" when that process had the folder and ended without giving it back;
  /// else empty.
  [[nodiscard]] const std::string& crashed_owner() const { return crashed_owner_; }

 private:
  std::filesystem::path file_;
  int fd_ = -1;
  std::string crashed_owner_;
  std::optional<TemporaryPath> locked_;  ///< the file, from when it is ours
};

}  // namespace graspmap
