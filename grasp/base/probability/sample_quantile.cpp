#include "grasp/base/probability/sample_quantile.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

double sample_quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::nan("");
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank),
                   values.end());
  return values[rank];
}

}  // namespace graspmap
