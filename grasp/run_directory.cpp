#include "grasp/run_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace graspmap {
namespace fs = std::filesystem;
namespace {

constexpr std::array kAllFiles = {run_files::kConfig, run_files::kTrials, run_files::kMap,
                                  run_files::kSummary};

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

/// Whether a summary says that its run is complete (summary.json is our own writing: no parser).
bool summary_is_complete(const fs::path& summary) {
  std::ifstream stream(summary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str().find("\"complete\": true") != std::string::npos;
}

const char* description(RunFolderState state) {
  switch (state) {
    case RunFolderState::kEmpty:
      return "no run";
    case RunFolderState::kUnfinished:
      return "an unfinished run";
    case RunFolderState::kIncomplete:
      return "an incomplete run (it was interrupted)";
    case RunFolderState::kFinished:
      break;
  }
  return "a finished run";
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw IoError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
  }
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error)
    throw IoError(fmt::format("{}: cannot be removed: {}", file.string(), error.message()));
}

}  // namespace

RunFolderState run_folder_state(const fs::path& folder) {
  if (is_there(folder) && !fs::is_directory(folder)) {
    throw IoError(fmt::format("{}: is no folder", folder.string()));
  }
  const fs::path summary = folder / run_files::kSummary;
  if (is_there(summary)) {
    return summary_is_complete(summary) ? RunFolderState::kFinished : RunFolderState::kIncomplete;
  }
  const bool any = std::any_of(kAllFiles.begin(), kAllFiles.end(),
                               [&](const char* file) { return is_there(folder / file); });
  return any ? RunFolderState::kUnfinished : RunFolderState::kEmpty;
}

void prepare_run_folder(const fs::path& folder, bool overwrite) {
  const RunFolderState state = run_folder_state(folder);
  if (state != RunFolderState::kEmpty && !overwrite) {
    throw ConfigError(fmt::format("{}: holds {}; --force overwrites it, --out DIR writes elsewhere",
                                  folder.string(), description(state)));
  }
  create_folder(folder);
  for (const char* file : kAllFiles) check_writable(folder / file);
}

void write_run_files(const fs::path& folder, const RunFiles& files) {
  StagedFile config(folder / run_files::kConfig, files.config_toml);
  StagedFile trials(folder / run_files::kTrials, files.trials_csv);
  StagedFile map(folder / run_files::kMap, files.map_csv);
  StagedFile summary(folder / run_files::kSummary, files.summary_json);
  // The summary of an older run goes first: it must not stand beside files that are not its own.
  remove_file(folder / run_files::kSummary);
  config.commit();
  trials.commit();
  map.commit();
  summary.commit();
}

}  // namespace graspmap
