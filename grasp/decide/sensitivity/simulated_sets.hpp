#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grasp/sweep/trials/progress.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// How trials are simulated whose sets differ in one thing each.
struct SetsEffort {
  std::int64_t trials = 0;  ///< of each set; > 0
  double confidence = 0.95;
  int threads = 0;  ///< 0: as many as the machine has
  ShowTrials show = {};
};

/// Simulates one trial of a set, with the random numbers of `index`.
using TrialOfSet = std::function<Outcome(std::size_t set, std::uint64_t index, Workspace& workspace,
                                         SimulationResult& result)>;

/// The outcomes of trials 0, 1, ... of `sets` sets that take turns: that of trial k in set s is at
/// k * sets + s. Throws AnalysisStopped when the thread's stop flag ends it early.
std::vector<Outcome> simulate_sets(std::size_t sets, const SetsEffort& effort,
                                   const TrialOfSet& trial);

}  // namespace graspmap
