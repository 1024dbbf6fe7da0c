#pragma once

#include <optional>
#include <vector>

#include "grasp/decide/plan/expected_success.hpp"

namespace graspmap {

/// A box of placements.
struct PlacementBox {
  PlacementVector low{};
  PlacementVector high{};
};

/// What of an interval is due to what is unknown but the same in all grasps.
struct ConstantUnknowns {
  Interval worlds;                   ///< the middle of P over what is unknown
  Interval trials;                   ///< the interval of P by the trials alone
  double random_part_success = 0.0;  ///< P without what is unknown: the random error alone
};

/// What choosing among placements adds to the estimate: choosing and measuring with different
/// trials leaves it out.
struct UnselectedSuccess {
  double probability = 0.0;           ///< the mean of the two
  std::array<PlacementVector, 2> at;  ///< chosen with the first, third, ... trials of each cell;
                                      ///< with the others
  std::array<double, 2> measured{};   ///< there, each with the trials that did not choose it
};

/// A nominal placement that was found to be good.
struct PlannedPlacement {
  PlacementVector at{};
  ExpectedSuccess success;
  double standard_error = 0.0;  ///< of the highest estimate in its tied region
  double highest = 0.0;         ///< that estimate
  PlacementBox as_good;         ///< as_good_box, of what make_plan returns
  std::optional<ConstantUnknowns> unknowns;
  /// The standard deviations that it was judged with, where the error's own are finer than the
  /// trials can show.
  std::optional<PlacementVector> judged_with;
  /// The low end of the interval allows for it; only the best placement has it.
  std::optional<UnselectedSuccess> unselected;
};

/// The placements that are looked at: a quarter of a cell apart, from end to end of each axis (a
/// half or a whole cell apart where they would be more than 300,000); along an axis whose error is
/// exact, the centres of the cells.
PlacementGrid search_grid(const SuccessField& field, const ErrorMixture& error);

/// The placement with the highest P(mu).
/// 1. screened_success on the search grid; its highest node, and there one standard error s: how
///    far below the estimate the interval at z = 1 begins.
/// 2. The nodes that are connected with it by screened values within 2 s of it, thinned evenly to
///    at most 64, are estimated from their trials (expected_success).
/// 3. Those that are below the highest estimate by no more than the standard error of the
///    difference (ComparedPlacements) are tied: the trials do not distinguish them. The one closest
///    to their mean is taken, in units of cells; then that of smaller |x|, then the first.
/// Nothing when no success is known of.
std::optional<PlannedPlacement> best_placement(const SuccessField& field, const ErrorMixture& error,
                                               double z = kZ95);

/// The best placement, which is best_placement's, and others well apart from it, the highest
/// screened value first. A further one is a local maximum of the screened values
/// - from which every way to a better one leads down by more than 2 standard errors of the best,
/// - at least one unit from each better one (scaled by two cells, two standard deviations or a
///   whole width of the error, whichever is most, in each axis),
/// - with at least half of the best's probability;
/// at most four of them.
std::vector<PlannedPlacement> best_placements(const SuccessField& field, const ErrorMixture& error,
                                              const PlannedPlacement& best, double z = kZ95);

/// Nothing when one half of the trials knows of no success.
std::optional<UnselectedSuccess> unselected_success(const SuccessField& field,
                                                    const ErrorMixture& error);

/// The largest box of placements that are as good as a planned one and that holds it: at every node
/// of the search grid in it (or, where more than 400 nodes could be in it, at every second, third,
/// ... of them) the estimate of P from the trials is within one standard error of the highest that
/// was found, and the nodes are connected with the planned one by placements whose screened value
/// is within two. "Largest" counts nodes; of equal ones the first.
PlacementBox as_good_box(const SuccessField& field, const ErrorMixture& error,
                         const PlannedPlacement& planned);

}  // namespace graspmap
