#pragma once

#include <memory>

#include "bench/peers/engine.hpp"

namespace graspmap::bench {

/// What stands for a superellipse that is not a disc.
enum class MujocoTooth {
  kCapsule,  ///< a capsule along the longer semi-axis: fast, its corners rounder
  kMesh      ///< the convex hull of points on the outline, a prism: closer, slower
};

/// MuJoCo 2.2 with a fixed step `step_s` > 0. Throws std::invalid_argument for what it cannot
/// model: the tripod support, and as capsules, pieces that are none by more than 0.15 mm.
std::unique_ptr<Engine> make_mujoco_engine(const Scenario& scenario, double step_s,
                                           MujocoTooth tooth);

}  // namespace graspmap::bench
