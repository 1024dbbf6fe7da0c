#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// The files of one run: outputs/NAME/. The store holds everything; the others are made from it,
/// each under a temporary name in the same folder and renamed when it is complete, so that none is
/// ever half-written under its final name.
namespace run_files {
inline constexpr const char* kStore = "run.sqlite";
inline constexpr const char* kLock = "run.lock";
inline constexpr const char* kConfig = "config.toml";
inline constexpr const char* kTrials = "trials.csv";
inline constexpr const char* kNpz = "trials.npz";
inline constexpr const char* kMap = "map.csv";
inline constexpr const char* kSummary = "summary.json";
}  // namespace run_files

/// What a folder holds already.
enum class RunFolderState {
  kEmpty,   ///< nothing of a run (the folder need not exist)
  kStored,  ///< a run: there is a store
  kRemains  ///< files of a run, but no store
};

/// Looks at a run folder. Throws ConfigError when there is something else in its place.
RunFolderState run_folder_state(const std::filesystem::path& folder);

/// The store of a run that a person named: of a run folder, or the file itself. Throws ConfigError
/// when it has no store.
std::filesystem::path store_file(const std::filesystem::path& run);

/// The run of such a file as a person names it: its folder, or the file when it has another name
/// than in a run folder; empty for one in memory, which has no file.
std::filesystem::path run_of(const std::filesystem::path& store_file);

/// What titles call a run: "lock_piece", or "lock_piece (strong)" in a folder of another name;
/// `store_file` is empty for a run in memory.
std::string run_title(const std::string& name, const std::filesystem::path& store_file);

/// Makes the folder ready for a run: creates it and checks that files can be written into it.
/// Throws IoError.
void create_run_folder(const std::filesystem::path& folder);

/// Makes a folder ready for a run, and removes it at the end when it was made here and nothing came
/// to be in it. Throws IoError.
class NewRunFolder {
 public:
  explicit NewRunFolder(const std::filesystem::path& folder);
  ~NewRunFolder();
  NewRunFolder(const NewRunFolder&) = delete;
  NewRunFolder& operator=(const NewRunFolder&) = delete;

 private:
  std::filesystem::path folder_;
  bool is_new_;
};

/// Removes the files of a run that are there, the store first, but not its figures. Throws IoError.
void remove_run(const std::filesystem::path& folder);

/// The texts of a run's small files.
struct RunFiles {
  std::string config_toml;
  std::string map_csv;
  std::string summary_json;
};

/// Writes a run's small files: all or none, except after a crash in between. Throws IoError.
void write_run_files(const std::filesystem::path& folder, const RunFiles& files);

/// Says that this process writes a run folder: the file run.lock in it, locked with flock and
/// holding the process id and the host. The lock ends with the process, however it ends; a file
/// that a crash left behind is recognised by not being locked.
class RunLock {
 public:
  /// Locks a folder that exists. Throws ConfigError, naming process and host, when another process
  /// has it; IoError when the file cannot be written.
  explicit RunLock(const std::filesystem::path& folder);
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// "process 4711 on host lab3" when that process had the folder and ended without giving it back;
  /// else empty.
  [[nodiscard]] const std::string& crashed_owner() const { return crashed_owner_; }

 private:
  std::filesystem::path file_;
  FileDescriptor open_;
  std::string crashed_owner_;
  /// The file, from when it is ours. Removed first, while it is locked: nobody can have locked this
  /// very file in between.
  std::optional<TemporaryPath> locked_;
};

}  // namespace graspmap
