#include "grasp/decide/statistics/uniformity.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

double distance_from_uniform(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double largest = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto rank = static_cast<double>(k);
    largest = std::max({largest, values[k] - rank / n, (rank + 1) / n - values[k]});
  }
  return std::sqrt(n) * largest;
}

}  // namespace graspmap
