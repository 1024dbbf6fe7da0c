#include "grasp/decide/compare/shared_cells.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

constexpr double kMostGridCells = 1e6;
/// Cells are lined up when they are so to this part of a cell.
constexpr double kLinedUp = 1e-6;
constexpr double kLeastKnownShare = 0.5;

Rectangle bounds(const ExperimentCell& cell) {
  return {cell.x_min_mm, cell.x_max_mm, cell.y_min_mm, cell.y_max_mm};
}

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

void place_on_grid(SharedCell& cell, const CellGrid& grid) {
  const double x = (cell.bounds.x_min_mm + cell.bounds.x_max_mm) / 2;
  const double y = (cell.bounds.y_min_mm + cell.bounds.y_max_mm) / 2;
  cell.place = grid.index(*grid.x_mm.cell_at(x), *grid.y_mm.cell_at(y));
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
  shared.cells.push_back({bounds(cell),
                          run.cell.value_or(0),
                          run.counts,
                          run.probability,
                          {cell.successes, cell.trials, 0}});
}

}  // namespace

std::vector<ExperimentCell> counted_in(const CellGrid& grid,
                                       const std::vector<ExperimentTrial>& trials,
                                       std::int64_t& left_out) {
  std::vector<ExperimentCell> cells;
  for (int j = 0; j < grid.y_mm.cells; ++j) {
    for (int i = 0; i < grid.x_mm.cells; ++i) {
      cells.push_back({grid.x_mm.cell_min(i), grid.x_mm.cell_max(i), grid.y_mm.cell_min(j),
                       grid.y_mm.cell_max(j)});
    }
  }
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

SharedCells share_cells(const RunStore& run, const Experiment& experiment, double z, int slice,
                        StoredTrials stored) {
  const PlacementSweep& placement = run.config().placement;
  SharedCells shared;
  std::vector<ExperimentCell> cells =
      experiment.cells.empty()
          ? counted_in(placement, experiment.single_trials, shared.outside.trials)
          : pooled_cells(experiment);
  std::erase_if(cells, [](const ExperimentCell& cell) { return cell.trials == 0; });
  std::vector<Rectangle> rectangles;
  rectangles.reserve(cells.size());
  for (const ExperimentCell& cell : cells) rectangles.push_back(bounds(cell));
  const auto probabilities = rectangle_probabilities(run, rectangles, z, slice);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    add_cell(shared, cells[k], probabilities[k], stored);
  }
  if (shared.are_cells_of_run) {
    shared.grid = CellGrid{placement.x_mm, placement.y_mm};
    return shared;
  }
  shared.grid = common_grid(shared.cells);
  if (!shared.grid) return shared;
  for (SharedCell& cell : shared.cells) place_on_grid(cell, *shared.grid);
  return shared;
}

}  // namespace graspmap
