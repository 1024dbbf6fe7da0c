#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "grasp/decide/support_fit/pushes.hpp"
#include "grasp/decide/support_fit/sliding_model.hpp"
#include "tests/support/random.hpp"
#include "tests/support/supports.hpp"

/// Pushes of a made-up part, for fits of its support.

namespace graspmap::testing {

/// Pushes without noise: random twists and the wrenches that a model has for them.
inline std::vector<MeasuredPush> exact_pushes(const SlidingModel& model, int count,
                                              Random& random) {
  std::vector<MeasuredPush> rows;
  for (int k = 0; k < count; ++k) {
    const Vec3 twist = random_direction(random);
    rows.push_back({static_cast<std::size_t>(k), model.wrench_of(twist), 12.0 * twist});
  }
  return rows;
}

/// The same, measured with errors of these sizes in random directions. Moments are in N mm at a
/// length of 20 mm.
inline std::vector<MeasuredPush> noisy_pushes(const SlidingModel& model, int count, double wrench_n,
                                              double twist_mm_s, Random& random) {
  std::vector<MeasuredPush> rows = exact_pushes(model, count, random);
  for (MeasuredPush& push : rows) {
    push.wrench += wrench_n * random_direction(random);
    push.twist += twist_mm_s * random_direction(random);
    push.wrench[2] *= 20.0;
    push.twist[2] /= 20.0;
  }
  return rows;
}

inline PushFile file_of(std::vector<MeasuredPush> rows) {
  PushFile file;
  file.file = "pushes.csv";
  file.origin = "simulated";
  file.groups = rows.size();
  file.rows = std::move(rows);
  return file;
}

}  // namespace graspmap::testing
