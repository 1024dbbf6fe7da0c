#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "grasp/decide/support_fit/pushes.hpp"
#include "grasp/decide/support_fit/sliding_model.hpp"
#include "grasp/decide/support_fit/support_fit.hpp"
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

/// A part on three points, with these loads on the first two.
inline PointsSliding on_three_points(double force_n, double first, double second) {
  return {{{1.4, 0.3}, {-0.5, 0.6}, {-0.1, -1.2}},
          {force_n * first, force_n * second, force_n * (1 - first - second)}};
}

/// To fit such a part, in mm.
inline SupportFitOptions three_points_options() {
  SupportFitOptions options;
  options.points_mm = {{28.0, 6.0}, {-10.0, 12.0}, {-2.0, -24.0}};
  options.length_mm = 20.0;
  options.folds = 2;
  return options;
}

inline const FittedSliding& fitted(const SupportFit& fit, SlidingKind kind) {
  return *std::find_if(fit.models.begin(), fit.models.end(),
                       [&](const FittedSliding& model) { return model.kind == kind; });
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
