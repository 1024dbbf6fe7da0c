#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace graspmap {

/// The nodes of a grid along each axis, the first fastest; 1 along an axis that is not there. Nodes
/// are neighbours when no index differs by more than 1.
using GridShape = std::array<int, 3>;

inline std::size_t node_count(const GridShape& shape) {
  return static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1]) *
         static_cast<std::size_t>(shape[2]);
}

/// Where a node is along each axis.
inline std::array<int, 3> node_index(const GridShape& shape, std::size_t node) {
  const auto n = static_cast<int>(node);
  return {n % shape[0], n / shape[0] % shape[1], n / shape[0] / shape[1]};
}

inline std::size_t node_at(const GridShape& shape, const std::array<int, 3>& i) {
  return static_cast<std::size_t>((i[2] * shape[1] + i[1]) * shape[0] + i[0]);
}

/// A local maximum and the nodes that belong to it.
struct Peaks {
  std::vector<std::size_t> nodes;  ///< of the maxima, the highest first
  std::vector<int> basin;          ///< of each node: its place in `nodes`; -1 where value <= 0
};

/// The local maxima of a table of values on a grid, by persistence (Chazal, Guibas, Oudot, Skraba
/// 2013, "Persistence-based clustering in Riemannian manifolds"): seen from above, nodes with value
/// > 0 are added one by one; each joins the peak of its highest neighbour or begins a new one.
/// Where two peaks meet, at a saddle, the lower one is taken into the higher one when
/// is_noise(node of the lower peak, node of the saddle). With equal values the lower index
/// comes first. Values must not be NaN.
Peaks find_peaks(const GridShape& shape, std::span<const double> values,
                 const std::function<bool(std::size_t peak, std::size_t saddle)>& is_noise);

/// The nodes connected to `start` through nodes with at least `least`, ascending.
std::vector<std::size_t> connected_above(const GridShape& shape, std::span<const double> values,
                                         std::size_t start, double least);

}  // namespace graspmap
