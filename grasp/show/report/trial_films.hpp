#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grasp/show/report/trial_table.hpp"

namespace graspmap {

/// Trials that a page shows as they move, without a simulator.
struct TrialFilms {
  /// JSON: the scales, and for each film its trial, its story (trial_text), the number of its
  /// frames and where they begin in `frames`, in words. docs/reference/formats.md has the fields.
  std::string json;
  /// The frames, in words of two bytes.
  std::string frames;
  std::size_t films = 0;
};

inline constexpr std::size_t kMostFilms = 500;
inline constexpr std::size_t kMostFilmFrames = 36;

/// The trials that get a film: the first of each outcome of each cell among those of a table; of
/// more than `most` some of them, taken evenly. In the order of the cells.
std::vector<std::int64_t> film_trials(const RunStore& store, const TrialTable& table,
                                      std::size_t most = kMostFilms);

/// Simulates trials again and keeps their stories and at most kMostFilmFrames moments of each,
/// evenly in time, the end among them. The program must have the run's time-stepper.
TrialFilms make_films(const SweepConfig& config, const std::vector<std::int64_t>& trials);

}  // namespace graspmap
