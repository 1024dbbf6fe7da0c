#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/results/unmet_summary.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// Why grasps are no success, cell by cell.

/// Shares are those of trials without success that have a reason. A trial may have several.
struct MapReasons {
  std::vector<std::string> reasons;         ///< in words, the most frequent of the map first
  std::vector<double> share;                ///< of each, over the map
  std::vector<std::vector<double>> shares;  ///< of each cell; empty where all trials succeed
  std::vector<std::int64_t> looked_at;      ///< of each cell: trials that were simulated again

  /// The most frequent reason of a cell, the map's more frequent one of equal ones.
  [[nodiscard]] std::optional<std::size_t> main_reason(std::size_t cell) const;
};

/// Trials that missed the part, or were blocked, have that for their reason. Of those that end with
/// the part between the jaws the ones of `unmet` show which conditions of success they lack; where
/// a cell has few of these its first ones are simulated again as well, to 5 in a cell and `most`
/// over the map. `unmet` is what count_unmet says of the store; without it, the program does not
/// simulate the run's trials as they were, and there is nothing.
std::optional<MapReasons> map_reasons(const RunStore& store, const SuccessMap& map,
                                      const std::optional<UnmetSummary>& unmet,
                                      std::int64_t most = 4000);

/// The map `reasons`: the main reason of each cell, for a map and reasons of one cell of angles.
/// Nothing where all trials succeed.
std::optional<Figure> reasons_figure(const FigureInput& input, const MapReasons& reasons);

/// The reasons of one slice of the map.
MapReasons slice_of(const MapReasons& reasons, const CellGrid& grid, int slice);

/// The part "reasons" of a report.
Object reasons_fields(const MapReasons& reasons);

}  // namespace graspmap
