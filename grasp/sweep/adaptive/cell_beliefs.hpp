#pragma once

#include <array>
#include <vector>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// One of several things that a cell's success probability may be like: with probability `weight`
/// it is a draw from Beta(successes, others).
struct BeliefPart {
  double weight = 0.0;
  double successes = 0.0;  ///< > 0; of the prior and of the trials
  double others = 0.0;     ///< > 0
};

/// What is believed of the success probability p of a cell.
using CellBelief = std::array<BeliefPart, 5>;

/// What the trials so far, in a cell and its neighbours, let one believe of each cell of a map.
///
/// A cell is like its neighbours, more or less: with q the failure rate of the cells around it (up
/// to eight, and ten more at the next angles), those at its sides counted twice, p is a draw from
/// one of Beta(k (1 - q), k q), k = 0.5, 2, 8, 32; or it is unlike them: Beta(1/2, 1/2). Where the
/// neighbours never fail, the first four mean that the cell never fails either: they are the point
/// masses at 0 and 1 that maps with plateaus need. How often each of the five is the case is
/// estimated from the map itself, as the weights under which its cells, each given its neighbours
/// (pseudo-likelihood: Besag 1975, "Statistical analysis of non-lattice data"), are most likely
/// (EM: Dempster, Laird, Rubin 1977), with half a cell added to each so that none is ruled out.
/// Failed trials are left out.
std::vector<CellBelief> believe(const SuccessMap& map);

/// log B(a, b).
double log_beta(double a, double b);

/// The probability that p >= `probability`.
double belief_at_least(const CellBelief& belief, double probability);

/// The interval of the number of cells whose success probability is at least `threshold`, among the
/// cells that have trials; the estimate is the number of those with s / n >= threshold.
///
/// The estimate is biased when trials are few: cells just below the threshold often show it, and
/// cells just above it often do not. What is believed of each cell (believe) says how probable
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
