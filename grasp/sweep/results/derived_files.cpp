#include "grasp/sweep/results/derived_files.hpp"

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/sweep/results/map_csv.hpp"
#include "grasp/sweep/results/trials_csv.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;

RunSummary summarize(const RunStore& store, const RunTotals& totals) {
  return summarize(store.config(), totals, store.trials_asked());
}

RunTiming timing(const RunStore& store) {
  RunTiming timing;
  for (const StoreSession& session : store.sessions()) {
    timing.wall_s += session.wall_s;
    timing.threads = session.threads;
  }
  return timing;
}

bool derived_files_have(const fs::path& folder, std::int64_t trials) {
  for (const char* file : {run_files::kConfig, run_files::kMap, run_files::kSummary}) {
    if (!fs::exists(folder / file)) return false;
  }
  try {
    return read_map_csv(folder / run_files::kMap).total().trials() >= trials;
  } catch (const ConfigError&) {
    return false;  // not a map any more: the store can give it again
  }
}

void write_derived_files(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                         const RunSummary& summary) {
  const MapIntervals intervals =
      store.config().adaptive ? MapIntervals::kWilsonAndAnytime : MapIntervals::kWilson;
  write_run_files(folder, {store.config_toml(), map_csv(totals.map, intervals),
                           summary_json(summary, timing(store), folder)});
}

void write_trials_csv(const fs::path& file, const RunStore& store) {
  TrialsCsv csv(file, UncertainColumns(store.config()));
  store.for_each([&](const TrialRow& row) { csv.add(row); });
  csv.commit();
}

WrittenResults write_results(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                             const RunSummary& summary, std::int64_t most_in_csv) {
  WrittenResults written;
  write_derived_files(folder, store, totals, summary);
  // An export of an earlier state must not pass for one of the run as it is now.
  written.npz_removed = fs::remove(folder / run_files::kNpz);
  written.trials_csv = summary.trials_done <= most_in_csv;
  if (written.trials_csv) {
    write_trials_csv(folder / run_files::kTrials, store);
  } else {
    remove_file(folder / run_files::kTrials);
  }
  return written;
}

}  // namespace graspmap
