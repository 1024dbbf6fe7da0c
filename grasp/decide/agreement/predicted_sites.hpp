#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "grasp/decide/agreement/agreement.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/sweep.hpp"

/// What a run's model predicts at placements of an experiment: simulated there.

namespace graspmap {

/// Placements, in mm.
struct Rectangle {
  double x_min_mm = 0.0;
  double x_max_mm = 0.0;
  double y_min_mm = 0.0;
  double y_max_mm = 0.0;

  [[nodiscard]] double area_mm2() const { return (x_max_mm - x_min_mm) * (y_max_mm - y_min_mm); }
  /// Whether it holds a placement; its upper ends belong to its neighbours.
  [[nodiscard]] bool holds(double x_mm, double y_mm) const {
    return x_min_mm <= x_mm && x_mm < x_max_mm && y_min_mm <= y_mm && y_mm < y_max_mm;
  }
  auto operator<=>(const Rectangle&) const = default;
};

/// Intended placements: a point, or uniform in a range of each coordinate.
struct Place : Rectangle {
  double theta_min_rad = 0.0;
  double theta_max_rad = 0.0;

  auto operator<=>(const Place&) const = default;
};

/// How many trials are simulated.
struct PredictionEffort {
  std::int64_t trials_per_place = 0;   ///< at the placement itself
  std::int64_t trials_per_change = 0;  ///< at each of the 10 changes of it; 0: none
  [[nodiscard]] std::int64_t total(std::size_t places) const {
    return static_cast<std::int64_t>(places) * (trials_per_place + 10 * trials_per_change);
  }
};

/// The effort for about `budget` trials in all: 60 % at the placements themselves.
PredictionEffort prediction_effort(std::size_t places, std::int64_t budget);

/// A budget for so many places: 100,000 trials; with more than 250 places 400 trials at each, up to
/// 200,000 in all.
std::int64_t prediction_budget(std::size_t places);

/// The steps of the changes for a run: a cell's size in x and y, the turn that moves the fingertips
/// by about as much, half a standard deviation of the friction distributions (at least 0.02).
std::array<double, kChangeCount> change_steps(const SweepConfig& config);

/// What was simulated at one placement.
struct PlacePrediction {
  SampleCounts counts;
  std::array<ChangedSuccess, kChangeCount> changed = {};
};

struct Predictions {
  std::vector<PlacePrediction> places;
  SessionDraws draws;  ///< without sessions empty
};

/// Simulates trials at places, with noise, friction and uncertain numbers of the configuration's
/// distributions, on all threads. Without sessions each trial draws its own friction, and trials of
/// different places are independent. With sessions all places share the draws, which are spread
/// evenly over the distributions, and the counts are of all draws together. The trials of the
/// changes are other ones, spread evenly over the distributions. Nothing when the control stops it.
/// A pure function of its arguments but `control`.
Predictions predict(const SweepConfig& config, std::span<const Place> places,
                    const PredictionEffort& effort, bool sessions, std::uint64_t seed,
                    const SweepControl& control = {});

}  // namespace graspmap
