#pragma once

#include "sim/closing/simulate.hpp"

namespace graspmap::bench {

/// A way to simulate trials of one scenario: ours, or a physics engine that a user might take
/// instead. The world is built once, by the constructor.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Simulates one closing of the gripper, the jaws' free travel skipped in closed form. `result`
  /// is as of graspmap::simulate(), its statistics aside; a trial depends on nothing but the
  /// scenario and its parameters.
  virtual void simulate(const TrialParameters& trial, SimulationResult& result) = 0;
};

}  // namespace graspmap::bench
