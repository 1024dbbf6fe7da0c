#pragma once

#include <optional>
#include <vector>

#include "grasp/decide/lab_plan/lab_experiments.hpp"

namespace graspmap {

/// How many trials are simulated for a plan.
struct ForecastEffort {
  int models = 2;                     ///< each with as many trials as compare simulates
  std::int64_t lab_trials = 100'000;  ///< of the laboratory, at all placements together
  int pilot_trials_per_place = 16;
};

/// The most different placements of a run sheet; more trials repeat them.
inline constexpr std::size_t kMostPlacements = 128;
/// The placements that are looked at to find where a trial tells most.
inline constexpr std::size_t kPilotPlacements = 1500;

/// The laboratory as the goal has it: changed for a DetectGoal, else as the model.
ChangedLab lab_of(const SweepConfig& config, const LabGoal& goal);

/// Success at placements spread over the map, in the model and in the laboratory of the goal (of a
/// LearnGoal: with the change there by one step).
struct Pilot {
  std::vector<IntendedPlacement> places;
  std::vector<double> model;        ///< success probabilities, means over near placements
  std::vector<double> information;  ///< of a trial, about the change: (p_1 - p_0)^2 / (p (1 - p))
};

/// Nothing when it was stopped.
std::optional<Pilot> run_pilot(const SweepConfig& config, const LabGoal& goal, int trials_per_place,
                               std::uint64_t seed, const SweepControl& control);
std::int64_t pilot_trials(int trials_per_place);

/// The placements of a sheet, of the pilot's.
std::vector<IntendedPlacement> choose_placements(const Pilot& pilot, PlacementChoice choice);

/// Simulates the design's placements for the model and for the laboratory. Nothing when it was
/// stopped.
std::optional<LabForecast> forecast(const SweepConfig& config, const LabGoal& goal,
                                    const LabDesign& design, const ForecastEffort& effort,
                                    std::uint64_t seed, const SweepControl& control);
std::int64_t forecast_trials(const LabDesign& design, const ForecastEffort& effort);

}  // namespace graspmap
