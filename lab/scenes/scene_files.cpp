#include "lab/scenes/scene_files.hpp"

#include <fmt/format.h>

#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

}  // namespace

void create_scene_folder(const fs::path& folder, bool overwrite) {
  if (run_folder_state(folder) == RunFolderState::kStored) {
    throw ConfigError(
        fmt::format("{}: holds a run of a sweep; --out DIR writes elsewhere", folder.string()));
  }
  if (!overwrite && is_there(folder / scene_files::kTrajectory)) {
    throw ConfigError(fmt::format(
        "{}: holds a simulation already; --force overwrites it, --out DIR writes elsewhere",
        folder.string()));
  }
  create_folder(folder);
  check_writable(folder / scene_files::kSummary);
}

void write_scene_texts(const fs::path& folder, const std::vector<NamedText>& files) {
  std::vector<StagedFile> staged;
  for (const auto& [name, text] : files) staged.emplace_back(folder / name, text);
  const Unbroken moment;
  // Files of an older simulation must not remain beside the new ones.
  remove_file(folder / scene_files::kAnimation);
  remove_file(folder / scene_files::kSummary);
  for (StagedFile& next : staged) next.commit();
}

}  // namespace graspmap
