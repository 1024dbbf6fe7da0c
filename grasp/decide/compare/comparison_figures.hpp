#pragma once

#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/compare/experiment_comparison.hpp"

namespace graspmap {

/// The figures of a comparison, none where there is no grid: `comparison` (the maps of
/// experiment and run and their difference) and `comparison_3d` (the first two as 3-D histograms
/// side by side, of the cells with x >= 0 where there are any).
std::vector<Figure> comparison_figures(const ExperimentComparison& comparison);

/// The observed success against the predicted one and, where the cells form a grid, the map of
/// differences in standard deviations.
std::vector<Figure> agreement_figures(const ExperimentComparison& comparison);

}  // namespace graspmap
