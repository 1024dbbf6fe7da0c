#pragma once

#include "grasp/figures/figure.hpp"
#include "grasp/run_difference.hpp"

namespace graspmap {

/// Four maps: A, B, B less A, and the same where it is significant. Titles are any text.
Figure difference_figure(const RunDifference& result);

}  // namespace graspmap
