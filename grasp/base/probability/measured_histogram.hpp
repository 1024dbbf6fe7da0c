#pragma once

#include <vector>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap {

/// The law of measured values: a histogram of bins of the same width from the least value to the
/// largest one; a fixed number where all are the same. `bins` 0: as many as the rule of Freedman
/// and Diaconis (1981) gives, of the width 2 IQR / n^(1/3) at least, where half of the values are
/// the same of Sturges (1926), 1 + log2(n); at most 100. `values` must not be empty.
Distribution histogram_of(std::vector<double> values, int bins);

}  // namespace graspmap
