#pragma once

#include <vector>

#include "grasp/sweep/adaptive/cell_beliefs.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// Where the sweet spot of the complete run will be, as far as an incomplete one tells.
struct SweetSpotForecast {
  /// The most probable one (the one with the highest confidence; of equal ones the one that is
  /// itself more probable, then the first). Its probability and interval are those of the trials
  /// that there are. Not found when the complete run will have none.
  SweetSpot spot;
  /// The probability that the complete run puts it within sweep.adaptive.sweet_spot_within_mm of
  /// here, in the same cell of angles.
  double confidence = 0.0;
  /// For each cell: the share of the variance of the sweet spot's place that one would be rid of if
  /// one knew whether the cell is going to be worse than the sweet spot's worst cell. 0 for cells
  /// of which chance alone would show as much.
  std::vector<double> influence;
};

/// From a thousand draws of the complete run (fewer on maps of more than 40,000 cells).
SweetSpotForecast forecast_sweet_spot(const SweepConfig& config, const SuccessMap& map,
                                      const std::vector<CellBelief>& beliefs);

}  // namespace graspmap
