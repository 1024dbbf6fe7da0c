#pragma once

#include <vector>

namespace graspmap {

/// The value of a sample at rank round(share * (n - 1)), 0 <= share <= 1; NaN without values.
double sample_quantile(std::vector<double> values, double share);

}  // namespace graspmap
