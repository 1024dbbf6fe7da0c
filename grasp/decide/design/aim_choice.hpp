#pragma once

#include <array>
#include <optional>
#include <vector>

#include "grasp/base/probability/axis.hpp"
#include "grasp/decide/plan/success_field.hpp"

namespace graspmap {

/// A grasp by which an aim is chosen.
struct AimSample {
  PlacementVector at{};
  double density = 1.0;  ///< of the placements of all samples there, > 0
  bool success = false;
};

/// The placement with the highest success under a normal error of these standard deviations (0:
/// the axis has one value): the mean of the samples' outcomes, weighted by the error's density over
/// that of the samples, less where fewer than five (Kish's effective number) support it. Samples
/// that succeed and lie in the map are looked at. Of those that are within a standard error of the
/// highest it is the one closest to their mean, or the mean itself where that is as good. The aim
/// so far, `now`, stays where no other is better by a standard error. Without any success it is
/// `now`, or the middle of the map. Cost: of order n s for s successes of n samples.
PlacementVector best_aim(const std::vector<AimSample>& samples, const PlacementVector& sigma,
                         const std::array<Axis, 3>& axes,
                         const std::optional<PlacementVector>& now = {});

}  // namespace graspmap
