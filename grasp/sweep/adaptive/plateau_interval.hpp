#pragma once

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// The interval of the number of cells whose success probability is at least `threshold`, among the
/// cells that have trials; the estimate is the number of those with s / n >= threshold.
///
/// The estimate is biased when trials are few: cells just below the threshold often show it, and
/// cells just above it often do not. What is believed of each cell (believe) tells how probable
/// both mistakes are: with p a draw of the belief and s* binomial (n, p),
///   P(counted and should not) = P(p < threshold, s* >= n threshold), and the other way round.
/// The cells' mistakes are independent given the beliefs, so the distribution of their sum D is a
/// convolution. The interval is the estimate minus the middle `confidence` of D (a bias-corrected
/// bootstrap, without the noise of replicates; Davison and Hinkley 1997, "Bootstrap Methods and
/// their Application", eq. 2.10), widened to hold the estimate. Failed trials count once as no
/// successes, once as successes, and the interval holds both.
Interval plateau_cells_interval(const SuccessMap& map, double threshold, double confidence = 0.95);

/// The same as an area (mm^2) of the cells of one slice.
Interval plateau_area_interval(const SuccessMap& slice, double threshold, double confidence = 0.95);

}  // namespace graspmap
