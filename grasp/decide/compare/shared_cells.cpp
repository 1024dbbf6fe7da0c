#include "grasp/decide/compare/shared_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/statistics/compared_cells.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {
namespace {

/// The part of a range that lies in a cell of an axis.
struct AxisShare {
  int cell;
  double share;  ///< of the range
  bool whole;    ///< all of the cell
};

std::vector<AxisShare> axis_shares(const Axis& axis, double min_mm, double max_mm) {
  const double size = axis.cell_size();
  const double extent = max_mm - min_mm;
  const auto first = std::clamp((min_mm - axis.min) / size - 1, 0.0, axis.cells * 1.0);
  std::vector<AxisShare> shares;
  for (int i = static_cast<int>(first); i < axis.cells && axis.cell_min(i) < max_mm; ++i) {
    const double common = std::min(axis.cell_max(i), max_mm) - std::max(axis.cell_min(i), min_mm);
    if (common <= kBorderRounding * std::min(size, extent)) continue;
    const bool all = common >= extent * (1 - kBorderRounding);
    shares.push_back({i, all ? 1.0 : common / extent, common >= size * (1 - kBorderRounding)});
  }
  return shares;
}

/// The part of a cell that lies in a rectangle, and its trials.
struct RectangleStratum {
  std::size_t rectangle;
  std::size_t cell;
  double weight;  ///< its share of the rectangle
  bool whole;     ///< all trials of the cell
  SampleCounts counts = {};
};

/// Which cells each rectangle overlaps, and their trials.
class RectangleStrata {
 public:
  RectangleStrata(const PlacementSweep& placement, const std::vector<Rectangle>& rectangles)
      : placement_(placement),
        rectangles_(rectangles),
        of_rectangle_(rectangles.size()),
        of_cell_(static_cast<std::size_t>(placement.x_mm.cells) *
                 static_cast<std::size_t>(placement.y_mm.cells)) {
    for (std::size_t r = 0; r < rectangles.size(); ++r) add_rectangle(r);
  }

  void count(const RunStore& run, int slice) {
    for_each_trial_sample(run, [&](const TrialSample& trial) {
      if (trial.cell / of_cell_.size() != static_cast<std::size_t>(slice)) return;
      for (const std::size_t s : of_cell_[trial.cell % of_cell_.size()]) add(trial, strata_[s]);
    });
  }

  [[nodiscard]] RectangleProbability result(std::size_t rectangle, double z) const;

 private:
  void add_rectangle(std::size_t r) {
    const Rectangle& rectangle = rectangles_[r];
    for (const AxisShare& y :
         axis_shares(placement_.y_mm, rectangle.y_min_mm, rectangle.y_max_mm)) {
      for (const AxisShare& x :
           axis_shares(placement_.x_mm, rectangle.x_min_mm, rectangle.x_max_mm)) {
        const auto cell = static_cast<std::size_t>(y.cell * placement_.x_mm.cells + x.cell);
        of_cell_[cell].push_back(strata_.size());
        of_rectangle_[r].push_back(strata_.size());
        strata_.push_back({r, cell, x.share * y.share, x.whole && y.whole});
      }
    }
  }

  void add(const TrialSample& trial, RectangleStratum& stratum) const {
    const auto& [x_mm, y_mm, theta_rad] = trial.intended;
    if (!stratum.whole && !rectangles_[stratum.rectangle].holds(x_mm, y_mm)) return;
    count_outcome(trial.outcome, stratum.counts);
  }

  const PlacementSweep& placement_;
  const std::vector<Rectangle>& rectangles_;
  std::vector<std::vector<std::size_t>> of_rectangle_;  ///< the strata of each
  std::vector<std::vector<std::size_t>> of_cell_;
  std::vector<RectangleStratum> strata_;
};

RectangleProbability RectangleStrata::result(std::size_t rectangle, double z) const {
  std::vector<Stratum> strata;
  for (const std::size_t s : of_rectangle_[rectangle]) {
    strata.push_back(stratum_of(strata_[s].weight, strata_[s].counts));
  }
  const StratifiedProbability probability = stratified_probability(strata, z);
  RectangleProbability result;
  for (const Stratum& s : strata) result.share_in_map += s.weight;
  result.known_share = probability.known_weight;
  result.probability = {probability.estimate, probability.interval};
  result.counts = effective_counts(strata, probability);
  if (strata.size() != 1) return result;
  const RectangleStratum& only = strata_[of_rectangle_[rectangle].front()];
  if (!only.whole || only.weight != 1.0) return result;
  result.cell = only.cell;
  result.counts = only.counts;
  result.probability.interval = result.counts.interval(z);
  return result;
}

}  // namespace

Rectangle rectangle_of(const CellGrid& grid, std::size_t cell) {
  GRASPMAP_ASSERT(cell < static_cast<std::size_t>(grid.cell_count()));
  const CellIndex at = grid.cell(cell);
  return {grid.x_mm.cell_min(at.x), grid.x_mm.cell_max(at.x), grid.y_mm.cell_min(at.y),
          grid.y_mm.cell_max(at.y)};
}

SampleCounts effective_counts(const std::vector<Stratum>& strata,
                              const StratifiedProbability& probability) {
  if (!(probability.effective_trials > 0) || std::isnan(probability.estimate)) return {};
  double failed = 0;
  for (const Stratum& s : strata) {
    if (s.trials + s.failed > 0) failed += s.weight * s.failed / (s.trials + s.failed);
  }
  const double all = std::round(probability.effective_trials);
  const std::int64_t failed_trials = std::llround(all * failed / probability.known_weight);
  const std::int64_t trials = std::llround(all) - failed_trials;
  return {std::llround(probability.estimate * static_cast<double>(trials)), trials, failed_trials};
}

std::vector<RectangleProbability> rectangle_probabilities(const RunStore& run,
                                                          const std::vector<Rectangle>& rectangles,
                                                          double z, int slice) {
  GRASPMAP_CHECK(0 <= slice && slice < run.config().placement.theta_rad.cells);
  RectangleStrata strata(run.config().placement, rectangles);
  strata.count(run, slice);
  std::vector<RectangleProbability> results;
  results.reserve(rectangles.size());
  for (std::size_t r = 0; r < rectangles.size(); ++r) results.push_back(strata.result(r, z));
  return results;
}

namespace {

constexpr double kMostGridCells = 1e6;
/// Cells are lined up when they are so to this part of a cell.
constexpr double kLinedUp = 1e-6;
constexpr double kLeastKnownShare = 0.5;

/// One axis of the grid on which ranges [min, max] of one size are lined up; nothing if they are
/// not.
class AxisFinder {
 public:
  void add(double min_mm, double max_mm) {
    if (size_ == 0) {
      origin_ = min_mm;
      size_ = max_mm - min_mm;
    }
    const double place = (min_mm - origin_) / size_;
    is_grid_ = is_grid_ && std::abs((max_mm - min_mm) / size_ - 1) < kLinedUp &&
               std::abs(place - std::round(place)) < kLinedUp;
    low_ = std::min(low_, std::round(place));
    high_ = std::max(high_, std::round(place) + 1);
    min_ = std::min(min_, min_mm);
    max_ = std::max(max_, max_mm);
  }

  [[nodiscard]] std::optional<Axis> axis() const {
    if (!is_grid_ || high_ - low_ > kMostGridCells) return std::nullopt;
    return Axis{min_, max_, static_cast<int>(high_ - low_)};
  }

 private:
  double origin_ = 0.0;
  double size_ = 0.0;
  bool is_grid_ = true;
  double low_ = 0.0;
  double high_ = 0.0;
  double min_ = INFINITY;
  double max_ = -INFINITY;
};

std::optional<CellGrid> common_grid(const std::vector<SharedCell>& cells) {
  AxisFinder x;
  AxisFinder y;
  for (const SharedCell& cell : cells) {
    x.add(cell.bounds.x_min_mm, cell.bounds.x_max_mm);
    y.add(cell.bounds.y_min_mm, cell.bounds.y_max_mm);
  }
  const auto x_axis = x.axis();
  const auto y_axis = y.axis();
  if (!x_axis || !y_axis) return std::nullopt;
  if (static_cast<double>(x_axis->cells) * y_axis->cells > kMostGridCells) return std::nullopt;
  return CellGrid{*x_axis, *y_axis};
}

void leave_out(LeftOut& left_out, const ExperimentCell& cell) {
  left_out.trials += cell.trials;
  ++left_out.cells;
}

void add_cell(SharedCells& shared, const ExperimentCell& cell, const RectangleProbability& run,
              StoredTrials stored) {
  if (run.share_in_map < 1 - kBorderRounding) return leave_out(shared.outside, cell);
  const bool is_known = run.counts.trials > 0 && run.known_share >= kLeastKnownShare;
  if (stored == StoredTrials::kNeeded && !is_known) {
    return leave_out(shared.unknown, cell);
  }
  shared.are_cells_of_run = shared.are_cells_of_run && run.cell;
  shared.cells.push_back(
      {cell, run.cell.value_or(0), run.counts, run.probability, {cell.successes, cell.trials, 0}});
}

}  // namespace

std::vector<ExperimentCell> counted_in(const CellGrid& grid,
                                       const std::vector<ExperimentTrial>& trials,
                                       std::int64_t& left_out) {
  std::vector<ExperimentCell> cells;
  for (std::size_t k = 0; k < grid.index(0, 0, 1); ++k) cells.push_back({rectangle_of(grid, k)});
  for (const ExperimentTrial& trial : trials) {
    const auto i = grid.x_mm.cell_at(trial.x_mm);
    const auto j = grid.y_mm.cell_at(trial.y_mm);
    if (!i || !j) {
      ++left_out;
      continue;
    }
    ExperimentCell& cell = cells[grid.index(*i, *j)];
    ++cell.trials;
    cell.successes += trial.success ? 1 : 0;
  }
  return cells;
}

void check_angles_stored(const Experiment& experiment, const Axis& theta, std::optional<int> slice,
                         const char* instead) {
  for (const ExperimentTrial& trial : experiment.single_trials) {
    if (!trial.theta_rad) continue;
    const bool inside = slice && *trial.theta_rad >= theta.cell_min(*slice) &&
                        *trial.theta_rad <= theta.cell_max(*slice);
    if (inside) continue;
    throw config_error({experiment.file}, "",
                       fmt::format("theta_rad: {} is not in the run's cell of angles; its stored "
                                   "trials say nothing of it: {}",
                                   *trial.theta_rad, instead));
  }
}

SharedCells share_cells(const RunStore& run, const Experiment& experiment, double z, int slice,
                        StoredTrials stored) {
  const PlacementSweep& placement = run.config().placement;
  SharedCells shared;
  std::vector<ExperimentCell> cells =
      experiment.cells.empty()
          ? counted_in(placement, experiment.single_trials, shared.outside.trials)
          : pooled_cells(experiment);
  std::erase_if(cells, [](const ExperimentCell& cell) { return cell.trials == 0; });
  const std::vector<Rectangle> rectangles(cells.begin(), cells.end());
  const auto probabilities = rectangle_probabilities(run, rectangles, z, slice);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    add_cell(shared, cells[k], probabilities[k], stored);
  }
  const Axis theta = fixed_angle(placement.theta_rad.cell_center(slice));
  if (shared.are_cells_of_run) {
    shared.grid = CellGrid{placement.x_mm, placement.y_mm, theta};
    return shared;
  }
  shared.grid = common_grid(shared.cells);
  if (!shared.grid) return shared;
  shared.grid->theta_rad = theta;
  for (SharedCell& cell : shared.cells) {
    const double x = (cell.bounds.x_min_mm + cell.bounds.x_max_mm) / 2;
    const double y = (cell.bounds.y_min_mm + cell.bounds.y_max_mm) / 2;
    cell.place = shared.grid->index(*shared.grid->x_mm.cell_at(x), *shared.grid->y_mm.cell_at(y));
  }
  return shared;
}

}  // namespace graspmap
