#include "grasp/sweep/store/trial_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graspmap {
namespace {

bool is_in_cell(const TrialRow& row, const TrialFilter& filter) {
  CellIndex cell = row.cell();
  if (filter.any_angle) cell.theta = filter.cell->theta;
  return cell == *filter.cell;
}

bool passes(const TrialRow& row, const TrialFilter& filter) {
  if (filter.cell && !is_in_cell(row, filter)) return false;
  return !filter.outcome || *filter.outcome == row.outcome;
}

double badness(const TrialRow& row) {
  const double residual = row.statistics.worst_residual;
  return std::isnan(residual) ? std::numeric_limits<double>::infinity() : residual;
}

bool is_worse(const TrialRow& a, const TrialRow& b) {
  if (badness(a) != badness(b)) return badness(a) > badness(b);
  return a.index < b.index;
}

}  // namespace

std::optional<TrialRow> first_trial(const RunStore& store, const TrialFilter& filter) {
  TrialReader reader(store);
  while (reader.next_index()) {
    const TrialRow row = reader.next();
    if (passes(row, filter)) return row;
  }
  return std::nullopt;
}

CellCounts count_outcomes(const RunStore& store, const TrialFilter& filter) {
  CellCounts counts;
  store.for_each([&](const TrialRow& row) {
    if (passes(row, filter)) ++counts.by_outcome[static_cast<std::size_t>(row.outcome)];
  });
  return counts;
}

std::vector<TrialRow> worst_trials(const RunStore& store, std::size_t count) {
  std::vector<TrialRow> worst;  // a heap with the best of them on top
  store.for_each([&](const TrialRow& row) {
    worst.push_back(row);
    std::push_heap(worst.begin(), worst.end(), is_worse);
    if (worst.size() <= count) return;
    std::pop_heap(worst.begin(), worst.end(), is_worse);
    worst.pop_back();
  });
  std::sort_heap(worst.begin(), worst.end(), is_worse);
  return worst;
}

}  // namespace graspmap
