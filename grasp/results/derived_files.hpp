#pragma once

#include <filesystem>

#include "grasp/results/summary.hpp"
#include "grasp/store/run_store.hpp"
#include "grasp/store/run_totals.hpp"

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

}  // namespace graspmap
