#pragma once

#include <cstdint>
#include <optional>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/outcome.hpp"

namespace graspmap {

/// A trial of a run as a person asks for it: by its index, or else the first trial of a cell, of an
/// outcome, or of both.
struct TrialChoice {
  std::optional<std::int64_t> index;
  std::optional<Vec2> placement_mm;  ///< in the cell that holds it
  std::optional<Outcome> outcome;
  std::optional<double> theta_rad = {};  ///< of the cell; without it, at any angle
};

/// The row of that trial. Throws ConfigError when there is none, saying what there is; else as
/// RunStore.
TrialRow chosen_trial(const RunStore& store, const TrialChoice& choice);

}  // namespace graspmap
