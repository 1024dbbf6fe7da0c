#include "grasp/base/probability/even_sum.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

/// The s with P(U + Z <= s) = level, U uniform on [-h, h], Z standard normal:
///   P(U + Z <= s) = (I(s + h) - I(s - h)) / 2h   with I(z) = z Phi(z) + phi(z), I' = Phi.
/// Newton's method between bounds, from the level of U.
double sum_quantile(double h, double level) {
  constexpr double kFarthest = 40.0;  // Phi(-40) is no number
  constexpr double kEnough = 1e-7;    // of a change: the error that is left is as its square
  constexpr int kMostIterations = 60;
  double least = -h - kFarthest;
  double most = h + kFarthest;
  double s = (2 * level - 1) * h;
  for (int k = 0; k < kMostIterations; ++k) {
    const double upper = normal_cumulative(s + h);
    const double lower = normal_cumulative(s - h);
    const double excess = ((s + h) * upper + normal_density(s + h)) -
                          ((s - h) * lower + normal_density(s - h)) - 2 * h * level;
    (excess < 0 ? least : most) = s;
    double next = s - excess / (upper - lower);
    if (!(next > least && next < most)) next = (least + most) / 2;
    const double change = std::abs(next - s);
    s = next;
    if (change <= kEnough * (1 + h)) break;
  }
  return s;
}

}  // namespace

UniformAndNormal divided_sum(double width, double of_sum, double of_normal) {
  GRASPMAP_ASSERT(width > 0);
  const double h = width / 2;
  const double s = sum_quantile(h, of_sum);
  const double z =
      std::clamp(TruncatedNormal{0.0, 1.0, s - h, s + h}.quantile(of_normal), s - h, s + h);
  return {std::clamp((s - z + h) / width, 0.0, 1.0), z};
}

}  // namespace graspmap
