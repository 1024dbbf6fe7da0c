#include "grasp/decide/statistics/false_discovery.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace graspmap {

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  std::vector<double> adjusted(p_values.begin(), p_values.end());
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < p_values.size(); ++k) {
    if (!std::isnan(p_values[k])) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  const auto m = static_cast<double>(order.size());
  double lowest = 1.0;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t k = order[rank - 1];
    lowest = std::min(lowest, m * p_values[k] / static_cast<double>(rank));
    adjusted[k] = lowest;
  }
  return adjusted;
}

}  // namespace graspmap
