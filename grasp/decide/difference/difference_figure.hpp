#pragma once

#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/difference/run_difference.hpp"

namespace graspmap {

/// Four maps: A, B, B minus A, and the same where it is significant; of several angles, at that of
/// A's sweet spot, and a second figure of where B minus A is significant at each angle, if they are
/// not more than 9.
std::vector<Figure> difference_figures(const RunDifference& result);

}  // namespace graspmap
