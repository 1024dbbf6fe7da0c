#pragma once

#include <cstdint>
#include <memory>

#include "grasp/decide/calibrate/discrepancy_model.hpp"
#include "grasp/decide/calibrate/session_model.hpp"
#include "grasp/decide/statistics/tempered_sampler.hpp"

namespace graspmap {

struct AdaptiveSettings {
  std::int64_t round_trials = 0;  ///< of each round, about; 0: by the number of unknowns
  int most_rounds = 6;
  int draws = 300;             ///< of the posterior before each round
  ForEachIndex for_each = {};  ///< for the sampler
  bool in_sessions = false;    ///< friction is constant in each session of the cells
};

/// A model whose trials lie where the posterior is.
struct AdaptiveSimulation {
  std::unique_ptr<SimulatedModel> trials_model;
  std::unique_ptr<SessionModel> sessions_model;        ///< in sessions
  std::unique_ptr<DiscrepancyModel> with_discrepancy;  ///< when it is sought
  [[nodiscard]] const OutcomeModel& model() const {
    if (with_discrepancy) return *with_discrepancy;
    if (sessions_model) return *sessions_model;
    return *trials_model;
  }
  int rounds = 0;
  std::int64_t trials = 0;
};

/// Simulates trials at the placements of an experiment in rounds (adaptive importance sampling:
/// West 1993; Cornuet, Marin, Mira, Robert 2012): the first over all that the prior allows, each
/// later one from laws at draws of the posterior so far, with its likelihood to a power below 1 so
/// that they cover more than the posterior. Ends when a round is as wide as the one before. A pure
/// function of its arguments.
AdaptiveSimulation simulate_adaptively(const std::vector<CalibrationCell>& cells,
                                       const Unknowns& unknowns, const PlacementNoiseLaws& noise,
                                       const TrialSimulator& simulate,
                                       const AdaptiveSettings& settings = {});

}  // namespace graspmap
