#include "grasp/decide/statistics/peaks.hpp"

#include <algorithm>
#include <optional>

#include "geometry/assert.hpp"

namespace graspmap {
namespace {

/// Calls visit(node) for every neighbour of a node.
template <typename Visit>
void for_each_neighbour(const GridShape& shape, std::size_t node, const Visit& visit) {
  const auto [x, y, z] = node_index(shape, node);
  for (int k = std::max(z - 1, 0); k <= std::min(z + 1, shape[2] - 1); ++k) {
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, shape[1] - 1); ++j) {
      for (int i = std::max(x - 1, 0); i <= std::min(x + 1, shape[0] - 1); ++i) {
        const std::size_t other = node_at(shape, {i, j, k});
        if (other != node) visit(other);
      }
    }
  }
}

/// The nodes with value > 0, the highest first.
std::vector<std::size_t> from_above(std::span<const double> values) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] > 0) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  return order;
}

/// Peaks while they grow, in the order of their beginning, which is from the highest to the lowest.
class GrowingPeaks {
 public:
  explicit GrowingPeaks(std::size_t nodes) : peak_of_(nodes, -1) {}

  void begin(std::size_t node) {
    peak_of_[node] = static_cast<int>(tops_.size());
    into_.push_back(static_cast<int>(tops_.size()));
    tops_.push_back(node);
  }
  void join(std::size_t node, int peak) { peak_of_[node] = peak; }
  void merge(int lower, int higher) { into_[static_cast<std::size_t>(lower)] = higher; }

  /// The peak that a node belongs to by now; -1 when it has not been added.
  [[nodiscard]] int root(std::size_t node) const {
    int peak = peak_of_[node];
    while (peak >= 0 && into_[static_cast<std::size_t>(peak)] != peak) {
      peak = into_[static_cast<std::size_t>(peak)];
    }
    return peak;
  }
  [[nodiscard]] std::size_t top(int peak) const { return tops_[static_cast<std::size_t>(peak)]; }

  /// The peaks that are left, renumbered.
  [[nodiscard]] Peaks result() const {
    Peaks peaks;
    std::vector<int> number(tops_.size(), -1);
    for (std::size_t p = 0; p < tops_.size(); ++p) {
      if (into_[p] != static_cast<int>(p)) continue;
      number[p] = static_cast<int>(peaks.nodes.size());
      peaks.nodes.push_back(tops_[p]);
    }
    for (std::size_t node = 0; node < peak_of_.size(); ++node) {
      const int peak = root(node);
      peaks.basin.push_back(peak < 0 ? -1 : number[static_cast<std::size_t>(peak)]);
    }
    return peaks;
  }

 private:
  std::vector<int> peak_of_;  ///< of each node; -1: not added
  std::vector<int> into_;     ///< of each peak: the one that it was taken into, or itself
  std::vector<std::size_t> tops_;
};

/// The highest of the neighbours that have been added.
std::optional<std::size_t> highest_neighbour(const GridShape& shape, std::span<const double> values,
                                             std::size_t node, const GrowingPeaks& peaks) {
  std::optional<std::size_t> highest;
  for_each_neighbour(shape, node, [&](std::size_t other) {
    if (peaks.root(other) < 0) return;
    if (!highest || values[other] > values[*highest]) highest = other;
  });
  return highest;
}

}  // namespace

Peaks find_peaks(const GridShape& shape, std::span<const double> values,
                 const std::function<bool(std::size_t peak, std::size_t saddle)>& is_noise) {
  GRASPMAP_CHECK(values.size() == node_count(shape));
  GrowingPeaks peaks(values.size());
  for (const std::size_t node : from_above(values)) {
    const std::optional<std::size_t> uphill = highest_neighbour(shape, values, node, peaks);
    if (!uphill) {
      peaks.begin(node);
      continue;
    }
    peaks.join(node, peaks.root(*uphill));
    for_each_neighbour(shape, node, [&](std::size_t other) {
      const int mine = peaks.root(node);
      const int theirs = peaks.root(other);
      if (theirs < 0 || theirs == mine) return;
      const int lower = std::max(mine, theirs);
      if (is_noise(peaks.top(lower), node)) {
        peaks.merge(lower, std::min(mine, theirs));
      }
    });
  }
  return peaks.result();
}

std::vector<std::size_t> connected_above(const GridShape& shape, std::span<const double> values,
                                         std::size_t start, double least) {
  GRASPMAP_CHECK(values.size() == node_count(shape) && start < values.size());
  std::vector<bool> seen(values.size(), false);
  std::vector<std::size_t> found{start};
  seen[start] = true;
  for (std::size_t next = 0; next < found.size(); ++next) {
    for_each_neighbour(shape, found[next], [&](std::size_t other) {
      if (seen[other] || !(values[other] >= least)) return;
      seen[other] = true;
      found.push_back(other);
    });
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace graspmap
