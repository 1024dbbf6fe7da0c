#pragma once

#include <vector>

#include "grasp/sweep/mpi/ranks.hpp"
#include "grasp/sweep/mpi/world.hpp"

namespace graspmap {

/// What every rank but rank 0 does: runs the trials that rank 0 gives it and sends it the rows,
/// until there are no more, or none are wanted. Two ranges are on their way at any time, so that
/// the threads do not wait; they have as many trials as take this rank a quarter of a second. The
/// rank sends its errors to rank 0, which reports them to the user.
void work_for_rank_0(MpiWorld& world, const std::vector<RankInfo>& ranks);

}  // namespace graspmap
