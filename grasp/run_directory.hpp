#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/atomic_file.hpp"
#include "grasp/map_csv.hpp"
#include "grasp/success_map.hpp"
#include "grasp/sweep_config.hpp"
#include "grasp/trial.hpp"

namespace graspmap {

/// The files of one run: outputs/NAME/. Every file is written under a temporary name in the same
/// folder and renamed when it is complete, so that none is ever half-written under its final name.
namespace run_files {
inline constexpr const char* kConfig = "config.toml";
inline constexpr const char* kTrials = "trials.csv";
inline constexpr const char* kMap = "map.csv";
inline constexpr const char* kSummary = "summary.json";
}  // namespace run_files

/// What a folder holds already.
enum class RunFolderState {
  kEmpty,       ///< nothing of a run (the folder need not exist)
  kUnfinished,  ///< files of a run without a summary: the run ended while it wrote them
  kIncomplete,  ///< a run that was stopped before its last trial
  kFinished
};

/// Looks at a run folder. Throws IoError when there is something that is no folder.
RunFolderState run_folder_state(const std::filesystem::path& folder);

/// Makes the folder ready for a run: creates it and checks that files can be written into it.
/// Throws ConfigError when it holds a run and `overwrite` is false, IoError when it cannot be
/// written.
void prepare_run_folder(const std::filesystem::path& folder, bool overwrite);

/// The texts of a run's files.
struct RunFiles {
  std::string config_toml;
  std::string trials_csv;
  std::string map_csv;
  std::string summary_json;
};

/// Writes a run's files: all or none, but for a crash in between. The summary comes last, so that a
/// folder with a summary holds a whole run. Throws IoError.
void write_run_files(const std::filesystem::path& folder, const RunFiles& files);

}  // namespace graspmap
