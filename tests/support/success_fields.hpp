#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/plan/success_field.hpp"

/// Fields of trials that were not simulated, with a success probability that is known.

namespace graspmap::testing {

using FieldAxes = std::array<Axis, 3>;

inline FieldAxes plane(const Axis& x, const Axis& y, double theta = 0.0) {
  return {x, y, Axis{theta, theta, 1}};
}

/// Trials uniform in each cell; `outcome(at, u)` tells what becomes of one, u uniform in (0, 1).
template <typename OutcomeAt>
std::vector<TrialSample> samples_of(const FieldAxes& axes, int trials_per_cell, std::uint64_t seed,
                                    const OutcomeAt& outcome) {
  const int cells = axes[0].cells * axes[1].cells * axes[2].cells;
  std::vector<TrialSample> samples;
  for (int n = 0; n < cells * trials_per_cell; ++n) {
    int rest = n % cells;
    PlacementVector at{};
    for (std::uint32_t k = 0; k < 3; ++k) {
      const double u = uniform_open(seed, static_cast<std::uint64_t>(n), k);
      at[k] = axes[k].min + (rest % axes[k].cells + u) * axes[k].cell_size();
      rest /= axes[k].cells;
    }
    TrialSample sample;
    sample.cell = static_cast<std::size_t>(n % cells);
    sample.intended = {at[0], at[1], at[2]};
    sample.outcome = outcome(at, uniform_open(seed, static_cast<std::uint64_t>(n), 3));
    samples.push_back(sample);
  }
  return samples;
}

/// A field with success probability p(at); the others are wedged.
template <typename Probability>
SuccessField field_of(const FieldAxes& axes, int trials_per_cell, std::uint64_t seed,
                      const Probability& p) {
  return {axes, samples_of(axes, trials_per_cell, seed, [&](const PlacementVector& at, double u) {
            return u < p(at) ? Outcome::kSuccess : Outcome::kWedged;
          })};
}

/// The standard normal distribution function.
inline double normal_cdf(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

}  // namespace graspmap::testing
