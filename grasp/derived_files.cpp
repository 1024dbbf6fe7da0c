#include "grasp/derived_files.hpp"

#include "grasp/map_csv.hpp"
#include "grasp/run_directory.hpp"
#include "grasp/trial_table.hpp"

namespace graspmap {
namespace fs = std::filesystem;

RunTotals read_totals(const RunStore& store) {
  RunTotals totals(store.config().placement);
  store.for_each([&](const TrialRow& row) { totals.add(row); });
  return totals;
}

RunSummary summarize(const RunStore& store, const RunTotals& totals) {
  return summarize(store.config(), totals, store.asked().trials());
}

RunTiming timing(const RunStore& store) {
  RunTiming timing;
  for (const StoreSession& session : store.sessions()) {
    timing.wall_s += session.wall_s;
    timing.threads = session.threads;
  }
  return timing;
}

void write_derived_files(const fs::path& folder, const RunStore& store, const RunTotals& totals) {
  write_run_files(folder, {store.config_toml(), map_csv(totals.map),
                           summary_json(summarize(store, totals), timing(store), folder)});
}

void write_trials_csv(const fs::path& file, const RunStore& store) {
  AtomicWriter writer(file);
  writer.write(trials_csv_header());
  std::string line;
  store.for_each([&](const TrialRow& row) {
    line.clear();
    append_trial_csv(line, row);
    writer.write(line);
  });
  writer.commit();
}

}  // namespace graspmap
