#include "grasp/decide/plan/best_placement.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "grasp/decide/plan/compared_placements.hpp"
#include "grasp/decide/statistics/peaks.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostNodes = 300'000;
constexpr std::size_t kMostRefined = 64;
constexpr std::size_t kMostRefinedOfMixture = 16;  ///< each costs as much as its components
constexpr std::size_t kMostPlacements = 5;
constexpr double kLeastOfBest = 0.5;

std::vector<double> axis_values(const Axis& axis, const Distribution& error, int per_cell) {
  std::vector<double> values;
  if (axis.is_fixed()) return {axis.min};
  if (error.is_fixed()) {
    for (int i = 0; i < axis.cells; ++i) values.push_back(axis.cell_center(i));
    return values;
  }
  const int intervals = axis.cells * per_cell;
  for (int i = 0; i <= intervals; ++i) {
    const double value = axis.min + (axis.max - axis.min) * i / intervals;
    values.push_back(std::abs(value) < 1e-12 * (axis.max - axis.min) ? 0.0 : value);
  }
  return values;
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

/// Nodes at whole strides from one of them: the smallest stride that leaves few enough.
struct ThinnedNodes {
  int stride = 1;
  std::vector<std::size_t> nodes;
};

ThinnedNodes thinned(const PlacementGrid& grid, const std::vector<std::size_t>& nodes,
                     std::size_t start, std::size_t most) {
  const std::array<int, 3> origin = node_index(grid.shape(), start);
  ThinnedNodes kept{1, nodes};
  while (kept.nodes.size() > most) {
    ++kept.stride;
    kept.nodes = nodes;
    std::erase_if(kept.nodes, [&](std::size_t node) {
      const auto [i, j, k] = node_index(grid.shape(), node);
      return (i - origin[0]) % kept.stride != 0 || (j - origin[1]) % kept.stride != 0 ||
             (k - origin[2]) % kept.stride != 0;
    });
  }
  return kept;
}

/// The one of tied placements closest to their mean, then of smaller |x|, then the first.
PlacementVector most_central(const SuccessField& field, const std::vector<PlacementVector>& tied) {
  PlacementVector mean{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (const PlacementVector& at : tied) mean[k] += at[k] / static_cast<double>(tied.size());
  }
  const auto rank = [&](const PlacementVector& at) {
    double squares = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Axis& axis = field.axes()[k];
      if (!axis.is_fixed()) squares += std::pow((at[k] - mean[k]) / axis.cell_size(), 2);
    }
    // Rounding must not decide between mirror images.
    return std::tuple(std::round(squares * 1e9), std::abs(at[0]));
  };
  return *std::min_element(
      tied.begin(), tied.end(),
      [&](const PlacementVector& a, const PlacementVector& b) { return rank(a) < rank(b); });
}

/// The middle of the placements around a node of the screen that the trials do not distinguish
/// from the best of them.
PlannedPlacement refined(const SuccessField& field, const ErrorMixture& error, double z,
                         const Screen& screen, std::size_t peak) {
  PlannedPlacement result;
  const ExpectedSuccess at_peak = expected_success(field, error, screen.grid.at(peak), 1.0);
  result.standard_error = at_peak.probability - at_peak.interval.low;
  const std::vector<std::size_t> nodes =
      thinned(screen.grid,
              connected_above(screen.grid.shape(), screen.values, peak,
                              screen.values[peak] - 2 * result.standard_error),
              peak, error.components.size() > 1 ? kMostRefinedOfMixture : kMostRefined)
          .nodes;
  std::vector<double> estimates;
  for (const std::size_t node : nodes) {
    estimates.push_back(expected_success_probability(field, error, screen.grid.at(node)));
  }
  const auto highest = std::max_element(estimates.begin(), estimates.end());
  result.highest = *highest;
  const std::size_t best = nodes[static_cast<std::size_t>(highest - estimates.begin())];
  const ComparedPlacements compared(field, error, screen.grid.at(best), at_peak.design_effect);
  std::vector<PlacementVector> tied;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const PlacementVector at = screen.grid.at(nodes[k]);
    if (result.highest - estimates[k] <= compared.standard_error(at)) tied.push_back(at);
  }
  result.at = most_central(field, tied);
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
    const double unit = 2 * std::max(axis.cell_size(), error.overall[k].width());
    squares += std::pow((axis.seen_from(b[k], a[k]) - b[k]) / unit, 2);
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
                                              const PlannedPlacement& best, double z) {
  const Screen candidates = screen(field, error);
  const std::size_t highest = highest_node(candidates);
  std::vector<PlannedPlacement> placements{best};
  const double noise = 2 * best.standard_error;
  const Peaks peaks = find_peaks(
      candidates.grid.shape(), candidates.values, [&](std::size_t peak, std::size_t saddle) {
        return candidates.values[peak] - candidates.values[saddle] <= noise;
      });
  for (const std::size_t peak : peaks.nodes) {
    if (placements.size() == kMostPlacements) break;
    if (candidates.values[peak] < kLeastOfBest * candidates.values[highest]) break;
    if (peak == highest) continue;
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

namespace {

constexpr std::size_t kMostCandidates = 400;
/// A mixture costs as much as its components.
constexpr std::size_t kMostCandidatesOfMixture = 60;

using Index3 = std::array<int, 3>;

/// The node of a grid that is nearest to a placement.
Index3 nearest_node(const PlacementGrid& grid, const PlacementVector& at) {
  Index3 index{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<double>& values = grid.values[k];
    const auto nearest = std::min_element(values.begin(), values.end(), [&](double a, double b) {
      return std::abs(a - at[k]) < std::abs(b - at[k]);
    });
    index[k] = static_cast<int>(nearest - values.begin());
  }
  return index;
}

/// Nodes at whole strides from an origin, which of them are as good.
class GoodNodes {
 public:
  GoodNodes(const PlacementGrid& grid, const Index3& origin, int stride)
      : grid_(grid), origin_(origin), stride_(stride) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int last = static_cast<int>(grid.values[k].size()) - 1;
      before_[k] = origin[k] / stride;
      size_[k] = before_[k] + (last - origin[k]) / stride + 1;
    }
    good_.resize(node_count(size_));
  }

  void set_good(const Index3& node) {
    Index3 i{};
    for (std::size_t k = 0; k < 3; ++k) i[k] = (node[k] - origin_[k]) / stride_ + before_[k];
    good_[node_at(size_, i)] = true;
  }

  /// The largest box of good nodes that holds the origin. It grows from the origin's row: for each
  /// range of angles and rows, the widest range of columns that is good in all of them.
  [[nodiscard]] PlacementBox largest_box() const {
    PlacementBox best{at(before_), at(before_)};
    long most = 1;
    for (int k0 = before_[2]; k0 >= 0 && column_is_good(k0, before_[1]); --k0) {
      for (int k1 = before_[2]; k1 < size_[2]; ++k1) {
        for (int j0 = before_[1]; j0 >= 0; --j0) {
          for (int j1 = before_[1]; j1 < size_[1]; ++j1) {
            const auto [i0, i1] = good_columns(k0, k1, j0, j1);
            if (i0 > i1) break;
            const long nodes =
                static_cast<long>(k1 - k0 + 1) * (j1 - j0 + 1) * static_cast<long>(i1 - i0 + 1);
            if (nodes <= most) continue;
            most = nodes;
            best = {at({i0, j0, k0}), at({i1, j1, k1})};
          }
        }
      }
    }
    return best;
  }

 private:
  [[nodiscard]] bool column_is_good(int k, int j) const {
    return good_[node_at(size_, {before_[0], j, k})];
  }

  [[nodiscard]] PlacementVector at(const Index3& i) const {
    PlacementVector result{};
    for (std::size_t k = 0; k < 3; ++k) {
      result[k] =
          grid_.values[k][static_cast<std::size_t>(origin_[k] + (i[k] - before_[k]) * stride_)];
    }
    return result;
  }

  /// The columns around the origin's that are good in all rows j0 to j1 of all angles k0 to k1;
  /// an empty range (first > last) when the origin's own is not.
  [[nodiscard]] std::pair<int, int> good_columns(int k0, int k1, int j0, int j1) const {
    int first = 0;
    int last = size_[0] - 1;
    for (int k = k0; k <= k1; ++k) {
      for (int j = j0; j <= j1; ++j) {
        if (!column_is_good(k, j)) return {1, 0};
        int low = before_[0];
        while (low > first && good_[node_at(size_, {low - 1, j, k})]) --low;
        int high = before_[0];
        while (high < last && good_[node_at(size_, {high + 1, j, k})]) ++high;
        first = low;
        last = high;
      }
    }
    return {first, last};
  }

  const PlacementGrid& grid_;
  Index3 origin_;
  int stride_;
  Index3 before_{};  ///< the nodes before the origin
  Index3 size_{};
  std::vector<bool> good_;
};

}  // namespace

PlacementBox as_good_box(const SuccessField& field, const ErrorMixture& error,
                         const PlannedPlacement& planned) {
  const auto [grid, screened] = screen(field, error);
  const Index3 origin = nearest_node(grid, planned.at);
  const std::size_t start = node_at(grid.shape(), origin);
  const double s = planned.standard_error;
  const std::vector<std::size_t> nodes = connected_above(
      grid.shape(), screened, start, std::min(screened[start], planned.highest - 2 * s));
  const auto [stride, candidates] = thinned(
      grid, nodes, start, error.components.size() > 1 ? kMostCandidatesOfMixture : kMostCandidates);
  GoodNodes good(grid, origin, stride);
  for (const std::size_t node : candidates) {
    const double estimate = expected_success_probability(field, error, grid.at(node));
    if (node == start || estimate >= planned.highest - s) {
      good.set_good(node_index(grid.shape(), node));
    }
  }
  return good.largest_box();
}

}  // namespace graspmap
