#pragma once

#include <string>
#include <vector>

#include "bench/peers/sliding_cube/cube_measurement.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap::bench {

/// For the terminal: a table of engines for each case, both step sizes below each other.
std::string cube_text(const std::vector<CubeComparison>& comparisons);
/// The same tables for a page.
std::string cube_markdown(const std::vector<CubeComparison>& comparisons);
/// One line for each case, step and engine; units in the names of the columns.
std::string cube_csv(const std::vector<CubeComparison>& comparisons);
/// The paths and the error of the position over time, for each case and step.
std::vector<Figure> cube_figures(const std::vector<CubeComparison>& comparisons);

}  // namespace graspmap::bench
