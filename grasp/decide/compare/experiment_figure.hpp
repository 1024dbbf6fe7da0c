#pragma once

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/compare/experiment_comparison.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// A figure for a paper, `experiment`: at the left the run's map (of one cell of angles) with the
/// experiment's placements, each in the colour of its observed share of successes; at the right the
/// observed share against the predicted one, in ten bins, with intervals.
Figure experiment_figure(const SuccessMap& run, const ExperimentComparison& comparison);

}  // namespace graspmap
