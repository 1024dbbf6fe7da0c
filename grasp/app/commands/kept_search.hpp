#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

/// The trials of an interrupted search in a folder, which is this process's own as long as it has
/// them.
template <typename Trials>
struct KeptSearch {
  RunLock lock;
  std::filesystem::path file;
  Trials trials;
};

/// Continues the `search` whose trials are in FOLDER/NAME, or begins it: Trials(file, search, show)
/// has found() and has_replaced().
template <typename Trials>
std::shared_ptr<KeptSearch<Trials>> kept_search(const std::filesystem::path& folder,
                                                const char* name, const std::string& search,
                                                const AnalysisWatch& watch) {
  create_run_folder(folder);
  const std::filesystem::path file = folder / name;
  const auto kept = std::shared_ptr<KeptSearch<Trials>>(
      new KeptSearch<Trials>{RunLock(folder), file, Trials(file, search, watch.trials)});
  note_kept(file);
  if (kept->trials.has_replaced() && watch.notice) {
    watch.notice(fmt::format("graspmap: note: {} was of another search; this one begins anew.\n",
                             file.string()));
  }
  if (kept->trials.found() > 0 && watch.line) {
    watch.line(fmt::format("graspmap: {}.\n",
                           kept->trials.found() == 1
                               ? "1 trial already exists"
                               : counted(kept->trials.found(), "trial") + " already exist"));
  }
  return kept;
}

/// Removes the file when the answer's files are there.
template <typename Trials>
std::function<void()> when_answered(const std::shared_ptr<KeptSearch<Trials>>& kept) {
  return [kept] {
    const Unbroken moment;
    remove_file(kept->file);
    note_kept({});
  };
}

}  // namespace graspmap
