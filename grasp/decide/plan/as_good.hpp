#pragma once

#include "grasp/decide/plan/best_placement.hpp"

namespace graspmap {

/// The largest box of placements that are as good as a planned one and that holds it: at every node
/// of the search grid in it (or, where more than 400 nodes could be in it, at every second, third,
/// ... of them) the estimate of P from the trials is within one standard error of the highest that
/// was found, and the nodes are connected with the planned one by placements whose screened value
/// is within two. "Largest" counts nodes; of equal ones the first.
PlacementBox as_good_box(const SuccessField& field, const ErrorMixture& error,
                         const PlannedPlacement& planned);

}  // namespace graspmap
