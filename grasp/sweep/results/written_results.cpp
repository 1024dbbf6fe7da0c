#include "grasp/sweep/results/written_results.hpp"

#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

namespace fs = std::filesystem;

TrialsTable::Rows::Rows(const fs::path& file, const fs::path& store_file)
    : store(RunStore::open(store_file, RunStore::Access::kRead)),
      csv(file, UncertainColumns(store.config())) {
  store.for_each([this](const TrialRow& row) { csv.add(row); });
}

TrialsTable::TrialsTable(const fs::path& folder, const RunTotals& totals, std::int64_t most)
    : file_(folder / run_files::kTrials) {
  const std::int64_t trials = totals.map().total().trials();
  if (trials == 0 || trials > most) return;
  rows_ = std::async(std::launch::async, [file = file_, store_file = folder / run_files::kStore] {
    return std::make_unique<Rows>(file, store_file);
  });
}

bool TrialsTable::commit() {
  if (!rows_.valid()) {
    remove_file(file_);
    return false;
  }
  rows_.get()->csv.commit();
  return true;
}

WrittenResults write_results(const fs::path& folder, const RunStore& store, const RunTotals& totals,
                             const RunSummary& summary, TrialsTable& table) {
  WrittenResults written;
  write_derived_files(folder, store, totals, summary);
  // An export of an earlier state must not pass for one of the run as it is now.
  written.npz_removed = fs::remove(folder / run_files::kNpz);
  written.trials_csv = table.commit();
  return written;
}

}  // namespace graspmap
