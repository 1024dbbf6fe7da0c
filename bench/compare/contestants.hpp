#pragma once

#include <vector>

#include "bench/compare/measurement.hpp"

namespace graspmap::bench {

/// All engines of this build at all step sizes, those of a curve side by side, ours first. Without
/// GRASPMAP_BENCH_PEERS only ours. Throws std::invalid_argument for a scenario that one of them
/// cannot model.
std::vector<Contestant> make_contestants(const Scenario& scenario);

}  // namespace graspmap::bench
