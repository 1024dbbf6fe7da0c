#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grasp/decide/tolerances/tolerance_inputs.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// Grasps at one placement, drawn anew, under laws that are wider or narrower than a
/// configuration's. A grasp is a pure function of the factors, a seed and its index; the random
/// numbers do not depend on the factors, so that grasps of two widths are pairs.
class WidenedTrials {
 public:
  /// `factors`: one for each of tolerance_inputs(config, aim).
  WidenedTrials(const SweepConfig& config, const AimAndRobot& aim, std::span<const double> factors);

  /// Simulates grasp `index`. A grasp whose numbers, under wider laws than the configuration's,
  /// give no part or finger is blocked.
  Outcome run(std::uint64_t seed, std::uint64_t index, Workspace& workspace,
              SimulationResult& result) const;

  /// The same for a part of a lot (sample_at).
  Outcome run(std::uint64_t seed, const PartOfLot& part, Workspace& workspace,
              SimulationResult& result) const;

 private:
  Outcome simulate(TrialParameters parameters, std::vector<double> uncertain, std::uint64_t seed,
                   std::uint64_t index, Workspace& workspace, SimulationResult& result) const;

  SweepConfig config_;  ///< with the laws of these widths
  AimAndRobot aim_;
  std::vector<ToleranceInput> inputs_;  ///< as in the configuration
  std::vector<std::size_t> place_;      ///< of each input among all numbers of a grasp
};

}  // namespace graspmap
