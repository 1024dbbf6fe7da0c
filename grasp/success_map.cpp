#include "grasp/success_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace graspmap {

/// Wilson 1927: with p = s/n, the interval is
///   (p + z^2/(2n) -+ z sqrt(p (1-p)/n + z^2/(4n^2))) / (1 + z^2/n).
Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z) {
  if (trials <= 0) return {0.0, 1.0};
  const double n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double z2_n = z * z / n;
  const double center = p + z2_n / 2;
  const double half = z * std::sqrt(p * (1 - p) / n + z2_n / (4 * n));
  // At the ends the formula gives 0 and 1 up to rounding; exactly is what one expects to read.
  const double low = successes == 0 ? 0.0 : (center - half) / (1 + z2_n);
  const double high = successes == trials ? 1.0 : (center + half) / (1 + z2_n);
  return {std::max(low, 0.0), std::min(high, 1.0)};
}

std::int64_t CellCounts::trials() const {
  return std::accumulate(by_outcome.begin(), by_outcome.end(), std::int64_t{0});
}

double CellCounts::success_probability() const {
  const std::int64_t valid = valid_trials();
  if (valid == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(count(Outcome::kSuccess)) / static_cast<double>(valid);
}

Interval CellCounts::success_interval() const {
  return wilson_interval(count(Outcome::kSuccess), valid_trials());
}

std::vector<std::string> outcome_texts(const CellCounts& counts) {
  std::vector<std::string> texts;
  for (const Outcome outcome : kOutcomes) {
    if (counts.count(outcome) == 0) continue;
    texts.push_back(fmt::format("{} {}", name(outcome), counts.count(outcome)));
  }
  return texts;
}

SuccessMap::SuccessMap(const GridAxis& x_axis, const GridAxis& y_axis, const AngleAxis& theta_axis)
    : x(x_axis),
      y(y_axis),
      theta(theta_axis),
      cells(static_cast<std::size_t>(x_axis.cells) * static_cast<std::size_t>(y_axis.cells) *
            static_cast<std::size_t>(theta_axis.cells)) {}

SuccessMap::SuccessMap(const PlacementSweep& placement)
    : SuccessMap(placement.x, placement.y, placement.theta) {}

void SuccessMap::add(const CellIndex& cell, Outcome outcome) {
  ++cells[index(cell.x, cell.y, cell.theta)].by_outcome[static_cast<std::size_t>(outcome)];
}

CellCounts SuccessMap::total() const {
  CellCounts sum;
  for (const CellCounts& cell : cells) {
    for (std::size_t k = 0; k < kOutcomeCount; ++k) sum.by_outcome[k] += cell.by_outcome[k];
  }
  return sum;
}

}  // namespace graspmap
