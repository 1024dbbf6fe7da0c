#pragma once

#include <memory>

#include "bench/peers/engine.hpp"

namespace graspmap::bench {

/// What stands for a superellipse that is not a disc.
enum class MujocoTooth {
  kCapsule,  ///< a capsule along the longer semi-axis: fast, its corners rounder
  kMesh      ///< the convex hull of points on the outline, a prism: closer, slower
};

/// How MuJoCo is set up. What its documentation recommends against slip, "Modeling",
/// "Algorithms and related settings" (2.2.2, doc/modeling.rst): elliptic cones, which are on here,
/// a large impratio, Newton's method with a very small tolerance, "say 1e-10"; and if that is not
/// enough, the Noslip solver.
struct MujocoSettings {
  MujocoTooth tooth = MujocoTooth::kCapsule;
  double impratio = 1.0;      ///< "XML Reference", option: how much harder friction is than contact
  double tolerance = 1e-8;    ///< MuJoCo's default
  int noslip_iterations = 0;  ///< "XML Reference", option
};

/// MuJoCo 2.2 with a fixed step `step_s` > 0. Throws std::invalid_argument for what it cannot
/// model: the tripod support, and pieces that differ from a capsule by more than 0.15 mm.
std::unique_ptr<Engine> make_mujoco_engine(const Scenario& scenario, double step_s,
                                           const MujocoSettings& settings);

}  // namespace graspmap::bench
