#include <algorithm>
#include <cmath>
#include <tuple>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {
namespace {

/// A table of values, x fastest.
struct CellTable {
  int width = 0;
  int height = 0;
  std::vector<double> values;

  CellTable(int w, int h) : width(w), height(h) {
    values.resize(static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
  }
  double& at(int i, int j) { return values[static_cast<std::size_t>(j * width + i)]; }
  [[nodiscard]] double at(int i, int j) const {
    return values[static_cast<std::size_t>(j * width + i)];
  }
};

/// A candidate: the block of cells with lower left cell (i, j) in slice k.
struct Block {
  int i = 0;
  int j = 0;
  int k = 0;
};

/// The number of whole cells across a square of the given half width, at least one.
int cells_across(const Axis& axis, double half_width_mm) {
  const double cells = std::round(2 * half_width_mm / axis.cell_size());
  // A square wider than the map fits nowhere, however wide.
  return static_cast<int>(std::clamp(cells, 1.0, axis.cells + 1.0));
}

/// Success probability of each cell of a slice; -1, below any probability, for a cell without valid
/// trials.
CellTable probabilities(const SuccessMap& map, int k) {
  CellTable table(map.x_mm.cells, map.y_mm.cells);
  const auto first = map.cells.begin() + static_cast<std::ptrdiff_t>(map.index(0, 0, k));
  const auto last = first + static_cast<std::ptrdiff_t>(table.values.size());
  std::transform(first, last, table.values.begin(), [](const CellCounts& c) {
    return c.valid_trials() > 0 ? c.success_probability() : -1.0;
  });
  return table;
}

/// The lowest value of every block of n x m cells, first along x, then along y.
CellTable block_minima(const CellTable& table, int n, int m) {
  CellTable rows(table.width - n + 1, table.height);
  for (int j = 0; j < rows.height; ++j) {
    for (int i = 0; i < rows.width; ++i) {
      const double* first = &table.values[static_cast<std::size_t>(j * table.width + i)];
      rows.at(i, j) = *std::min_element(first, first + n);
    }
  }
  CellTable blocks(rows.width, rows.height - m + 1);
  for (int j = 0; j < blocks.height; ++j) {
    for (int i = 0; i < blocks.width; ++i) {
      double lowest = rows.at(i, j);
      for (int k = 1; k < m; ++k) lowest = std::min(lowest, rows.at(i, j + k));
      blocks.at(i, j) = lowest;
    }
  }
  return blocks;
}

/// The lowest probability of every block of n x m cells, slice by slice.
std::vector<CellTable> block_minima(const SuccessMap& map, int n, int m) {
  std::vector<CellTable> minima;
  for (int k = 0; k < map.theta_rad.cells; ++k) {
    minima.push_back(block_minima(probabilities(map, k), n, m));
  }
  return minima;
}

double highest(const std::vector<CellTable>& tables) {
  double value = -1.0;
  for (const CellTable& table : tables) {
    value = std::max(value, *std::max_element(table.values.begin(), table.values.end()));
  }
  return value;
}

std::vector<Block> blocks_with_value(const std::vector<CellTable>& tables, double value) {
  std::vector<Block> found;
  for (int k = 0; k < static_cast<int>(tables.size()); ++k) {
    const CellTable& table = tables[static_cast<std::size_t>(k)];
    for (int j = 0; j < table.height; ++j) {
      for (int i = 0; i < table.width; ++i) {
        if (table.at(i, j) == value) found.push_back({i, j, k});
      }
    }
  }
  return found;
}

double block_center_mm(const Axis& axis, int first, int cells) {
  return axis.min + (first + cells / 2.0) * axis.cell_size();
}

/// Of the slices with tied blocks the one closest to the blocks' mean, then of smaller |theta|,
/// then the first.
int most_central_slice(const std::vector<Block>& tied, const Axis& theta) {
  double sum_k = 0;
  for (const Block& block : tied) sum_k += block.k;
  const double mean_k = sum_k / static_cast<double>(tied.size());
  const auto rank = [&](const Block& block) {
    return std::tuple(std::abs(block.k - mean_k), std::abs(theta.cell_center(block.k)));
  };
  return std::min_element(tied.begin(), tied.end(),
                          [&](const Block& a, const Block& b) { return rank(a) < rank(b); })
      ->k;
}

/// Of tied blocks of one slice the one closest to their mean, then of smaller |x|, then the first.
Block most_central(const std::vector<Block>& tied, const SuccessMap& map, int n) {
  double sum_i = 0;
  double sum_j = 0;
  for (const Block& block : tied) {
    sum_i += block.i;
    sum_j += block.j;
  }
  const double count = static_cast<double>(tied.size());
  const auto rank = [&](const Block& block) {
    const double dx = (block.i - sum_i / count) * map.x_mm.cell_size();
    const double dy = (block.j - sum_j / count) * map.y_mm.cell_size();
    return std::tuple(dx * dx + dy * dy, std::abs(block_center_mm(map.x_mm, block.i, n)));
  };
  return *std::min_element(tied.begin(), tied.end(),
                           [&](const Block& a, const Block& b) { return rank(a) < rank(b); });
}

/// The widest-reaching Wilson interval among the cells of a block with the lowest probability.
Interval lowest_interval(const SuccessMap& map, const Block& block, int n, int m, double lowest) {
  Interval interval{1.0, 1.0};
  for (int j = block.j; j < block.j + m; ++j) {
    for (int i = block.i; i < block.i + n; ++i) {
      const CellCounts& cell = map.at(i, j, block.k);
      if (cell.success_probability() != lowest) continue;
      const Interval candidate = cell.success_interval();
      if (candidate.low < interval.low) interval = candidate;
    }
  }
  return interval;
}

/// Widens [low, high] to hold [a, b].
void widen(double& low, double& high, double a, double b) {
  low = std::min(low, a);
  high = std::max(high, b);
}

void add_cell(Plateau& plateau, const SuccessMap& map, int i, int j, int k) {
  const double x0 = map.x_mm.cell_min(i);
  const double x1 = map.x_mm.cell_max(i);
  const double y0 = map.y_mm.cell_min(j);
  const double y1 = map.y_mm.cell_max(j);
  const double theta0 = map.theta_rad.cell_min(k);
  const double theta1 = map.theta_rad.cell_max(k);
  if (plateau.cells == 0) {
    plateau.x_min_mm = x0;
    plateau.x_max_mm = x1;
    plateau.y_min_mm = y0;
    plateau.y_max_mm = y1;
    plateau.theta_min_rad = theta0;
    plateau.theta_max_rad = theta1;
  }
  widen(plateau.x_min_mm, plateau.x_max_mm, x0, x1);
  widen(plateau.y_min_mm, plateau.y_max_mm, y0, y1);
  widen(plateau.theta_min_rad, plateau.theta_max_rad, theta0, theta1);
  ++plateau.cells;
}

/// Adds the cells of a slice; returns how many.
std::int64_t add_slice(Plateau& plateau, const SuccessMap& map, double probability, int k) {
  const std::int64_t before = plateau.cells;
  for (int j = 0; j < map.y_mm.cells; ++j) {
    for (int i = 0; i < map.x_mm.cells; ++i) {
      // False for a cell without valid trials: NaN compares false.
      if (map.at(i, j, k).success_probability() >= probability) add_cell(plateau, map, i, j, k);
    }
  }
  return plateau.cells - before;
}

}  // namespace

SweetSpot find_sweet_spot(const SuccessMap& map, double half_width_mm) {
  SweetSpot spot;
  spot.half_width_mm = half_width_mm;
  if (map.cells.empty()) return spot;
  const int n = cells_across(map.x_mm, half_width_mm);
  const int m = cells_across(map.y_mm, half_width_mm);
  if (n > map.x_mm.cells || m > map.y_mm.cells) return spot;

  const std::vector<CellTable> minima = block_minima(map, n, m);
  const double best = highest(minima);
  if (best < 0) return spot;
  std::vector<Block> tied = blocks_with_value(minima, best);
  const int slice = most_central_slice(tied, map.theta_rad);
  std::erase_if(tied, [&](const Block& block) { return block.k != slice; });
  const Block block = most_central(tied, map, n);
  spot.found = true;
  spot.theta_rad = map.theta_rad.cell_center(slice);
  spot.cell_theta = slice;
  spot.x_mm = block_center_mm(map.x_mm, block.i, n);
  spot.y_mm = block_center_mm(map.y_mm, block.j, m);
  spot.lowest_probability = best;
  spot.lowest_interval = lowest_interval(map, block, n, m, best);
  return spot;
}

Plateau find_plateau(const SuccessMap& map, double probability) {
  Plateau plateau;
  std::int64_t most = 0;  // cells of a slice
  for (int k = 0; k < map.theta_rad.cells; ++k) {
    const std::int64_t cells = add_slice(plateau, map, probability, k);
    if (cells <= most) continue;
    most = cells;
    plateau.theta_rad = map.theta_rad.cell_center(k);
  }
  if (plateau.cells == 0) return plateau;
  plateau.area_mm2 = static_cast<double>(most) * map.x_mm.cell_size() * map.y_mm.cell_size();
  plateau.mean_area_mm2 = static_cast<double>(plateau.cells) / map.theta_rad.cells *
                          map.x_mm.cell_size() * map.y_mm.cell_size();
  return plateau;
}

}  // namespace graspmap
