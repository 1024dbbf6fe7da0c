#include "grasp/decide/design/aim_choice.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/elementary/elementary.hpp"

namespace graspmap {
namespace {

constexpr double kEnough = 5.0;        ///< effective samples
constexpr double kLeastError = 0.005;  ///< of a success

struct AimSuccess {
  PlacementVector at{};
  double success = 0.0;
  double standard_error = 0.0;
};

AimSuccess success_at(const std::vector<AimSample>& samples, const PlacementVector& sigma,
                      const PlacementVector& aim) {
  constexpr double kFar = 25.0;  // of the weight's exponent: less does not count
  double sum = 0.0;
  double squares = 0.0;
  double successes = 0.0;
  for (const AimSample& sample : samples) {
    double far = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(sigma[k] > 0)) continue;
      const double z = (sample.at[k] - aim[k]) / sigma[k];
      far += 0.5 * z * z;
    }
    if (far > kFar) continue;
    const double weight = elementary::exp(-far) / sample.density;
    sum += weight;
    squares += weight * weight;
    if (sample.success) successes += weight;
  }
  if (!(sum > 0)) return {aim, 0.0, 0.0};
  const double effective = sum * sum / squares;
  const double share = successes / sum;
  return {aim, share * std::min(effective / kEnough, 1.0),
          std::max(std::sqrt(share * (1.0 - share) / effective), kLeastError)};
}

bool is_in(const std::array<Axis, 3>& axes, const PlacementVector& at) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!axes[k].is_fixed() && !axes[k].contains(at[k])) return false;
  }
  return true;
}

}  // namespace

PlacementVector best_aim(const std::vector<AimSample>& samples, const PlacementVector& sigma,
                         const std::array<Axis, 3>& axes,
                         const std::optional<PlacementVector>& now) {
  std::vector<AimSuccess> aims;
  for (const AimSample& sample : samples) {
    if (sample.success && is_in(axes, sample.at)) {
      aims.push_back(success_at(samples, sigma, sample.at));
    }
  }
  if (aims.empty()) {
    if (now) return *now;
    PlacementVector middle{};
    for (std::size_t k = 0; k < 3; ++k) middle[k] = 0.5 * (axes[k].min + axes[k].max);
    return middle;
  }
  const AimSuccess highest = *std::max_element(
      aims.begin(), aims.end(),
      [](const AimSuccess& a, const AimSuccess& b) { return a.success < b.success; });
  const double least = highest.success - highest.standard_error;
  if (now && success_at(samples, sigma, *now).success >= least) return *now;
  std::erase_if(aims, [&](const AimSuccess& aim) { return aim.success < least; });
  PlacementVector mean{};
  for (const AimSuccess& aim : aims) {
    for (std::size_t k = 0; k < 3; ++k) {
      mean[k] += aim.at[k] / static_cast<double>(aims.size());
    }
  }
  // What is as good need not be convex: its mean may be worse.
  if (success_at(samples, sigma, mean).success >= least) return mean;
  const auto distance = [&](const AimSuccess& aim) {
    double squares = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(sigma[k] > 0)) continue;
      const double z = (aim.at[k] - mean[k]) / sigma[k];
      squares += z * z;
    }
    return squares;
  };
  return std::min_element(
             aims.begin(), aims.end(),
             [&](const AimSuccess& a, const AimSuccess& b) { return distance(a) < distance(b); })
      ->at;
}

}  // namespace graspmap
