#pragma once

#include <string>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// The axes of a 3-D histogram of the cells [first_x, x.cells).
std::string histogram_axes(const SuccessMap& map, int first_x);

/// What follows the axes, where view_size is defined: the view, and bars whose sides are darker
/// than their tops.
extern const char* const kHistogramBars;

/// How faces (bar_faces.hpp) are drawn: what follows "splot DATA".
extern const char* const kHistogramFaces;

/// The first column of cells with centre at x >= 0; the number of columns when there is none.
int first_right_column(const Axis& x);

}  // namespace graspmap
