#pragma once

#include <optional>

#include "lab/scenes/time_figures.hpp"
#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// What two bodies exchange in the steps of the samples, all their contacts together.
struct PairForces {
  int body_a = 0;
  int body_b = 0;
  std::vector<double> normal_n;    ///< by sample, p_n / h
  std::vector<double> friction_n;  ///< |(p_t, p_o)| / h, summed over contacts
  std::vector<PatchKind> patch;    ///< the largest
};

/// The pairs of bodies that are in contact at any sample, those with the largest normal impulses
/// first.
std::vector<PairForces> pair_forces(const SpatialRecording& recording);

/// Normal force, friction and kind of contact over time, of the six pairs with the largest normal
/// impulses; none when nothing touches.
std::optional<Figure> contacts_figure(const SceneReport& report, const SpatialRecording& recording);

}  // namespace graspmap
