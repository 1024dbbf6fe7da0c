#pragma once

#include <vector>

namespace graspmap {

/// sqrt(n) times the largest distance of the distribution of values in [0, 1] from the uniform one
/// (Kolmogorov 1933); 0 without values.
double distance_from_uniform(std::vector<double> values);

/// What the distance exceeds with a probability of 0.001 if the values are uniform and many.
inline constexpr double kSeldomDistance = 1.95;

}  // namespace graspmap
