#pragma once

#include <string>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// The cells [first_x, x.cells) of a map as the visible faces of bars of height p, as CSV for
/// gnuplot's pm3d: columns x_mm, y_mm, height, probability, face (0 top, 1 facing along x, 2 facing
/// along y, 3 the floor of a cell without counted trials); a face is two scans of two corners. A
/// side reaches down to the neighbour's top: what the neighbour hides is left out.
std::string bar_faces_csv(const SuccessMap& map, int first_x);

}  // namespace graspmap
