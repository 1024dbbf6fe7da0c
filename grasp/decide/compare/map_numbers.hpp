#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// The shapes of two maps in numbers, with the uncertainty that the counts leave.

/// A number of the run's map, of the experiment's, and their difference (experiment - run); NaN
/// where a map lacks it.
struct MapNumber {
  std::string name;  ///< for people: "drop-off, front (-y)"
  std::string key;   ///< for files, with the unit: "drop_off_front_mm"
  const char* unit;
  Estimate run;
  Estimate experiment;
  Estimate difference;
  Interval by_chance;  ///< of the difference, if both maps came from the same process
};

struct MapNumbers {
  double plateau_probability = 0.0;
  double x_mm = 0.0;  ///< the run's sweet spot, where the lines begin; NaN without one
  double y_mm = 0.0;
  /// plateau_area_mm2, sweet_spot_x_mm, sweet_spot_y_mm, then of each side drop_off_mm,
  /// low_begins_mm, low_extent_mm.
  std::vector<MapNumber> numbers;
  Estimate plateau_overlap;  ///< plateau_overlap of both
  Estimate displacement_mm;  ///< distance of the sweet spots
  Interval overlap_by_chance;
  Interval displacement_by_chance_mm;
  std::int64_t cells = 0;  ///< with enough trials of both
  std::int64_t replicates = 0;
};

/// The least trials of a cell, of both, with which it counts in MapNumbers.
inline constexpr std::int64_t kLeastTrialsOfCell = 10;

struct MapNumbersInput {
  const std::vector<SharedCell>& cells;
  CellGrid grid;
  double plateau_probability = 0.95;
  double sweet_spot_half_width_mm = 3.0;
  double confidence = 0.95;
  std::int64_t replicates = 1000;
  std::uint64_t seed = 1;
};

/// Both maps are looked at where both have kLeastTrialsOfCell trials: all other cells are unknown.
/// Sweet spots: find_sweet_spot. Sides: side_shape of both maps along the same lines, which begin
/// at the run's sweet spot.
///
/// Intervals hold their estimates. The plateau's area: plateau_area_interval. Others: parametric
/// bootstrap (Efron and Tibshirani 1993, "An Introduction to the Bootstrap", section 6.5). In each
/// of `replicates` replicates the successes of each cell are drawn anew, binomial with the observed
/// probability, and all numbers are computed anew (the lines stay); the interval is
/// bias_corrected_interval of those that exist, cut off where the number cannot be. Cells in which
/// all trials came out alike do not vary, so with few trials per cell these intervals are too
/// narrow. Differences are to be judged by what they are by chance: the same, but the cells of both
/// maps are drawn with the probability of all trials of both, and the interval holds the middle
/// `confidence`. The interval of a difference is the difference minus what it is by chance, widened
/// to hold the difference. Failed trials count once as no successes, once as successes, and the
/// intervals hold both.
MapNumbers map_numbers(const MapNumbersInput& input);

/// The same as a run's configuration asks, with as many replicates as can be drawn in about a
/// second, 100 to 1000, and a fixed seed: it comes out the same again. At least one cell.
MapNumbers map_numbers(const std::vector<SharedCell>& cells, const CellGrid& grid,
                       const SweepConfig& config, double confidence);

/// The interval of a number from bootstrap replicates of it, for numbers that sampling noise may
/// move to one side (thresholds, maxima, overlaps).
///
/// [a, b] holds the middle `confidence` of the replicates (percentile interval; Efron and
/// Tibshirani 1993, "An Introduction to the Bootstrap", section 13.3). Replicates are as far from
/// the estimate as the estimate is from the truth, so [2 e - b, 2 e - a] corrects the bias (basic
/// interval; Davison and Hinkley 1997, "Bootstrap Methods and their Application", eq. 2.10); e is
/// the estimate. The result is the smallest interval that holds both: it always holds the estimate,
/// and where there is no bias it is next to the percentile interval. Replicates that are NaN are
/// left out; without any other, or with an estimate that is NaN, both ends are NaN.
Interval bias_corrected_interval(double estimate, std::vector<double> replicates,
                                 double confidence);

}  // namespace graspmap
