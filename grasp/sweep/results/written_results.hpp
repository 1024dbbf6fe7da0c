#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>

#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

/// A run of more trials writes no trials.csv by itself: it would take longer to look at than to
/// make.
inline constexpr std::int64_t kMostTrialsInCsv = 1'000'000;

/// So many trials are written in a fraction of a second: for a run that was interrupted.
inline constexpr std::int64_t kMostTrialsInCsvAtOnce = 50'000;

/// trials.csv of a stored run in the making: a thread of its own reads the store and writes, while
/// the run is summed up. Errors are thrown by commit().
class TrialsTable {
 public:
  /// Of a run of 1 to `most` trials, into its folder; others have none.
  TrialsTable(const std::filesystem::path& folder, const RunTotals& totals, std::int64_t most);

  /// Waits for the file and gives it its name; without one, removes that of an earlier state.
  /// Returns whether there is one. Called once. Throws IoError.
  bool commit();

 private:
  /// The table refers to the configuration of its store.
  struct Rows {
    Rows(const std::filesystem::path& file, const std::filesystem::path& store_file);

    RunStore store;
    TrialsCsv csv;
  };

  std::filesystem::path file_;
  std::future<std::unique_ptr<Rows>> rows_;
};

/// What write_results did besides the files that are always there.
struct WrittenResults {
  bool trials_csv = false;   ///< was written; else one of an earlier state was removed
  bool npz_removed = false;  ///< trials.npz was of an earlier state
};

/// Writes all files that are made from a stored run into its folder: those of write_derived_files,
/// and its table of trials. Throws IoError.
WrittenResults write_results(const std::filesystem::path& folder, const RunStore& store,
                             const RunTotals& totals, const RunSummary& summary,
                             TrialsTable& table);

}  // namespace graspmap
