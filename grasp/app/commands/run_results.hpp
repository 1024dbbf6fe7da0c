#pragma once

#include <filesystem>

#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/results/written_results.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

/// What the commands that make a run leave behind: the same for all of them.

/// Prints the summary of a stored run, and writes the files that are made from it into its folder:
/// its table of trials too. `summary` is that of the totals. Throws IoError.
void save_results(const std::filesystem::path& folder, const RunStore& store,
                  const RunTotals& totals, const RunSummary& summary, TrialsTable& table);

/// Draws the figures; a failure is a warning, the results are safe already.
void draw_results(const std::filesystem::path& folder, const RunStore& store,
                  const RunTotals& totals, const RunSummary& summary);

/// Writes report.html into the folder of a stored run (`graspmap report`). Throws IoError.
void draw_report(const std::filesystem::path& folder, const RunStore& store);

/// Says that figures of an earlier run are still there, when no new ones were drawn.
void warn_of_old_figures(const std::filesystem::path& folder);

}  // namespace graspmap
