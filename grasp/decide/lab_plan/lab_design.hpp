#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grasp/sweep/config/cell_grid.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// How the placements of a run sheet are chosen.
enum class PlacementChoice {
  kSpread,      ///< evenly over the map
  kInformative  ///< mostly where a trial tells most, some evenly over the map
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

}  // namespace graspmap
