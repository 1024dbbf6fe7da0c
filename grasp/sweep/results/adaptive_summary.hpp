#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grasp/base/io/json.hpp"
#include "grasp/sweep/adaptive/rounds.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// How an adaptive run spent its trials and why it stopped: a pure function of its trials.
struct AdaptiveSummary {
  AdaptiveSampling sampling;
  AdaptiveState state = AdaptiveState::kGoesOn;
  int rounds = 0;                    ///< complete ones
  std::int64_t trials = 0;           ///< that there are
  std::int64_t complete_trials = 0;  ///< of the complete run: all trials in all cells
  double confidence = 0.0;           ///< of the sweet spot
  bool sweet_spot_known = false;
  std::optional<std::int64_t> trials_when_known;  ///< when it was first
  std::int64_t edge_cells = 0;
  std::int64_t wide_cells = 0;

  [[nodiscard]] bool finished() const { return state != AdaptiveState::kGoesOn; }
};

AdaptiveSummary summarize(const SweepConfig& config, const AdaptiveRounds& rounds,
                          std::int64_t trials);

/// For a person, a few lines: why the run stopped, how sure the sweet spot is, what was saved.
std::string adaptive_text(const AdaptiveSummary& summary);

/// The field "adaptive" of summary.json.
void write_adaptive(JsonWriter& json, const AdaptiveSummary& summary);

}  // namespace graspmap
