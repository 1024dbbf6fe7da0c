#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// The most frames of a trial: a page is to show them.
inline constexpr std::size_t kMostLiveFrames = 1500;

/// Simulates one trial and writes what a moving picture of it needs, as JSON without spaces:
///   outcome       as in tables: "success", "wedged", ...
///   end_time_s
///   end           part_x_mm, part_y_mm, part_theta_rad (X_GP) at the end, with all their digits
///   story         the text of `graspmap replay`
///   frames        one array for the start and for each step (of more than kMostLiveFrames
///                 some, evenly in time), in order of time: time_s, part_x_mm,
///                 part_y_mm, part_theta_rad (X_GP), jaw_right_x_mm, jaw_left_x_mm, and an array
///                 for each contact: side (0 right, 1 left, 2 palm), x_mm, y_mm (in G), normal_x,
///                 normal_y (out of the jaw), normal_force_n, friction_force_n (on the part, along
///                 the normal turned by +90 degrees), grip (0 rests, 1 sticks, 2 slides)
/// Numbers of the frames have six digits. Forces are those of Scene.
std::string live_trial_json(const SweepConfig& config, const TrialParameters& parameters);
/// The same of a trial of the sweep, with what is drawn for it.
std::string live_trial_json(const SweepConfig& config, std::int64_t index);

/// What is drawn for a trial of the sweep: {"intended": [x_mm, y_mm, theta_rad], "x_mm", "y_mm",
/// "theta_rad" (these with the noise), "mu_jaw", "mu_support", "uncertain": {key: value}}.
std::string drawn_trial_json(const SweepConfig& config, std::int64_t index);

}  // namespace graspmap
