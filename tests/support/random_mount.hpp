#pragma once

#include <cmath>
#include <limits>

#include "sim/closing/model.hpp"
#include "tests/support/random_parts.hpp"

namespace graspmap::testing {

/// The stiffness of a mount in a direction in which it does not give way.
inline constexpr double kRigid = std::numeric_limits<double>::infinity();

/// A mount that gives way both ways; every third one without damping.
inline Mount random_mount(Random& random) {
  const double sideways = 5.0 * std::pow(100.0, random.uniform(0.0, 1.0));
  const double turning = 2e4 * std::pow(100.0, random.uniform(0.0, 1.0));
  const double damping_s = random.uniform(0.0, 0.01);
  return {sideways, turning, random.index(3) == 0 ? 0.0 : damping_s};
}

}  // namespace graspmap::testing
