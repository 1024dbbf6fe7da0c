#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grasp/random_inputs.hpp"
#include "grasp/success_map.hpp"
#include "grasp/trial_samples.hpp"

namespace graspmap {

/// A number with its confidence interval.
struct Estimate {
  double value = 0.0;
  Interval interval;
};

/// What one input does to the variance of success (Sobol indices).
struct InputEffect {
  Estimate first;  ///< the share it has by itself
  Estimate total;  ///< the share it takes part in, alone or together with others
};

/// What can be said about a part of the placements.
enum class SensitivityState {
  kKnown,
  kNoVariance,  ///< all grasps succeed, or none does: nothing matters
  kUnreliable,  ///< too few trials of one kind, or the emulator foretells them too badly
  kNoTrials
};

/// The word for it in files: "known", "no_variance", "unreliable", "no_trials".
const char* name(SensitivityState state);

/// The least predictivity at which effects are told, and the least number of trials that succeed,
/// and that do not, to know it.
inline constexpr double kLeastPredictivity = 0.5;
inline constexpr int kLeastOfEither = 5;

/// The effects of all inputs on the success of a part of the placements.
struct Effects {
  SensitivityState state = SensitivityState::kNoTrials;
  double success_probability = 0.0;  ///< of the emulator; NaN without trials
  double predictivity = 0.0;  ///< 1 - (share of trials foretold wrongly) / (variance of success);
                              ///< NaN without variance
  std::vector<InputEffect> inputs;  ///< as RandomInputs::varying(); when known
};

/// How position and friction share the variance; the three sum to 1.
struct GroupEffects {
  Estimate position;          ///< by itself
  Estimate friction;          ///< by itself
  Estimate together;          ///< both at once
  Estimate position_surplus;  ///< position less friction
};

/// Which uncertainty matters, in a run.
struct Sensitivity {
  RandomInputs inputs;  ///< of what is analysed as a whole: the map, or placements around an aim
  std::optional<AimedPlacement> aim;
  double left_out = 0.0;  ///< share of the placements around the aim that lie outside of the map
  Effects whole;
  std::optional<GroupEffects> groups;  ///< when both kinds of inputs vary and effects are known
  SuccessMap map;
  RandomInputs cell_inputs;    ///< those that vary in each cell; the laws are the first cell's
  std::vector<Effects> cells;  ///< of each cell by itself
  std::int64_t trials = 0;
  std::int64_t failed = 0;
  double foretold = 0.0;  ///< share of all trials that an emulator without them foretells
};

/// Tells the effects of all random inputs on success from trials that are there: a SuccessEmulator
/// learns them, and Sobol indices are computed with it. Intervals by the jackknife over groups of
/// trials; where trials failed, the emulator learns them once as successes and once as no
/// successes, and the interval holds all that comes out. Throws std::logic_error without any trial.
Sensitivity analyse_sensitivity(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                const std::optional<AimedPlacement>& aim, double confidence);

}  // namespace graspmap
