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

/// The probability that p >= `probability`.
double belief_at_least(const CellBelief& belief, double probability);

}  // namespace graspmap
