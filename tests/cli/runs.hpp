#pragma once

#include <string>
#include <vector>

#include "tests/cli/program.hpp"

/// Runs of the lock piece on a map of 9 cells, and what one asks of them.

namespace graspmap::testing {

/// The arguments of a run without figures.
std::vector<std::string> run_of(int trials_per_cell, const std::vector<std::string>& more = {});

/// What `graspmap hash` prints; checks that it does.
std::string digest(Program& program, const std::string& folder);

/// Waits until a run has stored trials; fails the test after half a minute.
void wait_for_trials(const Program& program, const std::string& folder);

void sleep(double seconds);

/// Takes the fused operations away from the C library of a program that is run with it, as an older
/// processor does: the C library's mathematics then gives other bits, and graspmap's does not.
inline constexpr const char* kNoFusedOperations = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4";

}  // namespace graspmap::testing
