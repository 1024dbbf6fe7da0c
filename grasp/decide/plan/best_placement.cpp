#include "grasp/decide/plan/best_placement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "grasp/decide/statistics/peaks.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostNodes = 300'000;
constexpr std::size_t kMostRefined = 64;
constexpr std::size_t kMostRefinedOfMixture = 16;  ///< each costs as much as its components
constexpr std::size_t kMostPlacements = 5;
constexpr double kLeastOfBest = 0.5;

std::vector<double> axis_values(const Axis& axis, const AxisError& error, int per_cell) {
  std::vector<double> values;
  if (axis.is_fixed()) return {axis.min};
  if (error.kind == AxisError::Kind::kExact) {
    for (int i = 0; i < axis.cells; ++i) values.push_back(axis.cell_center(i));
    return values;
  }
  const int intervals = axis.cells * per_cell;
  for (int i = 0; i <= intervals; ++i) {
    values.push_back(axis.min + (axis.max - axis.min) * i / intervals);
  }
  return values;
}

GridShape shape(const PlacementGrid& grid) {
  return {static_cast<int>(grid.values[0].size()), static_cast<int>(grid.values[1].size()),
          static_cast<int>(grid.values[2].size())};
}

/// What a search goes over.
struct Screen {
  PlacementGrid grid;
  std::vector<double> values;
};

Screen screen(const SuccessField& field, const ErrorMixture& error) {
  Screen result{search_grid(field, error), {}};
  result.values = screened_success(field, error, result.grid);
  return result;
}

double standard_error(const SuccessField& field, const ErrorMixture& error,
                      const PlacementVector& at) {
  const ExpectedSuccess success = expected_success(field, error, at, 1.0);
  return success.probability - success.interval.low;
}

/// The nodes whose indices differ by multiples of a stride from those of `start`: the smallest
/// stride that leaves few enough.
std::vector<std::size_t> thinned(const PlacementGrid& grid, const std::vector<std::size_t>& nodes,
                                 std::size_t start, std::size_t most) {
  const std::array<int, 3> origin = grid.index(start);
  std::vector<std::size_t> kept = nodes;
  for (int stride = 2; kept.size() > most; ++stride) {
    kept.clear();
    for (const std::size_t node : nodes) {
      const std::array<int, 3> i = grid.index(node);
      bool keep = true;
      for (std::size_t k = 0; k < 3; ++k) keep = keep && (i[k] - origin[k]) % stride == 0;
      if (keep) kept.push_back(node);
    }
  }
  return kept;
}

/// A length along an axis in cells; 0 along an axis of one value.
double in_cells(const Axis& axis, double length) {
  return axis.is_fixed() ? 0.0 : length / axis.cell_size();
}

/// Of tied placements the one closest to their mean, then of smaller |x|, then the first.
PlacementVector most_central(const SuccessField& field, const std::vector<PlacementVector>& tied) {
  PlacementVector mean{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (const PlacementVector& at : tied) mean[k] += at[k] / static_cast<double>(tied.size());
  }
  const auto rank = [&](const PlacementVector& at) {
    double squares = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      squares += std::pow(in_cells(field.axes()[k], at[k] - mean[k]), 2);
    }
    // Rounding must not decide between mirror images.
    return std::tuple(std::round(squares * 1e9), std::abs(at[0]));
  };
  return *std::min_element(
      tied.begin(), tied.end(),
      [&](const PlacementVector& a, const PlacementVector& b) { return rank(a) < rank(b); });
}

/// The middle of the placements around a node of the screen that are as good as the best of them.
PlannedPlacement refined(const SuccessField& field, const ErrorMixture& error, double z,
                         const Screen& screen, std::size_t peak) {
  PlannedPlacement result;
  result.standard_error = standard_error(field, error, screen.grid.at(peak));
  const std::vector<std::size_t> nodes =
      thinned(screen.grid,
              connected_above(shape(screen.grid), screen.values, peak,
                              screen.values[peak] - 2 * result.standard_error),
              peak, error.components.size() > 1 ? kMostRefinedOfMixture : kMostRefined);
  std::vector<double> estimates;
  for (const std::size_t node : nodes) {
    estimates.push_back(expected_success_probability(field, error, screen.grid.at(node)));
  }
  result.highest = *std::max_element(estimates.begin(), estimates.end());
  std::vector<PlacementVector> tied;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (estimates[k] >= result.highest - result.standard_error)
      tied.push_back(screen.grid.at(nodes[k]));
  }
  result.at = most_central(field, tied);
  result.tied_min = result.tied_max = result.at;
  for (const PlacementVector& at : tied) {
    for (std::size_t k = 0; k < 3; ++k) {
      result.tied_min[k] = std::min(result.tied_min[k], at[k]);
      result.tied_max[k] = std::max(result.tied_max[k], at[k]);
    }
  }
  result.success = expected_success(field, error, result.at, z);
  return result;
}

std::size_t highest_node(const Screen& screen) {
  return static_cast<std::size_t>(std::max_element(screen.values.begin(), screen.values.end()) -
                                  screen.values.begin());
}

/// Whether two placements are a unit apart, scaled by the error and the cells.
bool well_apart(const SuccessField& field, const ErrorMixture& error, const PlacementVector& a,
                const PlacementVector& b) {
  double squares = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis& axis = field.axes()[k];
    if (axis.is_fixed()) continue;
    const double unit = 2 * std::max(axis.cell_size(), error.overall[k].size);
    squares += std::pow((a[k] - b[k]) / unit, 2);
  }
  return squares >= 1;
}

}  // namespace

PlacementGrid search_grid(const SuccessField& field, const ErrorMixture& error) {
  PlacementGrid grid;
  for (const int per_cell : {4, 2, 1}) {
    for (std::size_t k = 0; k < 3; ++k) {
      grid.values[k] = axis_values(field.axes()[k], error.overall[k], per_cell);
    }
    if (grid.size() <= kMostNodes) break;
  }
  return grid;
}

std::optional<PlannedPlacement> best_placement(const SuccessField& field, const ErrorMixture& error,
                                               double z) {
  const Screen candidates = screen(field, error);
  const std::size_t peak = highest_node(candidates);
  if (!(candidates.values[peak] > 0)) return std::nullopt;
  return refined(field, error, z, candidates, peak);
}

std::vector<PlannedPlacement> best_placements(const SuccessField& field, const ErrorMixture& error,
                                              double z) {
  const Screen candidates = screen(field, error);
  const std::size_t best = highest_node(candidates);
  if (!(candidates.values[best] > 0)) return {};
  std::vector<PlannedPlacement> placements{refined(field, error, z, candidates, best)};
  const double noise = 2 * placements.front().standard_error;
  const Peaks peaks = find_peaks(
      shape(candidates.grid), candidates.values, [&](std::size_t peak, std::size_t saddle) {
        return candidates.values[peak] - candidates.values[saddle] <= noise;
      });
  for (const std::size_t peak : peaks.nodes) {
    if (placements.size() == kMostPlacements) break;
    if (candidates.values[peak] < kLeastOfBest * candidates.values[best]) break;
    if (peak == best) continue;
    PlannedPlacement next = refined(field, error, z, candidates, peak);
    if (std::all_of(placements.begin(), placements.end(), [&](const PlannedPlacement& better) {
          return well_apart(field, error, better.at, next.at);
        })) {
      placements.push_back(std::move(next));
    }
  }
  return placements;
}

std::optional<UnselectedSuccess> unselected_success(const SuccessField& field,
                                                    const ErrorMixture& error) {
  const std::array<SuccessField, 2> halves{field.half(0), field.half(1)};
  UnselectedSuccess result;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::optional<PlannedPlacement> chosen = best_placement(halves[k], error);
    if (!chosen) return std::nullopt;
    result.at[k] = chosen->at;
    result.measured[k] = expected_success(halves[1 - k], error, chosen->at).probability;
    result.probability += result.measured[k] / 2;
  }
  return result;
}

}  // namespace graspmap
