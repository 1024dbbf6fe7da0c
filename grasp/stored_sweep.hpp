#pragma once

#include "grasp/run_store.hpp"
#include "grasp/run_totals.hpp"
#include "grasp/sweep.hpp"

namespace graspmap {

/// Runs the trials that a store misses and stores them. Ends when all are there, or control.stop is
/// set: then the trials that had begun are stored too. `totals` are those of the stored trials and
/// grow with them. Throws IoError when the store cannot be written; what was stored before stays.
void run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control,
                      const RowFunction& trial);

}  // namespace graspmap
