#pragma once

#include <span>
#include <vector>

namespace graspmap {

/// The p-values adjusted for their number by Benjamini and Hochberg (1995, "Controlling the false
/// discovery rate"): those at most q reject with a false discovery rate of at most q. With the
/// p-values in ascending order, adjusted_k = min over j >= k of min(1, m p_j / j). NaN (no test)
/// stays NaN and does not count.
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace graspmap
