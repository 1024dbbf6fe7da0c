#pragma once

#include <string>

#include "grasp/base/probability/distribution.hpp"

/// The laws of a friction coefficient among which a calibration seeks.

namespace graspmap {

/// The kind of law from which an experiment's friction is taken to be drawn.
enum class LawFamily {
  kUniform,  ///< mean +- width / 2, of unknown mean and width
  kNormal    ///< truncated normal of unknown mean and sigma
};

/// The word for a family: "uniform", "normal".
const char* name(LawFamily family);

/// Where the law of a friction coefficient is sought.
struct FrictionRange {
  std::string key;  ///< "friction.jaw"
  double low = 0.0;
  double high = 0.0;
  /// Whether all of a law lies in the range, as it must where only stored trials are known; else
  /// its mean does, and the law may reach beyond, but not below 0.
  bool holds_all = true;
  [[nodiscard]] bool is_fixed() const { return !(low < high); }
};

/// The law that belongs to two numbers in [0, 1], uniform in them a priori. With R = high - low:
/// uniform, all of the law in the range: width = R (1 - sqrt(1 - u2)), mean = low + width / 2 +
/// (R - width) u1, so that (mean, width) is uniform over its triangle; else middle = low + R u1,
/// width = R u2, cut off at 0, so that a law from 0 on has a probability of its own. Normal: mean =
/// low + R u1, sigma = R u2 / 2, truncated to the range or, beyond it, at 0. A fixed coefficient
/// stays so.
Distribution law_at(LawFamily family, const FrictionRange& range, double u1, double u2);

/// The density at z of a draw of the law plus noise of standard deviation `noise` > 0: what a
/// kernel makes of the law, which is of a family, fixed or normal. The noise of a uniform law is
/// logistic, which gives a closed form for every width down to 0: with h = noise sqrt(3) / pi, x =
/// (z - mean) / h and d = width / (2 h) it is sinh(d) / (width (cosh(x) + cosh(d))). That of normal
/// and fixed laws is normal; a truncated one keeps its bounds.
double smoothed_density(const Distribution& law, double noise, double z);

}  // namespace graspmap
