#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

/// Trial rows that were not simulated: quick to make, and each with numbers of its own.

namespace graspmap::testing {

inline TrialRow made_up_row(const SweepConfig& config, std::int64_t index) {
  const SampledTrial trial = sample_trial(config, index);
  const double u = trial.parameters.placement_x_mm;
  TrialRow row;
  row.index = index;
  row.set_cell(trial.cell());
  row.parameters = trial.parameters;
  row.outcome = kOutcomes[static_cast<std::size_t>(index) % kOutcomeCount];
  row.end_time_s = 0.1 + u * u;
  row.final_pose = {{u / 3, -u / 7}, u / 11};
  row.jaw_right_mm = 10 + u;
  row.jaw_left_mm = -10 - u;
  row.statistics = {index % 90, index % 400, {index % 80, 1, 2, 3, 4}, 1e-11 * u, -1e-9, -1e-12};
  return row;
}

inline std::vector<TrialRow> made_up_rows(const SweepConfig& config, TrialRange range) {
  std::vector<TrialRow> rows;
  for (std::int64_t i = range.first; i < range.end; ++i) rows.push_back(made_up_row(config, i));
  return rows;
}

/// Whether two tables are equal to the last bit.
inline bool same_rows(const std::vector<TrialRow>& a, const std::vector<TrialRow>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), identical);
}

/// Writes odd numbers into all numbers of a row: those that text and databases tend to lose.
inline void make_odd(TrialRow& row) {
  using Limits = std::numeric_limits<double>;
  row.parameters = {-0.0, 0.0, Limits::denorm_min(), Limits::infinity(), -Limits::infinity()};
  row.end_time_s = Limits::quiet_NaN();
  row.final_pose = {{1e300, 0x1.fffffffffffffp-3}, -3.0};
  row.jaw_right_mm = 9007199254740993.0;
  row.jaw_left_mm = -0x1p63;
  row.statistics = {std::numeric_limits<std::int64_t>::max(),
                    std::numeric_limits<std::int64_t>::min(),
                    {-1, 0, 1, 0x7fffffffffff, -0x80000000L},
                    Limits::max(),
                    -Limits::min(),
                    -0.0};
}

}  // namespace graspmap::testing
