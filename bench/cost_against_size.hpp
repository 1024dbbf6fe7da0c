#pragma once

#include <filesystem>

namespace graspmap::bench {

/// Measures the processor time of a trial and of a step against the number of pieces, the step
/// size and the tolerance, prints a table and, with a folder (which must lie in one that is there),
/// draws cost_against_size into it. `trials` of each, in `rounds` turns, of which the medians
/// count.
void cost_against_size(int trials, int rounds, const std::filesystem::path& folder);

}  // namespace graspmap::bench
