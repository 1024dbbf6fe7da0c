#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// What is counted of the trials in the first of a cell's two nets.
struct NetCounts {
  std::int64_t trials = 0;  ///< without the failed ones
  std::int64_t successes = 0;
};

/// Integer counts of one cell. Sums of integers do not depend on the order of adding.
struct CellCounts {
  std::array<std::int64_t, kOutcomeCount> by_outcome{};
  NetCounts first_net = {};    ///< of a sweep's cell
  double design_effect = 1.0;  ///< of the share of successes: find_design_effects

  [[nodiscard]] std::int64_t count(Outcome outcome) const {
    return by_outcome[static_cast<std::size_t>(outcome)];
  }
  /// Counts the trials of another cell too, whatever their nets and their effect.
  void add_outcomes(const CellCounts& other);
  [[nodiscard]] std::int64_t trials() const;
  /// Trials that say something about the grasp: all but the failed ones.
  [[nodiscard]] std::int64_t valid_trials() const { return trials() - count(Outcome::kFailed); }
  /// Successes over valid trials; NaN without valid trials.
  [[nodiscard]] double success_probability() const;
  /// Independent trials that would give the success probability as exactly as the valid ones.
  [[nodiscard]] double effective_trials() const {
    return static_cast<double>(valid_trials()) / design_effect;
  }
  /// Wilson's interval of the success probability by the effective trials, in which failed trials
  /// count once as success and once as no success; [0, 1] without valid trials.
  [[nodiscard]] Interval success_interval(double z = kZ95) const;
};

/// "success 23012", "wedged 22000", ...: the outcomes that occur.
std::vector<std::string> outcome_texts(const CellCounts& counts);

/// The map: counts per cell, in the order of its grid. A sweep at one angle has one slice.
struct SuccessMap : CellGrid {
  std::vector<CellCounts> cells;

  SuccessMap() = default;
  explicit SuccessMap(const CellGrid& grid);
  SuccessMap(const Axis& x, const Axis& y, const Axis& theta = fixed_angle(0.0))
      : SuccessMap(CellGrid{x, y, theta}) {}

  [[nodiscard]] const CellCounts& at(int i, int j, int k = 0) const {
    return cells[index(i, j, k)];
  }
  void add(const CellIndex& cell, Outcome outcome);
  /// Adds the trial of a sweep with this index: it belongs to a cell and to a net.
  void add_trial(std::int64_t trial, Outcome outcome);
  /// The same in the first slice.
  void add(int i, int j, Outcome outcome) { add({i, j, 0}, outcome); }
  [[nodiscard]] CellCounts total() const;
  /// The cells of slice k as a map of one cell of angles.
  [[nodiscard]] SuccessMap slice(int k) const;
};

/// Sets the design effects of the cells of a sweep with Sobol points.
///
/// The two nets of a cell are independent, so (s_1/n_1 - s_2/n_2)^2 / (1/n_1 + 1/n_2) estimates
/// n times the variance of its share of successes p, which is p (1 - p) with independent trials.
/// Cells have the effect of all that are alike in min(p, 1 - p), and in n within a factor of two,
/// corrected by how they and their neighbours differ from it. It is 1 where p is near 0 or 1, and
/// where a cell has few trials. Coverage: docs/explanation/statistics.md.
void find_design_effects(SuccessMap& map);

/// The mean standard error sqrt(p (1 - p) / n) of the success probabilities p, n effective trials,
/// over the cells in which not all trials ended alike; 0 where every cell's did.
double mean_standard_error(const SuccessMap& map);

/// The number of independent trials, as many in each cell, that would give the success
/// probabilities as exactly as the map's trials do: with the same mean standard error over the
/// cells in which not all trials ended alike; the map's valid trials where every cell's did.
double independent_trials(const SuccessMap& map);

/// The placement and angle whose square of +-half_width has the highest lowest-cell probability.
struct SweetSpot {
  bool found = false;  ///< false when no square of that size fits the map or has trials everywhere
  double x_mm = 0.0;
  double y_mm = 0.0;
  double half_width_mm = 0.0;  ///< 0: a placement that was found otherwise
  double lowest_probability = 0.0;
  Interval lowest_interval;  ///< Wilson 95 % of that lowest cell
  double theta_rad = 0.0;    ///< the centre of its cell of angles
  int cell_theta = 0;        ///< that cell: the slice of the map
};

/// Candidates are the placements for which the square is made of whole cells of one slice (a half
/// width that is not a multiple of half a cell is rounded to whole cells, at least one); every cell
/// of the square must have valid trials. Candidates of all slices compete. Ties go to the middle of
/// the tied candidates: first to the slice of a tied candidate that is closest to their mean angle,
/// then of smaller |theta|, then of smaller index; in that slice to the candidate closest to the
/// mean of those tied there, then of smaller |x|, then of smaller index.
SweetSpot find_sweet_spot(const SuccessMap& map, double half_width_mm);

/// Whether a cell lies in a sweet spot's square.
bool is_in_square(const SuccessMap& map, const SweetSpot& spot, const CellIndex& cell);

/// The trials in all cells of a sweet spot's square.
CellCounts count_in_square(const SuccessMap& map, const SweetSpot& spot);

/// The cells with success probability >= a threshold. The extents are 0 without such cells.
struct Plateau {
  std::int64_t cells = 0;      ///< of all slices
  double area_mm2 = 0.0;       ///< in the slice that has most of them
  double theta_rad = 0.0;      ///< that slice: the centre of its angles; the first of equal ones
  double mean_area_mm2 = 0.0;  ///< mean over the slices; for one slice, area_mm2
  double x_min_mm = 0.0, x_max_mm = 0.0, y_min_mm = 0.0, y_max_mm = 0.0;
  double theta_min_rad = 0.0, theta_max_rad = 0.0;
};

Plateau find_plateau(const SuccessMap& map, double probability);

/// The numbers behind what one says about a success map: its plateau, its sweet spot, how sharply
/// success drops off around it, and where it is low.

/// A success probability for each cell of a grid, x fastest; NaN: nothing known.
struct ProbabilityGrid {
  Axis x_mm;
  Axis y_mm;
  std::vector<double> values;

  [[nodiscard]] double at(int i, int j) const {
    return values[static_cast<std::size_t>(j * x_mm.cells + i)];
  }
};

/// The sides of the plateau, seen from the sweet spot. Behind is towards +y, where the jaws grasp
/// nearly opposite points of a part; in front is towards -y.
enum class Side { kLeft, kRight, kFront, kBehind };
inline constexpr std::array kSides = {Side::kLeft, Side::kRight, Side::kFront, Side::kBehind};

/// "left (-x)", "right (+x)", "front (-y)", "behind (+y)".
const char* name(Side side);

/// What lies on a line from a point outwards, in mm along it; NaN where there is no such thing
/// inside the map.
struct SideShape {
  /// The distance between p = 0.9, where success first falls below it, and p = 0.1, where it first
  /// falls below that.
  double drop_off_mm;
  double low_begins_mm;  ///< from the point to where p first falls below 0.5
  double low_extent_mm;  ///< from there to where p rises to 0.5 again, or to the map's edge
};

/// The shape along the line from (x_mm, y_mm) towards a side. p is interpolated linearly between
/// the centres of the cells that the line runs through; where it runs along the border of two rows
/// of cells, their mean counts (or the one that is known). The line begins at the first centre at
/// or beyond the point, and ends at the map's edge or before the first cell where nothing is known.
/// A drop-off from 1 to 0 between two neighbours measures 0.8 cells: no width below that can be
/// resolved.
SideShape side_shape(const ProbabilityGrid& map, double x_mm, double y_mm, Side side);

/// The area of the cells with p >= threshold, in mm^2.
double plateau_area_mm2(const ProbabilityGrid& map, double threshold);

/// The area of the cells with p >= threshold in both maps over that of those with p >= threshold in
/// at least one; NaN without such cells. The maps have one grid; cells that one of them does not
/// know do not count.
double plateau_overlap(const ProbabilityGrid& a, const ProbabilityGrid& b, double threshold);

}  // namespace graspmap
