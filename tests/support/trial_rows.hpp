#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "grasp/trial.hpp"

namespace graspmap::testing {

/// A row whose values are all different, drawn anew for each index: no trial that was simulated.
inline TrialRow made_up_row(std::int64_t index) {
  std::mt19937_64 random(static_cast<std::uint64_t>(index) + 1);
  std::uniform_real_distribution<double> number(-1e3, 1e3);
  std::uniform_int_distribution<int> count(0, std::numeric_limits<int>::max());
  TrialRow row;
  row.index = index;
  row.cell_x = count(random);
  row.cell_y = count(random);
  row.parameters = {number(random), number(random), number(random), number(random), number(random)};
  row.outcome = kOutcomes[static_cast<std::size_t>(index) % kOutcomeCount];
  row.end_time_s = number(random);
  row.final_pose = Pose2{{number(random), number(random)}, number(random)};
  row.jaw_right_mm = number(random);
  row.jaw_left_mm = number(random);
  row.statistics.steps = count(random);
  row.statistics.newton_iterations = count(random);
  for (std::int64_t& steps : row.statistics.by_rung) steps = count(random);
  row.statistics.worst_residual = number(random);
  row.statistics.worst_gap_mm = number(random);
  row.statistics.least_dissipation = number(random);
  return row;
}

inline std::vector<TrialRow> made_up_rows(std::int64_t count) {
  std::vector<TrialRow> rows;
  for (std::int64_t index = 0; index < count; ++index) rows.push_back(made_up_row(index));
  return rows;
}

}  // namespace graspmap::testing
