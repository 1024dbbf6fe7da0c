#pragma once

#include <string>

#include "grasp/trials/success_map.hpp"

/// What success maps are drawn of, and what their legends say.

namespace graspmap {

/// A box for each cell in the palette's colour; none where the probability is undefined. A plot
/// command without the file and the title.
inline constexpr const char* kProbabilityCells =
    "using (x_center(0)):(y_center(0)):'x_min_mm':'x_max_mm':'y_min_mm':'y_max_mm' \\\n"
    "         :(probability(0)) with boxxyerror lw 1 lc palette fs solid border";

/// The same: a hatched box for each cell without counted trials.
inline constexpr const char* kUncountedCells =
    "using (counted(0) > 0 ? NaN : x_center(0)):(y_center(0)) \\\n"
    "         :'x_min_mm':'x_max_mm':'y_min_mm':'y_max_mm' \\\n"
    "         with boxxyerror lw 1 lc rgb '#808080' fs pattern 4 border";

/// The data blocks $sweet_spot, a point, and $square, the line around the square.
std::string sweet_spot_block(const SweetSpot& spot);

std::string plateau_title(double probability);
std::string sweet_spot_title(const SweetSpot& spot);
/// Of the square around the sweet spot.
std::string square_title(const SweetSpot& spot);

}  // namespace graspmap
