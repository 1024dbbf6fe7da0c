#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "grasp/base/probability/stratified.hpp"
#include "grasp/base/probability/two_samples.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// Placements, in mm.
struct Rectangle {
  double x_min_mm = 0.0;
  double x_max_mm = 0.0;
  double y_min_mm = 0.0;
  double y_max_mm = 0.0;

  [[nodiscard]] double area_mm2() const { return (x_max_mm - x_min_mm) * (y_max_mm - y_min_mm); }
};

/// What a run tells of placements that are uniform in a rectangle.
struct RectangleProbability {
  std::optional<std::size_t> cell;  ///< the cell of the slice that the rectangle is
  double share_in_map = 0.0;        ///< of its area
  double known_share = 0.0;         ///< of its area: with trials
  Estimate probability;             ///< NaN without trials
  SampleCounts counts;              ///< the cell's, or effective ones
};

/// Whole trials that would tell about as much as the trials of strata do.
SampleCounts effective_counts(const std::vector<Stratum>& strata,
                              const StratifiedProbability& probability);

/// The probabilities of rectangles, in one pass over the run's trials.
///
/// A rectangle that is a cell of the run (to 1e-9 of its size) has the cell's counts and Wilson's
/// interval. Any other is stratified by the cells it overlaps (stratified_probability): weight =
/// area of overlap / area of the rectangle, trials = those of the cell whose intended placement
/// lies in the rectangle; what lies beyond the map is weight without trials. Its counts are the
/// effective trials, rounded, and as many failed trials and successes among them as the weighted
/// shares say. `slice` is the run's cell of angles, from 0; z the normal quantile of intervals.
std::vector<RectangleProbability> rectangle_probabilities(const RunStore& run,
                                                          const std::vector<Rectangle>& rectangles,
                                                          double z, int slice = 0);

}  // namespace graspmap
