#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/difference/run_difference.hpp"

namespace graspmap {

/// For a person: the answer first, then what differs and how the trials are paired, then a table.
std::string difference_text(const RunDifference& result);

/// difference.csv: a row per cell, x fastest.
Table difference_table(const RunDifference& result);

/// difference.json: the same as the text, in numbers.
Object difference_fields(const RunDifference& result);

/// Four maps: A, B, B minus A, and the same where it is significant; of several angles, at that of
/// A's sweet spot, and a second figure of where B minus A is significant at each angle, if they are
/// not more than 9.
std::vector<Figure> difference_figures(const RunDifference& result);

}  // namespace graspmap
