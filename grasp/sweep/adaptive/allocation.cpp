#include "grasp/sweep/adaptive/allocation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace graspmap {
namespace {

/// The mean of (p (1 - p))^(1/3): B(a + 1/3, b + 1/3) / B(a, b) of each part.
double weight_of(const CellBelief& belief) {
  constexpr double kPower = 1.0 / 3.0;
  const auto log_beta = [](double a, double b) {
    return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  };
  double sum = 0;
  for (const auto& [weight, a, b] : belief) {
    sum += weight * std::exp(log_beta(a + kPower, b + kPower) - log_beta(a, b));
  }
  return sum;
}

}  // namespace

std::vector<int> allocated_trials(const SuccessMap& pilot, const std::vector<CellBelief>& beliefs,
                                  std::int64_t total, int most) {
  const auto trials_at = [&](double per_weight) {
    std::vector<int> trials;
    for (std::size_t c = 0; c < pilot.cells.size(); ++c) {
      const auto there = static_cast<double>(pilot.cells[c].trials());
      const double asked = per_weight * weight_of(beliefs[c]);
      const double rounded = asked < 1 ? 0.0 : std::exp2(std::round(std::log2(asked)));
      trials.push_back(static_cast<int>(std::min(std::max(rounded, there), double(most))));
    }
    return trials;
  };
  const auto fits = [&](double per_weight) {
    const std::vector<int> trials = trials_at(per_weight);
    return std::accumulate(trials.begin(), trials.end(), std::int64_t{0}) <= total;
  };
  // Bisection: the sum grows with per_weight. Weights are at least that of a sure cell's belief, so
  // that a high enough number fills all cells.
  double low = 0;
  double high = 1;
  while (fits(high) && high < 1e12) high *= 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return trials_at(low);
}

}  // namespace graspmap
