#pragma once

#include <cstdint>
#include <filesystem>

#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/run_totals.hpp"

namespace graspmap {

/// The summary of a store whose trials have these totals.
RunSummary summarize(const RunStore& store, const RunTotals& totals);

/// How long the run took, over all who added trials; threads are those of the last one.
RunTiming timing(const RunStore& store);

/// Whether config.toml, map.csv and summary.json are in a run folder, of `trials` trials or more.
bool derived_files_have(const std::filesystem::path& folder, std::int64_t trials);

/// Writes config.toml, map.csv and summary.json of a store into a run folder. `summary` is that of
/// the totals. Throws IoError.
void write_derived_files(const std::filesystem::path& folder, const RunStore& store,
                         const RunTotals& totals, const RunSummary& summary);

/// Writes the stored trials as trials.csv. Throws IoError.
void write_trials_csv(const std::filesystem::path& file, const RunStore& store);

/// A run of more trials writes no trials.csv by itself: it would take longer to look at than to
/// make.
inline constexpr std::int64_t kMostTrialsInCsv = 1'000'000;

/// So many trials are written in a fraction of a second: for a run that was interrupted.
inline constexpr std::int64_t kMostTrialsInCsvAtOnce = 50'000;

/// What write_results did besides the files that are always there.
struct WrittenResults {
  bool trials_csv = false;   ///< was written; else one of an earlier state was removed
  bool npz_removed = false;  ///< trials.npz was of an earlier state
};

/// Writes all files that are made from a stored run into its folder: those of write_derived_files,
/// and trials.csv of up to `most_in_csv` trials. Throws IoError.
WrittenResults write_results(const std::filesystem::path& folder, const RunStore& store,
                             const RunTotals& totals, const RunSummary& summary,
                             std::int64_t most_in_csv);

}  // namespace graspmap
