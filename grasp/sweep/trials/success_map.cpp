#include "grasp/sweep/trials/success_map.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/probability/design_effect.hpp"
#include "grasp/sweep/trials/cells_around.hpp"

namespace graspmap {

void CellCounts::add_outcomes(const CellCounts& other) {
  for (std::size_t k = 0; k < kOutcomeCount; ++k) by_outcome[k] += other.by_outcome[k];
}

std::int64_t CellCounts::trials() const {
  return std::accumulate(by_outcome.begin(), by_outcome.end(), std::int64_t{0});
}

double CellCounts::success_probability() const {
  const std::int64_t valid = valid_trials();
  if (valid == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(count(Outcome::kSuccess)) / static_cast<double>(valid);
}

Interval CellCounts::success_interval(double z) const {
  const double trials = effective_trials();
  const double successes = static_cast<double>(count(Outcome::kSuccess)) / design_effect;
  const auto failed = static_cast<double>(count(Outcome::kFailed));
  return {weighted_wilson_interval(successes, trials + failed, z).low,
          weighted_wilson_interval(successes + failed, trials + failed, z).high};
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

void SuccessMap::add_trial(std::int64_t trial, Outcome outcome) {
  CellCounts& cell = cells[static_cast<std::size_t>(trial % cell_count())];
  ++cell.by_outcome[static_cast<std::size_t>(outcome)];
  if (trial / cell_count() % kNetsPerCell != 0 || outcome == Outcome::kFailed) return;
  ++cell.first_net.trials;
  cell.first_net.successes += outcome == Outcome::kSuccess ? 1 : 0;
}

SuccessMap SuccessMap::slice(int k) const {
  SuccessMap map(x_mm, y_mm, {theta_rad.cell_min(k), theta_rad.cell_max(k), 1});
  std::copy_n(&cells[index(0, 0, k)], map.cells.size(), map.cells.begin());
  return map;
}

CellCounts SuccessMap::total() const {
  CellCounts sum;
  for (const CellCounts& cell : cells) sum.add_outcomes(cell);
  return sum;
}

namespace {

constexpr std::int64_t kLeastNetTrials = 8;
constexpr std::int64_t kLeastOfEach = 3;  // successes, and others
/// Where min(p, 1 - p) begins to be alike; below the first the effect is 1.
constexpr std::array kAlikeFrom = {0.04, 0.1, 0.25};

/// Cells with about as many trials that succeed about as often.
using AlikeCells = std::pair<int, std::size_t>;

std::optional<AlikeCells> alike(const CellCounts& cell) {
  const std::int64_t valid = cell.valid_trials();
  const std::int64_t first = cell.first_net.trials;
  if (std::min(first, valid - first) < kLeastNetTrials) return std::nullopt;
  const std::int64_t successes = cell.count(Outcome::kSuccess);
  if (std::min(successes, valid - successes) < kLeastOfEach) return std::nullopt;
  const double p = cell.success_probability();
  const auto from = std::upper_bound(kAlikeFrom.begin(), kAlikeFrom.end(), std::min(p, 1 - p));
  if (from == kAlikeFrom.begin()) return std::nullopt;
  return AlikeCells{std::bit_width(static_cast<std::uint64_t>(valid)),
                    static_cast<std::size_t>(from - kAlikeFrom.begin())};
}

/// A cell that has an effect. Its variances are those of its share of successes, as its nets differ
/// and with independent trials, times its number of trials.
struct SeenCell {
  std::size_t number;
  AlikeCells kind;
  double seen;
  double independent;
};

std::optional<SeenCell> seen_cell(const SuccessMap& map, std::size_t number) {
  const CellCounts& cell = map.cells[number];
  const auto kind = alike(cell);
  if (!kind) return std::nullopt;
  const auto n = static_cast<double>(cell.valid_trials());
  const auto first = static_cast<double>(cell.first_net.trials);
  const auto successes = static_cast<double>(cell.first_net.successes);
  const double rest = static_cast<double>(cell.count(Outcome::kSuccess)) - successes;
  const double difference = successes / first - rest / (n - first);
  const double p = cell.success_probability();
  // p is of the same trials: n / (n - 1) takes the bias away.
  return SeenCell{number, *kind, difference * difference / (1 / first + 1 / (n - first)),
                  p * (1 - p) * n / (n - 1)};
}

}  // namespace

void find_design_effects(SuccessMap& map) {
  constexpr double kOfKind = 24.0;    // cells of the mean that count beside the neighbours
  constexpr double kNotAlike = 1.06;  // what differs within a neighbourhood
  std::vector<SeenCell> cells;
  std::map<AlikeCells, DesignEffect> kinds;
  DesignEffect all;
  for (std::size_t n = 0; n < map.cells.size(); ++n) {
    map.cells[n].design_effect = 1.0;
    const auto cell = seen_cell(map, n);
    if (!cell) continue;
    cells.push_back(*cell);
    kinds[cell->kind].add(cell->seen, cell->independent);
    all.add(cell->seen, cell->independent);
  }
  const auto mean_of = [&](const SeenCell& cell) { return kinds[cell.kind].mean_with(all.mean()); };
  std::vector<std::optional<double>> over_kind(map.cells.size());
  for (const SeenCell& cell : cells) {
    over_kind[cell.number] = cell.seen / (mean_of(cell) * cell.independent);
  }
  for (const SeenCell& cell : cells) {
    double sum = 0;
    double count = 0;
    for_cells_around(map, map.cell(cell.number), [&](const CellIndex& at) {
      const std::optional<double>& ratio = over_kind[map.index(at.x, at.y, at.theta)];
      sum += ratio.value_or(0.0);
      count += ratio ? 1 : 0;
    });
    const double share = count / (count + kOfKind);
    const double of_kind = (sum + kOfKind) / (count + kOfKind);
    // The variances of the two factors' relative errors, 2 over their degrees of freedom, add.
    const double freedom = 1 / (1 / kinds[cell.kind].freedom() + share * share / count);
    map.cells[cell.number].design_effect =
        DesignEffect::for_intervals(kNotAlike * of_kind * mean_of(cell), freedom);
  }
}

namespace {

/// Sums over the cells in which not all trials ended alike.
struct MixedCells {
  explicit MixedCells(const SuccessMap& map) {
    for (const CellCounts& cell : map.cells) {
      const double p = cell.success_probability();
      if (!(p > 0 && p < 1)) continue;
      const double deviation = std::sqrt(p * (1 - p));
      ++cells;
      deviations += deviation;
      standard_errors += deviation / std::sqrt(cell.effective_trials());
    }
  }

  int cells = 0;
  double deviations = 0;  ///< of one trial
  double standard_errors = 0;
};

}  // namespace

double mean_standard_error(const SuccessMap& map) {
  const MixedCells mixed(map);
  return mixed.cells == 0 ? 0.0 : mixed.standard_errors / mixed.cells;
}

double independent_trials(const SuccessMap& map) {
  const MixedCells mixed(map);
  if (mixed.cells == 0) return static_cast<double>(map.total().valid_trials());
  // So many trials in each mixed cell would have the same mean standard error.
  const double ratio = mixed.deviations / mixed.standard_errors;
  return static_cast<double>(map.cells.size()) * ratio * ratio;
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
  // The middle of a square of an even number of cells lies on a border, up to rounding.
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
    // Nothing is interpolated over a cell of which nothing is known.
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
  return std::array{"left (-x)", "right (+x)", "front (-y)",
                    "behind (+y)"}[static_cast<std::size_t>(side)];
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
  GRASPMAP_CHECK(a.values.size() == b.values.size());
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

/// The number of whole cells across a square of the given half width, at least one.
int cells_across(const Axis& axis, double half_width_mm) {
  const double cells = std::round(2 * half_width_mm / axis.cell_size());
  // A square wider than the map fits nowhere, however wide.
  return static_cast<int>(std::clamp(cells, 1.0, axis.cells + 1.0));
}

/// The lowest success probability of every block of n x m cells in slice k, by the block's first
/// cell; -1, below any probability, where a cell has no valid trials.
Eigen::ArrayXXd block_minima(const SuccessMap& map, int k, int n, int m) {
  Eigen::ArrayXXd p(map.x_mm.cells, map.y_mm.cells);
  for (int j = 0; j < map.y_mm.cells; ++j) {
    for (int i = 0; i < map.x_mm.cells; ++i) {
      const CellCounts& cell = map.at(i, j, k);
      p(i, j) = cell.valid_trials() > 0 ? cell.success_probability() : -1.0;
    }
  }
  const Eigen::Index width = map.x_mm.cells - n + 1;
  const Eigen::Index height = map.y_mm.cells - m + 1;
  // First along x, then along y: as many comparisons as the block has rows and columns, not cells.
  Eigen::ArrayXXd rows = p.topRows(width);
  for (int i = 1; i < n; ++i) rows = rows.min(p.middleRows(i, width));
  Eigen::ArrayXXd blocks = rows.leftCols(height);
  for (int j = 1; j < m; ++j) blocks = blocks.min(rows.middleCols(j, height));
  return blocks;
}

double block_center_mm(const Axis& axis, int first, int cells) {
  return axis.min + (first + cells / 2.0) * axis.cell_size();
}

/// The middle one of tied blocks, as find_sweet_spot has it, in the middle slice. `n` cells wide.
CellIndex most_central(std::vector<CellIndex> tied, const SuccessMap& map, int n) {
  GRASPMAP_CHECK(!tied.empty());
  const auto mean = [&](int CellIndex::*place) {
    double sum = 0;
    for (const CellIndex& block : tied) sum += block.*place;
    return sum / static_cast<double>(tied.size());
  };
  const auto first_by = [&](const auto& rank) {
    return *std::min_element(tied.begin(), tied.end(), [&](const CellIndex& a, const CellIndex& b) {
      return rank(a) < rank(b);
    });
  };
  const double mean_k = mean(&CellIndex::theta);
  const int slice = first_by([&](const CellIndex& block) {
                      return std::tuple(std::abs(block.theta - mean_k),
                                        std::abs(map.theta_rad.cell_center(block.theta)));
                    }).theta;
  std::erase_if(tied, [&](const CellIndex& block) { return block.theta != slice; });
  const double mean_i = mean(&CellIndex::x);
  const double mean_j = mean(&CellIndex::y);
  return first_by([&](const CellIndex& block) {
    const double dx = (block.x - mean_i) * map.x_mm.cell_size();
    const double dy = (block.y - mean_j) * map.y_mm.cell_size();
    return std::tuple(dx * dx + dy * dy, std::abs(block_center_mm(map.x_mm, block.x, n)));
  });
}

/// The widest-reaching Wilson interval among the cells of a block with the lowest probability.
Interval lowest_interval(const SuccessMap& map, const CellIndex& block, int n, int m,
                         double lowest) {
  Interval interval{1.0, 1.0};
  for (int j = block.y; j < block.y + m; ++j) {
    for (int i = block.x; i < block.x + n; ++i) {
      const CellCounts& cell = map.at(i, j, block.theta);
      if (cell.success_probability() != lowest) continue;
      const Interval candidate = cell.success_interval();
      if (candidate.low < interval.low) interval = candidate;
    }
  }
  return interval;
}

}  // namespace

SweetSpot find_sweet_spot(const SuccessMap& map, double half_width_mm) {
  SweetSpot spot;
  spot.half_width_mm = half_width_mm;
  if (map.cells.empty()) return spot;
  const int n = cells_across(map.x_mm, half_width_mm);
  const int m = cells_across(map.y_mm, half_width_mm);
  if (n > map.x_mm.cells || m > map.y_mm.cells) return spot;

  std::vector<Eigen::ArrayXXd> minima;
  double best = -1.0;
  for (int k = 0; k < map.theta_rad.cells; ++k) {
    best = std::max(best, minima.emplace_back(block_minima(map, k, n, m)).maxCoeff());
  }
  if (best < 0) return spot;
  std::vector<CellIndex> tied;
  for (int k = 0; k < map.theta_rad.cells; ++k) {
    const Eigen::ArrayXXd& of_slice = minima[static_cast<std::size_t>(k)];
    for (int j = 0; j < of_slice.cols(); ++j) {
      for (int i = 0; i < of_slice.rows(); ++i) {
        if (of_slice(i, j) == best) tied.push_back({i, j, k});
      }
    }
  }
  const CellIndex block = most_central(std::move(tied), map, n);
  spot.found = true;
  spot.theta_rad = map.theta_rad.cell_center(block.theta);
  spot.cell_theta = block.theta;
  spot.x_mm = block_center_mm(map.x_mm, block.x, n);
  spot.y_mm = block_center_mm(map.y_mm, block.y, m);
  spot.lowest_probability = best;
  spot.lowest_interval = lowest_interval(map, block, n, m, best);
  return spot;
}

bool is_in_square(const SuccessMap& map, const SweetSpot& spot, const CellIndex& cell) {
  const auto is_in = [&](const Axis& axis, int place, double middle_mm) {
    const double half_mm = cells_across(axis, spot.half_width_mm) * axis.cell_size() / 2;
    return std::abs(axis.cell_center(place) - middle_mm) < half_mm;
  };
  return cell.theta == spot.cell_theta && is_in(map.x_mm, cell.x, spot.x_mm) &&
         is_in(map.y_mm, cell.y, spot.y_mm);
}

CellCounts count_in_square(const SuccessMap& map, const SweetSpot& spot) {
  CellCounts sum;
  for (std::size_t number = 0; number < map.cells.size(); ++number) {
    if (is_in_square(map, spot, map.cell(number))) sum.add_outcomes(map.cells[number]);
  }
  return sum;
}

Plateau find_plateau(const SuccessMap& map, double probability) {
  Plateau plateau;
  Eigen::AlignedBox3d box;
  std::vector<std::int64_t> by_slice(static_cast<std::size_t>(map.theta_rad.cells));
  for (std::size_t number = 0; number < map.cells.size(); ++number) {
    // False for a cell without valid trials: NaN compares false.
    if (!(map.cells[number].success_probability() >= probability)) continue;
    const auto [i, j, k] = map.cell(number);
    box.extend(Vec3(map.x_mm.cell_min(i), map.y_mm.cell_min(j), map.theta_rad.cell_min(k)));
    box.extend(Vec3(map.x_mm.cell_max(i), map.y_mm.cell_max(j), map.theta_rad.cell_max(k)));
    ++by_slice[static_cast<std::size_t>(k)];
    ++plateau.cells;
  }
  if (plateau.cells == 0) return plateau;
  const auto most = std::max_element(by_slice.begin(), by_slice.end());
  plateau.theta_rad = map.theta_rad.cell_center(static_cast<int>(most - by_slice.begin()));
  plateau.x_min_mm = box.min().x();
  plateau.x_max_mm = box.max().x();
  plateau.y_min_mm = box.min().y();
  plateau.y_max_mm = box.max().y();
  plateau.theta_min_rad = box.min().z();
  plateau.theta_max_rad = box.max().z();
  plateau.area_mm2 = static_cast<double>(*most) * map.x_mm.cell_size() * map.y_mm.cell_size();
  plateau.mean_area_mm2 = static_cast<double>(plateau.cells) / map.theta_rad.cells *
                          map.x_mm.cell_size() * map.y_mm.cell_size();
  return plateau;
}

}  // namespace graspmap
