#pragma once

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/free_motion.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// Whether the fingers or the palm run into an obstacle. To them the obstacles are one more part,
/// which the table carries along as G moves.
class ObstacleWatch {
 public:
  /// Begins a trial of a scenario in a state.
  void begin(const Scenario& scenario, const State& state);

  /// How long the jaws can close freely from rest before they meet an obstacle, at most
  /// `longest_s`.
  [[nodiscard]] double closing_time_s(const State& state, double longest_s) const;

  /// How long a phase can go on from `state`, while nothing touches the part, before a finger or
  /// the palm meets an obstacle, at most `longest_s`.
  [[nodiscard]] double free_time_s(const Phase& phase, const State& state, double longest_s);

  /// Takes it that nothing has been met on the way to a state.
  void go_on_from(const State& state);

  /// The obstacle that a finger or the palm has overlapped in a state of a call in this trial, or
  /// on the way there from the one before; or -1.
  [[nodiscard]] int met(const State& state);

 private:
  [[nodiscard]] int first_met(const Configuration& q) const;

  bool any_ = false;
  Scenario scenario_;  ///< its part: the obstacles, in T
  BroadPhase obstacles_;
  int met_ = -1;
  State last_;
  double gap_mm_ = 0.0;  ///< in it, or a lower bound of that
};

}  // namespace graspmap
