#pragma once

#include <cstdint>
#include <vector>

#include "grasp/decide/agreement/predicted_sites.hpp"
#include "grasp/decide/lab_plan/lab_goal.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// How the placements of a run sheet are chosen.
enum class PlacementChoice {
  kSpread,      ///< evenly over the map
  kInformative  ///< mostly where a trial is most informative, some evenly over the map
};

/// "spread", "informative".
const char* name(PlacementChoice choice);

/// Placements spread evenly over a map, in an order in which the first n are even, too, for each n:
/// the additive sequence of the generalised golden ratio (M. Roberts 2018, "The unreasonable
/// effectiveness of quasirandom sequences"; H. Niederreiter 1992, "Random Number Generation and
/// Quasi-Monte Carlo Methods", section 3.1), shifted at random by the seed, rounded to 0.01 mm and
/// 0.0001 rad. An axis of one value has that value.
std::vector<IntendedPlacement> even_placements(const CellGrid& map, std::size_t count,
                                               std::uint64_t seed);

/// The trials of a laboratory, as far as statistics are concerned. Trial j is at placement
/// places[j / trials_per_placement mod the number of places], in session j mod sessions, so that
/// each session covers the map. In a session friction is constant; without sessions each trial has
/// its own.
struct LabDesign {
  std::vector<IntendedPlacement> places;
  int trials_per_placement = 1;
  int sessions = 0;  ///< 0: none

  [[nodiscard]] std::size_t place_of(std::int64_t trial) const {
    return static_cast<std::size_t>(trial / trials_per_placement) % places.size();
  }
  [[nodiscard]] std::size_t session_of(std::int64_t trial) const {
    return sessions > 0 ? static_cast<std::size_t>(trial % sessions) : 0;
  }
};

/// The numbers of at most `count` of some placements, in their order: four in five have at least
/// half of the `information` that the best 2 % have; every fifth is one of the others, so that what
/// nobody expected shows, too. Without any information: the first ones.
std::vector<std::size_t> informative_placements(const std::vector<double>& information,
                                                std::size_t count);

/// A design with what the run's model predicts at its placements, and what the laboratory will see
/// there: simulated trials of other seeds.
struct LabForecast {
  LabDesign design;
  std::vector<std::size_t> groups;  ///< of the placements: where places are compared
  /// As compare may simulate it. Its own chance is small beside that of the experiments: it has
  /// hundreds of trials for each trial of the laboratory.
  Predictions model;
  Predictions lab;
  std::array<double, kChangeCount> steps = {};
};

/// What came of simulated experiments.
struct LabPower {
  std::int64_t trials = 0;  ///< of each experiment
  std::int64_t experiments = 0;
  std::int64_t reached = 0;    ///< experiments that reached the goal
  std::vector<double> widths;  ///< of a LearnGoal: the interval's width in each experiment
  std::int64_t covered = 0;    ///< of a LearnGoal: intervals that held the true value, 0

  [[nodiscard]] double power() const {
    return static_cast<double>(reached) / static_cast<double>(experiments);
  }
};

/// Simulates experiments of `trials` trials: draws each trial's end from the forecast's
/// probabilities of the laboratory, judges the experiment as `compare` does, and counts how many
/// reach the goal. Experiments of other `seed`s are independent. On all threads; a pure function of
/// its arguments but `control`. Fewer experiments when the control's flag stopped it.
LabPower simulate_power(const LabForecast& forecast, const LabRequest& request, std::int64_t trials,
                        std::int64_t experiments, std::uint64_t seed, const SweepControl& control);

/// What an experiment of so many trials can show of one change, when the model is right.
struct ChangeScope {
  Change change = Change::kLevel;
  double half_width = 0.0;  ///< of the interval: the median over experiments
  double found_80 = 0.0;    ///< the size that is found with 80 % probability; NaN: none is
};

/// What an experiment of so many trials can show, when the model is right.
struct LabScope {
  std::vector<ChangeScope> changes;  ///< those that can be known
  double within = 1.0;  ///< agreement within this is shown by the share `power` of experiments
  std::int64_t experiments = 0;  ///< that were simulated; fewer when it was stopped
};
LabScope simulate_scope(const LabForecast& forecast, const LabRequest& request, std::int64_t trials,
                        std::int64_t experiments, std::uint64_t seed, const SweepControl& control);

/// About how many trials a DetectGoal or AgreeGoal takes (normal approximation, without sessions).
double approximate_trials(const LabForecast& forecast, const LabRequest& request);

/// Whether there is more than one way to choose placements: not to show agreement, which must be
/// shown all over the map, and not for the level.
bool has_informative_placements(const LabGoal& goal);

/// The most different placements of a run sheet; more trials repeat them.
inline constexpr std::size_t kMostPlacements = 128;
/// The placements that are looked at to find where a trial is most informative.
inline constexpr std::size_t kPilotPlacements = 1500;

/// The laboratory as the goal has it: changed for a DetectGoal, else as the model.
ChangedLab lab_of(const SweepConfig& config, const LabGoal& goal);

/// Success at placements spread over the map, in the model and in the laboratory of the goal (of a
/// LearnGoal: with the change there by one step).
struct Pilot {
  std::vector<IntendedPlacement> places;
  std::size_t cells_left_out = 0;   ///< of the map: at whose centre the open fingers are blocked
  std::vector<double> model;        ///< success probabilities, means over near placements
  std::vector<double> information;  ///< of a trial, about the change: (p_1 - p_0)^2 / (p (1 - p))
};

/// Where the open fingers would overlap the part: at the placement itself, or with one input of the
/// placement noise a standard deviation off. Throws AnalysisStopped.
std::vector<bool> blocked_placements(const SweepConfig& config,
                                     const std::vector<IntendedPlacement>& places,
                                     const SweepControl& control);

/// Of placements where the fingers go beside the part. Throws ConfigError when no such placement is
/// on the map; AnalysisStopped.
Pilot run_pilot(const SweepConfig& config, const LabGoal& goal, std::uint64_t seed,
                const SweepControl& control);
std::int64_t pilot_trials(const LabGoal& goal);

/// The placements of a sheet, of the pilot's.
std::vector<IntendedPlacement> choose_placements(const Pilot& pilot, PlacementChoice choice);

/// Simulates the design's placements for the model and for the laboratory, which is the model's
/// twin unless the goal is to detect a change. `effort` 1: with as many trials as compare
/// simulates; smaller: with that share of them. Throws AnalysisStopped.
LabForecast forecast(const SweepConfig& config, const LabGoal& goal, const LabDesign& design,
                     double effort, std::uint64_t seed, const SweepControl& control);
std::int64_t forecast_trials(std::size_t places, const LabGoal& goal, double effort);

}  // namespace graspmap
