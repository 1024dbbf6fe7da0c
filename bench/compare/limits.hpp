#pragma once

#include <array>
#include <vector>

namespace graspmap::bench {

/// What an engine makes of one thing that a grasp needs.
struct Limit {
  const char* what;
  const char* graspmap;
  const char* box2d;
  const char* mujoco;
};

/// What each engine can and cannot do, as it takes part here (bench/peers).
const std::vector<Limit>& limits();

}  // namespace graspmap::bench
