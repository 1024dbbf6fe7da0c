#include "grasp/sweep/store/run_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grasp/base/io/file_kind.hpp"
#include "grasp/base/process/orderly_end.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// The store first, with the journal that SQLite keeps beside it while it writes: what is left when
/// a removal is cut short is no run any more.
constexpr std::array kAllFiles = {run_files::kStore, "run.sqlite-journal", run_files::kSummary,
                                  run_files::kMap,   run_files::kTrials,   run_files::kNpz,
                                  run_files::kConfig};

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

}  // namespace

RunFolderState run_folder_state(const fs::path& folder) {
  if (is_there(folder) && !fs::is_directory(folder)) {
    throw IoError(fmt::format("{}: is no folder", folder.string()));
  }
  if (is_there(folder / run_files::kStore)) return RunFolderState::kStored;
  const bool any = std::any_of(kAllFiles.begin(), kAllFiles.end(),
                               [&](const char* file) { return is_there(folder / file); });
  return any ? RunFolderState::kRemains : RunFolderState::kEmpty;
}

fs::path store_file(const fs::path& run) {
  const auto fail = [&](const std::string& problem) {
    throw ConfigError(fmt::format("{}: {}; must be the folder of a run, as graspmap run writes it",
                                  run.string(), problem));
  };
  if (!is_there(run)) fail("there is no such folder");
  if (!fs::is_directory(run)) {
    const std::string_view kind = file_kind_of(run);
    const bool may_be_store =
        kind.empty() || kind == "an empty file" || kind.starts_with("an SQLite database");
    if (!may_be_store) fail(fmt::format("is {}", kind));
    return run;
  }
  if (!is_there(run / run_files::kStore)) fail(fmt::format("has no {}", run_files::kStore));
  return run / run_files::kStore;
}

fs::path run_of(const fs::path& store_file) {
  const bool in_run_folder =
      store_file.filename() == run_files::kStore && store_file.has_parent_path();
  return in_run_folder ? store_file.parent_path() : store_file;
}

void create_run_folder(const fs::path& folder) {
  create_folder(folder);
  for (const char* file : {run_files::kStore, run_files::kConfig}) check_writable(folder / file);
}

NewRunFolder::NewRunFolder(const fs::path& folder) : folder_(folder), is_new_(!is_there(folder)) {
  create_run_folder(folder);
}

NewRunFolder::~NewRunFolder() {
  std::error_code not_empty;
  if (is_new_) fs::remove(folder_, not_empty);
}

void remove_run(const fs::path& folder) {
  const Unbroken moment;
  for (const char* file : kAllFiles) remove_file(folder / file);
}

void write_run_files(const fs::path& folder, const RunFiles& files) {
  StagedFile config(folder / run_files::kConfig, files.config_toml);
  StagedFile map(folder / run_files::kMap, files.map_csv);
  StagedFile summary(folder / run_files::kSummary, files.summary_json);
  const Unbroken moment;
  // The summary of an older state goes first: it must not stand beside files that are not its own.
  remove_file(folder / run_files::kSummary);
  config.commit();
  map.commit();
  summary.commit();
}

}  // namespace graspmap
