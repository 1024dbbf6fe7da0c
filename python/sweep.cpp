#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "grasp/app/commands/progress.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/sweep/results/written_results.hpp"
#include "grasp/sweep/store/merge_stores.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "python/native.hpp"
#include "python/watched_work.hpp"

namespace graspmap::python {
namespace {

/// A run folder, locked. Throws RunInUse when somebody else writes it, this process included.
inline std::unique_ptr<RunLock> locked_folder(const std::filesystem::path& folder) {
  try {
    return std::make_unique<RunLock>(folder);
  } catch (const ConfigError& error) {
    throw RunInUse(error.what());
  }
}

}  // namespace

namespace py = pybind11;
namespace fs = std::filesystem;

bool SweepWatch::tell(const py::object& watch) const {
  if (watch.is_none() || asked < 0) return true;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const CellCounts by_now = counters.snapshot();
  py::tuple numbers(kOutcomeCount);
  for (std::size_t k = 0; k < kOutcomeCount; ++k) numbers[k] = by_now.by_outcome[k];
  const py::object answer = watch(numbers, asked.load(), before.load(), passed.count());
  return !answer.is(py::bool_(false));
}

namespace {

/// A sweep as Python asks for it.
struct SweepRequest {
  std::shared_ptr<const SweepConfig> config;
  fs::path folder;
  Shard shard;
  ExistingRun existing = ExistingRun::kRefuse;
  int threads = 0;
};

/// What is worth a note when it has ended.
struct SweepEnd {
  std::string crashed_owner;
  bool npz_removed = false;
};

/// Throws ConfigError when a folder holds a run, saying how to continue.
void refuse_existing(const fs::path& folder, const char* what_to_do) {
  if (run_folder_state(folder) == RunFolderState::kEmpty) return;
  throw config_error({folder.string()}, "", fmt::format("holds a run already; {}", what_to_do));
}

SweepEnd run_request(const SweepRequest& request, SweepWatch& watch, const std::atomic<int>& stop) {
  create_run_folder(request.folder);
  const std::unique_ptr<RunLock> lock = locked_folder(request.folder);
  if (request.existing == ExistingRun::kRefuse) {
    refuse_existing(request.folder,
                    "resume=True continues it, overwrite=True starts again, out=... writes "
                    "elsewhere");
  }
  OpenedRun run = open_run(request.folder, *request.config, request.shard, request.existing);
  watch.counters.add(run.totals.map().total());
  watch.before = run.totals.map().total().trials();
  watch.start = std::chrono::steady_clock::now();
  watch.asked = run.store.trials_asked();
  if (!run.totals.is_complete(run.store.trials_asked())) {
    run.store.begin_process(new_process(*request.config, 1, thread_count(request.threads)));
    run_stored_sweep(run.store, run.totals, {request.threads, &stop, &watch.counters},
                     sweep_trials(*request.config));
  }
  SweepEnd end;
  end.crashed_owner = lock->crashed_owner();
  TrialsTable table(request.folder, run.totals,
                    stop == 0 ? kMostTrialsInCsv : kMostTrialsInCsvAtOnce);
  const RunSummary summary = answered_summary(run.store, run.totals);
  if (summary.trials_done == 0) return end;
  end.npz_removed =
      write_results(request.folder, run.store, run.totals, summary, table).npz_removed;
  return end;
}

ExistingRun existing_run(bool resume, bool overwrite) {
  if (resume && overwrite) {
    throw WrongCall("overwrite=True starts a run again, resume=True continues it; give one");
  }
  if (overwrite) return ExistingRun::kOverwrite;
  return resume ? ExistingRun::kResume : ExistingRun::kRefuse;
}

py::tuple run_sweep(const CheckedConfig& config, const fs::path& folder, int shard_index,
                    int shard_count, bool resume, bool overwrite, int threads,
                    const py::object& watch_function) {
  const SweepRequest request{
      config.config, folder, {shard_index, shard_count}, existing_run(resume, overwrite), threads};
  SweepWatch watch;
  SweepEnd end;
  run_watched([&](const std::atomic<int>& stop) { end = run_request(request, watch, stop); },
              [&] { return watch.tell(watch_function); });
  static_cast<void>(watch.tell(watch_function));  // how it ended
  return py::make_tuple(end.crashed_owner, end.npz_removed);
}

/// The command's progress bar.
std::string progress_bar_text(const std::array<std::int64_t, kOutcomeCount>& counts,
                              std::int64_t asked, std::int64_t before, double seconds,
                              std::size_t width) {
  return progress_bar({{counts}, asked, seconds, before}, width);
}

}  // namespace

void bind_sweep(py::module_& module) {
  module.def("run_sweep", &run_sweep, py::arg("config"), py::arg("folder"), py::arg("shard_index"),
             py::arg("shard_count"), py::arg("resume"), py::arg("overwrite"), py::arg("threads"),
             py::arg("watch"));
  module.def("progress_bar", &progress_bar_text, py::arg("counts"), py::arg("asked"),
             py::arg("before"), py::arg("seconds"), py::arg("width"));
  module.def("thread_count", &thread_count, py::arg("threads"));
}

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

/// Merges, unless it is stopped; returns whether trials.npz of an earlier state was removed.
bool merge_and_write(const fs::path& folder, const MergePlan& plan, SweepWatch& watch,
                     const std::atomic<int>& stop) {
  const NewRunFolder new_folder(folder);
  const std::unique_ptr<RunLock> lock = locked_folder(folder);
  const auto totals = merge_into_run(folder, plan, watch.counters, stop);
  if (!totals) return false;
  const RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kRead);
  TrialsTable table(folder, *totals, kMostTrialsInCsv);
  return write_results(folder, store, *totals, answered_summary(store, *totals), table).npz_removed;
}

/// The notes: kinds of bits, where there is more than one, and whether trials.npz was removed.
py::tuple merge_runs(const fs::path& folder, const std::vector<fs::path>& shards, bool partial,
                     bool overwrite, const py::object& watch_function) {
  SweepWatch watch;
  std::vector<std::string> kinds;
  bool npz_removed = false;
  run_watched(
      [&](const std::atomic<int>& stop) {
        if (!overwrite) refuse_existing(folder, "overwrite=True overwrites it");
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
