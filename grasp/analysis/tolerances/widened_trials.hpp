#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grasp/analysis/tolerances/tolerance_inputs.hpp"
#include "grasp/trials/sweep.hpp"
#include "grasp/trials/trial_sampler.hpp"

namespace graspmap {

/// Grasps at one placement, drawn anew, under laws that are wider or narrower than the
/// configuration's. A grasp is a pure function of the factors, a seed and its index; the random
/// numbers do not depend on the factors, so that grasps of two widths are pairs.
class WidenedTrials {
 public:
  /// `config` must outlive it.
  WidenedTrials(const SweepConfig& config, const AimAndRobot& aim);

  [[nodiscard]] const std::vector<ToleranceInput>& inputs() const { return inputs_; }

  /// Simulates grasp `index`; `factors` has one factor for each input.
  Outcome run(std::span<const double> factors, std::uint64_t seed, std::uint64_t index,
              Workspace& workspace, SimulationResult& result) const;

  /// The same for a part of a lot, under the laws as they are (sample_at).
  Outcome run(std::uint64_t seed, const PartOfLot& part, Workspace& workspace,
              SimulationResult& result) const;

 private:
  /// All numbers of a grasp: uncertain ones, friction, noise, the robot's errors.
  [[nodiscard]] std::vector<double> numbers_of(const TrialParameters& parameters,
                                               std::vector<double> uncertain, std::uint64_t seed,
                                               std::uint64_t index) const;
  Outcome simulate(const std::vector<double>& numbers, Workspace& workspace,
                   SimulationResult& result) const;

  const SweepConfig& config_;
  AimAndRobot aim_;
  std::vector<ToleranceInput> inputs_;
  std::vector<std::size_t> place_;  ///< of each input among all numbers of a grasp
};

}  // namespace graspmap
