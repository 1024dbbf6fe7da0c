#include "grasp/sweep/trials/success_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

namespace graspmap {

std::int64_t CellCounts::trials() const {
  return std::accumulate(by_outcome.begin(), by_outcome.end(), std::int64_t{0});
}

double CellCounts::success_probability() const {
  const std::int64_t valid = valid_trials();
  if (valid == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(count(Outcome::kSuccess)) / static_cast<double>(valid);
}

Interval CellCounts::success_interval(double z) const {
  return wilson_interval_with_failed(count(Outcome::kSuccess), valid_trials(),
                                     count(Outcome::kFailed), z);
}

std::vector<std::string> outcome_texts(const CellCounts& counts) {
  std::vector<std::string> texts;
  for (const Outcome outcome : kOutcomes) {
    if (counts.count(outcome) == 0) continue;
    texts.push_back(fmt::format("{} {}", name(outcome), counts.count(outcome)));
  }
  return texts;
}

SuccessMap::SuccessMap(const CellGrid& grid)
    : CellGrid(grid), cells(static_cast<std::size_t>(grid.cell_count())) {}

void SuccessMap::add(const CellIndex& cell, Outcome outcome) {
  ++cells[index(cell.x, cell.y, cell.theta)].by_outcome[static_cast<std::size_t>(outcome)];
}

SuccessMap SuccessMap::slice(int k) const {
  SuccessMap map(x_mm, y_mm, {theta_rad.cell_min(k), theta_rad.cell_max(k), 1});
  std::copy_n(&cells[index(0, 0, k)], map.cells.size(), map.cells.begin());
  return map;
}

CellCounts SuccessMap::total() const {
  CellCounts sum;
  for (const CellCounts& cell : cells) {
    for (std::size_t k = 0; k < kOutcomeCount; ++k) sum.by_outcome[k] += cell.by_outcome[k];
  }
  return sum;
}

namespace {

constexpr double kHigh = 0.9;
constexpr double kHalf = 0.5;
constexpr double kLow = 0.1;
constexpr double kNoShape = std::numeric_limits<double>::quiet_NaN();

/// The probability at distances from a point along a line.
struct Profile {
  struct Sample {
    double distance_mm;
    double p;
  };
  std::vector<Sample> samples;
  double end_mm = 0.0;  ///< the outer edge of the last cell
};

/// The cells of an axis in which a coordinate lies: two on a border, none outside.
std::vector<int> cells_at(const Axis& axis, double at_mm) {
  const double place = (at_mm - axis.min) / axis.cell_size();
  const double border = std::round(place);
  std::vector<int> cells;
  const auto add = [&](double cell) {
    if (cell >= 0 && cell < axis.cells) cells.push_back(static_cast<int>(cell));
  };
  if (std::abs(place - border) < 1e-6) {
    add(border - 1);
    add(border);
  } else {
    add(std::floor(place));
  }
  return cells;
}

/// The mean of what is known of the values; NaN when nothing is.
double mean_of_known(const std::vector<double>& values) {
  double sum = 0;
  int known = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++known;
  }
  return known > 0 ? sum / known : kNoShape;
}

/// The cells along the x axis (or y axis) through a point, from it outwards.
Profile profile(const ProbabilityGrid& map, double x_mm, double y_mm, Side side) {
  const bool along_x = side == Side::kLeft || side == Side::kRight;
  const double sign = side == Side::kRight || side == Side::kBehind ? 1.0 : -1.0;
  const Axis& axis = along_x ? map.x_mm : map.y_mm;
  const double from_mm = along_x ? x_mm : y_mm;
  const std::vector<int> across = along_x ? cells_at(map.y_mm, y_mm) : cells_at(map.x_mm, x_mm);
  Profile line;
  for (int step = 0; step < axis.cells; ++step) {
    const int k = sign > 0 ? step : axis.cells - 1 - step;
    const double distance = sign * (axis.cell_center(k) - from_mm);
    if (distance < -1e-6 * axis.cell_size()) continue;
    std::vector<double> values;
    for (const int c : across) values.push_back(along_x ? map.at(k, c) : map.at(c, k));
    const double p = mean_of_known(values);
    if (std::isnan(p)) break;
    line.samples.push_back({distance, p});
    line.end_mm = distance + axis.cell_size() / 2;
  }
  return line;
}

/// Where, at or beyond the k-th sample, p first changes from one side of a level to the other:
/// falling below it, or rising to it. Moves k to the sample after the change.
std::optional<double> crossing(const Profile& line, std::size_t& k, double level, bool falling) {
  const auto beyond = [&](double p) { return falling ? p < level : p >= level; };
  for (; k < line.samples.size(); ++k) {
    const Profile::Sample& outer = line.samples[k];
    if (!beyond(outer.p)) continue;
    if (k == 0) return outer.distance_mm;
    const Profile::Sample& inner = line.samples[k - 1];
    const double share = (inner.p - level) / (inner.p - outer.p);
    return inner.distance_mm + share * (outer.distance_mm - inner.distance_mm);
  }
  return std::nullopt;
}

double drop_off(const Profile& line) {
  if (line.samples.empty() || line.samples.front().p < kHigh) return kNoShape;
  std::size_t k = 0;
  const auto high = crossing(line, k, kHigh, true);
  if (!high) return kNoShape;
  const auto low = crossing(line, k, kLow, true);
  return low ? *low - *high : kNoShape;
}

}  // namespace

const char* name(Side side) {
  switch (side) {
    case Side::kLeft:
      return "left (-x)";
    case Side::kRight:
      return "right (+x)";
    case Side::kFront:
      return "front (-y)";
    case Side::kBehind:
      return "behind (+y)";
  }
  return "";
}

SideShape side_shape(const ProbabilityGrid& map, double x_mm, double y_mm, Side side) {
  const Profile line = profile(map, x_mm, y_mm, side);
  SideShape shape{drop_off(line), kNoShape, kNoShape};
  std::size_t k = 0;
  const auto begins = crossing(line, k, kHalf, true);
  if (!begins) return shape;
  shape.low_begins_mm = *begins;
  shape.low_extent_mm = crossing(line, k, kHalf, false).value_or(line.end_mm) - *begins;
  return shape;
}

double plateau_area_mm2(const ProbabilityGrid& map, double threshold) {
  const auto cells =
      std::count_if(map.values.begin(), map.values.end(), [&](double p) { return p >= threshold; });
  return static_cast<double>(cells) * map.x_mm.cell_size() * map.y_mm.cell_size();
}

double plateau_overlap(const ProbabilityGrid& a, const ProbabilityGrid& b, double threshold) {
  int both = 0;
  int either = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    if (std::isnan(a.values[k]) || std::isnan(b.values[k])) continue;
    const bool in_a = a.values[k] >= threshold;
    const bool in_b = b.values[k] >= threshold;
    both += in_a && in_b ? 1 : 0;
    either += in_a || in_b ? 1 : 0;
  }
  return either > 0 ? static_cast<double>(both) / either : kNoShape;
}

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
