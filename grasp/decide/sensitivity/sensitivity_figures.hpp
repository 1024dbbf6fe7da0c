#pragma once

#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"

namespace graspmap {

/// A bar chart of the effects of all inputs with their intervals, where they are known, and a map
/// of each input's total effect in the cells.
std::vector<Figure> sensitivity_figures(const Sensitivity& result, double confidence);

}  // namespace graspmap
