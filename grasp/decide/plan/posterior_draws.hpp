#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/decide/plan/success_field.hpp"

namespace graspmap {

/// One draw of the posterior of a calibration: a world that explains the experiment.
struct PosteriorDraw {
  /// The distributions of friction.jaw and friction.support; nothing where the run's own holds.
  std::array<std::optional<Distribution>, 2> friction;
  PlacementVector offset{};                ///< effective placement = commanded + offset
  std::optional<PlacementVector> noise{};  ///< standard deviations of the positioning
};

/// At most `most` draws of calibrate.json's posterior, evenly spaced in its posterior_file
/// (docs/reference/formats.md). `stored`: the run's distributions of friction.jaw and
/// friction.support; a distribution is cut off at their bounds, and a uniform one narrower than
/// 1/20 of them is widened to that, for stored trials to cover it. `run`: the store of the run.
/// Throws ConfigError naming file, line and column, with the run that covers all draws when this
/// one does not.
std::vector<PosteriorDraw> read_posterior(const std::filesystem::path& calibrate_json,
                                          const std::array<Distribution, 2>& stored,
                                          std::size_t most, const std::filesystem::path& run);

/// What each trial counts under a draw's distributions; `samples` in the order of the index.
std::vector<double> draw_weights(const PosteriorDraw& draw,
                                 const std::array<Distribution, 2>& stored,
                                 const std::vector<TrialSample>& samples);

}  // namespace graspmap
