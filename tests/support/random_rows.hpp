#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "grasp/sweep/trials/trial.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

/// A row with random numbers in all fields, of no trial that was simulated.
inline TrialRow random_row(std::int64_t index) {
  Random random(static_cast<std::uint64_t>(index));
  const auto number = [&] { return random.uniform(-1e3, 1e3); };
  const auto count = [&] { return random.index(std::numeric_limits<int>::max()); };
  TrialRow row;
  row.index = index;
  row.cell_x = count();
  row.cell_y = count();
  row.cell_theta = count();
  row.parameters = {number(), number(), number(), number(), number()};
  row.outcome = kOutcomes[static_cast<std::size_t>(index) % kOutcomeCount];
  row.end_time_s = number();
  row.final_pose = Pose2{{number(), number()}, number()};
  row.jaw_right_mm = number();
  row.jaw_left_mm = number();
  row.statistics.steps = count();
  row.statistics.newton_iterations = count();
  for (std::int64_t& steps : row.statistics.by_rung) steps = count();
  row.statistics.worst_residual = number();
  row.statistics.worst_gap_mm = number();
  row.statistics.least_dissipation = number();
  return row;
}

inline std::vector<TrialRow> random_rows(std::int64_t count) {
  std::vector<TrialRow> rows;
  for (std::int64_t index = 0; index < count; ++index) rows.push_back(random_row(index));
  return rows;
}

}  // namespace graspmap::testing
