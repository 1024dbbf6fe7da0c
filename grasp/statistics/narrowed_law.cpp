#include "grasp/statistics/narrowed_law.hpp"

namespace graspmap {
namespace {

/// The mean of the draws: the midpoint rule over the quantiles, exact for a uniform law.
double mean_of_draws(const Distribution& law) {
  constexpr int kPoints = 10'000;
  double sum = 0.0;
  for (int k = 0; k < kPoints; ++k) sum += quantile(law, (k + 0.5) / kPoints);
  return sum / kPoints;
}

}  // namespace

Distribution narrowed_law(const Distribution& law, double factor) {
  Distribution narrow = law;
  if (law.sigma > 0) {
    narrow.sigma *= factor;
    narrow.lot_sigma *= factor;
    return narrow;
  }
  const double centre = mean_of_draws(law);
  const auto move = [&](double& value) { value = centre + factor * (value - centre); };
  move(narrow.min);
  move(narrow.max);
  move(narrow.mode);
  for (double& value : narrow.values) move(value);
  return narrow;
}

}  // namespace graspmap
