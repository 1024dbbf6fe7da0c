#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/merged_run.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "python/errors.hpp"
#include "python/native.hpp"
#include "python/run_folder.hpp"
#include "python/sweep_watch.hpp"
#include "python/watched_work.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace fs = std::filesystem;
namespace {

MergePlan read_plan(const std::vector<fs::path>& shards, bool partial) {
  std::vector<fs::path> stores;
  for (const fs::path& shard : shards) stores.push_back(store_file(shard));
  MergePlan plan = plan_merge(stores);
  const TrialRanges gaps = plan.missing();
  if (!partial && !gaps.empty()) {
    throw ConfigError(
        fmt::format("{} of {} trials are in no shard: {}; give the shards that have them, or merge "
                    "what there is with partial=True",
                    count_trials(gaps), plan.config.trials(), text(gaps)));
  }
  return plan;
}

void check_merged_folder(const fs::path& folder, bool overwrite) {
  if (overwrite || run_folder_state(folder) == RunFolderState::kEmpty) return;
  throw ConfigError(
      fmt::format("{}: holds a run already; overwrite=True overwrites it", folder.string()));
}

/// Merges, unless it is stopped; returns whether trials.npz of an earlier state was removed.
bool merge_and_write(const fs::path& folder, const MergePlan& plan, SweepWatch& watch,
                     const std::atomic<int>& stop) {
  const NewRunFolder new_folder(folder);
  const std::unique_ptr<RunLock> lock = locked_folder(folder);
  const auto totals = merge_into_run(folder, plan, watch.counters, stop);
  if (!totals) return false;
  const RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kRead);
  return write_results(folder, store, *totals, summarize(store, *totals), kMostTrialsInCsv)
      .npz_removed;
}

/// The notes: kinds of bits, where there is more than one, and whether trials.npz was removed.
py::tuple merge_runs(const fs::path& folder, const std::vector<fs::path>& shards, bool partial,
                     bool overwrite, const py::object& watch_function) {
  SweepWatch watch;
  std::vector<std::string> kinds;
  bool npz_removed = false;
  run_watched(
      [&](const std::atomic<int>& stop) {
        check_merged_folder(folder, overwrite);
        const MergePlan plan = read_plan(shards, partial);
        kinds = plan.kinds_of_bits();
        watch.asked = plan.config.trials() - count_trials(plan.missing());
        npz_removed = merge_and_write(folder, plan, watch, stop);
      },
      [&] { return watch.tell(watch_function); });
  static_cast<void>(watch.tell(watch_function));
  return py::make_tuple(kinds, npz_removed);
}

}  // namespace

void bind_merge(py::module_& module) {
  module.def("merge_runs", &merge_runs, py::arg("folder"), py::arg("shards"), py::arg("partial"),
             py::arg("overwrite"), py::arg("watch"));
}

}  // namespace graspmap::python
