#pragma once

#include <string>

#include "grasp/show/report/trial_table.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// run.json of a report: what the page needs to know of a run besides its other parts: the axes of
/// the map, the seed, the laws of what is drawn, where sweet spot and plateau are, who ran it, how
/// trials are packed, and the shapes of part and fingers as polygons.
/// docs/reference/formats.md has the fields. `run` is the run as a person named it.
std::string run_facts_json(const RunStore& store, const RunSummary& summary,
                           const TrialTable& table, const std::string& run);

}  // namespace graspmap
