#pragma once

#include "lab/spatial/implicit_problem.hpp"

namespace graspmap {

/// The starts of Newton's method.
struct SpatialGuess {
  bool from_last = false;  ///< contacts that carried an impulse in the last step do so again
  int facets = 0;  ///< of a box or cylinder that touches: 1 face, 2 edge, 3 vertex (as many as it
                   ///< has); 0: those of its closest point
  double sigma = 0.1;  ///< slip of a new contact, in units of the scales
  double p_n = 0.5;    ///< impulse of a new contact, likewise
};

/// The unknowns of a step: free motion, and the contacts as `guess` says. A function of its
/// arguments alone.
Eigen::VectorXd guess_step(const SpatialScene& scene, const SpatialState& start, double h,
                           const SpatialScales& scales, const SpatialStepProblem& problem,
                           const SpatialGuess& guess);

}  // namespace graspmap
