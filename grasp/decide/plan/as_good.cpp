#include "grasp/decide/plan/as_good.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/decide/statistics/peaks.hpp"

namespace graspmap {
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

std::size_t node_of(const PlacementGrid& grid, const Index3& i) {
  const std::size_t nx = grid.values[0].size();
  const std::size_t ny = grid.values[1].size();
  return static_cast<std::size_t>(i[0]) +
         nx * (static_cast<std::size_t>(i[1]) + ny * static_cast<std::size_t>(i[2]));
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
    good_.resize(static_cast<std::size_t>(size_[0]) * static_cast<std::size_t>(size_[1]) *
                 static_cast<std::size_t>(size_[2]));
  }

  void set_good(const Index3& node) {
    Index3 i{};
    for (std::size_t k = 0; k < 3; ++k) i[k] = (node[k] - origin_[k]) / stride_ + before_[k];
    good_[place(i)] = true;
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
  [[nodiscard]] std::size_t place(const Index3& i) const {
    return static_cast<std::size_t>((i[2] * size_[1] + i[1]) * size_[0] + i[0]);
  }

  [[nodiscard]] bool column_is_good(int k, int j) const { return good_[place({before_[0], j, k})]; }

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
        while (low > first && good_[place({low - 1, j, k})]) --low;
        int high = before_[0];
        while (high < last && good_[place({high + 1, j, k})]) ++high;
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

/// The candidates that lie at whole strides from the origin.
std::vector<Index3> at_stride(const PlacementGrid& grid, const std::vector<std::size_t>& nodes,
                              const Index3& origin, int stride) {
  std::vector<Index3> kept;
  for (const std::size_t node : nodes) {
    const Index3 i = grid.index(node);
    bool keep = true;
    for (std::size_t k = 0; k < 3; ++k) keep = keep && (i[k] - origin[k]) % stride == 0;
    if (keep) kept.push_back(i);
  }
  return kept;
}

}  // namespace

PlacementBox as_good_box(const SuccessField& field, const ErrorMixture& error,
                         const PlannedPlacement& planned) {
  const PlacementGrid grid = search_grid(field, error);
  const std::vector<double> screened = screened_success(field, error, grid);
  const Index3 origin = nearest_node(grid, planned.at);
  const std::size_t start = node_of(grid, origin);
  const double s = planned.standard_error;
  const GridShape shape{static_cast<int>(grid.values[0].size()),
                        static_cast<int>(grid.values[1].size()),
                        static_cast<int>(grid.values[2].size())};
  const std::vector<std::size_t> nodes =
      connected_above(shape, screened, start, std::min(screened[start], planned.highest - 2 * s));
  const std::size_t most = error.components.size() > 1 ? kMostCandidatesOfMixture : kMostCandidates;
  int stride = 1;
  std::vector<Index3> candidates = at_stride(grid, nodes, origin, stride);
  while (candidates.size() > most) candidates = at_stride(grid, nodes, origin, ++stride);
  GoodNodes good(grid, origin, stride);
  for (const Index3& i : candidates) {
    const double estimate = expected_success_probability(field, error, grid.at(node_of(grid, i)));
    if (i == origin || estimate >= planned.highest - s) good.set_good(i);
  }
  return good.largest_box();
}

}  // namespace graspmap
