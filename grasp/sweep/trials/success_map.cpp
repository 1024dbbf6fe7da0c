#include "grasp/sweep/trials/success_map.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

namespace graspmap {

std::int64_t CellCounts::trials() const {
  return std::accumulate(by_outcome.begin(), by_outcome.end(), std::int64_t{0});
}

double CellCounts::success_probability() const {
  const std::int64_t valid = valid_trials();
  if (valid == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(count(Outcome::kSuccess)) / static_cast<double>(valid);
}

Interval CellCounts::success_interval(double z) const {
  return wilson_interval_with_failed(count(Outcome::kSuccess), valid_trials(),
                                     count(Outcome::kFailed), z);
}

std::vector<std::string> outcome_texts(const CellCounts& counts) {
  std::vector<std::string> texts;
  for (const Outcome outcome : kOutcomes) {
    if (counts.count(outcome) == 0) continue;
    texts.push_back(fmt::format("{} {}", name(outcome), counts.count(outcome)));
  }
  return texts;
}

SuccessMap::SuccessMap(const CellGrid& grid)
    : CellGrid(grid), cells(static_cast<std::size_t>(grid.cell_count())) {}

void SuccessMap::add(const CellIndex& cell, Outcome outcome) {
  ++cells[index(cell.x, cell.y, cell.theta)].by_outcome[static_cast<std::size_t>(outcome)];
}

SuccessMap SuccessMap::slice(int k) const {
  SuccessMap map(x_mm, y_mm, {theta_rad.cell_min(k), theta_rad.cell_max(k), 1});
  std::copy_n(&cells[index(0, 0, k)], map.cells.size(), map.cells.begin());
  return map;
}

CellCounts SuccessMap::total() const {
  CellCounts sum;
  for (const CellCounts& cell : cells) {
    for (std::size_t k = 0; k < kOutcomeCount; ++k) sum.by_outcome[k] += cell.by_outcome[k];
  }
  return sum;
}

}  // namespace graspmap
