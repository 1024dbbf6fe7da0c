#pragma once

#include <cstdint>

namespace graspmap::bench {

/// Prints what share of a sweep's processor time is not spent in its trials, with and without a
/// store: medians of `repetitions`.
void driver_overhead(int trials_per_cell, int repetitions);

/// Prints how much faster two threads are than one, in turns: on the clock, and as far as the
/// processor time that they take in all lets them be.
void two_threads_against_one(int trials_per_cell, int repetitions);

/// Prints the peak memory (VmHWM) of `graspmap run` for 1 and 10 times `trials_per_cell`.
void peak_memory(int trials_per_cell);

}  // namespace graspmap::bench
